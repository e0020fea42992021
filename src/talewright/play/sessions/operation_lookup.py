"""Operation lookup: what the record says about an operation, so that any process can report on it.

It reads only. Inputs that were never accepted are in no record.
"""

from dataclasses import replace

from talewright.chronicle.records import CLOSING_VERDICTS, Attempt, AttemptVerdict
from talewright.play.input_results import InputResult, OperationState, OperationView
from talewright.play.sessions.session_turns import SessionTurns, word_outcome
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, Outcome, OutcomeReason, Unspent


async def find_operation(seat: SessionTurns, operation_id: str) -> OperationView | None:
    """What the record says about an operation; None if it was never accepted."""
    trail = await seat.road.book.find(operation_id)
    if trail.commit is not None:
        outcome: Outcome = Committed(trail.commit, repeated=True)
    elif trail.accepted is None:
        return None
    elif not trail.attempts or trail.attempts[-1].verdict not in CLOSING_VERDICTS:
        return OperationView(operation_id, OperationState.WAITING)
    else:
        outcome = read_attempt(trail.attempts[-1])
    result: InputResult = replace(word_outcome(outcome, seat.language), operation_id=operation_id)
    return OperationView(operation_id, OperationState.ENDED, result)


def read_attempt(attempt: Attempt) -> Outcome:
    """How an attempt without a commit ended."""
    given = str(attempt.body.get("reason", ""))
    reason = OutcomeReason(given) if given in set(OutcomeReason) else OutcomeReason.ERROR
    match attempt.verdict:
        case AttemptVerdict.UNSPENT:
            return Unspent(reason)
        case AttemptVerdict.DEGRADED:
            return Degraded(reason)
        case AttemptVerdict.LOST:
            return Failed(OutcomeReason.MOVED)
        case AttemptVerdict.CANCELLED if reason is OutcomeReason.ERROR:
            # The player withdrew the input; that reason is not one of a turn.
            return Failed(OutcomeReason.CANCELLED)
        case _:
            return Failed(reason)
