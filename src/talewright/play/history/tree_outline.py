"""The outline of a campaign's tree: which turn follows which, read once and then only extended.

It holds ids and names, but no story text.
"""

from collections.abc import Iterator, Mapping, Sequence

from talewright.chronicle.records import Commit, PointerKind, Pointing, Record
from talewright.chronicle.store import CampaignBook, DamagedError
from talewright.common.frozen_values import frozen
from talewright.play.history.campaign_history import give_way


@frozen
class OutlineRow:
    """One row of the tree: a turn, or several that are skipped."""

    depth: int
    """How many lines run to its left."""

    commit: str
    """Empty for skipped turns."""

    skipped: int = 0
    forks: bool = False
    """Whether it starts a new line."""


def lay_out_rows(
    head: str,
    parents: Mapping[str, str],
    children: Mapping[str, Sequence[str]],
    pointed: frozenset[str],
    *,
    every: bool = False,
) -> Iterator[OutlineRow]:
    """The rows of the tree, oldest first; the line to `head` runs straight down.

    Turns with a name and turns where lines fork are never skipped.
    """
    trunk = {head}
    while parents[head]:
        head = parents[head]
        trunk.add(head)
    # Turns still to draw, the next one last: a fork is drawn completely before its trunk continues.
    waiting: list[tuple[str, int, bool]] = [(head, 0, False)]
    skipped = 0
    while waiting:
        name, depth, forks = waiting.pop()
        following = sorted(children.get(name, ()), key=lambda child: (child in trunk, child in pointed))
        plain = len(following) == 1 and name not in pointed and not forks and parents[name] != ""
        if plain and not every:
            skipped += 1
        else:
            if skipped:
                yield OutlineRow(depth, "", skipped)
            skipped = 0
            yield OutlineRow(depth, name, forks=forks)
        if following:
            *sides, straight = following
            waiting.append((straight, depth, False))
            waiting += ((side, depth + 1, True) for side in reversed(sides))


class TreeOutline:
    """The turns of one campaign, what follows each, and the names that point at them."""

    def __init__(self) -> None:
        self._forget()

    def _forget(self) -> None:
        self._sequence = -1
        self.parents: dict[str, str] = {}
        self.children: dict[str, list[str]] = {}
        self.branches: dict[str, str] = {}
        self.marks: dict[str, str] = {}

    async def update(self, book: CampaignBook) -> None:
        """Read the new records; in a damaged campaign, those that can be read."""
        if (await book.look()).sequence < self._sequence:
            # It was restored from an older copy.
            self._forget()
        read = 0
        try:
            # Pointers since the last commit are read again each time, which changes nothing.
            async for record in book.records(self._sequence):
                read += 1
                await give_way(read)
                self._take(record)
        except DamagedError:
            if not self.parents:
                raise

    def lay_out(self, branch: str, shown: str, *, every: bool) -> Iterator[OutlineRow]:
        """The rows of the tree, with the line of a branch as its trunk; one turn is never skipped."""
        pointed = frozenset((*self.branches.values(), *self.marks.values(), shown))
        return lay_out_rows(self.branches[branch], self.parents, self.children, pointed, every=every)

    def find_before(self, commit: str, turns: int) -> str:
        """The turn a number of turns before another one; empty if there is none."""
        for _ in range(turns):
            commit = self.parents.get(commit, "")
        return commit

    def _take(self, record: Record) -> None:
        if isinstance(record, Commit):
            if record.id not in self.parents:
                self.parents[record.id] = record.parent
                self.children.setdefault(record.parent, []).append(record.id)
            self._sequence = record.sequence
            self._move(record.branch, record.id)
        elif isinstance(record, Pointing):
            if record.kind is PointerKind.BRANCH:
                self._move(record.name, record.commit)
            else:
                self.marks[record.name] = record.commit

    def _move(self, branch: str, commit: str) -> None:
        """Point a branch; the one that moved last comes last."""
        self.branches.pop(branch, None)
        self.branches[branch] = commit
