"""Near endings: which values are close to a limit that loses the game.

Derived from the conditions of the endings; it issues no warnings and changes nothing.
"""

from collections.abc import Callable, Iterator
from typing import Final

from talewright.common.json_values import Json
from talewright.kernel.conditions.condition_functions import Document
from talewright.kernel.conditions.conditions import Condition, Expression
from talewright.kernel.conditions.expression_tree import (
    TURN,
    Comparison,
    Junction,
    Node,
    Not,
    reads_of,
)
from talewright.kernel.game import Game
from talewright.kernel.slots.slot_types import SlotKind
from talewright.kernel.state.state_paths import Path
from talewright.kernel.story.endings import Outcome

NEAR_SHARE: Final = 0.2
"""Share of the way from the initial value to the limit; a value within this last part is near."""

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
            for bound in _find_deciding(ending.when.tree, game, document, turn):
                if _is_near(bound, game, document, turn):
                    found |= reads_of(bound) - {TURN}
    return frozenset(found)


def _find_deciding(tree: Node, game: Game, document: Document, turn: int) -> Iterator[Comparison]:
    """The comparisons that alone decide now whether a condition holds."""
    match tree:
        case Comparison():
            yield tree
        case Not(operand):
            yield from _find_deciding(operand, game, document, turn)
        case Junction(word, parts):
            # A part of `and` decides only while all others hold, and one of `or` only while none does.
            held = [_holds(part, game, document, turn) is (word == "and") for part in parts]
            for at, part in enumerate(parts):
                if all(held[:at] + held[at + 1 :]):
                    yield from _find_deciding(part, game, document, turn)
        case _:
            # A plain true or false has no distance.
            return


def _holds(tree: Node, game: Game, document: Document, turn: int) -> bool:
    return Condition("", frozenset(), game.layout, tree).holds(document, turn)


def _is_near(bound: Comparison, game: Game, document: Document, turn: int) -> bool:
    left = Expression("", frozenset(), game.layout, bound.left)
    right = Expression("", frozenset(), game.layout, bound.right)
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
