"""The Session on a Store: one role in one campaign that is open in this process.

It decides nothing about the game. `session_turns` takes the turns, and `presentation` makes what is shown.
"""

import asyncio
from dataclasses import replace
from typing import TYPE_CHECKING, assert_never

from talewright.common.frozen_values import frozen
from talewright.common.safe_text import clean
from talewright.play.input_results import OperationView
from talewright.play.played_turn import StreamedSession
from talewright.play.presentation.choice_wording import CAUTION, CautionAnswer
from talewright.play.presentation.words.phrases import Phrase
from talewright.play.presentation.words.player_messages import FixedChoice, explain, say
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.play.session_roles import SessionRight, check_right
from talewright.play.sessions.held_inputs import HeldInput, give_back
from talewright.play.sessions.near_choices import read_words
from talewright.play.sessions.operation_lookup import find_operation
from talewright.play.sessions.session_navigation import NavigableCampaign
from talewright.play.sessions.session_turns import IntendedInput, SessionTurns
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Say
from talewright.turn.turn_outcomes import OutcomeReason

if TYPE_CHECKING:
    from talewright.play.sessions.store_master import StoreMasterDesk


async def answer_caution(
    seat: SessionTurns, held: HeldInput, option: str, note: str, stamp: Stamp | None
) -> InputResult:
    """Do what the player chose for words that were held back."""
    said, base = Say(held.cautioned), held.accepted.base
    # If another turn came first, it must not be mistaken for the one to retry.
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
class StoreSession(NavigableCampaign, StreamedSession):
    """A Session on a book."""

    opening: "asyncio.Future[InputResult] | None" = None
    """The turn that opens the story or its current phase; None if none was due."""

    @property
    def master(self) -> "StoreMasterDesk":
        """The desk of an external game master. Raises RoleError for all other roles."""
        check_right(self.role, SessionRight.TELL)
        # Load this only for masters; players should not wait for it.
        from talewright.play.sessions.store_master import StoreMasterDesk

        return StoreMasterDesk(self.seat)

    async def say(self, text: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with free text."""
        check_right(self.role, SessionRight.PLAY)
        is_told = self.seat.road.teller is not None or not text.strip()
        given = Say(text) if is_told else await read_words(self.seat, text, stamp)
        return given if isinstance(given, InputResult) else await self.seat.take(given, stamp)

    async def choose(self, choice: str, stamp: Stamp | None = None) -> InputResult:
        """Take a turn with a choice; after a failed turn, carry out a fixed choice."""
        check_right(self.role, SessionRight.PLAY)
        if choice in set(FixedChoice):
            held = await self.seat.find_held()
            if held is not None and held.untold:
                return await _choose_fixed(self, FixedChoice(choice), stamp)
        return await self.seat.take(Choose(choice), stamp)

    async def answer(
        self, decision: str, option: str, note: str = "", stamp: Stamp | None = None
    ) -> InputResult:
        """Take a turn by answering a decision, or decide about words that were held back."""
        check_right(self.role, SessionRight.PLAY)
        if decision == CAUTION:
            held = await self.seat.find_held()
            if held is not None and held.cautioned:
                return await answer_caution(self.seat, held, option, note, stamp)
        return await self.seat.take(AnswerDecision(decision, option, note), stamp)

    async def go_on(self, stamp: Stamp | None = None) -> InputResult:
        """Take a turn without an input, or finish the interrupted one."""
        check_right(self.role, SessionRight.PLAY)
        return await self.seat.go_on(stamp)

    async def retry(self, text: str = "", stamp: Stamp | None = None) -> InputResult:
        """Take the last turn again, with other words if given; the old one stays in the tree."""
        check_right(self.role, SessionRight.PLAY)
        seat = self.seat
        result = await seat.take_again(text, stamp or Stamp(seat.road.new_id()))
        if result is None:
            message = say(seat.language, Phrase.NOTHING_TO_RETRY)
            return InputResult(ResultKind.UNSPENT, _NOTHING_TO_RETRY, message)
        return result

    async def find_operation(self, operation_id: str) -> OperationView | None:
        """What the record says about an operation; None if it was never accepted."""
        return await find_operation(self.seat, operation_id)

    async def skip(self) -> None:
        """Continue the running turn without the model."""
        check_right(self.role, SessionRight.PLAY)
        await self.seat.execution.skip(self.seat.branch)

    async def cancel(self) -> None:
        """Stop the running turn, if any."""
        await self.seat.stop()

    async def close(self) -> None:
        """Close the session; the campaign is safe."""
        await self.seat.close()


async def _choose_fixed(session: StoreSession, choice: FixedChoice, stamp: Stamp | None) -> InputResult:
    """Carry out the player's choice after a failed turn."""
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
