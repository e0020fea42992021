"""The fold cache: states of commits that were made or read a moment ago, and the campaign's secret.

A commit never changes, so neither does the state at it. Nothing is decided from here: heads, inputs and open
turns are always asked of the store.
"""

from collections import OrderedDict

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.kernel.state.state import State

FOLDS_MAX = 4
"""States that are kept."""

PAST_MAX = 64
"""Commits that are kept with each."""


@frozen
class FoldedCommit:
    """The state at a commit, and commits on the way to it, newest first."""

    state: State
    past: tuple[Commit, ...]


class FoldCache:
    """What one process remembers of one campaign."""

    def __init__(self, secret: bytes | None = None) -> None:
        """With a secret, that of the campaign is not read."""
        self._folds: OrderedDict[str, FoldedCommit] = OrderedDict()
        self._secret = secret

    def find(self, commit: str) -> FoldedCommit | None:
        """The state at a commit, where it is known."""
        return self._folds.get(commit)

    def keep(self, state: State, past: tuple[Commit, ...]) -> FoldedCommit:
        """Remember the state at the first of these commits."""
        folded = FoldedCommit(state, past[:PAST_MAX])
        self._folds[past[0].id] = folded
        self._folds.move_to_end(past[0].id)
        while len(self._folds) > FOLDS_MAX:
            self._folds.popitem(last=False)
        return folded

    async def read_secret(self, book: CampaignBook) -> bytes:
        """The secret of the campaign's chance, read once."""
        if self._secret is None:
            self._secret = await book.secret()
        return self._secret
