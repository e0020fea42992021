"""Operation ends: lets a face wait until the news of a turn have arrived before it shows the turn's result.

Results and news arrive separately. A face that shows both waits here until the news report the end of the
result's operation; it never waits for news that are not sent.
"""

import asyncio
from collections import deque
from contextlib import suppress

from talewright.play.news import News
from talewright.play.session import InputResult

ENDS_KEPT_MAX = 64
"""How many ended operations are remembered."""

END_SECONDS_MAX = 2.0
"""How long a result waits for its news: they may be lost, and then the view is shown without them."""


class OperationEnds:
    """The operations that have ended, according to the news."""

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
        """Stop waiting: there will be no more news."""
        self._over = True
        self._woken.set()

    async def wait_for(self, result: InputResult) -> None:
        """Wait until the news report the end of a result's operation, if they report it at all."""
        # The end of a repeated operation was reported the first time.
        if not result.operation_id or result.repeated:
            return
        with suppress(TimeoutError):
            async with asyncio.timeout(END_SECONDS_MAX):
                while result.operation_id not in self._ended and not self._over:
                    self._woken.clear()
                    await self._woken.wait()
