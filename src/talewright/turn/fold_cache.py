"""The fold cache: states and bodies of recently made or read commits, and the campaign's secret.

A commit never changes, so neither does the state at it. Nothing is decided from the cache: heads, inputs and
open turns are always read from the store.
"""

from collections import Counter, OrderedDict

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.kernel.state.state import State
from talewright.turn.records.past_bodies import PastBodies

FOLDS_MAX = 4
"""How many states are cached, apart from those that are held."""

PAST_MAX = 64
"""How many commits are cached with each state."""


@frozen
class FoldedCommit:
    """The state at a commit, and the commits that lead to it, newest first."""

    state: State
    past: tuple[Commit, ...]


class FoldCache:
    """The cache of one campaign in one process."""

    def __init__(self, secret: bytes | None = None) -> None:
        """If `secret` is given, the campaign's own is not read."""
        self._folds: OrderedDict[str, FoldedCommit] = OrderedDict()
        self._held: Counter[str] = Counter()
        self._secret = secret
        self.bodies = PastBodies()
        """The bodies of its commits."""

    def find(self, commit: str) -> FoldedCommit | None:
        """Return the state at a commit, if it is cached."""
        return self._folds.get(commit)

    def keep(self, state: State, past: tuple[Commit, ...]) -> FoldedCommit:
        """Cache the state at the first of these commits."""
        folded = FoldedCommit(state, past[:PAST_MAX])
        self._folds[past[0].id] = folded
        self._folds.move_to_end(past[0].id)
        self._trim()
        return folded

    def hold(self, commit: str) -> None:
        """Keep the state at a commit until it is released: background work will need it, however late."""
        self._held[commit] += 1

    def release(self, commit: str) -> None:
        """End one `hold`."""
        self._held[commit] -= 1
        if not self._held[commit]:
            del self._held[commit]
        self._trim()

    def _trim(self) -> None:
        free = [commit for commit in self._folds if commit not in self._held]
        for commit in free[:-FOLDS_MAX]:
            del self._folds[commit]

    async def read_secret(self, book: CampaignBook) -> bytes:
        """Return the campaign's secret for dice, read once."""
        if self._secret is None:
            self._secret = await book.secret()
        return self._secret
