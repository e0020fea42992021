"""Patch operations: an RFC 6902 patch between two versions, read into the kernel's updates.

Nothing is applied: the document is only followed along, so that indices mean what they mean when it is.
"""

import json
from collections.abc import Mapping
from typing import TypeAlias, assert_never

from talewright.contract.dialect import Ground
from talewright.contract.findings import Findings
from talewright.contract.patch.inventories import check_write
from talewright.kernel.judging.moves_and_rulings import Op, Update
from talewright.kernel.slots.slot_types import Layout
from talewright.kernel.state.documents import Json, equal, find, quote_value
from talewright.kernel.state.json_patch import Add, PatchError, Remove, Replace, Test, apply
from talewright.kernel.state.state_paths import Path, PathError, parse_path, pointer

PATCH_OPERATIONS_MAX = 64
"""Operations of one patch, those on the version included."""

VALUE_LENGTH_MAX = 20_000
"""Characters of one value, written as JSON."""

Taken: TypeAlias = Add | Replace | Remove | Test
"""The operations that are read. A move or copy is not: a few copies of copies make a document of any size."""

VERSION = ("version",)
"""Where a patch finds the version; no such place is in the document."""


def read_operations(raw: Json, ground: Ground, findings: Findings) -> tuple[Update, ...]:
    """The updates that a patch wants, its two operations on the version checked and left out."""
    if not isinstance(raw, list):
        findings.add(f"`patch` must be a list of operations in brackets [], not {quote_value(raw)}")
        return ()
    if len(raw) > PATCH_OPERATIONS_MAX:
        findings.add(f"`patch` has {len(raw)} operations; give at most {PATCH_OPERATIONS_MAX}")
        return ()
    version = ground.position.state.version
    first, last = _frame("test", version), _frame("replace", version + 1)
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


def _frame(op: str, version: int) -> dict[str, Json]:
    return {"op": op, "path": pointer(VERSION), "value": version}


def _is_same(raw: Json, wanted: Mapping[str, Json]) -> bool:
    return isinstance(raw, dict) and all(
        name in raw and equal(raw[name], value) for name, value in wanted.items()
    )


class _Following:
    """A patch being read: the document as it would be after each operation, and what is wanted so far."""

    def __init__(self, document: Mapping[str, Json], layout: Layout, findings: Findings) -> None:
        self.document: Json = document
        self.layout = layout
        self.findings = findings
        self.updates: list[Update] = []

    def take(self, raw: Json, where: str) -> None:
        """Read one operation; what is wrong with it becomes a flaw."""
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
            # The kernel refuses the update as well, and has better words for it.
            return

    def check(self, operation: Taken) -> None:
        """Hold an operation against the rules of inventories."""
        assert isinstance(self.document, Mapping)
        if isinstance(operation, Add | Replace):
            adding = isinstance(operation, Add)
            problem = check_write(operation.path, operation.value, self.document, self.layout, adding=adding)
            if problem:
                raise _Misfit(f"breaks a rule of inventories: {problem}")

    def translate(self, operation: Taken) -> Update:
        """The kernel's word for an operation."""
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
    """An operation that cannot be taken; the message goes on after its name."""


def _read_operation(raw: Json) -> Taken:
    if not isinstance(raw, dict):
        raise _Misfit(f"must be an object such as {json.dumps(_frame('test', 1))}, not {quote_value(raw)}")
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
