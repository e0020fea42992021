"""JSON Patch text: RFC 6902 operations parsed from JSON, written as JSON, and inverted.

The engine writes patches and never reads them in this form; the RFC's own suite does.
"""

from collections.abc import Sequence
from typing import assert_never

from talewright.common.json_values import Json
from talewright.kernel.state.json_patch import (
    Add,
    Copy,
    Move,
    Operation,
    PatchError,
    Remove,
    Replace,
    Test,
    _run,
)
from talewright.kernel.state.state_paths import Path, PathError, parse_pointer, pointer


def invert(document: Json, operations: Sequence[Operation]) -> tuple[Operation, ...]:
    """The operations that lead back to a document from where the given ones lead."""
    inverse: list[Operation] = []
    for write in reversed(_run(document, operations).journal):
        match write:
            case (_, path):
                inverse.append(Remove(path[1:]))
            case (_, path, was):
                inverse.append(Replace(path[1:], was))
            case (_, path, was, _):
                inverse.append(Add(path[1:], was))
            case _ as never:
                assert_never(never)
    return tuple(inverse)


def parse(raw: Json) -> tuple[Operation, ...]:
    """Read a JSON Patch document; members that RFC 6902 does not name are passed over."""
    if not isinstance(raw, list):
        raise PatchError(0, "a JSON Patch is a list of operations")
    return tuple(_parse_operation(index, item) for index, item in enumerate(raw))


def _parse_operation(index: int, raw: Json) -> Operation:
    if not isinstance(raw, dict):
        raise PatchError(index, "an operation is an object")
    match raw.get("op"):
        case "add":
            return Add(_parse_place(index, raw, "path"), _parse_value(index, raw))
        case "remove":
            return Remove(_parse_place(index, raw, "path"))
        case "replace":
            return Replace(_parse_place(index, raw, "path"), _parse_value(index, raw))
        case "move":
            return Move(_parse_place(index, raw, "from"), _parse_place(index, raw, "path"))
        case "copy":
            return Copy(_parse_place(index, raw, "from"), _parse_place(index, raw, "path"))
        case "test":
            return Test(_parse_place(index, raw, "path"), _parse_value(index, raw))
        case op:
            raise PatchError(index, f"'op' is add, remove, replace, move, copy or test, not {op!r}")


def _parse_place(index: int, raw: dict[str, Json], name: str) -> Path:
    text = raw.get(name)
    if not isinstance(text, str):
        raise PatchError(index, f"'{name}' is needed, a JSON pointer")
    try:
        return parse_pointer(text)
    except PathError as error:
        raise PatchError(index, f"'{name}': {error}") from None


def _parse_value(index: int, raw: dict[str, Json]) -> Json:
    if "value" not in raw:
        raise PatchError(index, "'value' is needed")
    return raw["value"]


def to_json(operation: Operation) -> dict[str, Json]:
    """Write an operation as RFC 6902 has it."""
    name = type(operation).__name__.lower()
    place = pointer(operation.path)
    match operation:
        case Add(value=value) | Replace(value=value) | Test(value=value):
            return {"op": name, "path": place, "value": value}
        case Move(source=source) | Copy(source=source):
            return {"op": name, "from": pointer(source), "path": place}
        case Remove():
            return {"op": name, "path": place}
        case _ as never:
            assert_never(never)
