"""Past bodies: the bodies of a campaign's commits, each parsed once, with what is made from them every turn.

A commit never changes, so neither does what is read from it. No decision depends on the cache.
"""

from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from operator import is_not
from typing import TypeVar, cast

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.common.quote_search import fold_all
from talewright.turn.records.commit_body import TurnBody, read_body

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
