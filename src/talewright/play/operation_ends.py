"""Ends of operations: how a face joins the result of an input with the news of its turn.

A result and its news come by two ways. Whoever shows both waits here until the news have told the end of the
operation that the result names; it never waits for news that nobody sends.
"""

import asyncio
from collections import deque
from contextlib import suppress

from talewright.play.news import News
from talewright.play.session import InputResult

ENDS_KEPT_MAX = 64
"""Operations whose end was heard and that are remembered."""

END_SECONDS_MAX = 2.0
"""How long a result waits for its news: they may be lost on the way, and then the view is shown without."""


class OperationEnds:
    """Which operations have ended, as far as the news told."""

    def __init__(self) -> None:
        self._ended: deque[str] = deque(maxlen=ENDS_KEPT_MAX)
        self._over = False
        self._woken = asyncio.Event()

    def hear(self, news: News) -> None:
        """Note it where an operation has ended."""
        if news.ends_turn:
            self._ended.append(news.operation_id)
            self._woken.set()

    def finish(self) -> None:
        """There are no more news to wait for."""
        self._over = True
        self._woken.set()

    async def wait_for(self, result: InputResult) -> None:
        """Wait until the news have told the end of the operation of a result, where they tell it at all."""
        # Of what was handed in a second time the end was heard the first time.
        if not result.operation_id or result.repeated:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS_MAX):
                while result.operation_id not in self._ended and not self._over:
                    self._woken.clear()
                    await self._woken.wait()
