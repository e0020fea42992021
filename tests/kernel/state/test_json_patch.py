"""Patches: RFC 6902 to the letter, its own examples first, then an independent library."""

import json
import pathlib
from collections.abc import Mapping
from dataclasses import FrozenInstanceError

import pytest

from talewright.common.json_values import Json, equal
from talewright.kernel.state import json_patch
from talewright.kernel.state.json_patch import Add, Copy, Move, Operation, PatchError, Remove, Replace
from tests.kernel import json_patch_text
from tests.sweep import patches as sweep

EXAMPLES: list[dict[str, Json]] = json.loads(
    pathlib.Path(__file__).with_name("rfc6902_appendix_a.json").read_text(encoding="utf-8")
)


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example['section']} {example['title']}")
def test_every_example_of_the_rfc(example: Mapping[str, Json]) -> None:
    # A.13 has a member twice, which only its text can show; it must not be taken for an `add`.
    text = example.get("patch_text")
    raw = json.loads(text if isinstance(text, str) else json.dumps(example["patch"]))
    document = example["document"]
    if "error" in example:
        with pytest.raises(PatchError) as error:
            json_patch.apply(document, json_patch_text.parse(raw))
        assert str(error.value) == example["error"]
        with pytest.raises(sweep.RefusalError):
            sweep.ask_oracle(document, raw)
    else:
        operations = json_patch_text.parse(raw)
        result = json_patch.apply(document, operations)
        assert equal(result, example["result"])
        assert equal(sweep.ask_oracle(document, raw), example["result"])
        assert equal(json_patch.apply(result, json_patch_text.invert(document, operations)), document)


def test_all_examples_are_there() -> None:
    assert [example["section"] for example in EXAMPLES] == [f"A.{number}" for number in range(1, 17)]


def patched(document: Json, *operations: dict[str, Json]) -> Json:
    return json_patch.apply(document, json_patch_text.parse(list(operations)))


@pytest.mark.parametrize(
    ("document", "operation", "result"),
    [
        ({"a": 1}, {"op": "add", "path": "/a", "value": 2}, {"a": 2}),
        ({"a": 1}, {"op": "add", "path": "", "value": [1]}, [1]),
        ({"a": 1}, {"op": "replace", "path": "", "value": None}, None),
        (7, {"op": "test", "path": "", "value": 7.0}, 7),
        ({}, {"op": "add", "path": "/", "value": 1}, {"": 1}),
        ({"": {"": 1}}, {"op": "replace", "path": "//", "value": 2}, {"": {"": 2}}),
        ({"a": {}}, {"op": "add", "path": "/a/", "value": 1}, {"a": {"": 1}}),
        ({"a/b": 1, "m~n": 2}, {"op": "remove", "path": "/a~1b"}, {"m~n": 2}),
        ({"a/b": 1, "m~n": 2}, {"op": "remove", "path": "/m~0n"}, {"a/b": 1}),
        ({"雾": {"é": 1}}, {"op": "replace", "path": "/雾/é", "value": 2}, {"雾": {"é": 2}}),
        ({"-": 1}, {"op": "replace", "path": "/-", "value": 2}, {"-": 2}),
        ({}, {"op": "add", "path": "/-", "value": 2}, {"-": 2}),
        ({}, {"op": "add", "path": "/0", "value": 2}, {"0": 2}),
        ([1], {"op": "add", "path": "/1", "value": 2}, [1, 2]),
        ([1], {"op": "add", "path": "/-", "value": 2}, [1, 2]),
        ([1], {"op": "add", "path": "/0", "value": 2}, [2, 1]),
        ([1, [2]], {"op": "add", "path": "/1/-", "value": 3}, [1, [2, 3]]),
        ({"a": None}, {"op": "test", "path": "/a", "value": None}, {"a": None}),
        (
            {"a": {"x": 1, "y": [1.0]}},
            {"op": "test", "path": "/a", "value": {"y": [1], "x": 1.0}},
            {"a": {"x": 1, "y": [1]}},
        ),
        ({"a": 1}, {"op": "move", "from": "/a", "path": "/a"}, {"a": 1}),
        ({"a": 1}, {"op": "move", "from": "", "path": ""}, {"a": 1}),
        ({"a": {"b": 1}}, {"op": "move", "from": "/a/b", "path": "/a"}, {"a": 1}),
        ({"a": {"b": 1}}, {"op": "move", "from": "/a", "path": ""}, {"b": 1}),
        ({"a": 1, "ab": {}}, {"op": "move", "from": "/a", "path": "/ab/c"}, {"ab": {"c": 1}}),
        ([1, 2, 3], {"op": "move", "from": "/0", "path": "/-"}, [2, 3, 1]),
        ([1, 2, 3], {"op": "move", "from": "/0", "path": "/2"}, [2, 3, 1]),
        ({"a": 1}, {"op": "copy", "from": "", "path": "/b"}, {"a": 1, "b": {"a": 1}}),
        ({"a": [1]}, {"op": "copy", "from": "/a", "path": "/a/0"}, {"a": [[1], 1]}),
        ({"a": {"b": 1}}, {"op": "copy", "from": "/a", "path": "/a/b"}, {"a": {"b": {"b": 1}}}),
    ],
)
def test_operations_that_fit(document: Json, operation: dict[str, Json], result: Json) -> None:
    before = json.dumps(document)
    assert equal(patched(document, operation), result)
    assert equal(sweep.ask_oracle(document, [operation]), result)
    assert json.dumps(document) == before
    sweep.check(document, [operation])


