"""Trees: the turns of a campaign as a picture made of text, with its branches, marks and forks.

Long stretches in which nothing forks and nothing has a name are drawn as one line.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from talewright.chronicle.records import Commit
from talewright.kernel.state.documents import Json
from talewright.play.looking_back.histories import History

ID_SHOWN = 8
"""Characters of an id that are drawn."""

SAID_LENGTH_MAX = 40
"""Characters of what the player said that are drawn."""


@dataclass(frozen=True, slots=True)
class Strokes:
    """The signs a tree is drawn with."""

    turn: str
    here: str
    along: str
    fork: str
    gap: str
    cut: str


UNICODE = Strokes("●", "◉", "│ ", "├─", "┊", "…")
ASCII = Strokes("o", "@", "| ", "|-", ":", "...")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the picture: a turn, or several that were left out."""

    depth: int
    """How many lines run to the left of it."""

    commit: Commit | None
    skipped: int = 0
    forks: bool = False
    """Whether it begins a line of its own."""


def lay_out(history: History, *, every: bool = False) -> Iterator[Row]:
    """The rows of the tree, oldest first; the line that is played on runs straight down."""
    trunk = {commit.id for commit in history.lineage(history.head)}
    pointed = {*history.outlook.branches.values(), *history.outlook.marks.values()}
    root = next(iter(history.commits.values()))
    # What is still to be drawn, the next last: a fork is drawn whole before its trunk goes on.
    waiting: list[tuple[str, int, bool]] = [(root.id, 0, False)]
    skipped = 0
    while waiting:
        name, depth, forks = waiting.pop()
        commit = history.commits[name]
        following = sorted(
            history.children.get(name, ()), key=lambda child: (child in trunk, child in pointed)
        )
        plain = len(following) == 1 and name not in pointed and not forks and commit.parent != ""
        if plain and not every:
            skipped += 1
        else:
            if skipped:
                yield Row(depth, None, skipped)
            skipped = 0
            yield Row(depth, commit, forks=forks)
        if following:
            *sides, straight = following
            waiting.append((straight, depth, False))
            waiting += ((side, depth + 1, True) for side in reversed(sides))


def draw(history: History, strokes: Strokes, *, every: bool = False) -> Iterator[str]:
    """The tree as lines of text."""
    head = history.head.id
    for row in lay_out(history, every=every):
        if row.commit is None:
            turns = "1 turn" if row.skipped == 1 else f"{row.skipped} turns"
            yield f"{strokes.along * row.depth}{strokes.gap} {turns}"
            continue
        before = strokes.along * row.depth
        if row.forks:
            before = strokes.along * (row.depth - 1) + strokes.fork
        sign = strokes.here if row.commit.id == head else strokes.turn
        yield f"{before}{sign} {_describe(history, row.commit, strokes)}"


def _describe(history: History, commit: Commit, strokes: Strokes) -> str:
    branches, marks = history.names(commit.id)
    names = [*(f"[{name}]" for name in branches), *(f"({name})" for name in marks)]
    said = " ".join(str(commit.body.get("said", "")).split())
    if len(said) > SAID_LENGTH_MAX:
        said = said[: SAID_LENGTH_MAX - len(strokes.cut)] + strokes.cut
    return "  ".join(
        part for part in (str(commit.version), commit.id[:ID_SHOWN], " ".join(names), said) if part
    )


def to_json(history: History) -> dict[str, Json]:
    """The whole tree as data."""
    return {
        "campaign": history.campaign,
        "branch": history.branch,
        "head": history.head.id,
        "branches": dict(history.outlook.branches),
        "marks": dict(history.outlook.marks),
        "turns": [
            {
                "id": commit.id,
                "parent": commit.parent,
                "branch": commit.branch,
                "version": commit.version,
                "at": commit.at,
                "said": commit.body.get("said", ""),
            }
            for commit in history.commits.values()
        ],
    }
