"""Session opening: takes the first turn, or that of a phase, while the session exists already.

The news report it like any other turn. Inputs wait for it, and closing the session stops it.
"""

import asyncio

from talewright.chronicle.records import Commit
from talewright.errors import TalewrightError
from talewright.play.local.phase_openings import find_opening
from talewright.play.local.session_turns import SessionTurns, take_here, take_waiting
from talewright.play.presentation.words.player_messages import explain
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.turn.inputs.player_inputs import GoOn
from talewright.turn.turn_outcomes import Committed, OutcomeReason
from talewright.turn.turn_signals import TurnFailed


async def begin_opening(seat: SessionTurns, head: Commit) -> asyncio.Future[InputResult] | None:
    """Start the first turn, or that of a phase, if one is due; inputs wait until it is over."""
    stamp = None
    if head.parent:
        stamp = await find_opening(seat.road, seat.branch, Committed(head, repeated=True))
        if stamp is None:
            return None
    # Take the lock before anybody has the session, so that no input comes first.
    await seat.lock.acquire()
    return asyncio.create_task(_open(seat, stamp))


async def _open(seat: SessionTurns, stamp: Stamp | None) -> InputResult:
    operation_id = "" if stamp is None else stamp.operation_id
    finished = False
    try:
        result = await (take_waiting(seat, None) if stamp is None else take_here(seat, GoOn(), stamp))
        finished = True
        return result
    except TalewrightError as error:
        return InputResult(
            ResultKind.FAILED,
            OutcomeReason.ERROR.value,
            explain(seat.language, OutcomeReason.ERROR, error.message),
            operation_id=operation_id,
        )
    finally:
        seat.lock.release()
        if not finished:
            # It failed before there was a turn that could report it.
            failed = TurnFailed(OutcomeReason.ERROR.value, "", seat.branch, operation_id)
            seat.road.listener(failed)
