"""The recent turn cache: what was made from the latest turns, so that only new turns are read again.

Commits never change, and neither do the game editions they name.
"""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.play.campaign_view import Viewer

Made = TypeVar("Made")

HISTORY_COMMITS_MAX = 1_000
"""How many commits back to look when answering a question about the past."""

HISTORY_STRIDE = 32
"""Commits read at once on the way back."""

CACHED_MAX = 64
"""Commits kept in each cache."""


@frozen
class NumberMoves:
    """The numbers that a turn moved, newest change first: name, value before, value after."""

    version: int
    moves: tuple[tuple[str, float, float], ...]


class RecentTurnCache(Generic[Made]):
    """What was made from commits for each role, with the parent of each commit."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[Viewer, str], tuple[str, Made]] = OrderedDict()

    async def walk_back(
        self,
        book: CampaignBook,
        head: str,
        count: int,
        viewer: Viewer,
        make: Callable[[Commit], Awaitable[Made]],
    ) -> list[Made]:
        """What `make` gives for a commit and its ancestors, newest first; the beginning is left out."""
        found: list[Made] = []
        left = min(count, HISTORY_COMMITS_MAX)
        # After a turn only its own commit is new; beyond the next one, read many at once.
        stride = 1
        while head and left > 0:
            known = self._known.get((viewer, head))
            line: list[tuple[str, Made] | None] = [known] if known else []
            if not known:
                for commit in await book.back(head, min(stride, left)):
                    line.append(await self._take(commit, viewer, make) if commit.parent else None)
                stride = HISTORY_STRIDE
            found += [one[1] for one in line if one is not None]
            left -= len(line)
            oldest = line[-1]
            head = "" if oldest is None else oldest[0]
        return found

    async def _take(
        self, commit: Commit, viewer: Viewer, make: Callable[[Commit], Awaitable[Made]]
    ) -> tuple[str, Made]:
        made = commit.parent, await make(commit)
        self._known[viewer, commit.id] = made
        while len(self._known) > CACHED_MAX:
            self._known.popitem(last=False)
        return made