@pytest.mark.parametrize(
    ("document", "operation", "why"),
    [
        ({}, {"op": "remove", "path": ""}, "the whole document: it can be replaced but not removed"),
        ({}, {"op": "remove", "path": "/a"}, "/a: nothing stands there"),
        ({}, {"op": "replace", "path": "/a", "value": 1}, "/a: nothing stands there"),
        ({}, {"op": "test", "path": "/a", "value": None}, "/a: nothing stands there"),
        ({}, {"op": "copy", "from": "/a", "path": "/b"}, "/a: nothing stands there"),
        ({}, {"op": "move", "from": "/a", "path": "/b"}, "/a: nothing stands there"),
        ({}, {"op": "move", "from": "/a", "path": "/a"}, "/a: nothing stands there"),
        (
            {"a": {"b": {}}},
            {"op": "move", "from": "/a", "path": "/a/b"},
            "/a/b: nothing can be moved into itself",
        ),
        ({"a": 1}, {"op": "move", "from": "", "path": "/b"}, "/b: nothing can be moved into itself"),
        ({"a": True}, {"op": "test", "path": "/a", "value": 1}, "/a: another value stands there"),
        (
            {"a": 0},
            {"op": "test", "path": "", "value": {"a": False}},
            "the whole document: another value stands there",
        ),
        ([1], {"op": "add", "path": "/2", "value": 2}, "/2: the index must be 0 .. 1"),
        ([1], {"op": "add", "path": "/01", "value": 2}, "/01: the index must be 0 .. 1"),
        ([1], {"op": "add", "path": "/-1", "value": 2}, "/-1: the index must be 0 .. 1"),
        ([1], {"op": "add", "path": "/a", "value": 2}, "/a: the index must be 0 .. 1"),
        ([1], {"op": "replace", "path": "/-", "value": 2}, "/-: the index must be 0 .. 0"),
        ([1], {"op": "remove", "path": "/-"}, "/-: the index must be 0 .. 0"),
        ([1], {"op": "test", "path": "/-", "value": 1}, "/-: nothing stands there"),
        ([], {"op": "remove", "path": "/0"}, "/0: the list is empty"),
        ([1, 2, 3], {"op": "move", "from": "/0", "path": "/3"}, "/3: the index must be 0 .. 2"),
        ("text", {"op": "add", "path": "/0", "value": "x"}, "/0: no object or list stands above it"),
        ({"a": {}}, {"op": "add", "path": "/b/c", "value": 1}, "/b/c: no object or list stands above it"),
        ({"~": 1}, {"op": "add", "path": "/~0/~1", "value": 1}, "/~0/~1: no object or list stands above it"),
    ],
)
def test_operations_that_do_not_fit(document: Json, operation: dict[str, Json], why: str) -> None:
    good: dict[str, Json] = {"op": "test", "path": "", "value": document}
    with pytest.raises(PatchError) as error:
        patched(document, good, operation)
    assert (error.value.index, error.value.why) == (1, why)
    assert str(error.value) == f"operation 1: {why}"
    sweep.check(document, [good, operation])
    with pytest.raises(PatchError):
        json_patch_text.invert(document, json_patch_text.parse([operation]))


OPS = "'op' is add, remove, replace, move, copy or test, not "


