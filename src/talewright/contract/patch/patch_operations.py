"""Patch operations: converts RFC 6902 operations of a bundle to updates, with rules for inventories.

Inventories are changed by id, not by index. Nothing is applied here.
"""

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

from talewright.common.json_values import Json, equal, quote_value
from talewright.contract.answer_schema import is_inventory, list_members, number_things
from talewright.contract.dialect import AnswerGround
from talewright.contract.text.answer_json import AnswerFindings
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.slots.slot_types import Layout, Slot, member
from talewright.kernel.state.documents import ABSENT, Absent, find
from talewright.kernel.state.json_patch import Add, PatchError, Remove, Replace, Test, apply
from talewright.kernel.state.state_paths import Path, PathError, parse_path, pointer

PATCH_OPERATIONS_MAX = 64
"""Operations of one patch, including those on the version."""

VALUE_LENGTH_MAX = 20_000
"""Characters of one value, written as JSON."""

Taken: TypeAlias = Add | Replace | Remove | Test
"""The supported operations. Move and copy are not: a few copies of copies could make a document of any size.
"""

VERSION = ("version",)
"""Where a patch finds the version; the document has no such place."""


def read_operations(raw: Json, ground: AnswerGround, findings: AnswerFindings) -> tuple[Update, ...]:
    """The updates of a patch; its two operations on the version are checked and left out."""
    if not isinstance(raw, list):
        findings.add(f"`patch` must be a list of operations in brackets [], not {quote_value(raw)}")
        return ()
    if len(raw) > PATCH_OPERATIONS_MAX:
        findings.add(f"`patch` has {len(raw)} operations; give at most {PATCH_OPERATIONS_MAX}")
        return ()
    version = ground.position.state.version
    first, last = frame_operation("test", version), frame_operation("replace", version + 1)
    begin, end = 0, len(raw)
    if raw and _is_same(raw[0], first):
        begin = 1
    else:
        findings.add(f"the first operation of `patch` must be {json.dumps(first)}")
    if end > begin and _is_same(raw[-1], last):
        end -= 1
    else:
        findings.add(f"the last operation of `patch` must be {json.dumps(last)}")
    following = _Following(ground.position.state.document, ground.game.layout, findings)
    for number in range(begin, end):
        following.take(raw[number], f"patch[{number}]")
    return tuple(following.updates)


def frame_operation(op: str, version: int) -> dict[str, Json]:
    """The first or the last operation of a patch, which are on its version."""
    return {"op": op, "path": pointer(VERSION), "value": version}


def _is_same(raw: Json, wanted: Mapping[str, Json]) -> bool:
    return isinstance(raw, dict) and all(
        name in raw and equal(raw[name], value) for name, value in wanted.items()
    )


class _Following:
    """A patch being read: the document as it would be after each operation, and the updates so far."""

    def __init__(self, document: Mapping[str, Json], layout: Layout, findings: AnswerFindings) -> None:
        self.document: Json = document
        self.layout = layout
        self.findings = findings
        self.updates: list[Update] = []

    def take(self, raw: Json, where: str) -> None:
        """Read one operation; errors in it become flaws."""
        try:
            operation = _read_operation(raw)
            self.check(operation)
        except _Misfit as misfit:
            self.findings.add(f"`{where}` {misfit}")
            return
        self.updates.append(self.translate(operation))
        try:
            self.document = apply(self.document, [operation])
        except PatchError:
            # The kernel refuses the update as well, with a better message.
            return

    def check(self, operation: Taken) -> None:
        """Check an operation against the rules of inventories."""
        assert isinstance(self.document, Mapping)
        if isinstance(operation, Add | Replace):
            adding = isinstance(operation, Add)
            problem = check_write(operation.path, operation.value, self.document, self.layout, adding=adding)
            if problem:
                raise _Misfit(f"breaks a rule of inventories: {problem}")

    def translate(self, operation: Taken) -> Update:
        """The kernel's update for an operation."""
        place = pointer(operation.path)
        match operation:
            case Add(path, value):
                return self.translate_add(path, value)
            case Replace(value=value):
                return Update(Op.SET, place, value)
            case Test(value=value):
                return Update(Op.TEST, place, value)
            case Remove():
                return Update(Op.DELETE, place)
            case _:
                assert_never(operation)

    def translate_add(self, path: Path, value: Json) -> Update:
        above = find(self.document, path[:-1])
        if isinstance(above, list) and path[-1] == "-":
            return Update(Op.PUSH, pointer(path[:-1]), value)
        there = isinstance(above, dict) and path[-1] in above
        return Update(Op.SET if there else Op.INSERT, pointer(path), value)


