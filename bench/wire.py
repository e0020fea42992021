"""The OpenAI-compatible adapter beside bare httpx and json: time to the first token, and CPU of a chunk.

The server is a process of its own, so that only the client's work is counted. Both sides send the same
request over a kept connection, in interleaved pairs. Replies come in a burst, and one by one as from a model.
"""

import asyncio
import json
import statistics
import subprocess
import sys
from collections.abc import Awaitable, Callable
from time import perf_counter, process_time

import httpx

from bench.figures import at_most, report
from talewright.llm.known_models import find_profile
from talewright.llm.reply_chunks import Text
from talewright.llm.requests import Request, SystemMessage, UserMessage
from talewright.providers.openai_wire.openai_provider import OpenAICompatible
from talewright.providers.openai_wire.request_body import write_request

THINK_SECONDS = 0.02
"""How long the server takes to its first token. The quickest hosted models take several times as long; our
own work, which is the same for all, is printed beside the ratio."""

GAP_SECONDS = 0.001
"""Between two chunks that come one by one."""

FIRST_ROUNDS = 60
BURST_ROUNDS = 15
SINGLE_ROUNDS = 7
BURST_CHUNKS = 4_000
SINGLE_CHUNKS = 600
PROMPT = "The fog comes in over the quay, and somewhere in it a bell begins to count to thirteen. " * 400
"""About 8,000 tokens: a window half full."""

MODEL = "gpt-4.1-mini"
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


def frame(delta: dict[str, str], finish: str | None = None) -> bytes:
    """One event as OpenAI spells it, in one chunk of HTTP."""
    body = {
        "id": "chatcmpl-0000000000000000000000000000",
        "object": "chat.completion.chunk",
        "created": 1_700_000_000,
        "model": MODEL,
        "service_tier": "default",
        "system_fingerprint": "fp_0000000000",
        "choices": [{"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}],
        "usage": None,
    }
    data = b"data: " + json.dumps(body, separators=(",", ":")).encode() + b"\n\n"
    return b"%x\r\n%s\r\n" % (len(data), data)


async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Answer every request on a connection; its `max_completion_tokens` says how many chunks, and how."""
    token, end = frame({"content": " bell"}), frame({}, "stop") + b"e\r\ndata: [DONE]\n\n\r\n0\r\n\r\n"
    while True:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).lower()
        except asyncio.IncompleteReadError:
            break
        size = int(head.partition(b"content-length:")[2].partition(b"\r\n")[0])
        asked = json.loads(await reader.readexactly(size))
        chunks, single = asked["max_completion_tokens"], asked["temperature"] == 1
        await asyncio.sleep(THINK_SECONDS)
        writer.write(HEAD + frame({"role": "assistant", "content": ""}) + token)
        for _ in range(chunks - 1):
            if single:
                await asyncio.sleep(GAP_SECONDS)
            writer.write(token)
        writer.write(end)
        await writer.drain()
    writer.close()


async def serve() -> None:
    """Serve until nobody listens to our standard output any more."""
    server = await asyncio.start_server(answer, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()


class Sides:
    """The two sides of the comparison, each with a connection of its own."""

    def __init__(self, url: str) -> None:
        self.profile = find_profile(MODEL)
        self.adapter = OpenAICompatible(MODEL, url, "sk-bench", profile=self.profile)
        self.client = httpx.AsyncClient(timeout=30.0)
        self._url = url + "/chat/completions"

    async def ask_ours(self, request: Request) -> float:
        """Seconds to the first token; the answer is heard to its end."""
        start, first = perf_counter(), 0.0
        async for chunk in self.adapter.stream(request):
            if not first and isinstance(chunk, Text):
                first = perf_counter() - start
        return first

    async def ask_bare(self, body: bytes) -> float:
        """The same over bare httpx, with every event parsed."""
        start, first = perf_counter(), 0.0
        headers = {"authorization": "Bearer sk-bench", "content-type": "application/json"}
        async with self.client.stream("POST", self._url, content=body, headers=headers) as response:
            async for line in response.aiter_lines():
                if line.startswith("data: ") and line != "data: [DONE]":
                    text = json.loads(line[6:])["choices"][0]["delta"].get("content")
                    if text and not first:
                        first = perf_counter() - start
        return first

    async def close(self) -> None:
        await self.adapter.close()
        await self.client.aclose()


async def compare(
    sides: Sides, chunks: int, single: bool, rounds: int, clock: Callable[[], float] | None
) -> tuple[float, float, float]:
    """Medians of ours and of bare, and of their ratio; without a clock the time to the first token counts."""
    request = Request(
        (SystemMessage(PROMPT), UserMessage("I follow the bell.")), (), None, float(single), chunks
    )
    body = write_request(MODEL, request, sides.profile)
    cases: list[Callable[[], Awaitable[float]]] = [
        lambda: sides.ask_ours(request),
        lambda: sides.ask_bare(body),
    ]
    pairs: list[tuple[float, float]] = []
    # The first round warms up and is not counted.
    for turn in range(rounds + 1):
        taken = [0.0, 0.0]
        for place in (0, 1) if turn % 2 else (1, 0):
            start = clock() if clock else 0.0
            first = await cases[place]()
            taken[place] = clock() - start if clock else first
        pairs.append((taken[0], taken[1]))
    pairs = pairs[1:]
    ours, bare = (statistics.median(column) for column in zip(*pairs, strict=True))
    return ours, bare, statistics.median(one / other for one, other in pairs)


async def measure_all(url: str) -> tuple[float, float, float]:
    sides = Sides(url)
    ours, bare, first = await compare(sides, 1, False, FIRST_ROUNDS, None)
    more = (ours - bare) * 1e3
    print(f"  first token: {ours * 1e3:.2f} ms, bare {bare * 1e3:.2f} ms, {more:.2f} ms of our own work")
    ours, bare, burst = await compare(sides, BURST_CHUNKS, False, BURST_ROUNDS, process_time)
    print(
        f"  a chunk in a burst: {ours / BURST_CHUNKS * 1e6:.1f} us, bare {bare / BURST_CHUNKS * 1e6:.1f} us"
    )
    ours, bare, single = await compare(sides, SINGLE_CHUNKS, True, SINGLE_ROUNDS, process_time)
    print(
        f"  a chunk by itself: {ours / SINGLE_CHUNKS * 1e6:.1f} us, bare {bare / SINGLE_CHUNKS * 1e6:.1f} us"
    )
    await sides.close()
    return first, burst, single


def main() -> int:
    command = (sys.executable, "-m", "bench.wire", "serve")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        try:
            port = int(server.stdout.readline())
            first, burst, single = asyncio.run(measure_all(f"http://127.0.0.1:{port}/v1"))
        finally:
            server.terminate()
    return report(
        [
            at_most("first_token_vs_httpx", first, 1.05),
            at_most("chunk_in_burst_vs_httpx", burst, 2.0),
            at_most("chunk_alone_vs_httpx", single, 2.0),
        ]
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["serve"]:
        asyncio.run(serve())
    else:
        raise SystemExit(main())
