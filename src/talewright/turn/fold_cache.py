"""The fold cache: the states of recently made or read commits, and the campaign's secret.

A commit never changes, so neither does the state at it. Nothing is decided from the cache: heads, inputs and
open turns are always read from the store.
"""

from collections import OrderedDict

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.kernel.state.state import State

FOLDS_MAX = 4
"""How many states are cached."""

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
        """If `secret` is given, that of the campaign is not read."""
        self._folds: OrderedDict[str, FoldedCommit] = OrderedDict()
        self._secret = secret

    def find(self, commit: str) -> FoldedCommit | None:
        """Return the state at a commit, if it is cached."""
        return self._folds.get(commit)

    def keep(self, state: State, past: tuple[Commit, ...]) -> FoldedCommit:
        """Cache the state at the first of these commits."""
        folded = FoldedCommit(state, past[:PAST_MAX])
        self._folds[past[0].id] = folded
        self._folds.move_to_end(past[0].id)
        while len(self._folds) > FOLDS_MAX:
            self._folds.popitem(last=False)
        return folded

    async def read_secret(self, book: CampaignBook) -> bytes:
        """Return the campaign's secret for dice, read once."""
        if self._secret is None:
            self._secret = await book.secret()
        return self._secret