@pytest.mark.parametrize(
    ("raw", "index", "why"),
    [
        ({}, 0, "a JSON Patch is a list of operations"),
        (None, 0, "a JSON Patch is a list of operations"),
        ("[]", 0, "a JSON Patch is a list of operations"),
        ([{"op": "remove", "path": "/a"}, "add"], 1, "an operation is an object"),
        ([[]], 0, "an operation is an object"),
        ([{}], 0, OPS + "None"),
        ([{"op": "Add", "path": "", "value": 1}], 0, OPS + "'Add'"),
        ([{"op": ["add"], "path": "", "value": 1}], 0, OPS + "['add']"),
        ([{"op": "add", "value": 1}], 0, "'path' is needed, a JSON pointer"),
        ([{"op": "remove", "path": 1}], 0, "'path' is needed, a JSON pointer"),
        ([{"op": "add", "path": "/a"}], 0, "'value' is needed"),
        ([{"op": "replace", "path": "/a"}], 0, "'value' is needed"),
        ([{"op": "test", "path": "/a"}], 0, "'value' is needed"),
        ([{"op": "move", "path": "/a"}], 0, "'from' is needed, a JSON pointer"),
        ([{"op": "copy", "path": "/a", "from": None}], 0, "'from' is needed, a JSON pointer"),
        ([{"op": "copy", "from": "/a"}], 0, "'path' is needed, a JSON pointer"),
        ([{"op": "move", "from": "/a"}], 0, "'path' is needed, a JSON pointer"),
        ([{"op": "replace", "value": 1}], 0, "'path' is needed, a JSON pointer"),
        ([{"op": "test", "value": 1}], 0, "'path' is needed, a JSON pointer"),
        (
            [{"op": "test", "path": "a", "value": 1}],
            0,
            "'path': a JSON pointer starts with '/', 'a' does not",
        ),
        (
            [{"op": "move", "path": "/a", "from": "b"}],
            0,
            "'from': a JSON pointer starts with '/', 'b' does not",
        ),
    ],
)
def test_what_is_no_patch_is_refused(raw: Json, index: int, why: str) -> None:
    with pytest.raises(PatchError) as error:
        json_patch_text.parse(raw)
    assert (error.value.index, error.value.why) == (index, why)


ALL: list[tuple[Operation, dict[str, Json]]] = [
    (Add(("a", "b"), 1), {"op": "add", "path": "/a/b", "value": 1}),
    (Remove(("~",)), {"op": "remove", "path": "/~0"}),
    (Replace((), None), {"op": "replace", "path": "", "value": None}),
    (Move(("a",), ("b", "/")), {"op": "move", "from": "/a", "path": "/b/~1"}),
    (Copy((), ("b",)), {"op": "copy", "from": "", "path": "/b"}),
    (json_patch.Test(("",), [1]), {"op": "test", "path": "/", "value": [1]}),
]


@pytest.mark.parametrize(("operation", "raw"), ALL)
def test_operations_are_read_and_written(operation: Operation, raw: dict[str, Json]) -> None:
    assert json_patch_text.to_json(operation) == raw
    assert json_patch_text.parse([raw, {**raw, "xyz": 1}]) == (operation, operation)


@pytest.mark.parametrize("operation", [operation for operation, _ in ALL])
def test_operations_are_values(operation: Operation) -> None:
    with pytest.raises(FrozenInstanceError):
        operation.path = ()  # type: ignore[misc]  # that it is frozen is what is tested
    assert not hasattr(operation, "__dict__")


def test_what_a_patch_leaves_alone_is_shared() -> None:
    document: Json = {"a": {"x": 1}, "b": [1]}
    result = patched(document, {"op": "add", "path": "/b/-", "value": 2})
    assert isinstance(document, dict)
    assert isinstance(result, dict)
    assert result["a"] is document["a"]
    assert result["b"] == [1, 2]
    assert document["b"] == [1]


def test_a_copy_is_on_its_own() -> None:
    result = patched(
        {"a": {"x": [1]}},
        {"op": "add", "path": "/a/x/-", "value": 2},
        {"op": "copy", "from": "/a", "path": "/b"},
        {"op": "replace", "path": "/a/x/0", "value": 9},
        {"op": "remove", "path": "/b/x/1"},
        {"op": "move", "from": "/b", "path": "/a/b"},
    )
    assert result == {"a": {"x": [9, 2], "b": {"x": [1]}}}


def test_the_inverse_names_places_and_values() -> None:
    document: Json = {"a": 1, "l": [1, 2], "o": {"k": 5}}
    operations = json_patch_text.parse(
        [
            {"op": "add", "path": "/l/-", "value": 3},
            {"op": "add", "path": "/a", "value": 2},
            {"op": "test", "path": "/a", "value": 2},
            {"op": "move", "from": "/o/k", "path": "/l/0"},
            {"op": "copy", "from": "/l/0", "path": "/c"},
            {"op": "replace", "path": "", "value": 0},
        ]
    )
    assert json_patch_text.invert(document, operations) == (
        Replace((), {"a": 2, "l": [5, 1, 2, 3], "o": {}, "c": 5}),
        Remove(("c",)),
        Remove(("l", "0")),
        Add(("o", "k"), 5),
        Replace(("a",), 1),
        Remove(("l", "2")),
    )
    assert json_patch_text.invert(document, []) == ()


def test_an_empty_patch_gives_the_document_itself() -> None:
    document: Json = {"a": 1}
    assert json_patch.apply(document, []) is document


def test_random_patches_agree_with_an_independent_library() -> None:
    told: list[int] = []
    assert sweep.run(1_000, seed=1, progress=told.append) == 1_000
    assert told == list(range(1, 1_001))
