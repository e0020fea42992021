"""Counts the event streams that a server has open, and records everything that it sends."""

from pathlib import Path

from talewright.faces.http.guards.request_guards import AsgiApp, Message, Receive, Scope, Send

STREAMS_PATH = "/test/streams"

COUNTED = f"""async (wanted) => (await (await fetch("{STREAMS_PATH}")).text()) === String(wanted)"""
"""For `wait_for_function` on a page of the server: whether so many streams are open."""


class StreamCounter:
    """The application, with a page that says how many streams are open and a file of all that was sent."""

    def __init__(self, app: AsgiApp, sent: Path) -> None:
        self._app = app
        self._sent = sent
        self.open = 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        if scope["path"] == STREAMS_PATH:
            headers = [(b"content-type", b"text/plain"), (b"cache-control", b"no-store")]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": str(self.open).encode()})
            return
        streams = 0

        async def watch(message: Message) -> None:
            nonlocal streams
            if message["type"] == "http.response.start":
                streams = sum(b"text/event-stream" in value for _, value in message["headers"])
                self.open += streams
            with self._sent.open("ab") as sent:
                for name, value in message.get("headers", ()):
                    sent.write(name + b": " + value + b"\n")
                sent.write(message.get("body", b""))
            await send(message)

        try:
            await self._app(scope, receive, watch)
        finally:
            self.open -= streams
