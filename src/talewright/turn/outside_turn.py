"""The outside turn: a game master outside tells it, call by call, and we keep the truth.

An open turn holds a lease; what it did before its end is nowhere written, as with any other turn.
"""

from collections.abc import Sequence

from talewright.chronicle.records import Accepted, AttemptVerdict
from talewright.chronicle.store import HeadMovedError
from talewright.contract.dialect import SuggestedChoice
from talewright.contract.text.answer_json import strip_controls
from talewright.errors import TalewrightError
from talewright.kernel.judging.moves_and_rulings import MODEL, Move, Ruling
from talewright.turn.inputs.player_inputs import Deed, Input, from_json, to_json
from talewright.turn.memory.story_memory import remember
from talewright.turn.pipeline import find_unfit
from talewright.turn.records.commit_body import OUTSIDE
from talewright.turn.records.turn_attempts import AttemptLedger, refuse, settle_try
from talewright.turn.spending import SpendingSum
from talewright.turn.steps.beginning import Turn, begin_turn, bind_road, recall_turn
from talewright.turn.steps.committing import commit, make_commit
from talewright.turn.steps.judging import Judge
from talewright.turn.steps.recalling import Recalled
from talewright.turn.steps.telling import Try
from talewright.turn.turn_context import Road
from talewright.turn.turn_key import TurnKey
from talewright.turn.turn_outcomes import Committed, OutcomeReason, Unspent
from talewright.turn.turn_signals import TurnAccepted, TurnCommitted


class LeaseError(TalewrightError):
    """The open turn is no longer ours."""


class OutsideTurn:
    """One turn that is told from outside."""

    def __init__(
        self, road: Road, turn: Turn, recalled: Recalled, attempt: Try, deed: Deed, until: float
    ) -> None:
        self._road = road
        self._turn = turn
        self._recalled = recalled
        self._attempt = attempt
        self._judge = Judge(attempt.working, None, None, 0)
        self._until = until
        self.deed = deed
        """What the player's input has done already."""

    async def propose(self, moves: Sequence[Move]) -> tuple[Ruling, ...]:
        """Have moves judged now, all or nothing; what is granted stands once the turn is finished."""
        self._check_lease()
        judged = await self._judge.judge(moves, MODEL)
        self._attempt.working.rulings += judged.mends
        return judged.rulings

    async def finish(self, narration: str, choices: Sequence[SuggestedChoice] = ()) -> Committed:
        """Tell the turn and make it part of the story."""
        self._check_lease()
        road, attempt = self._road, self._attempt
        attempt.tell_outside(strip_controls(narration), tuple(choices), self.deed)
        remember(attempt.working)
        made = make_commit(
            road,
            self._turn,
            self._recalled,
            attempt.working,
            AttemptLedger(),
            said=self.deed.said,
            told=OUTSIDE,
        )
        try:
            done = await commit(road, self._turn, made, attempt.working, AttemptLedger())
        except HeadMovedError:
            await _lose(road, self._turn.accepted)
            raise
        road.listener(TurnCommitted(done))
        return Committed(done, repeated=done.id != made.id)

    def _check_lease(self) -> None:
        if self._road.seconds() > self._until:
            raise LeaseError("the turn was left open too long", "Begin the turn again; its input is kept.")


async def begin_outside(
    road: Road, branch: str, given: Input, operation_id: str, base: str = ""
) -> OutsideTurn | Committed | Unspent:
    """Open a turn for a game master outside; the same operation id gives a finished turn again.

    Raises HeadMovedError where another turn came first, as does finishing it.
    """
    unfit = find_unfit(road, given)
    if unfit is not None:
        return unfit
    acceptance = await road.book.accept(Accepted(operation_id, branch, base, to_json(given), road.now()))
    if acceptance.commit is not None:
        return Committed(acceptance.commit, repeated=True)
    accepted = acceptance.accepted
    road.listener(TurnAccepted(accepted))
    if acceptance.head != accepted.base:
        await _lose(road, accepted)
        raise HeadMovedError(acceptance.head)
    key = TurnKey(road.book.campaign, operation_id, acceptance.attempts)
    turn, recalled = await begin_turn(road, key, accepted, SpendingSum())
    road = bind_road(road, turn)
    recalled = recalled or await recall_turn(road, turn)
    attempt = Try(road, turn, recalled, AttemptLedger(), await road.book.secret())
    deed = attempt.begin(from_json(accepted.input), told_outside=True)
    if isinstance(deed, Unspent):
        return await refuse(road, accepted, AttemptLedger(), deed)
    await attempt.judge_waiting(Judge(attempt.working, None, None, 0), deed)
    return OutsideTurn(road, turn, recalled, attempt, deed, road.seconds() + road.limits.lease_seconds_max)


async def _lose(road: Road, accepted: Accepted) -> None:
    """Another turn came first: the input no longer waits."""
    await settle_try(road, accepted, AttemptLedger(), AttemptVerdict.LOST, OutcomeReason.MOVED)
