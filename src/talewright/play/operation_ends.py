"""Operation ends: lets a face wait for a turn's events to arrive before it shows the turn's result.

Results and events arrive separately. A face that shows both waits here for the event that ends the result's
operation; it never waits for events that are not sent.
"""

import asyncio
from collections import deque
from contextlib import suppress

from talewright.play.news import News
from talewright.play.session import InputResult

ENDS_KEPT_MAX = 64
"""How many ended operations are remembered."""

END_SECONDS_MAX = 2.0
"""How long a result waits for its events: they may be lost, and then the view is shown without them."""


class OperationEnds:
    """The operations that have ended, according to the events."""

    def __init__(self) -> None:
        self._ended: deque[str] = deque(maxlen=ENDS_KEPT_MAX)
        self._over = False
        self._woken = asyncio.Event()

    def hear(self, news: News) -> None:
        """Note the end of an operation."""
        if news.ends_turn:
            self._ended.append(news.operation_id)
            self._woken.set()

    def finish(self) -> None:
        """Stop waiting: there will be no more events."""
        self._over = True
        self._woken.set()

    async def wait_for(self, result: InputResult) -> None:
        """Wait for the event that ends a result's operation, if there is one."""
        # The end of a repeated operation was reported the first time.
        if not result.operation_id or result.repeated:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS_MAX):
                while result.operation_id not in self._ended and not self._over:
                    self._woken.clear()
                    await self._woken.wait()
