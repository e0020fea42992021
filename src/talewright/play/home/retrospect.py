"""Retrospect: the whole of a campaign as it looks from one player's seat: its tree, and two of its ways.

It reads every record once for a question, and tells only what the player may see.
"""

from collections.abc import Sequence
from dataclasses import replace

from talewright.chronicle.records import Commit
from talewright.play.home.seat import Seat
from talewright.play.looking_back.differences import compare
from talewright.play.looking_back.giving_way import give_way
from talewright.play.looking_back.histories import History, find_turn, read_history
from talewright.play.looking_back.sayings import seen_differences, tell_differences
from talewright.play.looking_back.trees import Row, lay_out
from talewright.play.past import ComparisonView, TreeRow
from talewright.play.showing.turns import show_turn
from talewright.play.showing.wording import Wording, clean_line
from talewright.play.viewers import Viewer
from talewright.play.views import TurnView
from talewright.turn.records.commit_body import read_body

WORDS_LENGTH_MAX = 200
"""Characters of what was said and told that stand in a row of the tree."""

COMPARED_TURNS_MAX = 1_000
"""Turns of one way that are held against the other's, from where they parted."""


async def read_from(seat: Seat) -> History:
    """Everything that is recorded, with the branch on which the player sits as the one that is played."""
    history = await read_history(seat.road.book)
    branches = dict(history.outlook.branches)
    if seat.branch in branches:
        # The branch that stands last is the trunk.
        branches[seat.branch] = branches.pop(seat.branch)
    return replace(history, outlook=replace(history.outlook, branches=branches))


async def draw_tree(history: History, *, every: bool) -> tuple[TreeRow, ...]:
    """The rows of the tree, oldest first; the line that the player follows runs straight down."""
    here = history.head.id
    rows: list[TreeRow] = []
    for row in lay_out(history, every=every):
        rows.append(_show_row(history, row, here))
        await give_way(len(rows))
    return tuple(rows)


def _show_row(history: History, row: Row, here: str) -> TreeRow:
    commit = row.commit
    if commit is None:
        return TreeRow(row.depth, skipped=row.skipped)
    branches, marks = history.names(commit.id)
    return TreeRow(
        depth=row.depth,
        commit=commit.id,
        version=commit.version,
        said=_first_line(commit, "said"),
        told=_first_line(commit, "narration"),
        branches=tuple(map(clean_line, branches)),
        marks=tuple(map(clean_line, marks)),
        here=commit.id == here,
        forks=row.forks,
        at=commit.at,
    )


def _first_line(commit: Commit, name: str) -> str:
    lines = str(commit.body.get(name, "")).strip().split("\n", 1)
    return clean_line(lines[0])[:WORDS_LENGTH_MAX]


async def compare_ways(seat: Seat, history: History, one: str, other: str) -> ComparisonView:
    """Two turns, and the ways that led to them from where they parted."""
    found = await compare(seat.road.book, history, find_turn(history, one), find_turn(history, other))
    edition = await seat.games.of(found.after)
    wording = Wording(edition.words(seat.language), seat.language)
    seen = seen_differences(edition.game, found.differences, Viewer.PLAYER)
    return ComparisonView(
        found.ancestor.version,
        await _show_turns(seat, found.before_alone),
        await _show_turns(seat, found.after_alone),
        tell_differences(edition.game, seen, wording),
    )


async def _show_turns(seat: Seat, line: Sequence[Commit]) -> tuple[TurnView, ...]:
    shown = []
    for commit in line[:COMPARED_TURNS_MAX]:
        edition = await seat.games.of(commit)
        wording = Wording(edition.words(seat.language), seat.language)
        shown.append(show_turn(commit, read_body(commit.body), edition.game, wording, Viewer.PLAYER))
        await give_way(len(shown))
    return tuple(shown)
