"""Projecting: the pages a person finds in a campaign's folder, made after the turn is safe.

They are made from the records; what a person writes into them is the business of `edits`.
"""

import json
from collections.abc import Sequence

from talewright.chronicle.pages_port import PageProjection
from talewright.crashpoints import around
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.system import PastTurn
from talewright.turn.edits import find_editable
from talewright.turn.recalling import Recalled, reach_back, recall, recall_at
from talewright.turn.retelling import list_past
from talewright.turn.road import Road

STATE_PAGE = "state.json"
HEADING_LENGTH_MAX = 72
"""Characters of a heading."""


async def project(road: Road, branch: str, commit: str = "", heading: str = "") -> None:
    """Write the pages of a turn, a branch's newest where none is named.

    `heading` is said instead of the turn's own, where the story has only been taken back to it.
    """
    recalled = await (recall_at(road, commit) if commit else recall(road, branch))
    # Where the story has gone elsewhere, pages of other turns lie in the folder; all of them are made anew.
    recalled = await reach_back(road.book, recalled, whole=bool(heading))
    with around("projections"):
        projection = make_projection(recalled, heading)
    await road.book.project(projection)


def make_projection(recalled: Recalled, heading: str = "") -> PageProjection:
    """The pages of one moment."""
    state = recalled.position.state
    pages = {STATE_PAGE: json.dumps(state.document, ensure_ascii=False, indent=2, sort_keys=True) + "\n"}
    turns = list_past(recalled.past)
    table = WorkingState(recalled.edition.game, recalled.position)
    for system in recalled.edition.game.systems:
        pages |= system.pages(table.sight(system), turns)
    heading = heading or _head_line(table, turns)
    editable = frozenset(find_editable(recalled.edition.game, recalled.position))
    return PageProjection(recalled.head.id, heading, pages, editable=editable)


def _head_line(table: WorkingState, turns: Sequence[PastTurn]) -> str:
    if not turns:
        return "The beginning"
    newest = turns[-1]
    named = (system.heading(newest, table.sight(system)) for system in table.game.systems)
    line = next((heading for heading in named if heading), "") or f"Turn {newest.version}: {newest.input}"
    return " ".join(line.split())[:HEADING_LENGTH_MAX].rstrip(": ")
