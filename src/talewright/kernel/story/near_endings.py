"""Near endings: which values are close to a limit that loses the game.

Derived from the conditions of the endings; it issues no warnings and changes nothing.
"""

from collections.abc import Callable, Iterator
from typing import Final

from talewright.common.frozen_values import cached_by_identity
from talewright.common.json_values import Json
from talewright.kernel.conditions.condition_functions import Document
from talewright.kernel.conditions.conditions import Condition, Expression
from talewright.kernel.conditions.expression_tree import (
    TURN,
    Comparison,
    Junction,
    Node,
    Not,
    PathReading,
    reads_of,
)
from talewright.kernel.game import Game
from talewright.kernel.slots.slot_types import Layout, SlotKind
from talewright.kernel.state.state_paths import Path
from talewright.kernel.story.endings import Outcome

NEAR_SHARE: Final = 0.2
"""Share of the way from the initial value to the limit; a value within this last part is near."""

PARTS_KEPT_MAX: Final = 20_000
"""Cached parts of conditions, compiled."""

STEP_MIN: Final = 1
"""A whole number one step away is always near."""


def find_near_losses(
    game: Game, document: Document, turn: int, may_read: Callable[[Path], bool]
) -> frozenset[Path]:
    """Paths whose values are near a losing ending, or have reached it.

    An ending that depends on anything hidden from the viewer is ignored.
    """
    found: set[Path] = set()
    for ending in game.endings:
        if ending.kind is Outcome.LOSE and all(map(may_read, ending.when.reads - {TURN})):
            for bound in _Truths(game, document, turn).find_deciding(ending.when.tree):
                if _is_near(bound, game, document, turn):
                    found |= reads_of(bound) - {TURN}
    return frozenset(found)


class _Truths:
    """The parts of one condition that hold; each is evaluated once, however deep it is."""

    def __init__(self, game: Game, document: Document, turn: int) -> None:
        self._layout = game.layout
        self._document = document
        self._turn = turn
        self._known: dict[int, bool | None] = {}

    def find_deciding(self, tree: Node) -> Iterator[Comparison]:
        """The comparisons that alone decide now whether a condition holds."""
        match tree:
            case Comparison():
                yield tree
            case Not(operand):
                yield from self.find_deciding(operand)
            case Junction(word, parts):
                # A part of `and` decides only while all others hold, and one of `or` only while none does.
                held = [(self._answer(part) is True) is (word == "and") for part in parts]
                others = held.count(False)
                for part, fits in zip(parts, held, strict=True):
                    if others == int(not fits):
                        yield from self.find_deciding(part)
            case _:
                # A plain true or false has no distance.
                return

    def _answer(self, tree: Node) -> bool | None:
        """Whether a part holds; None if it has no answer."""
        if id(tree) not in self._known:
            self._known[id(tree)] = self._evaluate(tree)
        return self._known[id(tree)]

    def _evaluate(self, tree: Node) -> bool | None:
        match tree:
            case Not(operand):
                answer = self._answer(operand)
                return None if answer is None else not answer
            case Junction(word, parts):
                for part in parts:
                    answer = self._answer(part)
                    if answer is None or answer is (word == "or"):
                        return answer
                return word == "and"
            case PathReading():
                return _condition(tree, self._layout).holds(self._document, self._turn)
            case _:
                value = _expression(tree, self._layout).value(self._document, self._turn)
                return None if value is None else bool(value)


@cached_by_identity(PARTS_KEPT_MAX)
def _condition(tree: Node, layout: Layout) -> Condition:
    return Condition("", frozenset(), layout, tree)


@cached_by_identity(PARTS_KEPT_MAX)
def _expression(tree: Node, layout: Layout) -> Expression:
    return Expression("", frozenset(), layout, tree)


def _is_near(bound: Comparison, game: Game, document: Document, turn: int) -> bool:
    left, right = _expression(bound.left, game.layout), _expression(bound.right, game.layout)
    away = _measure(left.value(document, turn), right.value(document, turn))
    at_first = _measure(left.value(game.initial, 0), right.value(game.initial, 0))
    if away is None or at_first is None:
        return False
    slots = map(game.layout.find_readable, reads_of(bound) - {TURN})
    is_whole = all(slot is None or slot.kind is not SlotKind.NUMBER for slot in slots)
    near = max(at_first * NEAR_SHARE, STEP_MIN if is_whole else 0)
    # A value that starts near its limit is a warning only once it has moved closer.
    return away <= near and (away < at_first or away == 0)


def _measure(left: Json, right: Json) -> int | float | None:
    """The distance between two numbers; None if they are not numbers."""
    numbers = [each for each in (left, right) if isinstance(each, int | float) and not isinstance(each, bool)]
    return abs(numbers[0] - numbers[1]) if len(numbers) == 2 else None
