"""Triggers: what happens by itself once a condition holds, and the index of who reads a changed place.

A trigger is data. When it fires, in which order and that `once` is kept is said in `trigger_firing`.
"""

from collections.abc import Iterable, Sequence

from talewright.common.frozen_values import frozen
from talewright.kernel.conditions.conditions import Condition
from talewright.kernel.conditions.expression_tree import TURN
from talewright.kernel.judging.moves_and_rulings import Update
from talewright.kernel.state.state_paths import Path


@frozen
class Event:
    """Something worth telling that is no change: a trigger's line, a refusal, an ending."""

    type: str
    text: str
    """The key of a text, or words where a model gave them."""

    cause: str


@frozen
class Trigger:
    """One rule of the world."""

    id: str
    when: Condition
    effects: tuple[Update, ...] = ()
    events: tuple[Event, ...] = ()
    once: bool = False
    priority: int = 100
    """Lower fires first; ties go by id."""


READERS_KEPT_MAX = 10_000
"""Answers kept for paths that change again and again."""


@frozen
class Readers:
    """Numbers of those that a change concerns."""

    triggers: frozenset[int]
    endings: frozenset[int]
    derived: frozenset[int]


class ReaderIndex:
    """Readers found by the path they read, whether it lies above or beneath a change."""

    def __init__(self, reads: Sequence[Iterable[Path]]) -> None:
        self._at: dict[Path, list[int]] = {}
        self._above: dict[Path, list[int]] = {}
        self.by_turn: frozenset[int] = frozenset(n for n, paths in enumerate(reads) if TURN in paths)
        """Readers of the turn's number; it changes by itself."""

        for number, paths in enumerate(reads):
            for path in paths:
                self._at.setdefault(path, []).append(number)
                for length in range(1, len(path)):
                    self._above.setdefault(path[:length], []).append(number)

    def touched(self, path: Path) -> frozenset[int]:
        """The readers that a change at this path concerns."""
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
        """Everyone that a change at this path concerns."""
        readers = self._kept.get(path)
        if readers is None:
            readers = Readers(
                self.triggers.touched(path), self.endings.touched(path), self.derived.touched(path)
            )
            if len(self._kept) >= READERS_KEPT_MAX:
                self._kept.clear()
            self._kept[path] = readers
        return readers
