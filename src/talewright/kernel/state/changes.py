"""Changes: what happened to a state, each an RFC 6902 operation with the previous value.

A change is a value. Whether it was allowed is decided by rulings.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, TypeAlias, TypeGuard

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.state.documents import ABSENT, Absent, Draft
from talewright.kernel.state.state_paths import PathError, parse_pointer

ChangeOp: TypeAlias = Literal["add", "replace", "remove"]

_INVERSE: Mapping[ChangeOp, ChangeOp] = {"add": "remove", "replace": "replace", "remove": "add"}


class ChangeError(ValueError):
    """The JSON is not a valid change."""


@frozen
class Change:
    """One change to one place."""

    op: ChangeOp
    path: str
    """A JSON pointer. A list element is addressed by index, never by `-`, so that it can be undone."""

    value: Json | Absent
    """The new value; absent for a `remove`."""

    was: Json | Absent
    """The previous value; absent for an `add`."""

    reason: str
    """The reason, worded for the player's log; may be empty."""

    cause: str
    """Who made it: `model`, `player`, `scene:<id>`, `trigger:<id>`, `system:<name>`, `aside:<id>`, `import`,
    `engine`; `master` and `master:<system>` for an external game master; `player:<path>` for a page that the
    player edited by hand.
    """

    clamped: bool = False
    """Whether the value was clamped to the range of its slot."""

    def __post_init__(self) -> None:
        assert (self.value is ABSENT) is (self.op == "remove"), self
        assert (self.was is ABSENT) is (self.op == "add"), self


def to_operation(change: Change) -> dict[str, Json]:
    """The bare RFC 6902 operation."""
    operation: dict[str, Json] = {"op": change.op, "path": change.path}
    if change.value is not ABSENT:
        operation["value"] = change.value
    return operation


def to_json(change: Change) -> dict[str, Json]:
    """The whole change: an RFC 6902 operation with extra members that JSON Patch libraries ignore."""
    raw = to_operation(change)
    if change.was is not ABSENT:
        raw["was"] = change.was
    raw["reason"] = change.reason
    raw["cause"] = change.cause
    if change.clamped:
        raw["clamped"] = True
    return raw


def from_json(raw: Json) -> Change:
    """Read what `to_json` wrote."""
    if not isinstance(raw, dict):
        raise ChangeError("a change is an object")
    op = raw.get("op")
    if not _is_op(op):
        raise ChangeError(f"the 'op' of a change is add, replace or remove, not {op!r}")
    path, reason, cause = (_read_text(raw, name) for name in ("path", "reason", "cause"))
    try:
        parse_pointer(path)
    except PathError as error:
        raise ChangeError(str(error)) from None
    for name, without in (("value", "remove"), ("was", "add")):
        if (name in raw) is (op == without):
            raise ChangeError(f"every change but '{without}' has a '{name}' (this is '{op}')")
    clamped = raw.get("clamped", False)
    if not isinstance(clamped, bool):
        raise ChangeError("the 'clamped' of a change is true or false")
    return Change(op, path, raw.get("value", ABSENT), raw.get("was", ABSENT), reason, cause, clamped)


def _is_op(op: Json) -> TypeGuard[ChangeOp]:
    return isinstance(op, str) and op in _INVERSE


def _read_text(raw: Mapping[str, Json], name: str) -> str:
    value = raw.get(name)
    if not isinstance(value, str):
        raise ChangeError(f"the '{name}' of a change is a string")
    return value


def invert(changes: Sequence[Change]) -> tuple[Change, ...]:
    """The changes that undo a sequence, with the reasons and causes of those they undo."""
    return tuple(
        Change(_INVERSE[change.op], change.path, change.was, change.value, change.reason, change.cause)
        for change in reversed(changes)
    )


def apply(document: Mapping[str, Json], changes: Iterable[Change]) -> Mapping[str, Json]:
    """The document after the changes; raises DraftError if one of them does not fit it."""
    draft = Draft(document)
    for change in changes:
        path = parse_pointer(change.path)
        if change.value is ABSENT:
            draft.remove(path)
        elif change.was is ABSENT:
            draft.add(path, change.value)
        else:
            draft.replace(path, change.value)
    return draft.document
