"""JSON Patch: RFC 6902 operations on plain documents.

It knows no slots and no rules. It never alters the document it is given.
"""

from collections.abc import Sequence
from typing import TypeAlias, assert_never

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, equal
from talewright.kernel.state.documents import ABSENT, Draft, DraftError
from talewright.kernel.state.state_paths import Path, pointer


class PatchError(ValueError):
    """An operation is invalid or does not fit the document; nothing of the patch is applied."""

    def __init__(self, index: int, why: str) -> None:
        super().__init__(f"operation {index}: {why}")
        self.index = index
        """The index of the operation in the patch, from zero."""

        self.why = why


@frozen
class Add:
    """Add or replace a member of an object; or insert into a list (`-` is its end)."""

    path: Path
    value: Json


@frozen
class Remove:
    """Remove the value at the path."""

    path: Path


@frozen
class Replace:
    """Replace the value at the path."""

    path: Path
    value: Json


@frozen
class Move:
    """Remove the value at the source and add it at the path."""

    source: Path
    path: Path


@frozen
class Copy:
    """Add a copy of the value at the source to the path."""

    source: Path
    path: Path


@frozen
class Test:
    """Stop the patch unless the path has this value."""

    path: Path
    value: Json


Operation: TypeAlias = Add | Remove | Replace | Move | Copy | Test

_WHOLE = ("",)
"""The path of the document in the draft: one level down, so that it can be replaced as a whole, too."""


def apply(document: Json, operations: Sequence[Operation]) -> Json:
    """The document after the operations; unchanged parts are shared with the old one."""
    return _run(document, operations).document[""]


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
