"""The command loop of the plain interface: show the story, read a line, carry it out.

It keeps no story; everything it shows comes from the session's view.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import assert_never

from talewright.common.language_tags import pick_language
from talewright.common.word_catalogues import interface_languages
from talewright.errors import TalewrightError
from talewright.faces.plain import command_parser, view_text
from talewright.faces.plain.command_parser import NumberedOffer, PlainCommand, read_line
from talewright.faces.plain.console import PlainConsole
from talewright.faces.plain.narration_printer import DICE, NarrationPrinter, PrintedTurn
from talewright.faces.plain.plain_output import HANGING, clean_text
from talewright.faces.plain.plain_words import words_for
from talewright.faces.plain.wait_printer import WaitTimer
from talewright.play.campaign_view import View
from talewright.play.news import CommittedNews
from talewright.play.session import InputResult, ResultKind, Session, wait_for_opening
from talewright.play.session_inputs import (
    AnswerDecision,
    Choose,
    GoOn,
    Load,
    PlayerInput,
    Retry,
    Say,
    Undo,
    navigate,
    submit_input,
    would_repeat,
)

LEAVING = "quit"
"""The reason of a result when a player leaves after a turn that failed."""


class PlainFace:
    """One player in one campaign."""

    def __init__(
        self,
        session: Session,
        desk: PlainConsole,
        timer: WaitTimer = WaitTimer(),  # noqa: B008 - a frozen value
    ) -> None:
        self._session = session
        self._desk = desk
        self._timer = timer
        self._head = ""
        """The head that was last shown."""

        self._version = 0
        """The turn that was last shown."""

        self._offers: tuple[NumberedOffer, ...] = ()
        self._noted: set[str] = set()
        """Notices about the campaign that were already shown."""

        self._running = False
        """Whether a turn is in progress."""

        self._stopping: asyncio.Task[None] | None = None

    async def play(self) -> None:
        """Play from the first screen until the player quits."""
        await self._open()

        async def show(view: View) -> None:
            await self._catch_up(view, heard=False)
            self._show(view)

        going = True
        while going:
            line = await ask_and_watch(self._session, self._desk, lambda: self._head, show)
            if line is None:
                return
            if not line.strip():
                continue
            try:
                going = await self._do(read_line(line, self._offers, self._desk.words))
            except TalewrightError as error:
                self._desk.write(*filter(None, (error.message, error.hint)))

    def interrupt(self) -> None:
        """Stop the running turn, or else the game."""
        if self._running:
            self._stopping = asyncio.ensure_future(self._session.cancel())
        else:
            self._desk.keyboard.give_up()

    async def _open(self) -> None:
        view, words = await self._session.view(), self._desk.words
        if not self._desk.shown:
            self._desk.write(view.title)
        told = await self._hear_opening()
        view = await self._session.view()
        self._note(view)
        self._show(view, self._desk.shown or told.text, told.rolls, void=bool(told.text))
        if view.unfinished and not view.read_only:
            self._desk.write(words.unfinished.format(said=view.unfinished))
            self._offer(view_text.offer_unfinished(words))
        elif self._offers:
            self._desk.write(words.opening if view.free_text else words.opening_fixed)

    async def _hear_opening(self) -> PrintedTurn:
        """Print the opening turn as it is written; return what was printed."""
        if self._session.opening is None or self._session.opening.done():
            return PrintedTurn()
        listener = _make_printer(self._session, self._desk, self._timer)
        turn = wait_for_opening(self._session)
        result = await self._run(listener.during(turn) if self._desk.sheet.is_terminal else turn)
        if result is not None and result.kind is not ResultKind.COMMITTED:
            self._desk.write(result.message)
        return listener.printed

    async def _do(self, command: PlainCommand) -> bool:
        """Carry out a command; return False if the player quits."""
        session, desk = self._session, self._desk
        match command:
            case Say() | Choose() | AnswerDecision() | GoOn() | Retry():
                return await self._take(command)
            case Undo():
                self._arrive(await navigate(session, command))
            case Load():
                await self._load(command)
            case command_parser.SaveCommand(name):
                await session.mark(name)
                desk.write(desk.words.saved.format(name=name))
            case command_parser.HistoryCommand(turns):
                desk.tell(await view_text.tell_history(session, turns, desk.words))
            case command_parser.WhyCommand(variable):
                desk.tell(await view_text.tell_why(session, variable, desk.words))
            case command_parser.LanguageCommand(code):
                await self._speak(code)
            case command_parser.LookCommand():
                self._show(await session.view())
            case command_parser.CardsCommand():
                desk.tell(view_text.show_cards(await session.view(), desk.words))
            case command_parser.HelpCommand():
                desk.write(*view_text.show_help(await session.view(), desk.words))
            case command_parser.TellCommand(message):
                desk.write(message)
            case command_parser.QuitCommand():
                return False
            case _:
                assert_never(command)
        return True

    async def _take(self, given: PlayerInput) -> bool:
        """Take a turn and show the result; return False if the player quits instead."""
        desk, words = self._desk, self._desk.words
        if isinstance(given, Say) and view_text.asks_for_number(self._offers):
            desk.write(words.number_first.format(last=len(self._offers)))
            return True
        if isinstance(given, Retry) and would_repeat(given, await self._session.view()):
            desk.write(words.same_again)
            return True
        if isinstance(given, AnswerDecision) and view_text.asks_for_note(self._offers, given):
            note = await _ask_note(desk)
            if note is None:
                return False
            given = replace(given, note=note)
        listener = _make_printer(self._session, self._desk, self._timer)
        turn = submit_input(self._session, given)
        result = await self._run(listener.during(turn) if desk.sheet.is_terminal else turn)
        view = await self._session.view()
        if result is not None and result.kind is ResultKind.COMMITTED:
            await self._catch_up(view, heard=desk.sheet.is_terminal)
            self._show(view, listener.printed.text, listener.printed.rolls, void=True)
            self._note(view)
            return True
        if result is not None:
            # A cautioned input is shown again with the message, to be rephrased.
            held = words.asked.format(said=result.text) if result.text else ""
            desk.write(*filter(None, (result.message, held)))
        if result is not None and result.reason == LEAVING:
            return False
        if view.head != self._head:
            # Another turn came first, or the story was undone: the view is a different one.
            self._show(view)
        else:
            degraded = result is not None and result.kind is ResultKind.DEGRADED
            self._offer(view_text.make_offers(view, words, degraded))
        return True

    async def _catch_up(self, view: View, *, heard: bool) -> None:
        """Show turns before the newest one: a turn may automatically lead into another."""
        missed = view.version - self._version - 1
        if missed <= 0 or heard:
            return
        for turn in (await self._session.past.turns(missed + 1))[:-1]:
            self._desk.write(*view_text.show_dice(turn, self._desk.words))
            self._desk.sheet.text(turn.narration)
            self._desk.write(*view_text.show_happenings(turn, self._desk.words))

    async def _run(self, turn: Coroutine[None, None, InputResult | None]) -> InputResult | None:
        """Run a turn so that it can be stopped; return None if it was."""
        self._running = True
        try:
            return await turn
        except asyncio.CancelledError:
            if self._stopping is None:
                raise
            return None
        finally:
            self._running, self._stopping = False, None

    def _note(self, view: View) -> None:
        """Show notices about the campaign that were not shown yet."""
        new = [notice for notice in view.notices if notice not in self._noted]
        self._noted.update(new)
        self._desk.write(*(self._desk.words.note.format(text=notice) for notice in new))

    def _arrive(self, view: View) -> None:
        """Show a turn that the player has returned to."""
        if view.head == self._head:
            self._desk.write(self._desk.words.at_start)
            return
        self._desk.write(self._desk.words.back_at.format(version=view.version))
        self._show(view)

    def _show(self, view: View, told: str = "", rolled: Sequence[str] = (), void: bool = False) -> None:
        """Show the current turn; what was already printed is not repeated."""
        desk, words = self._desk, self._desk.words
        self._head, self._version = view.head, view.version
        if view.turn is not None:
            narration, heard = clean_text(view.turn.narration).strip(), clean_text(told).strip()
            before, after = (clean_text(text).strip() for text in view.turn.split_narration())
            if not narration.startswith(heard):
                desk.write(*[words.begins_again] * void)
                heard = ""
            dice = view_text.show_dice(view.turn, words)
            new = dice[len(rolled) :] if dice[: len(rolled)] == [*rolled] else dice
            if not heard:
                desk.sheet.block(new, HANGING, run=DICE)
            # What follows the printed narration continues the same paragraph.
            apart = bool(after) and before.startswith(heard)
            desk.sheet.stream((before if apart else narration)[len(heard) :])
            desk.sheet.end_stream()
            # Dice that were not seen falling come after a narration that was printed as it arrived.
            late = [*(new if heard else ()), *view_text.show_late_dice(view.turn, words)]
            if apart:
                desk.write(*late, *view.turn.events)
                desk.sheet.text(after)
                desk.write(*view_text.show_changes(view.turn, words))
            else:
                desk.write(*late, *view.turn.events, *view_text.show_changes(view.turn, words))
        if view.end is not None:
            desk.write(*view_text.show_end(view.end, words))
        else:
            desk.write(*view_text.show_status(view.status, words), *view_text.show_urgent(view, words))
        for decision in view.decisions[:1]:
            desk.write(decision.question, *decision.lines)
        if view.read_only:
            desk.write(words.read_only)
        self._offer(view_text.make_offers(view, words))
        if not (self._offers or view.end or view.free_text or view.read_only):
            desk.write(words.nothing_to_choose)

    def _offer(self, offers: tuple[NumberedOffer, ...]) -> None:
        self._offers = offers
        self._desk.sheet.block(view_text.show_offers(offers), HANGING)

    async def _load(self, where: Load) -> None:
        """Go to a saved place; list all places if the name is missing or unknown."""
        if where.name in (await self._session.view()).marks:
            self._arrive(await navigate(self._session, where))
        else:
            self._desk.tell(await view_text.tell_marks(self._session, where.name, self._desk.words))

    async def _speak(self, code: str) -> None:
        picked = pick_language(code, interface_languages())
        if picked:
            self._desk.words = words_for(picked)
        wrong = "" if picked else code
        self._desk.tell(await view_text.tell_language(self._session, wrong, self._desk.words))


def _make_printer(session: Session, desk: PlainConsole, timer: WaitTimer) -> NarrationPrinter:
    return NarrationPrinter(session, desk.sheet, desk.words, desk.keyboard, timer)


async def _ask_note(desk: PlainConsole) -> str | None:
    """Ask for the note of an answer; None if the player quits."""
    desk.write(desk.words.own_words)
    note = await desk.ask()
    return None if note is None else note.strip()


async def ask_and_watch(
    session: Session, desk: PlainConsole, shown: Callable[[], str], show: Callable[[View], Awaitable[None]]
) -> str | None:
    """Ask for a line, and meanwhile show turns taken elsewhere; None if there are no more lines.

    A game master in another process may narrate a turn at any time. `shown` is the head that the player
    has seen.
    """
    watching = asyncio.ensure_future(_watch(session, desk, shown, show))
    try:
        return await desk.ask()
    finally:
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching


async def _watch(
    session: Session, desk: PlainConsole, shown: Callable[[], str], show: Callable[[View], Awaitable[None]]
) -> None:
    # A view that cannot be read now is reported when the player does something.
    with suppress(TalewrightError):
        async for news in session.watch():
            view = await session.view() if isinstance(news.event, CommittedNews) else None
            if view is not None and view.head != shown():
                desk.sheet.leave_prompt()
                await show(view)
                desk.sheet.prompt(desk.words.prompt)
                desk.sheet.flush()
