"""Held inputs: the last input of a branch, where no turn came of it and the player is asked what is to be.

It follows from the record alone, so that every session and every process knows the same. It keeps nothing.
"""

from talewright.chronicle.record_fold import expected_head
from talewright.chronicle.records import Accepted, AttemptVerdict
from talewright.chronicle.store import CampaignBook, CampaignStatus
from talewright.common.frozen_values import frozen
from talewright.play.presentation.choices_and_decisions import CautionAnswer
from talewright.play.presentation.view_assembly import find_waiting
from talewright.play.presentation.words.player_messages import FixedChoice
from talewright.turn.inputs.player_inputs import Input, Say, from_json
from talewright.turn.records.turn_attempts import AttemptLedger, make_attempt
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import OutcomeReason

GIVEN_BACK = frozenset(
    {CautionAnswer.REPHRASE.value, CautionAnswer.WITHDRAW.value, FixedChoice.ROLLBACK.value}
)
"""Reasons of tries that end an input for good, though it was the player who stopped it."""


@frozen
class HeldInput:
    """An input that was accepted, and on which no turn was spent."""

    accepted: Accepted
    untold: str = ""
    """Why nobody could tell it; empty where it was held back by a caution."""

    @property
    def given(self) -> Input:
        """What the player put in."""
        return from_json(self.accepted.input)

    @property
    def head(self) -> str:
        """Where the branch stands as long as it is held: further on it is not said any more."""
        return expected_head(self.accepted)

    @property
    def cautioned(self) -> str:
        """Words that were held back, since they may lead too far; empty where nobody could tell them."""
        return "" if self.untold or not isinstance(self.given, Say) else self.given.text


async def find_held(book: CampaignBook, status: CampaignStatus) -> HeldInput | None:
    """What is held on a branch: the input of its newest try, where the player may take it up again."""
    newest = status.newest_attempt
    if newest is None:
        return None
    reason = str(newest.body.get("reason", ""))
    risky = newest.verdict is AttemptVerdict.UNSPENT and reason == OutcomeReason.RISKY.value
    if not risky and newest.verdict is not AttemptVerdict.DEGRADED:
        return None
    accepted = (await book.find(newest.operation_id)).accepted
    if accepted is None or expected_head(accepted) != status.head:
        return None
    return HeldInput(accepted, "" if risky else reason or OutcomeReason.UNTOLD.value)


async def find_unfinished(book: CampaignBook, status: CampaignStatus) -> Accepted | None:
    """The input to go on with: one that waits, or the one that the player stopped last."""
    waiting = find_waiting(status, status.branch, status.head)
    newest = status.newest_attempt
    if waiting is not None or newest is None or newest.verdict is not AttemptVerdict.CANCELLED:
        return waiting
    if newest.body.get("reason") in GIVEN_BACK:
        return None
    accepted = (await book.find(newest.operation_id)).accepted
    return accepted if accepted is not None and expected_head(accepted) == status.head else None


async def give_back(road: Road, held: HeldInput, reason: str) -> None:
    """Write down that the player does not want an input any more, so that nobody is asked about it again."""
    assert reason in GIVEN_BACK
    verdict = AttemptVerdict.CANCELLED
    given_up = make_attempt(road.new_id(), road.now(), held.accepted, verdict, AttemptLedger(), reason)
    await road.book.add(given_up)
