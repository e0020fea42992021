"""Open requests: the requests being answered, so that a server can stop while streams are open.

Event streams never end on their own; when the server stops, they end at once and their readers reconnect to
the next process. Other requests get a moment to finish. No turn is stopped here.
"""

import asyncio

from talewright.faces.http.guards.request_guards import AsgiApp, Message, Receive, RequestRefusal, Scope, Send

FINISH_SECONDS_MAX = 2.0
"""How long requests other than streams may continue after the server is told to stop."""

STREAM = b"text/event-stream"

STOPPING = RequestRefusal(
    503,
    "Service Unavailable",
    "server_stopping",
    "the server is stopping",
    "When it is running again, resend the request with the same operation id.",
)


class OpenRequests:
    """The application, with an end for each of its requests."""

    def __init__(self, app: AsgiApp, finish_seconds: float = FINISH_SECONDS_MAX) -> None:
        self._app = app
        self._finish_seconds = finish_seconds
        self._stopping = False
        self._open: dict[asyncio.Task[None], bool] = {}
        """The tasks of the requests, and whether each is a stream."""

    @property
    def count(self) -> int:
        """How many requests are being answered."""
        return len(self._open)

    def stop(self) -> None:
        """End the streams now and everything else soon; call it in the event loop."""
        self._stopping = True
        self._cancel(streams_only=True)
        asyncio.get_running_loop().call_later(self._finish_seconds, self._cancel)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        task = asyncio.current_task()
        if scope["type"] != "http" or task is None:
            await self._app(scope, receive, send)
            return
        started = False

        async def watch(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                self._open[task] = any(STREAM in value for _, value in message.get("headers", ()))
            await send(message)
            if self._stopping and self._open[task]:
                task.cancel()

        self._open[task] = False
        try:
            await self._app(scope, receive, watch)
        except asyncio.CancelledError:
            if not self._stopping:
                raise
            task.uncancel()
            await (send({"type": "http.response.body"}) if started else STOPPING.answer(send))
        finally:
            del self._open[task]

    def _cancel(self, *, streams_only: bool = False) -> None:
        for task, is_stream in self._open.items():
            if is_stream or not streams_only:
                task.cancel()
