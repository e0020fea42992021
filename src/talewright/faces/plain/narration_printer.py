"""Narration printer: prints the story as it arrives, and the dice as they fall, while the turn still runs.

This is only a preview; the finished turn is what counts.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import suppress

from talewright.common.frozen_values import frozen
from talewright.faces.plain.console import Keyboard
from talewright.faces.plain.plain_output import HANGING, PlainOutput
from talewright.faces.plain.plain_words import PlainWords
from talewright.faces.plain.view_text import show_roll, show_rolls
from talewright.faces.plain.wait_printer import WaitPrinter, WaitTimer
from talewright.play.campaign_view import RollView
from talewright.play.news import AcceptedNews, ActivityNews, DeltaNews, DiceNews, News, ResetNews
from talewright.play.played_turn import OperationEnds
from talewright.play.session import InputResult, Session

DICE = "dice"
"""The run of lines that show dice."""


@frozen
class PrintedTurn:
    """What was printed of a turn while it ran, and still holds."""

    text: str = ""
    rolls: tuple[str, ...] = ()


class NarrationPrinter:
    """Prints the narration of one turn from its events."""

    def __init__(
        self,
        session: Session,
        sheet: PlainOutput,
        words: PlainWords,
        keyboard: Keyboard | None = None,
        timer: WaitTimer = WaitTimer(),  # noqa: B008 - a frozen value
    ) -> None:
        self._session = session
        self._wait = WaitPrinter(session, sheet, words, keyboard, timer)
        self._sheet = sheet
        self._words = words
        self.told = ""
        """What was printed and is still valid."""

        self.rolls: list[str] = []
        """The lines of the dice that were printed, before the words they decided."""

        self._held = ""
        """The first piece, until a second one arrives: a narration in one piece is printed with the finished
        turn, after the dice that decided it."""

        self._others: list[RollView] = []
        """Rolls of others in a row, until something else comes: they are printed on one line."""

        self._following = ""
        """The operation whose narration is printed; others may run at the same time."""

        self._ends = OperationEnds()

    @property
    def printed(self) -> PrintedTurn:
        """What was printed of the turn."""
        self._fold()
        return PrintedTurn(self.told, tuple(self.rolls))

    async def during(self, turn: Awaitable[InputResult | None]) -> InputResult | None:
        """Listen until the turn has its result; the printed text stays open for the rest of it."""
        # The watch begins here, before the first word arrives.
        ear = asyncio.create_task(self._listen(self._session.watch()))
        wait = asyncio.create_task(self._wait.run())
        try:
            result = await turn
            if result is not None:
                await self._ends.wait_for(result)
            return result
        finally:
            for task in (wait, ear):
                task.cancel()
                with suppress(asyncio.CancelledError):
                    await task

    async def _listen(self, watch: AsyncIterator[News]) -> None:
        async for news in watch:
            if not self._following or news.operation_id == self._following:
                self._take(news)
            self._ends.hear(news)
        self._ends.finish()

    def _take(self, news: News) -> None:
        match news.event:
            case AcceptedNews():
                self._following = news.operation_id
                self._wait.begin()
                # A turn may lead into another automatically; what was narrated so far stays.
                self._sheet.stream(self._held)
                self._sheet.end_stream()
                self.told = self._held = ""
                self.rolls.clear()
                self._others.clear()
            case DiceNews(roll) if news.is_live:
                self._roll(roll)
            case DeltaNews(text):
                self._go_on(text)
            case ResetNews(text, voids_rolls):
                self._begin_again(text, voids_rolls=voids_rolls)
            case ActivityNews():
                self._wait.take(news.event)
            case _ if news.ends_turn:
                self._following = ""
            case _:
                # Everything else is shown with the finished turn.
                return

    def _go_on(self, text: str) -> None:
        if not self.told and not self._held:
            self._held = text
            return
        self._fold()
        text, self._held = self._held + text, ""
        self.told += text
        self._sheet.stream(text)
        self._wait.hear()

    def _roll(self, roll: RollView) -> None:
        if roll.late:
            # It belongs to what the narration starts, and is shown after it with the finished turn.
            return
        if roll.brief:
            self._others.append(roll)
            return
        self._fold()
        self._print([show_roll(roll, self._words)])

    def _fold(self) -> None:
        """Print the rolls of others that have come in a row."""
        if self._others:
            self._print(show_rolls(self._others, self._words))
            self._others.clear()

    def _print(self, lines: list[str]) -> None:
        self.rolls += lines
        self._sheet.block(lines, HANGING, run=DICE)
        self._wait.hear()

    def _begin_again(self, text: str, *, voids_rolls: bool) -> None:
        if voids_rolls and self.rolls and not self.told:
            self._sheet.block([self._words.begins_again])
        if voids_rolls:
            self.rolls.clear()
            self._others.clear()
        if not self.told:
            self._held = text
            return
        if not text.startswith(self.told):
            self._sheet.end_stream()
            self._sheet.block([self._words.begins_again])
            self.told = ""
        self._sheet.stream(text[len(self.told) :])
        self.told = text
        self._wait.hear()
