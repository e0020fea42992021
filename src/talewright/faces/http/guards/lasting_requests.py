"""Lasting requests: a stream is checked again while it is open, and ends when its token or login does.

It is the request's next message that is checked, so nothing is sent after that.
"""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic

from talewright.faces.http.access_grants import AccessRules, access_denied
from talewright.faces.http.guards.request_guards import AsgiApp, Message, Receive, Scope, Send
from talewright.faces.http.problems import answer_error

CHECK_SECONDS = 30.0
"""How often an open stream is checked: someone who lost access must not keep listening."""


class LastingRequests:
    """The application, which ends a request when the rules grant nothing to it any more."""

    def __init__(self, app: AsgiApp, rules: AccessRules, seconds: Callable[[], float] = monotonic) -> None:
        self._app = app
        self._rules = rules
        self._seconds = seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def holds() -> bool:
            return await self._rules.still_grants(scope)

        await serve_while(holds, self._app, scope, receive, send, self._seconds)


async def serve_while(
    holds: Callable[[], Awaitable[bool]],
    app: AsgiApp,
    scope: Scope,
    receive: Receive,
    send: Send,
    seconds: Callable[[], float],
) -> None:
    """Answer a request for as long as this holds."""
    task, checked = asyncio.current_task(), seconds()
    started = ended = False
    assert task is not None

    async def watch(message: Message) -> None:
        nonlocal checked, started, ended
        if not ended and seconds() - checked > CHECK_SECONDS:
            checked = seconds()
            if not await holds():
                ended = True
                task.cancel()
        if not ended:
            started = True
            await send(message)

    try:
        await app(scope, receive, watch)
    except asyncio.CancelledError:
        if not ended:
            raise
        task.uncancel()
        if started:
            await send({"type": "http.response.body"})
        else:
            await answer_error(access_denied())(scope, receive, send)
