"""The local Session: one player at one campaign whose book is open in this process.

It decides nothing about the game. Turns are taken by `session_turns`, and what is shown is made by
`presentation`.
"""

import asyncio
import importlib
from collections.abc import Container
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from talewright.chronicle.records import PointerKind, Pointing
from talewright.chronicle.store import NameTakenError, UnfitNameError, UnknownCommitError, read_names
from talewright.common.frozen_values import frozen
from talewright.common.safe_text import clean, clean_line
from talewright.llm.known_models import find_profile
from talewright.llm.profiles import ProfileLookup
from talewright.play.campaign_view import View, Viewer
from talewright.play.history.campaign_history import HISTORY_COMMITS_MAX
from talewright.play.local.held_inputs import HeldInput, find_held, find_unfinished, give_back
from talewright.play.local.news_watch import NewsWatch
from talewright.play.local.session_turns import IntendedInput, SessionTurns
from talewright.play.presentation.choices_and_decisions import CAUTION, CautionAnswer
from talewright.play.presentation.view_assembly import Circumstances, make_view
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import FixedChoice, explain, say
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.turn.background.background_troubles import BackgroundTroubles
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Say
from talewright.turn.steps.recalling import recall
from talewright.turn.turn_outcomes import OutcomeReason

if TYPE_CHECKING:
    from talewright.play.local.local_past import LocalPast


async def answer_caution(
    seat: SessionTurns, held: HeldInput, option: str, note: str, stamp: Stamp | None
) -> InputResult:
    """Do what the player wants with the words that were held back."""
    said, base = Say(held.cautioned), held.accepted.base
    # Where another turn came first, it must not be taken for the one that is taken again.
    given = stamp or Stamp(seat.road.new_id())
    stamp = replace(given, base=given.base or held.head)
    match option:
        case CautionAnswer.GO_ON:
            return await seat.take_from(IntendedInput(replace(said, sure=True), base), stamp)
        case CautionAnswer.REPHRASE if note.strip():
            return await seat.take_from(IntendedInput(Say(note), base), stamp)
        case CautionAnswer.REPHRASE:
            await seat.alone(lambda: give_back(seat.road, held, option))
            message = say(seat.language, Phrase.REPHRASE)
            return InputResult(ResultKind.UNSPENT, option, message, text=clean(said.text))
        case CautionAnswer.WITHDRAW:
            await seat.alone(lambda: give_back(seat.road, held, option))
            return InputResult(ResultKind.UNSPENT, option, say(seat.language, Phrase.WITHDRAWN))
        case _:
            reason = OutcomeReason.NO_SUCH_DECISION
            return InputResult(ResultKind.UNSPENT, reason.value, explain(seat.language, reason))


NAME_LENGTH_MAX = 64
"""Characters in the name of a branch or a mark."""

_NOTHING_TO_RETRY = "nothing_to_retry"


