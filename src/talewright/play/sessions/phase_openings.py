"""Phase openings: finds the turn that is due when a game has entered a phase that opens automatically.

It takes no turn; `session_turns` and `session_opening` do.
"""

from talewright.chronicle.records import Commit
from talewright.errors import TalewrightError
from talewright.kernel.judging.move_resolution import current_phases
from talewright.kernel.judging.working_state import WorkingState
from talewright.play.presentation.view_assembly import find_waiting
from talewright.play.session import Stamp
from talewright.turn.steps.recalling import recall_at
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed, Outcome

OPENS = ".opens"
"""The suffix of an operation id for the turn that opens the next phase."""


async def find_opening(road: Road, branch: str, outcome: Outcome) -> Stamp | None:
    """The stamp of the turn that opens a phase; None if none is due.

    For a repeated turn, the earlier opening is found again.
    """
    if not isinstance(outcome, Committed) or road.teller is None:
        return None
    commit = outcome.commit
    if commit.operation_id.endswith(OPENS):
        # An opening does not lead to another opening, whatever the system says.
        return None
    stamp = Stamp(commit.operation_id + OPENS, commit.id)
    try:
        if outcome.repeated and (await road.book.find(stamp.operation_id)).commit is not None:
            return stamp
        return stamp if await _is_due(road, branch, commit, stamp) else None
    except TalewrightError:
        # The turn is safe; the next session opens the phase.
        return None


async def _is_due(road: Road, branch: str, commit: Commit, stamp: Stamp) -> bool:
    opened = road.opened.by_digest.get(commit.game_digest)
    if opened is not None and not opened.game.systems:
        return False
    outlook = await road.book.look(branch)
    waiting = find_waiting(outlook, branch, commit.id)
    # Input that the player has already given there comes first.
    free = waiting is None or waiting.operation_id == stamp.operation_id
    if outlook.head != commit.id or not free:
        return False
    recalled = await recall_at(road, commit.id)
    phases = current_phases(WorkingState(recalled.edition.game, recalled.position))
    settled = not recalled.body.decisions and recalled.body.end is None
    return settled and any(phase.opens for phase in phases)
