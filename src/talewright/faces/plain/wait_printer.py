"""Wait printer: lines that report progress while a turn takes long, and Enter to continue without a model.

It writes only after a silence, one line after another; it never rewrites a line.
"""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from time import monotonic
from typing import Final

from talewright.common.frozen_values import frozen
from talewright.faces.plain.console import Keyboard
from talewright.faces.plain.plain_output import PlainOutput
from talewright.faces.plain.plain_words import PlainWords
from talewright.play.news import ActivityNews
from talewright.play.presentation.wait_progress import PROGRESS_AFTER_SECONDS, WaitPatterns
from talewright.play.session import Session

LOOK_SECONDS: Final = 0.25
"""How often to check whether a line is due."""

AGAIN_SECONDS: Final = 10.0
"""The interval between lines if nothing else happens."""


@frozen
class WaitTimer:
    """A clock, and a way to wait by it."""

    clock: Callable[[], float] = monotonic
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep


class WaitPrinter:
    """Reports the wait for one turn."""

    def __init__(
        self,
        session: Session,
        sheet: PlainOutput,
        words: PlainWords,
        keyboard: Keyboard | None = None,
        timer: WaitTimer = WaitTimer(),  # noqa: B008 - a frozen value
    ) -> None:
        """Without a keyboard, Enter does nothing."""
        self._session = session
        self._sheet = sheet
        self._words = words
        self._keyboard = keyboard
        self._timer = timer
        self._begun = self._heard = timer.clock()
        self._accepted = False
        self._activity: ActivityNews | None = None
        self._told: str | None = None
        """What the engine was doing when the last line was written; None if there is none yet."""

        self._listening: asyncio.Task[None] | None = None

    def take(self, activity: ActivityNews) -> None:
        """The engine is doing something else now."""
        self._activity = activity

    def begin(self) -> None:
        """A turn is accepted; from the second one on, the wait is counted from here."""
        if self._accepted:
            self._begun, self._told = self._timer.clock(), None
        self._accepted = True

    def hear(self) -> None:
        """Something was written that the player can read."""
        self._heard = self._timer.clock()

    async def run(self) -> None:
        """Write lines until the turn is over."""
        try:
            while True:
                await self._timer.sleep(LOOK_SECONDS)
                self._look()
        finally:
            if self._listening is not None:
                self._listening.cancel()
                with suppress(asyncio.CancelledError):
                    await self._listening

    def _look(self) -> None:
        silence = self._timer.clock() - self._heard
        doing = "" if self._activity is None else self._activity.doing
        # Checking at the next interval would be too late.
        if silence < (AGAIN_SECONDS if doing == self._told else PROGRESS_AFTER_SECONDS - LOOK_SECONDS):
            return
        line = _describe(self._activity, self._timer.clock() - self._begun, self._words)
        if self._told is None:
            line = self._words.sentences.format(text=line, next=self._offer())
        self._sheet.interrupt([line])
        self._told = doing
        self.hear()

    def _offer(self) -> str:
        """What the player can do instead of waiting."""
        can_skip = self._activity is not None and self._activity.can_skip
        if not can_skip or self._keyboard is None or not self._keyboard.hears_enter:
            return self._words.wait_stop
        if self._listening is None:
            self._listening = asyncio.create_task(self._skip(self._keyboard))
        return self._words.wait_skip

    async def _skip(self, keyboard: Keyboard) -> None:
        await keyboard.wait_for_enter()
        await self._session.skip()


def _describe(activity: ActivityNews | None, elapsed: float, words: PlainWords) -> str:
    """What the engine is doing, for how long, and how long that usually takes."""
    text = words.wait if activity is None else activity.text
    usual = None if activity is None else activity.usual_seconds
    pattern = WaitPatterns(words.wait_seconds, words.wait_usual, words.wait_longer).choose(elapsed, usual)
    return pattern.format(text=text, seconds=round(elapsed), usual=round(usual or 0))
