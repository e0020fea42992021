"""Past bodies: the bodies of a campaign's commits, each parsed once, with what is made from them every turn.

A commit never changes, so neither does what is read from it. Nothing is decided from what is cached here.
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
    """The folded letters of all that it has told the player, once somebody has asked for them."""

    made: tuple[tuple[object, ...], object] | None = None
    """What was last made from it, after what that depends on besides."""


class PastBodies:
    """The cache of one campaign in one process."""

    def __init__(self) -> None:
        self._read: OrderedDict[str, PastBody] = OrderedDict()

    def read(self, commit: Commit) -> TurnBody:
        """The body of a commit."""
        return self._find(commit).body

    def fold(self, commit: Commit) -> str:
        """The folded letters of what a commit has told."""
        found = self._find(commit)
        if found.letters is None:
            found.letters = fold_all(_list_told(found.body))
        return found.letters

    def derive(self, commit: Commit, make: Callable[[TurnBody], T], *about: object) -> T:
        """What `make` makes from the body, once as long as it is about the same objects."""
        found = self._find(commit)
        if found.made is None or any(map(is_not, found.made[0], about)):
            found.made = about, make(found.body)
        return cast(T, found.made[1])

    def _find(self, commit: Commit) -> PastBody:
        found = self._read.get(commit.id)
        if found is not None and found.raw is not commit.body and found.raw == commit.body:
            # Read from the store once more.
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
