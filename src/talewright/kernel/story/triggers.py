"""Triggers: rules that take effect when a condition holds, and the index of conditions by what they read.

A trigger is data. `story_rules` decides when and in which order they fire, and handles `once`.
"""

from collections.abc import Iterable, Sequence

from talewright.common.frozen_values import frozen
from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.conditions.expression_tree import TURN
from talewright.kernel.judging.moves import Update
from talewright.kernel.state.state_paths import Path


@frozen
class Event:
    """Something worth reporting that is not a change: a trigger's line, a refusal, an ending."""

    type: str
    text: str
    """The key of a text, or literal words if a model supplied them."""

    cause: str


@frozen
class Trigger:
    """One rule of the game world."""

    id: str
    when: Condition
    effects: tuple[Update, ...] = ()
    events: tuple[Event, ...] = ()
    once: bool = False
    priority: int = 100
    """Lower fires first; ties go by id."""


READERS_KEPT_MAX = 10_000
"""Cached lookups for paths that change often."""


@frozen
class Readers:
    """Indexes of the readers that a change affects."""

    triggers: frozenset[int]
    endings: frozenset[int]
    derived: frozenset[int]


class ReaderIndex:
    """Finds readers by the path they read, whether it is above or below a changed path."""

    def __init__(self, reads: Sequence[Iterable[Path]]) -> None:
        self._at: dict[Path, list[int]] = {}
        self._above: dict[Path, list[int]] = {}
        self.by_turn: frozenset[int] = frozenset(n for n, paths in enumerate(reads) if TURN in paths)
        """Readers of the turn number, which changes every turn."""

        for number, paths in enumerate(reads):
            for path in paths:
                self._at.setdefault(path, []).append(number)
                for length in range(1, len(path)):
                    self._above.setdefault(path[:length], []).append(number)

    def touched(self, path: Path) -> frozenset[int]:
        """The readers that a change at this path affects."""
        found = set(self._above.get(path, ()))
        for length in range(1, len(path) + 1):
            found.update(self._at.get(path[:length], ()))
        return frozenset(found)


class ConditionWatch:
    """The three kinds of readers a game has."""

    def __init__(
        self,
        triggers: Sequence[Iterable[Path]],
        endings: Sequence[Iterable[Path]],
        derived: Sequence[Iterable[Path]],
    ) -> None:
        self.triggers = ReaderIndex(triggers)
        self.endings = ReaderIndex(endings)
        self.derived = ReaderIndex(derived)
        self._kept: dict[Path, Readers] = {}

    def readers_of(self, path: Path) -> Readers:
        """All readers that a change at this path affects."""
        readers = self._kept.get(path)
        if readers is None:
            readers = Readers(
                self.triggers.touched(path), self.endings.touched(path), self.derived.touched(path)
            )
            if len(self._kept) >= READERS_KEPT_MAX:
                self._kept.clear()
            self._kept[path] = readers
        return readers
