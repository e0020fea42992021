"""Patches: RFC 6902 JSON Patch over plain documents, all six operations and their inverse.

A patch knows no slots and no rules. It never alters the document it is given.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from talewright.kernel.documents import ABSENT, Json, equal
from talewright.kernel.drafts import Draft, DraftError
from talewright.kernel.paths import Path, PathError, parse_pointer, pointer


class PatchError(ValueError):
    """An operation is none, or does not fit the document; nothing of the patch is applied."""

    def __init__(self, index: int, why: str) -> None:
        super().__init__(f"operation {index}: {why}")
        self.index = index
        """Which operation of the patch, counted from zero."""

        self.why = why


@dataclass(frozen=True, slots=True)
class Add:
    """Give an object a member, or replace the one it has; or insert into a list (`-` is its end)."""

    path: Path
    value: Json


@dataclass(frozen=True, slots=True)
class Remove:
    """Take away what stands there."""

    path: Path


@dataclass(frozen=True, slots=True)
class Replace:
    """Put another value where one stands."""

    path: Path
    value: Json


@dataclass(frozen=True, slots=True)
class Move:
    """Take away what stands at the source and add it at the path."""

    source: Path
    path: Path


@dataclass(frozen=True, slots=True)
class Copy:
    """Add at the path what stands at the source."""

    source: Path
    path: Path


@dataclass(frozen=True, slots=True)
class Test:
    """Stop the patch unless this value stands there."""

    path: Path
    value: Json


Operation: TypeAlias = Add | Remove | Replace | Move | Copy | Test

_WHOLE = ("",)
"""Where the document stands in the draft: one level down, so that it can be written as a whole, too."""


def apply(document: Json, operations: Sequence[Operation]) -> Json:
    """The document after the operations; it shares with the old one whatever they left alone."""
    return _run(document, operations).document[""]


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


def _run(document: Json, operations: Sequence[Operation]) -> Draft:
    draft = Draft({"": document})
    for index, operation in enumerate(operations):
        try:
            _perform(draft, operation)
        except DraftError as error:
            place = pointer(error.path[1:]) or "the whole document"
            raise PatchError(index, f"{place}: {error.why}") from None
    return draft


def _perform(draft: Draft, operation: Operation) -> None:
    path = _WHOLE + operation.path
    match operation:
        case Add(value=value):
            _add(draft, path, value)
        case Remove():
            _remove(draft, path)
        case Replace(value=value):
            draft.replace(path, value)
        case Move(source=source):
            _move(draft, _WHOLE + source, path)
        case Copy(source=source):
            _add(draft, path, _read(draft, _WHOLE + source))
        case Test(value=value):
            if not equal(_read(draft, path), value):
                raise DraftError(path, "another value stands there")
        case _ as never:
            assert_never(never)


def _add(draft: Draft, path: Path, value: Json) -> None:
    above = draft.peek(path[:-1])
    if isinstance(above, dict) and path[-1] in above:
        draft.replace(path, value)
    elif isinstance(above, list) and path[-1] == "-":
        draft.add((*path[:-1], str(len(above))), value)
    else:
        draft.add(path, value)


def _remove(draft: Draft, path: Path) -> Json:
    if path == _WHOLE:
        raise DraftError(path, "it can be replaced but not removed")
    return draft.remove(path)


def _move(draft: Draft, source: Path, path: Path) -> None:
    if source == path:
        _read(draft, source)
    elif path[: len(source)] == source:
        raise DraftError(path, "nothing can be moved into itself")
    else:
        _add(draft, path, _remove(draft, source))


def _read(draft: Draft, path: Path) -> Json:
    value = draft.peek(path)
    if value is ABSENT:
        raise DraftError(path, "nothing stands there")
    return value


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
