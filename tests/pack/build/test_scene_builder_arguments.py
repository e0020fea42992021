"""Arguments: what a tool is handed, held against its JSON Schema; a schema library is asked as well."""

import random

import jsonschema
import pytest

from talewright.common.json_schema import fits, read_schema
from talewright.common.json_values import Json
from talewright.pack.build.scene_builder import check_tool_arguments
from talewright.pack.faults import FaultList
from talewright.pack.files.yaml_nodes import BrokenNode, MapNode, json_of
from tests.pack.making import brief, read

SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "skill": {"type": "string", "enum": ["stealth", "perception"]},
        "dice": {"type": "integer", "minimum": 1, "maximum": 6},
        "share": {"type": "number", "minimum": 0.5},
        "loud": {"type": "boolean"},
        "note": {"type": ["string", "null"]},
        "tags": {"type": "array", "items": {"type": "string"}},
        "where": {
            "type": "object",
            "properties": {"place": {"type": "string"}},
            "required": ["place"],
            "additionalProperties": {"type": "integer"},
        },
        "more": {},
    },
    "required": ["skill", "dice"],
    "additionalProperties": False,
}


def told(text: str, schema: Json = SCHEMA) -> list[str]:
    fault_list = FaultList()
    check_tool_arguments(schema, read(text), "attempt", fault_list)
    return [brief(fault).removeprefix("f.yaml:1:") for fault in fault_list.faults()]


GOOD = [
    "{skill: stealth, dice: 1}",
    "{skill: perception, dice: 6, share: 0.5, loud: true, note: ~, tags: [], more: [1, {a: b}]}",
    "{skill: stealth, dice: 2, share: 3, note: dark, tags: [a, b], where: {place: yard, floor: 2}}",
]

BAD = {
    "{skill: stealht, dice: 1}": ["9 not-one-of: Write `stealth`."],
    "{skill: zzz, dice: 1}": ["9 not-one-of: The words here are: stealth, perception."],
    "{skill: 3, dice: 1}": ["9 wrong-type: Write a text."],
    "{skill: stealth, dice: 0}": ["24 out-of-range: Write 1 or more."],
    "{skill: stealth, dice: 7}": ["24 out-of-range: Write 6 or less."],
    "{skill: stealth, dice: 1.5}": ["24 wrong-type: Write a whole number."],
    "{skill: stealth, dice: true}": ["24 wrong-type: Write a whole number."],
    "{skill: stealth, dice: 1, share: 0.4}": ["34 out-of-range: Write 0.5 or more."],
    "{skill: stealth, dice: 1, share: x}": ["34 wrong-type: Write a number."],
    "{skill: stealth, dice: 1, loud: 1}": ["33 wrong-type: Write true or false."],
    "{skill: stealth, dice: 1, note: 1}": ["33 wrong-type: Write a text or nothing."],
    "{skill: stealth, dice: 1, tags: a}": ["33 wrong-type: Write a list."],
    "{skill: stealth, dice: 1, tags: [a, 1]}": ["37 wrong-type: Write a text."],
    "{skill: stealth, dice: 1, where: [a]}": ["34 wrong-type: Write a mapping."],
    "{skill: stealth, dice: 1, where: {}}": ["34 missing-field: Add `place` under `where`."],
    "{skill: stealth, dice: 1, where: {place: a, floor: b}}": ["52 wrong-type: Write a whole number."],
    "{skill: stealth}": ["1 missing-field: Add `dice` under `with`."],
    "{}": ["1 missing-field: Add `skill` and `dice` under `with`."],
    "{skil: stealth, dice: 1}": ["2 unknown-field: Write `skill`."],
    "{skill: stealth, dice: 1, ski: 1}": ["27 unknown-field: Write `skill`."],
    "{skill: stealth, dice: 1, laud: true}": ["27 unknown-field: Write `loud`."],
    "[skill]": ["1 wrong-type: Write a mapping."],
    "~": ["1 wrong-type: Write a mapping."],
}


@pytest.mark.parametrize("text", GOOD)
def test_what_fits_is_let_through(text: str) -> None:
    assert told(text) == []


@pytest.mark.parametrize("text", BAD)
def test_what_does_not_fit_is_told_at_its_place(text: str) -> None:
    assert told(text) == BAD[text]


def test_messages_say_what_was_expected_and_found() -> None:
    fault_list = FaultList()
    text = "{skill: 3, dice: 9, share: 0.1, lout: true}"
    check_tool_arguments(SCHEMA, read(text), "attempt", fault_list)
    assert [fault.message for fault in fault_list.faults()] == [
        "`skill`: expected a text, found the number 3",
        "`dice` must be 6 or less, not 9",
        "`share` must be 0.5 or more, not 0.1",
        "`attempt` has no parameter `lout`",
    ]
    check_tool_arguments({"enum": [1, "a"]}, read("2"), "how", fault_list := FaultList())
    assert [fault.message for fault in fault_list.faults()] == [
        "`how`: expected one of 1, a, found the number 2"
    ]


@pytest.mark.parametrize("schema", [{}, True, None, {"title": "anything"}, {"type": "object"}])
def test_a_schema_that_asks_for_nothing_takes_everything(schema: Json) -> None:
    assert told("{a: [1, {b: ~}]}", schema) == []


def test_what_is_broken_has_been_told_already() -> None:
    fault_list = FaultList()
    check_tool_arguments({"type": "string"}, BrokenNode("f.yaml", 1, 1), "skill", fault_list)
    node = read("{skill: stealth, dice: 1}")
    assert isinstance(node, MapNode)
    node.entries["dice"] = BrokenNode("f.yaml", 1, 24)
    check_tool_arguments(SCHEMA, node, "attempt", fault_list)
    assert fault_list.faults() == ()


def test_what_an_author_is_not_told_is_left_to_the_system() -> None:
    assert told("abc", {"maxLength": 2}) == []
    assert told("[1]", {"enum": ["a"], "maxItems": 0}) == []
    assert told("1", {"anyOf": [{"type": "string"}]}) == []


def test_the_schema_library_agrees() -> None:
    seed = 11
    print(f"seed {seed}")
    choose = random.Random(seed)
    values = ["stealth", "zzz", "3", "1.5", "true", "~", "[a]", "[1]", "{place: a}", "{}", "{place: 1}"]
    validator = jsonschema.Draft202012Validator(SCHEMA)
    names = ["skill", "dice", "share", "loud", "note", "tags", "where", "more", "other"]
    for _ in range(500):
        chosen = choose.sample(names, choose.randrange(len(names)))
        text = "{" + ", ".join(f"{name}: {choose.choice(values)}" for name in chosen) + "}"
        value = json_of(read(text))
        assert (told(text) == []) is validator.is_valid(value), text
        # What an author may hand to a tool is what a model may.
        assert (told(text) == []) is fits(value, read_schema(SCHEMA)), text
