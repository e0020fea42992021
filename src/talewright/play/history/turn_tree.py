"""The tree of turns: branches, marks and forks, as rows for a face, as text and as data.

Long stretches without forks or names are drawn as one line.
"""

from collections.abc import Iterator, Mapping, Sequence

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.safe_text import clean_line
from talewright.play.campaign_past import TreePage, TreeRow
from talewright.play.history.campaign_history import CampaignHistory, give_way
from talewright.play.history.tree_outline import OutlineRow, TreeOutline, lay_out_rows
from talewright.turn.inputs.player_choices import ChoiceCandidate
from talewright.turn.inputs.player_choices import match as match_words
from talewright.turn.records.commit_body import read_body

ID_SHOWN = 8
"""Characters of an id that are drawn."""

SAID_LENGTH_MAX = 40
"""Characters of the player's input that are drawn."""


@frozen
class Strokes:
    """The characters that a tree is drawn with."""

    turn: str
    here: str
    along: str
    fork: str
    gap: str
    cut: str


UNICODE = Strokes("●", "◉", "│ ", "├─", "┊", "…")
ASCII = Strokes("o", "@", "| ", "|-", ":", "...")


@frozen
class TreeLine:
    """One line of the drawing: a turn, or several that were skipped."""

    depth: int
    """How many lines run to its left."""

    commit: Commit | None
    skipped: int = 0
    forks: bool = False
    """Whether it starts a new line."""


def lay_out(history: CampaignHistory, *, every: bool = False) -> Iterator[TreeLine]:
    """The rows of the tree, oldest first; the current line runs straight down."""
    pointed = frozenset((*history.branches.values(), *history.marks.values()))
    parents = {commit.id: commit.parent for commit in history.commits.values()}
    for row in lay_out_rows(history.head.id, parents, history.children, pointed, every=every):
        commit = history.commits[row.commit] if row.commit else None
        yield TreeLine(row.depth, commit, row.skipped, row.forks)


def draw_tree_lines(history: CampaignHistory, strokes: Strokes, *, every: bool = False) -> Iterator[str]:
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


def _describe(history: CampaignHistory, commit: Commit, strokes: Strokes) -> str:
    branches, marks = history.names(commit.id)
    names = [*(f"[{name}]" for name in branches), *(f"({name})" for name in marks)]
    said = " ".join(str(commit.body.get("said", "")).split())
    if len(said) > SAID_LENGTH_MAX:
        said = said[: SAID_LENGTH_MAX - len(strokes.cut)] + strokes.cut
    return "  ".join(
        part for part in (str(commit.version), commit.id[:ID_SHOWN], " ".join(names), said) if part
    )


def tree_to_json(history: CampaignHistory) -> dict[str, Json]:
    """The whole tree as data."""
    return {
        "campaign": history.campaign,
        "branch": history.branch,
        "head": history.head.id,
        "branches": dict(history.branches),
        "marks": dict(history.marks),
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


WORDS_LENGTH_MAX = 200
"""Characters of input and narration in a row of the tree."""


async def show_tree_rows(history: CampaignHistory, *, every: bool) -> tuple[TreeRow, ...]:
    """The rows of the tree, oldest first; the current line runs straight down."""
    here = history.head.id
    rows: list[TreeRow] = []
    for row in lay_out(history, every=every):
        rows.append(_show_row(history, row, here))
        await give_way(len(rows))
    return tuple(rows)


@frozen
class TreeWindow:
    """Which rows of a tree to show."""

    count: int
    first: int = -1
    """The first row; -1 for those around a turn."""

    around: str = ""
    """The turn; the player's if empty."""

    every: bool = False


async def show_tree_page(
    book: CampaignBook, outline: TreeOutline, branch: str, window: TreeWindow
) -> TreePage:
    """Some rows of the tree. Only their turns and the following ones are read."""
    await outline.update(book)
    here = outline.branches[branch]
    shown = window.around or here
    rows: list[OutlineRow] = []
    middle = 0
    for row in outline.lay_out(branch, shown, every=window.every):
        if row.commit == shown:
            middle = len(rows)
        rows.append(row)
        await give_way(len(rows))
    last_first = max(len(rows) - window.count, 0)
    first = min(window.first if window.first >= 0 else max(middle - window.count // 2, 0), last_first)
    kept = rows[first : first + window.count]
    history = await _read_around(book, outline, [row.commit for row in kept if row.commit])
    lines = (
        TreeLine(row.depth, history.commits[row.commit] if row.commit else None, row.skipped, row.forks)
        for row in kept
    )
    page = tuple(_show_row(history, line, here) for line in lines)
    return TreePage(page, first, len(rows), (await book.read(here)).version)


async def _read_around(book: CampaignBook, outline: TreeOutline, shown: Sequence[str]) -> CampaignHistory:
    """The part of a history needed to show some turns: the turns themselves and those that follow them."""
    needed = dict.fromkeys([*shown, *(child for one in shown for child in outline.children.get(one, ()))])
    commits = [await book.read(name) for name in needed]
    commits.sort(key=lambda commit: commit.sequence)
    found = {commit.id: commit for commit in commits}
    return CampaignHistory(book.campaign, outline.branches, outline.marks, found, {}, {})


def _show_row(history: CampaignHistory, row: TreeLine, here: str) -> TreeRow:
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
        untaken=tuple(_find_untaken(history, commit)),
        end=_find_outcome(commit),
    )


def _find_outcome(commit: Commit) -> str:
    """How the game ended with a turn; empty if it continues."""
    end = commit.body.get("end")
    return clean_line(str(end.get("outcome", ""))) if isinstance(end, Mapping) else ""


def _find_untaken(history: CampaignHistory, commit: Commit) -> Iterator[str]:
    """The choices of a turn that were not taken, if the story continued from it."""
    following = [history.commits[child] for child in history.children.get(commit.id, ())]
    offers = read_body(commit.body).choices if following else ()
    candidates = [ChoiceCandidate(offer.id, (offer.label,)) for offer in offers]
    taken = {_find_taken(child, candidates) for child in following}
    for offer in offers:
        if offer.id not in taken:
            yield clean_line(offer.label)[:WORDS_LENGTH_MAX]


def _find_taken(commit: Commit, candidates: Sequence[ChoiceCandidate]) -> str | None:
    """The choice that led to a turn; typed words that mean a choice count too."""
    match commit.body.get("input"):
        case {"kind": "choose", "choice": str(choice)}:
            return choice
        case _:
            return match_words(str(commit.body.get("said", "")), candidates)


def _first_line(commit: Commit, name: str) -> str:
    lines = str(commit.body.get(name, "")).strip().split("\n", 1)
    return clean_line(lines[0])[:WORDS_LENGTH_MAX]
