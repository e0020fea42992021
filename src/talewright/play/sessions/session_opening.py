"""Session opening: takes the first turn, or that of a phase, after the session is returned.

It is reported like any other turn. Inputs wait for it, and closing the session stops it.
"""

import asyncio

from talewright.chronicle.records import Commit
from talewright.errors import TalewrightError
from talewright.play.presentation.words.player_messages import explain
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright.play.sessions.held_inputs import find_unfinished
from talewright.play.sessions.session_turns import SessionTurns, find_opening, take_here
from talewright.turn.inputs.player_inputs import GoOn, Opening, from_json
from talewright.turn.turn_outcomes import Committed, Failed, Outcome, OutcomeReason
from talewright.turn.turn_signals import TurnFailed


async def begin_opening(seat: SessionTurns, head: Commit) -> asyncio.Future[InputResult] | None:
    """Start the first turn, or that of a phase, if one is due; inputs wait until it is over."""
    stamp = None
    if head.parent:
        stamp = await find_opening(seat.road, seat.branch, Committed(head, repeated=True))
        if stamp is None:
            return None
    # Take the lock before anyone has the session, so that no input comes first.
    await seat.lock.acquire()
    return asyncio.create_task(_open(seat, stamp))


async def take_first(seat: SessionTurns) -> InputResult:
    """Take the first turn, unless someone else has opened the story meanwhile; the caller holds the lock."""
    book = seat.road.book
    status = await book.look(seat.branch)
    head, waiting = await book.read(status.head), await find_unfinished(book, status)
    outcome: Outcome
    if waiting is not None:
        outcome = await seat.run(from_json(waiting.input), Stamp(waiting.operation_id, waiting.base))
    elif head.parent:
        outcome = Committed(head, repeated=True)
    else:
        outcome = await seat.run(Opening(), Stamp(seat.road.new_id(), head.id))
        if isinstance(outcome, Failed) and outcome.reason is OutcomeReason.MOVED:
            outcome = Committed(await book.read(outcome.head), repeated=True)
    return await seat.finish(outcome)


async def _open(seat: SessionTurns, stamp: Stamp | None) -> InputResult:
    operation_id = "" if stamp is None else stamp.operation_id
    finished = False
    try:
        result = await (take_first(seat) if stamp is None else take_here(seat, GoOn(), stamp))
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
