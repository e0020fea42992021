"""Random patches: the kernel and an independent JSON Patch library must agree on every one.

The library is the oracle; where it leaves RFC 6902, `ask_oracle` says so.
"""

import json
import random
from collections.abc import Callable, Mapping
from typing import Final

import jsonpatch
import jsonpointer
import rfc8785

from talewright.common.json_values import Json
from talewright.kernel.state import changes, json_patch
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Absent, find
from talewright.kernel.state.state_paths import pointer
from tests.kernel import json_patch_text

FULL_COUNT = 100_000

OPERATIONS_MAX = 6
"""Operations in one random patch."""

DEPTH_MAX = 3
"""Containers within containers in one random value."""

KEYS: Final = (
    *("a", "b", "c", "", "~", "/", "~0", "~1", "~01", "a/b", "m~n", "0", "1", "00", "01", "-", "-1", "1e0"),
    *(" ", "\n", "\t", '"', "\\", "%25", "é", "雾港", "\u00b2", "\u0663", "\ufb03", "\U0001f56f", "op"),
)
"""Keys that have led implementations astray: escapes, look-alikes of indices, and letters beyond ASCII."""

SCALARS: Final = (None, True, False, 0, 1, -1, 2, 1.0, 0.0, 0.5, -2.25, 1e21, "", "0", "1", "true", "灯")

BAD_POINTERS: Final = ("a", "~", "/~", "/~2", "/a~", "/~~01", "a/b", " /a", "/a/~x")

OPS: Final = ("add", "remove", "replace", "move", "copy", "test")


class RefusalError(Exception):
    """The oracle does not take the patch."""


def ask_oracle(document: Json, operations: list[dict[str, Json]]) -> Json:
    """What the library makes of a patch.

    No deviation from RFC 6902 was found in jsonpatch 1.46 with jsonpointer 3.11. It refuses to remove the
    whole document, as the kernel does; the RFC says nothing of that. One thing is not its fault: it writes
    into its own deep copy, where an object that stands at two places is still one object. The kernel shares
    such objects, so they are written out and read back first, as between two programs.
    """
    try:
        result: Json = jsonpatch.apply_patch(*json.loads(json.dumps([document, operations])))
    except (jsonpatch.JsonPatchException, jsonpointer.JsonPointerException) as error:
        raise RefusalError from error
    return result


def random_value(rng: random.Random, depth: int = DEPTH_MAX) -> Json:
    """A JSON value, nested at most so deep."""
    kind = rng.random()
    if depth == 0 or kind < 0.4:
        return rng.choice(SCALARS)
    size = rng.randrange(4)
    if kind < 0.65:
        return [random_value(rng, depth - 1) for _ in range(size)]
    return {rng.choice(KEYS): random_value(rng, depth - 1) for _ in range(size)}


def random_document(rng: random.Random) -> Json:
    """Mostly an object with a few members, now and then anything."""
    if rng.random() < 0.1:
        return random_value(rng)
    return {rng.choice(KEYS): random_value(rng) for _ in range(rng.randrange(1, 6))}


def random_pointer(rng: random.Random, document: Json, *, fresh: bool = False) -> str:
    """Mostly a place that exists, or often one that could where it may be fresh, now and then nonsense."""
    if rng.random() < 0.01:
        return rng.choice(BAD_POINTERS)
    path: list[str] = []
    node = document
    while isinstance(node, dict | list) and rng.random() < (0.7 if path else 0.98):
        steps = list(node) if isinstance(node, dict) else [str(index) for index in range(len(node))]
        if rng.random() < (0.4 if fresh else 0.04):
            beyond = ["-", str(len(node)), str(len(node) + 1)]
            path.append(rng.choice(KEYS if isinstance(node, dict) or rng.random() < 0.2 else beyond))
            break
        if not steps:
            break
        path.append(rng.choice(steps))
        below = find(node, (path[-1],))
        assert not isinstance(below, Absent)
        node = below
    if rng.random() < 0.02:
        path.append(rng.choice(KEYS))
    return pointer(tuple(path))


def random_operation(rng: random.Random, document: Json) -> dict[str, Json]:
    """One operation, mostly one that fits."""
    op = rng.choice(OPS)
    place = random_pointer(rng, document, fresh=op in ("add", "move", "copy"))
    operation: dict[str, Json] = {"op": op, "path": place}
    if op in ("move", "copy"):
        operation["from"] = random_pointer(rng, document)
    if op in ("add", "replace", "test"):
        operation["value"] = random_value(rng, 2)
    if op == "test" and rng.random() < 0.95:
        operation["value"] = _tested(rng, document, place)
    if rng.random() < 0.01:
        del operation[rng.choice(list(operation))]
    if rng.random() < 0.01:
        operation[rng.choice(["op", "path", "from"])] = rng.choice(["spam", 1, None, "Add", "", "/a"])
    if rng.random() < 0.05:
        operation["xyz"] = 123
    return operation


