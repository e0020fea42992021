"""The local Session: somebody in one role at one campaign whose book is open in this process.

It decides nothing about the game. Turns are taken by `session_turns`, and what is shown is made by
`presentation`.
"""

import asyncio
import importlib
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from talewright.common.frozen_values import frozen
from talewright.common.safe_text import clean
from talewright.play.local.held_inputs import HeldInput, give_back
from talewright.play.local.session_navigation import NavigableCampaign
from talewright.play.local.session_turns import IntendedInput, SessionTurns
from talewright.play.presentation.choices_and_decisions import CAUTION, CautionAnswer
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import FixedChoice, explain, say
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.play.session_roles import SessionRight, check_right
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Say
from talewright.turn.turn_outcomes import OutcomeReason

if TYPE_CHECKING:
    from talewright.play.local.local_master import LocalMasterDesk


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


_NOTHING_TO_RETRY = "nothing_to_retry"


@frozen
class LocalSession(NavigableCampaign):
    """A Session on a Book."""

    opening: "asyncio.Future[InputResult] | None" = None
    """The turn that opens the story, or the phase it stands in; None where none was due."""

    @property
    def master(self) -> "LocalMasterDesk":
        """Where a game master outside tells turns; a RoleError for all others."""
        check_right(self.role, SessionRight.TELL)
        # Players wait for nothing that only masters need.
        make: type[LocalMasterDesk] = importlib.import_module(
            "talewright.play.local.local_master"
        ).LocalMasterDesk
        return make(self.seat)

    async def say(self, text: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with words of one's own."""
        check_right(self.role, SessionRight.PLAY)
        return await self.seat.take(Say(text), stamp)

    async def choose(self, choice: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with one of the choices; after a turn that nobody could tell, do one of the three."""
        check_right(self.role, SessionRight.PLAY)
        if choice in set(FixedChoice):
            held = await self.seat.find_held()
            if held is not None and held.untold:
                return await _choose_fixed(self, FixedChoice(choice), stamp)
        return await self.seat.take(Choose(choice), stamp)

    async def answer(
        self, decision: str, option: str, note: str = "", stamp: Stamp | None = None
    ) -> InputResult:
        """Take a turn by answering a decision, or say what is to become of words that were held back."""
        check_right(self.role, SessionRight.PLAY)
        if decision == CAUTION:
            held = await self.seat.find_held()
            if held is not None and held.cautioned:
                return await answer_caution(self.seat, held, option, note, stamp)
        return await self.seat.take(AnswerDecision(decision, option, note), stamp)

    async def go_on(self, stamp: Stamp | None = None) -> InputResult:
        """Another answer with no input; or the turn that was not finished."""
        check_right(self.role, SessionRight.PLAY)
        return await self.seat.go_on(stamp)

    async def retry(self, text: str = "", stamp: Stamp | None = None) -> InputResult:
        """The last turn once more, with other words if any are given; the old one stays in the tree."""
        check_right(self.role, SessionRight.PLAY)
        seat = self.seat
        result = await seat.take_again(text, stamp or Stamp(seat.road.new_id()))
        if result is None:
            message = say(seat.language, Phrase.NOTHING_TO_RETRY)
            return InputResult(ResultKind.UNSPENT, _NOTHING_TO_RETRY, message)
        return result

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
