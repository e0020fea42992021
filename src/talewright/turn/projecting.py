"""Projecting: the pages a person finds in a campaign's folder, made after the turn is safe.

They are made from the records and never read back.
"""

import json

from talewright.chronicle.records import Commit
from talewright.chronicle.store import Projection
from talewright.crashpoints import around
from talewright.kernel.system import PastTurn
from talewright.kernel.table import Table
from talewright.turn.bodies import from_json
from talewright.turn.recalling import Recalled, recall
from talewright.turn.road import Road

STATE_PAGE = "state.json"
HEADING_LENGTH_MAX = 72
"""Characters of a heading."""


async def project(road: Road, branch: str) -> None:
    """Write the pages of a branch's newest turn."""
    recalled = await recall(road, branch)
    with around("projections"):
        projection = make_projection(recalled)
    await road.book.project(projection)


def make_projection(recalled: Recalled) -> Projection:
    """The pages of one moment."""
    state = recalled.position.state
    pages = {STATE_PAGE: json.dumps(state.document, ensure_ascii=False, indent=2, sort_keys=True) + "\n"}
    turns = tuple(_past(commit) for commit in reversed(recalled.past) if commit.parent)
    table = Table(recalled.edition.game, recalled.position)
    for system in recalled.edition.game.systems:
        pages |= system.pages(table.sight(system), turns)
    return Projection(recalled.head.id, _head_line(recalled, turns), pages)


def _head_line(recalled: Recalled, turns: tuple[PastTurn, ...]) -> str:
    if not turns:
        return "The beginning"
    newest = turns[-1]
    named = (system.heading(newest) for system in recalled.edition.game.systems)
    line = next((heading for heading in named if heading), "") or f"Turn {newest.version}: {newest.input}"
    return " ".join(line.split())[:HEADING_LENGTH_MAX].rstrip(": ")


def _past(commit: Commit) -> PastTurn:
    body = from_json(commit.body)
    return PastTurn(commit.version, body.said, body.narration, body.changes, body.draws)
