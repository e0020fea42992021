"""Raw requests: what a client receives of an application, byte for byte, streams included."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx

from tests.bootstrap.serving.whole_server import ORIGIN

STREAM = b"text/event-stream"
QUIET_SECONDS = 0.05
"""A stream that has been silent so long has told what it knows."""


@dataclass
class Received:
    """What a client received."""

    status: int = 0
    headers: list[tuple[bytes, bytes]] = field(default_factory=list)
    body: bytes = b""

    def header(self, name: str) -> str:
        """A header; empty if there is none."""
        found = [value.decode("latin-1") for known, value in self.headers if known.decode() == name]
        return ", ".join(found)

    def everything(self) -> bytes:
        """Status, headers and body."""
        lines = [str(self.status).encode(), *(name + b": " + value for name, value in self.headers)]
        return b"\n".join([*lines, b"", self.body])


async def send_request(
    app: Any,
    method: str,
    target: str,
    headers: Mapping[str, str] | None = None,
    json: Any = None,
    body: bytes = b"",
) -> Received:
    """Send one request; of a stream, take what comes before it falls silent."""
    made = httpx.Request(
        method,
        f"{ORIGIN}{target}",
        headers=dict(headers or {}),
        **({"content": body} if json is None else {"json": json}),
    )
    got, sent, over = Received(), False, asyncio.Event()
    heard = asyncio.Event()

    async def receive() -> dict[str, Any]:
        nonlocal sent
        if not sent:
            sent = True
            return {"type": "http.request", "body": made.content, "more_body": False}
        await over.wait()
        return {"type": "http.disconnect"}

    async def send(message: Any) -> None:
        heard.set()
        if message["type"] == "http.response.start":
            got.status, got.headers = message["status"], list(message["headers"])
        else:
            got.body += message.get("body", b"")

    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": made.url.path,
        "raw_path": made.url.raw_path.partition(b"?")[0],
        "query_string": made.url.query,
        "root_path": "",
        "headers": [(name.lower(), value) for name, value in made.headers.raw],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", made.url.port),
        "state": {},
    }
    running = asyncio.ensure_future(app(scope, receive, send))
    while not running.done():
        heard.clear()
        waiting = asyncio.ensure_future(heard.wait())
        is_stream = any(STREAM in value for _, value in got.headers)
        done, _ = await asyncio.wait(
            {running, waiting},
            timeout=QUIET_SECONDS if is_stream else 60,
            return_when=asyncio.FIRST_COMPLETED,
        )
        waiting.cancel()
        if not done:
            assert is_stream, f"{method} {target} is not answered"
            over.set()
            await asyncio.wait({running}, timeout=60)
            break
    await running
    return got
