"""Arguments are held against the schema of their tool, and a complaint says what would be accepted."""

import pytest

from talewright.common import argument_messages
from talewright.common.argument_messages import describe
from talewright.common.json_schema import read_schema
from talewright.common.json_values import Json


def complain(value: Json, schema: object, where: str) -> str:
    return argument_messages.complain(value, read_schema(schema), where)


@pytest.mark.parametrize(
    ("schema", "good", "bad", "wanted"),
    [
        ({"type": "string"}, "x", 1, "a text"),
        ({"type": "integer"}, 1, 1.5, "a whole number"),
        ({"type": "integer"}, -1, True, "a whole number"),
        ({"type": "number"}, 1.5, True, "a number"),
        ({"type": "number"}, 0, "1", "a number"),
        ({"type": "boolean"}, False, 0, "true or false"),
        ({"type": "array"}, [], {}, "a list"),
        ({"type": "object"}, {}, [], "an object"),
        ({"type": "null"}, None, 0, "null"),
        ({"type": ["null", "string"]}, None, 1, "a text or null"),
        ({"enum": ["a", 1]}, 1, "b", "one of 'a', 1"),
        ({"enum": ("a", "b")}, "b", None, "one of 'a', 'b'"),
        ({"enum": [1]}, 1, True, "one of 1"),
        ({"enum": []}, None, "a", "one of "),
        ({"type": "integer", "minimum": 1, "maximum": 6}, 1, 0, "a whole number, at least 1 and at most 6"),
        ({"type": "integer", "minimum": 1, "maximum": 6}, 6, 7, "a whole number, at least 1 and at most 6"),
        ({"minimum": 1}, "x", 0.5, "something, at least 1"),
        ({"type": "number", "maximum": 0.5}, 0.5, 0.6, "a number, at most 0.5"),
        ({"type": "string", "maxLength": 2}, "ab", "abc", "a text, at most 2 characters"),
        ({"type": "string", "minLength": 1}, "a", "", "a text, at least 1 characters"),
        ({"type": "array", "maxItems": 2}, [1, 2], [1, 2, 3], "a list, at most 2 elements"),
        ({"type": "array", "minItems": 1}, [1], [], "a list, at least 1 elements"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, None, 1, "a text or null"),
    ],
)
def test_values_and_their_bounds(schema: dict[str, object], good: Json, bad: Json, wanted: str) -> None:
    assert describe(read_schema(schema)) == wanted
    if "enum" not in schema or good is not None:
        assert complain(good, schema, "tool.x") == ""
    told = complain(bad, schema, "tool.x")
    assert told.startswith(f"`tool.x` must be {wanted}, not ")


def test_complaint_quotes_what_was_given() -> None:
    assert complain("x", {"type": "integer"}, "pay.coins") == "`pay.coins` must be a whole number, not 'x'"


@pytest.mark.parametrize("schema", [{}, {"title": "x"}, None, True])
def test_schema_that_says_nothing_takes_everything(schema: object) -> None:
    for value in ("abc", 1, None, {"a": 1}, [1]):
        assert complain(value, schema, "x") == ""


SCHEMA = {
    "type": "object",
    "properties": {
        "coins": {"type": "integer", "minimum": 1},
        "who": {"type": "array", "items": {"type": "object", "properties": {"name": {"type": "string"}}}},
    },
    "required": ["coins"],
    "additionalProperties": False,
}


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ({"coins": 1}, ""),
        ({"coins": 1, "who": [{"name": "x"}, {}, {"more": 1}]}, ""),
        ({}, "`pay` needs `coins`: a whole number, at least 1"),
        ({"coins": 0}, "`pay.coins` must be a whole number, at least 1, not 0"),
        ({"coins": 1, "coin": 1}, "`pay` has no 'coin'; it takes coins, who; did you mean coins?"),
        ({"coins": 1, "zzzzzz": 1}, "`pay` has no 'zzzzzz'; it takes coins, who"),
        ({"coins": 1, "who": [{}, {"name": 1}]}, "`pay.who[1].name` must be a text, not 1"),
        ({"coins": 1, "who": [1, 2]}, "`pay.who[0]` must be an object, not 1"),
        ([], "`pay` must be an object, not a list"),
    ],
)
def test_members_and_elements(value: Json, told: str) -> None:
    assert complain(value, SCHEMA, "pay") == told


def test_odd_schemas_of_objects() -> None:
    assert complain({"a": 1}, {"additionalProperties": False}, "x") == "`x` has no 'a'; it takes nothing"
    assert (
        complain({"a": 1}, {"additionalProperties": {"type": "string"}}, "x") == "`x.a` must be a text, not 1"
    )
    assert complain({"a": 1}, {"additionalProperties": True, "properties": {}}, "x") == ""
    assert complain({}, {"required": ("a",)}, "x") == "`x` needs `a`"
