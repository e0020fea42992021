"""Lookups: how an expression reads one place of a document, whatever stands there.

A document that fits its layout is read straight; any other still gives an answer, the slot's default.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from talewright.kernel.documents import Json
from talewright.kernel.paths import Path
from talewright.kernel.slots import Kind, Layout, Slot, default_of

Document: TypeAlias = Mapping[str, Json]

Fuel: TypeAlias = list[int]
"""One number: how many more elements may be looked at."""

Evaluator: TypeAlias = Callable[[Document, int, Fuel], Json]
"""What a tree becomes: it takes a document, the turn and the fuel."""

_NUMBERS = frozenset({int, float})
_TEXTS = frozenset({str})
_TYPES: Mapping[Kind, frozenset[type]] = {
    Kind.NUMBER: _NUMBERS,
    Kind.INTEGER: _NUMBERS,
    Kind.BOOLEAN: frozenset({bool}),
    Kind.ENUM: _TEXTS,
    Kind.STRING: _TEXTS,
    Kind.LIST: frozenset({list}),
    Kind.OBJECT: frozenset({dict}),
}
"""What a value of each kind is made of. An enum's value is not looked up in its list: any text will do."""


class NoAnswerError(ArithmeticError):
    """The expression has no value here: too large a number, null where one is needed, no fuel left."""


def reader(path: Path, layout: Layout, null: Json = None, null_answers: bool = True) -> Evaluator:
    """A function that reads a path; null reads as `null`, or gives no answer."""
    steps = _steps_along(path, layout)
    slot = steps[-1][1]
    fitting = _TYPES[slot.kind]

    def read_slowly(document: Document) -> Json:
        value = _walk(document, steps)
        if value is not None and type(value) not in fitting:
            value = default_of(slot)
        if type(value) in fitting:
            return value
        if not null_answers:
            raise NoAnswerError
        return null

    if any(isinstance(key, int) for key, _ in steps):
        return lambda document, turn, fuel: read_slowly(document)
    return _fast_reader(path, fitting, read_slowly)


def _fast_reader(path: Path, fitting: frozenset[type], read_slowly: Callable[[Document], Json]) -> Evaluator:
    """Reads members of objects; takes the slow way where one is missing or of another kind."""
    # Most paths have one key or two, and conditions are asked often: those two need no loop.
    first, second, others = path[0], path[1] if len(path) > 1 else "", path[2:]

    def read_root(document: Document, turn: int, fuel: Fuel) -> Json:
        try:
            value = document[first]
        except KeyError:
            return read_slowly(document)
        return value if type(value) in fitting else read_slowly(document)

    # Any, because what stands on the way may be no object; that is caught.
    def read_member(document: Mapping[str, Any], turn: int, fuel: Fuel) -> Json:
        try:
            value: Json = document[first][second]
        except (KeyError, TypeError):
            return read_slowly(document)
        return value if type(value) in fitting else read_slowly(document)

    def read_deep(document: Mapping[str, Any], turn: int, fuel: Fuel) -> Json:
        try:
            value = document[first][second]
            for key in others:
                value = value[key]
        except (KeyError, TypeError):
            return read_slowly(document)
        return value if type(value) in fitting else read_slowly(document)

    return read_deep if others else read_member if second else read_root


def _steps_along(path: Path, layout: Layout) -> list[tuple[str | int, Slot]]:
    """Every key with the slot it leads to; a number where the key counts elements of a list."""
    steps: list[tuple[str | int, Slot]] = []
    holder: Slot | None = None
    for length, key in enumerate(path, start=1):
        slot = layout.find(path[:length])
        assert slot, "only paths that passed the check are read"
        steps.append((int(key) if holder and holder.kind is Kind.LIST else key, slot))
        holder = slot
    return steps


def _walk(document: Document, steps: list[tuple[str | int, Slot]]) -> Json:
    """What stands at the end; wherever the way breaks off, the default of the slot at that key goes on."""
    value: Json = document
    for key, slot in steps:
        if isinstance(key, int):
            value = value[key] if isinstance(value, list) and key < len(value) else default_of(slot)
        else:
            value = value[key] if isinstance(value, dict) and key in value else default_of(slot)
    return value
