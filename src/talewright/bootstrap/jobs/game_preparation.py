"""Game preparation: a server compiles changed games in another process before it answers.

A request waits for that only briefly. A large game is compiled while other requests are answered; until then,
the last edition is in use. After a start there may be none, so the first requests wait longer.
"""

import asyncio
from collections.abc import Awaitable, Callable
from time import monotonic
from typing import Any

from talewright.errors import TalewrightError

LOOK_SECONDS = 0.5
"""How long it is believed that no file has changed, however many requests come."""

WAIT_SECONDS = 1.0
"""How long a request waits for changed games."""

FIRST_WAIT_SECONDS = 60.0
"""How long it waits when no game has been looked at before."""


class GamePreparation:
    """The application of a server, which looks for changed games before each request."""

    def __init__(
        self,
        app: Callable[..., Awaitable[None]],
        prepare: Callable[[], Awaitable[None]],
        seconds: Callable[[], float] = monotonic,
        wait_seconds: float = WAIT_SECONDS,
        first_wait_seconds: float = FIRST_WAIT_SECONDS,
    ) -> None:
        """`prepare` compiles all changed games."""
        self._app = app
        self._prepare = prepare
        self._seconds = seconds
        self._wait_seconds = wait_seconds
        self._first_wait_seconds = first_wait_seconds
        self._task: asyncio.Task[None] | None = None
        self._looked: float | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Answer a request."""
        if scope["type"] == "http":
            await self._look()
            await self._app(scope, receive, send)
            return
        try:
            await self._app(scope, receive, send)
        finally:
            # The server has stopped.
            if self._task is not None:
                self._task.cancel()
                await asyncio.wait([self._task])

    async def _look(self) -> None:
        if self._task is not None and self._task.done():
            self._task, self._looked = None, self._seconds()
        if self._task is None:
            if self._looked is not None and self._seconds() - self._looked < LOOK_SECONDS:
                return
            self._task = asyncio.create_task(self._compile())
        is_first = self._looked is None
        await asyncio.wait([self._task], timeout=self._first_wait_seconds if is_first else self._wait_seconds)

    async def _compile(self) -> None:
        try:
            await self._prepare()
        except TalewrightError:
            # Busy, or a folder that cannot be read: whoever asks for such a game is told.
            return