class _Misfit(ValueError):
    """An operation that cannot be accepted; the message continues after its name."""


def _read_operation(raw: Json) -> Taken:
    if not isinstance(raw, dict):
        example = json.dumps(frame_operation("test", 1))
        raise _Misfit(f"must be an object such as {example}, not {quote_value(raw)}")
    match raw.get("op"):
        case "add":
            return Add(_read_path(raw), _read_value(raw))
        case "replace":
            return Replace(_read_path(raw), _read_value(raw))
        case "test":
            return Test(_read_path(raw), _read_value(raw))
        case "remove":
            return Remove(_read_path(raw))
        case "move" | "copy" as op:
            raise _Misfit(
                f"is a {op}, which is not taken; write remove, add or replace with the value itself"
            )
        case op:
            raise _Misfit(f"needs an `op`: add, replace, remove or test, not {quote_value(op)}")


def _read_path(raw: Mapping[str, Json]) -> Path:
    text = raw.get("path")
    if not isinstance(text, str) or not text.startswith("/"):
        raise _Misfit(f"needs a `path` such as /player/xp, not {quote_value(text)}")
    try:
        path = parse_path(text)
    except PathError as error:
        raise _Misfit(f"has a wrong `path`: {error}") from None
    if path[:1] == VERSION:
        raise _Misfit("is on /version; only the first operation tests it and only the last replaces it")
    return path


def _read_value(raw: Mapping[str, Json]) -> Json:
    if "value" not in raw:
        raise _Misfit("needs a `value`")
    length = len(json.dumps(raw["value"], ensure_ascii=False))
    if length > VALUE_LENGTH_MAX:
        raise _Misfit(f"has a `value` of {length} characters; write at most {VALUE_LENGTH_MAX}")
    return raw["value"]


def check_write(
    path: Path, value: Json, document: Mapping[str, Json], layout: Layout, *, adding: bool = False
) -> str:
    """Why the rules forbid adding or replacing a value at a path; empty if they allow it."""
    slot, above, above_that = (layout.find(path[: len(path) - steps]) for steps in range(3))
    if is_inventory(above):
        things = find(document, path[:-1])
        if not isinstance(things, list) or not isinstance(value, dict):
            return ""  # Not a thing: the slots judge it.
        return _check_new(path, value, things) if adding else _check_other(path, value, things)
    if is_inventory(above_that):
        return _check_member(path, value, find(document, path))
    if slot is not None and _replaces_inventory(slot, value, find(document, path)):
        return f"{pointer(path)} has an inventory in it; add, replace and remove its things one by one"
    return ""


def _check_new(path: Path, thing: Mapping[str, Json], things: Sequence[Json]) -> str:
    place, name = pointer(path[:-1]), thing.get("id")
    if path[-1] != "-":
        return f"a new thing goes to the end: add it at {place}/-"
    known = number_things(things)
    if isinstance(name, str) and name in known:
        return f"{quote_value(name)} is there already: replace {place}/{known[name]}/qty"
    if _is_none(thing.get("qty")):
        return f"a qty of {quote_value(thing.get('qty'))} is nothing: leave {quote_value(name)} out"
    return ""


def _check_other(path: Path, thing: Mapping[str, Json], things: Sequence[Json]) -> str:
    place, there = pointer(path), find(things, path[-1:])
    if isinstance(there, dict) and not equal(there.get("id"), thing.get("id")):
        return (
            f"{place} is {quote_value(there.get('id'))} and things keep their places: "
            f"remove it and add {quote_value(thing.get('id'))} at {pointer(path[:-1])}/-"
        )
    if _is_none(thing.get("qty")):
        return f"a qty of {quote_value(thing.get('qty'))} is nothing: remove {place}"
    return ""


def _check_member(path: Path, value: Json, there: Json | Absent) -> str:
    thing = pointer(path[:-1])
    if path[-1] == "id" and there is not ABSENT and not equal(there, value):
        wanted = quote_value(value)
        return f"{thing} is {quote_value(there)} and stays it: remove it, and add {wanted} at the end with -"
    if path[-1] == "qty" and _is_none(value):
        return f"a qty of {quote_value(value)} is nothing: remove {thing}"
    return ""


def _is_none(count: Json) -> bool:
    return isinstance(count, int | float) and not isinstance(count, bool) and count <= 0


def _replaces_inventory(slot: Slot, value: Json, there: Json | Absent) -> bool:
    """Whether a value would replace an existing inventory."""
    if there is ABSENT or equal(there, value):
        return False
    if is_inventory(slot):
        return True
    return any(
        _replaces_inventory(below, inner, find(there, (key,)))
        for key, inner in list_members(value)
        if (below := member(slot, key)) is not None
    )