@frozen
class LocalSession:
    """A Session on a Book."""

    seat: SessionTurns
    lookup: ProfileLookup = find_profile
    """Knows what models cost and keep, for whoever inspects a turn."""

    opening: "asyncio.Future[InputResult] | None" = None
    """The turn that opens the story, or the phase it stands in; None where none was due."""

    async def view(self, viewer: Viewer = Viewer.PLAYER) -> View:
        """Where it stands."""
        seat, road = self.seat, self.seat.road
        recalled = await recall(road, seat.branch)
        status = await road.book.look(seat.branch)
        held = await find_held(road.book, status)
        around = Circumstances(
            campaign=road.book.campaign,
            branch=seat.branch,
            has_teller=road.teller is not None,
            missing=road.editions.latest(recalled.edition.game.id) is None,
            untold=held is not None and bool(held.untold),
            unpaid=held is not None and held.unpaid,
            cautioned="" if held is None else held.cautioned,
            marks=tuple(await read_names(road.book.marks)),
            branches=tuple(await read_names(road.book.branches)),
        )
        troubles = BackgroundTroubles()
        unfinished = await find_unfinished(road.book, status)
        status = replace(status, waiting=() if unfinished is None else (unfinished,))
        view = make_view(recalled, status, around, viewer, seat.language, troubles)
        seat.afterwards.report(recalled.head, troubles)
        return view

    async def say(self, text: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with words of one's own."""
        return await self.seat.take(Say(text), stamp)

    async def choose(self, choice: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with one of the choices; after a turn that nobody could tell, do one of the three."""
        if choice in set(FixedChoice):
            held = await self.seat.find_held()
            if held is not None and held.untold:
                return await _choose_fixed(self, FixedChoice(choice), stamp)
        return await self.seat.take(Choose(choice), stamp)

    async def answer(
        self, decision: str, option: str, note: str = "", stamp: Stamp | None = None
    ) -> InputResult:
        """Take a turn by answering a decision, or say what is to become of words that were held back."""
        if decision == CAUTION:
            held = await self.seat.find_held()
            if held is not None and held.cautioned:
                return await answer_caution(self.seat, held, option, note, stamp)
        return await self.seat.take(AnswerDecision(decision, option, note), stamp)

    async def go_on(self, stamp: Stamp | None = None) -> InputResult:
        """Another answer with no input; or the turn that was not finished."""
        return await self.seat.go_on(stamp)

    async def retry(self, text: str = "", stamp: Stamp | None = None) -> InputResult:
        """The last turn once more, with other words if any are given; the old one stays in the tree."""
        seat = self.seat
        result = await seat.take_again(text, stamp or Stamp(seat.road.new_id()))
        if result is None:
            message = say(seat.language, Phrase.NOTHING_TO_RETRY)
            return InputResult(ResultKind.UNSPENT, _NOTHING_TO_RETRY, message)
        return result

    async def undo(self, turns: int = 1) -> View:
        """Go back; nothing is deleted, and never before the first turn."""
        seat = self.seat

        async def work() -> None:
            count = min(max(turns, 0), HISTORY_COMMITS_MAX)
            line = await seat.road.book.back(await seat.head(), count + 1)
            taken = [commit for commit in line if commit.parent]
            if taken and taken[-1].id != line[0].id:
                await seat.point(taken[-1].id, line[0].id)
                seat.afterwards.go_back(seat.branch, taken[-1])
            elif (held := await seat.find_held()) is not None:
                # There is nowhere to go back to: what could not be told is let go all the same.
                await give_back(seat.road, held, FixedChoice.ROLLBACK)

        await seat.alone(work)
        return await self.view()

    async def fork(self, commit: str = "", name: str = "") -> View:
        """Begin a branch at a commit (or here) and go on there."""
        seat = self.seat

        async def work() -> None:
            known = await read_names(seat.road.book.branches)
            branch = _free_name(name, known) if name else _next_name("branch", known)
            start = await seat.road.book.read(commit or known[seat.branch])
            await seat.point(start.id, None, branch)
            seat.branch = branch
            seat.afterwards.go_over(branch, start, new=True)

        await seat.alone(work)
        return await self.view()

    async def switch(self, branch: str) -> View:
        """Go on where another branch stands."""
        seat = self.seat

        async def work() -> None:
            known = await read_names(seat.road.book.branches)
            if branch not in known:
                names = clean_line(", ".join(known))
                raise UnknownCommitError(f"there is no branch {clean_line(branch)!r}", f"There is {names}.")
            if branch != seat.branch:
                # The branch that was pointed at last is the one a campaign opens on.
                await seat.point(known[branch], known[branch], branch)
                seat.branch = branch
                seat.afterwards.go_over(branch, await seat.road.book.read(known[branch]), new=False)

        await seat.alone(work)
        return await self.view()

    async def mark(self, name: str) -> None:
        """Give this place a name."""
        seat = self.seat

        async def work() -> None:
            pointing = Pointing(PointerKind.MARK, _fit(name), await seat.head(), seat.road.now())
            await seat.road.book.point(pointing)

        await seat.alone(work)

    async def load(self, name: str) -> View:
        """Go on from a mark, on a branch of its own."""
        book = self.seat.road.book
        marks = await read_names(book.marks)
        if name not in marks:
            known = ", ".join(marks)
            raise UnknownCommitError(
                f"there is no mark {clean_line(name)!r}",
                f"There is {clean_line(known)}." if known else "Make one first, with a name of your own.",
            )
        return await self.fork(marks[name], _next_name(name, await read_names(book.branches)))

    @property
    def past(self) -> "LocalPast":
        """What has happened so far."""
        # Looking back takes as many modules as playing; a player who does not look waits for none of them.
        make: type[LocalPast] = importlib.import_module("talewright.play.local.local_past").LocalPast
        return make(self.seat, self.lookup)

    def watch(self, viewer: Viewer = Viewer.PLAYER, after: int = -1) -> NewsWatch:
        """News from now on; with a number, first what was committed since."""
        return self.seat.broadcast.watch(viewer, after)

    async def cancel(self) -> None:
        """Stop the turn that is running, if one is."""
        await self.seat.stop()

    async def close(self) -> None:
        """Leave; the campaign is safe."""
        await self.seat.close()


async def _choose_fixed(session: LocalSession, choice: FixedChoice, stamp: Stamp | None) -> InputResult:
    """What a player does after a turn that nobody could tell."""
    match choice:
        case FixedChoice.RETRY:
            return await session.retry(stamp=stamp)
        case FixedChoice.ROLLBACK:
            await session.undo()
            message = say(session.seat.language, Phrase.ROLLED_BACK)
        case FixedChoice.QUIT:
            message = say(session.seat.language, Phrase.LEAVING)
        case _:
            assert_never(choice)
    return InputResult(ResultKind.UNSPENT, choice.value, message)


def _fit(name: str) -> str:
    """A name for a branch or a mark; an UnfitNameError where it is none."""
    if not name or clean_line(name) != name or len(name) > NAME_LENGTH_MAX:
        raise UnfitNameError(
            f"{clean_line(name[:NAME_LENGTH_MAX])!r} cannot be a name",
            f"Take 1 to {NAME_LENGTH_MAX} characters on one line.",
        )
    return name


def _free_name(name: str, known: Container[str]) -> str:
    if _fit(name) in known:
        raise NameTakenError(f"there is a branch {name!r} already", "Take another name.")
    return name


def _next_name(stem: str, known: Container[str]) -> str:
    """The first name with a number behind it that no branch has yet."""
    number = 1
    while (name := f"{stem[: NAME_LENGTH_MAX - 8]}-{number}") in known:
        number += 1
    return name