def _tested(rng: random.Random, document: Json, place: str) -> Json:
    """What stands there, written anew: other key order, `1` for `1.0`, and sometimes `true` for `1`."""
    try:
        found = jsonpointer.resolve_pointer(document, place, None)
    except jsonpointer.JsonPointerException:
        return None
    # The library's own name for the place after a list's end is no JSON.
    return None if isinstance(found, jsonpointer.EndOfList) else _rewritten(rng, found)


def _rewritten(rng: random.Random, value: Json) -> Json:
    if isinstance(value, dict):
        return {key: _rewritten(rng, value[key]) for key in reversed(value)}
    if isinstance(value, list):
        return [_rewritten(rng, element) for element in value]
    if isinstance(value, int | float) and value in (0, 1):
        return bool(value) if rng.random() < 0.05 else rng.choice([float(value), int(value), value])
    return value


def check(document: Json, raw: list[dict[str, Json]]) -> None:
    """Kernel and oracle agree, the document stays as it was, and the inverse leads back to it."""
    before = rfc8785.dumps(document)
    try:
        expected = rfc8785.dumps(ask_oracle(document, raw))
    except RefusalError:
        expected = b""
    operations: tuple[json_patch.Operation, ...] = ()
    try:
        operations = json_patch_text.parse(raw)
        result = json_patch.apply(document, operations)
        got = rfc8785.dumps(result)
    except json_patch.PatchError:
        got = b""
    assert rfc8785.dumps(document) == before, "the document was altered"
    assert got == expected, (got.decode(), expected.decode())
    assert (
        json_patch_text.parse([json_patch_text.to_json(operation) for operation in operations]) == operations
    )
    if got:
        back = json_patch_text.invert(document, operations)
        assert rfc8785.dumps(json_patch.apply(result, back)) == before, "the inverse leads elsewhere"
        assert rfc8785.dumps(ask_oracle(result, [json_patch_text.to_json(step) for step in back])) == before
        check_changes(document, operations, expected)


def check_changes(document: Json, operations: tuple[json_patch.Operation, ...], expected: bytes) -> None:
    """The same patch as Changes, where all of it happens within an object: replayed, stored and undone."""
    made: list[Change] = []
    after = document
    for operation in operations:
        step = to_changes(after, operation)
        if step is None or not isinstance(document, Mapping):
            return
        made += step
        after = json_patch.apply(after, [operation])
    assert isinstance(document, Mapping)
    result = changes.apply(document, made)
    assert rfc8785.dumps(dict(result)) == expected
    stored = [changes.to_json(change) for change in made]
    assert rfc8785.dumps(ask_oracle(document, stored)) == expected
    assert [changes.from_json(json.loads(json.dumps(raw))) for raw in stored] == made
    undone = changes.apply(result, changes.invert(made))
    assert rfc8785.dumps(dict(undone)) == rfc8785.dumps(document)


def to_changes(document: Json, operation: json_patch.Operation) -> list[Change] | None:
    """What one operation did, read off its inverse; None where it wrote the whole document."""
    after = json_patch.apply(document, [operation])
    made: list[Change] = []
    for step in reversed(json_patch_text.invert(document, [operation])):
        place = pointer(step.path)
        if not place:
            return None
        match step:
            case json_patch.Remove():
                made.append(Change("add", place, find(after, step.path), ABSENT, "because", "engine"))
            case json_patch.Replace():
                made.append(Change("replace", place, find(after, step.path), step.value, "", "model", True))
            case json_patch.Add():
                made.append(Change("remove", place, ABSENT, step.value, "gone", "system:x"))
            case _:
                raise AssertionError(f"an inverse needs no {step}")
    return made


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Check so many random patches; the seed and the example stand in the error."""
    for number in range(count):
        rng = random.Random(f"{seed}:{number}")
        document = random_document(rng)
        raw: list[dict[str, Json]] = []
        current = document
        for _ in range(rng.randrange(1, OPERATIONS_MAX + 1)):
            raw.append(random_operation(rng, current))
            # What follows is made for the document as it then stands; a refused operation is the last.
            try:
                current = ask_oracle(document, raw)
            except RefusalError:
                break
        try:
            check(document, raw)
        except Exception as error:
            example = f"seed {seed}, patch {number}: {document!r} with {raw!r}"
            raise AssertionError(f"{example}: {error!r}") from error
        if progress:
            progress(number + 1)
    return count
