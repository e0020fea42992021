"""The fold cache: states and bodies of recently made or read commits, and the campaign's secret.

A commit never changes, so neither does the state at it. Nothing is decided from the cache: heads, inputs and
open turns are always read from the store.
"""

from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import is_not
from typing import TypeVar, cast

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.quote_search import fold_all
from talewright.kernel.state.state import State
from talewright.turn.records.commit_body import TurnBody, read_body

FOLDS_MAX = 4
"""How many states are cached, apart from those that are held."""

PAST_MAX = 64
"""How many commits are cached with each state."""


T = TypeVar("T")

BODIES_MAX = 96
"""How many bodies are cached: those of a long window, and of another branch."""


@dataclass(slots=True)
class PastBody:
    """What is read from one commit."""

    raw: Mapping[str, Json]
    """As it is stored."""

    body: TurnBody
    letters: str | None = None
    """The folded letters of everything it narrated to the player, once they were requested."""

    made: tuple[tuple[object, ...], object] | None = None
    """The value last made from it, preceded by the other objects that the value depends on."""


class PastBodies:
    """The cache of one campaign in one process."""

    def __init__(self) -> None:
        self._read: OrderedDict[str, PastBody] = OrderedDict()

    def read(self, commit: Commit) -> TurnBody:
        """The body of a commit."""
        return self._find(commit).body

    def fold(self, commit: Commit) -> str:
        """The folded letters of everything a commit narrated."""
        found = self._find(commit)
        if found.letters is None:
            found.letters = fold_all(_list_told(found.body))
        return found.letters

    def derive(self, commit: Commit, make: Callable[[TurnBody], T], *about: object) -> T:
        """The value that `make` makes from the body; made once as long as it depends on the same objects."""
        found = self._find(commit)
        if found.made is None or any(map(is_not, found.made[0], about)):
            found.made = about, make(found.body)
        return cast(T, found.made[1])

    def _find(self, commit: Commit) -> PastBody:
        found = self._read.get(commit.id)
        if found is not None and found.raw is not commit.body and found.raw == commit.body:
            # It is read from the store again.
            found.raw = commit.body
        if found is None or found.raw is not commit.body:
            found = self._read[commit.id] = PastBody(commit.body, read_body(commit.body))
        self._read.move_to_end(commit.id)
        while len(self._read) > BODIES_MAX:
            self._read.popitem(last=False)
        return found


def _list_told(body: TurnBody) -> list[str]:
    offered = [word for offer in body.choices for word in (offer.label, offer.hint)]
    return [body.said, body.narration, *offered]


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

        self._judged: object = None

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

    def keep_judged(self, judged: object) -> None:
        """Keep an open turn as far as it was judged; whoever takes it compares it with what is stored."""
        self._judged = judged

    def take_judged(self) -> object:
        """Return the open turn that was kept, for one use; None if there is none."""
        judged, self._judged = self._judged, None
        return judged

    async def read_secret(self, book: CampaignBook) -> bytes:
        """Return the campaign's secret for dice, read once."""
        if self._secret is None:
            self._secret = await book.secret()
        return self._secret
