"""Body shapes: the types of the members in the body of a record, as far as the program relies on them.

They are checked whenever a record is read, so that a forged record with valid hashes is refused there, not
later where it is used. Members without a shape may hold anything. This is four times as fast as a JSON
Schema.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from talewright.chronicle.records import Json


class ListShape(NamedTuple):
    """A list whose elements all have one shape."""

    element: "Shape" = None


class ObjectShape(NamedTuple):
    """An object: required members, optional members, and whether others are allowed."""

    needed: "Mapping[str, Shape]" = MappingProxyType({})
    known: "Mapping[str, Shape]" = MappingProxyType({})
    is_open: bool = True


Shape: TypeAlias = type[str] | type[int] | ListShape | ObjectShape | None
"""None means anything."""

_OBJECT = ObjectShape()
_OBJECTS = ListShape(_OBJECT)
_TEXTS = ListShape(str)
_NUMBERS = ListShape(int)

_CHANGE = ObjectShape({"op": str, "path": str}, {"reason": str, "cause": str})
_USAGE = ObjectShape({}, {"input_tokens": int, "output_tokens": int, "cached_tokens": int})
_MOVE = ObjectShape({}, {"call": str, "id": str, "op": str, "path": str, "reason": str, "end": str})

_BODY: Mapping[str, Shape] = {
    "said": str,
    "told": str,
    "language": str,
    "narration": str,
    "choices": ListShape(
        ObjectShape({"id": str, "label": str}, {"hint": str, "risk": str, "source": str}, is_open=False)
    ),
    "changes": ListShape(_CHANGE),
    "events": ListShape(ObjectShape({"type": str, "text": str}, {"cause": str}, is_open=False)),
    "decisions": ListShape(
        ObjectShape(
            {
                "id": str,
                "question": str,
                "options": ListShape(ObjectShape({"id": str, "label": str})),
                "lines": _TEXTS,
                "takes_note": None,
            },
            {"note_with": str},
        )
    ),
    "end": ObjectShape({"ending": str, "outcome": str}, is_open=False),
    "draws": ListShape(),
    "nonce": str,
    "seen": ObjectShape({"through": int, "waiting": _OBJECTS}, is_open=False),
    "rolls": ListShape(ObjectShape({"kind": str}, {"text": str, "tool": str, "word": str})),
    "rulings": ListShape(ObjectShape({"ruling": str, "move": _MOVE}, {"changes": _NUMBERS, "grade": str})),
    "exchanges": ListShape(
        ObjectShape(
            {},
            {
                "purpose": str,
                "model": str,
                "text": str,
                "calls": ListShape(ObjectShape({"id": str, "name": str, "arguments": str})),
                "flaws": _TEXTS,
                "mend": _TEXTS,
                "results": _OBJECTS,
                "usage": _USAGE,
            },
        )
    ),
    "asides": _TEXTS,
    "edits": ListShape(ObjectShape({"path": str}, {"text": str, "digest": str, "refused": str})),
    "adopted": _OBJECT,
    "lore": ListShape(ObjectShape({"id": str}, {"why": str})),
    "cuts": _OBJECTS,
    "window": ObjectShape({}, {"cut_at": int, "first": int, "known": int, "frozen": str}),
    "facts": _TEXTS,
    "bundle": str,
    "model": ObjectShape({}, {"name": str}),
    "engine": int,
    "circumstances": _OBJECT,
    "root": ObjectShape({}, {"document": _OBJECT, "commitment": str, "imported": _OBJECT}),
}
"""The same for commits, attempts and asides: a name has one shape in all of them."""


def find_misshape(body: Mapping[str, Json]) -> str:
    """The first member with a wrong type, and the right one; empty if there is none."""
    for name, value in body.items():
        found = _find(_BODY.get(name), value)
        if found:
            return f"{name}{found}"
    return ""


def _find(shape: Shape, value: Json) -> str:
    """The rest of the path to what has a wrong type, and the right one; empty if there is none.

    Paths are built backwards, from what was found: nearly always there is nothing to find.
    """
    # To Python a bool is an int, but its type is another one.
    if shape is None or type(value) is shape:
        return ""
    if isinstance(shape, ObjectShape):
        return _find_in_object(shape, value)
    if isinstance(shape, ListShape):
        return _find_in_list(shape, value)
    return f" is {'a text' if shape is str else 'a whole number'}"


def _find_in_list(shape: ListShape, value: Json) -> str:
    if not isinstance(value, list):
        return " is a list"
    for at, part in enumerate(value):
        found = _find(shape.element, part)
        if found:
            return f".{at}{found}"
    return ""


def _find_in_object(shape: ObjectShape, value: Json) -> str:
    if not isinstance(value, dict):
        return " is an object"
    needed, known, is_open = shape
    for name in needed:
        if name not in value:
            return f" has a member {name}"
    for name, part in value.items():
        if not is_open and name not in needed and name not in known:
            return f" has no member {name}"
        found = _find(needed[name] if name in needed else known.get(name), part)
        if found:
            return f".{name}{found}"
    return ""
