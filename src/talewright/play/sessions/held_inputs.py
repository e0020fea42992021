"""Held inputs: the last input of a branch, if it led to no turn and the player must decide what to do.

It is computed from the record alone, so that all sessions and processes agree. It stores nothing.
"""

from talewright.chronicle.record_fold import expected_head
from talewright.chronicle.records import Accepted, AttemptVerdict
from talewright.chronicle.store import CampaignBook, CampaignStatus
from talewright.common.frozen_values import frozen
from talewright.play.presentation.choice_wording import CautionAnswer
from talewright.play.presentation.view_assembly import find_waiting
from talewright.play.presentation.words.player_messages import FixedChoice
from talewright.turn.inputs.player_inputs import Input, Say, from_json
from talewright.turn.records.turn_attempts import AttemptLedger, make_attempt
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import OutcomeReason

GIVEN_BACK = frozenset(
    {CautionAnswer.REPHRASE.value, CautionAnswer.WITHDRAW.value, FixedChoice.ROLLBACK.value}
)
"""Reasons that end an input for good, although the player stopped it."""


@frozen
class HeldInput:
    """An accepted input that did not lead to a turn."""

    accepted: Accepted
    untold: str = ""
    """Why its turn failed; empty if moderation held it back."""

    @property
    def given(self) -> Input:
        """The player's input."""
        return from_json(self.accepted.input)

    @property
    def head(self) -> str:
        """The head of the branch while the input is held; it expires when the branch moves on."""
        return expected_head(self.accepted)

    @property
    def cautioned(self) -> str:
        """Words that moderation held back; empty if the turn failed."""
        return "" if self.untold or not isinstance(self.given, Say) else self.given.text


async def find_held(book: CampaignBook, status: CampaignStatus) -> HeldInput | None:
    """The input held on a branch: that of the newest attempt, if the player may resume it."""
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
    """The input to continue: a waiting one, or the one that the player stopped last."""
    waiting = find_waiting(status, status.branch, status.head)
    newest = status.newest_attempt
    if waiting is not None or newest is None or newest.verdict is not AttemptVerdict.CANCELLED:
        return waiting
    if newest.body.get("reason") in GIVEN_BACK:
        return None
    accepted = (await book.find(newest.operation_id)).accepted
    return accepted if accepted is not None and expected_head(accepted) == status.head else None


async def give_back(road: Road, held: HeldInput, reason: str) -> None:
    """Record that the player has withdrawn an input, so that it is not offered again."""
    assert reason in GIVEN_BACK
    verdict = AttemptVerdict.CANCELLED
    given_up = make_attempt(road.new_id(), road.now(), held.accepted, verdict, AttemptLedger(), reason)
    await road.book.add(given_up)
