"""Openings of phases: which turn is due where a game has come into a phase that begins by itself.

It finds out and takes no turn; `session_turns` and `session_opening` do.
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
"""Behind the operation id of a turn: the id of the turn that opens what it led into."""


async def find_opening(road: Road, branch: str, outcome: Outcome) -> Stamp | None:
    """By which the turn is taken that opens a phase; None where no phase is to be opened.

    Of a turn that is handed in a second time, the opening that was told then is found again.
    """
    if not isinstance(outcome, Committed) or road.teller is None:
        return None
    commit = outcome.commit
    if commit.operation_id.endswith(OPENS):
        # One opening does not lead to another, whatever the system says.
        return None
    stamp = Stamp(commit.operation_id + OPENS, commit.id)
    try:
        if outcome.repeated and (await road.book.find(stamp.operation_id)).commit is not None:
            return stamp
        return stamp if await _is_due(road, branch, commit, stamp) else None
    except TalewrightError:
        # The turn is safe; whoever goes on from there opens the phase.
        return None


async def _is_due(road: Road, branch: str, commit: Commit, stamp: Stamp) -> bool:
    opened = road.opened.by_digest.get(commit.game_digest)
    if opened is not None and not opened.game.systems:
        return False
    outlook = await road.book.look(branch)
    waiting = find_waiting(outlook, branch, commit.id)
    # What the player has said there already comes first.
    free = waiting is None or waiting.operation_id == stamp.operation_id
    if outlook.head != commit.id or not free:
        return False
    recalled = await recall_at(road, commit.id)
    phases = current_phases(WorkingState(recalled.edition.game, recalled.position))
    settled = not recalled.body.decisions and recalled.body.end is None
    return settled and any(phase.opens for phase in phases)
