"""The server's own process: a small model behind the OpenAI wire, on a free port of this machine.

It says its address in one line, and ends when nobody holds the other end of its input any more. It is started
by `serving`, and never imported: the package it needs may be missing.

    python -m tests.models.server_process WEIGHTS THREADS CONTEXT_TOKENS KEY
"""

import importlib
import sys
from pathlib import Path

LOOPBACK = "127.0.0.1"
TEMPLATE = Path(__file__).parent / "chat.jinja"
"""How messages become one text. The model's own template is the same, but leaves tools out."""

MODEL = "smollm2-135m-instruct"
"""The name under which the server lists its model."""


def main(weights: str, threads: int, context_tokens: int, key: str) -> None:
    """Serve until the input ends."""
    llama = importlib.import_module("xllamacpp")
    params = llama.CommonParams()
    params.model.path = weights
    params.n_ctx = context_tokens
    # One answer at a time: a second slot would halve the context, and the cache would be found in either.
    params.n_parallel = 1
    # What the slot itself has kept is all that is kept: prompts of long ago would flatter every figure.
    params.cache_ram_mib = 0
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    # On a processor, attention the plain way writes half as fast again as in one fused step.
    params.flash_attn_type = llama.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    params.hostnames = [LOOPBACK]
    params.port = 0
    params.use_jinja = True
    params.chat_template = TEMPLATE.read_text(encoding="utf-8")
    params.endpoint_metrics = True
    params.ui = False
    params.model_alias = {MODEL}
    if key:
        params.api_keys = [key]
    server = llama.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.read()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4])
