"""Schemas: what is held against them."""

import pytest

from talewright_testkit.fake_provider.parsed_request import keywords
from talewright_testkit.fake_provider.wires.vendor_dialects import (
    ENUM_VALUES_MAX,
    GEMINI_KEYWORDS,
    PLAIN_KEYWORDS,
    find_strange,
    find_strict_flaw,
)

GOOD = {
    "type": "object",
    "properties": {"maxLength": {"type": "string"}, "list": {"type": "array", "items": {"enum": ["a"]}}},
    "required": ["maxLength", "list"],
    "additionalProperties": False,
}


def wrapped(inner: object) -> dict[str, object]:
    """A strict object with one field."""
    return {"type": "object", "properties": {"x": inner}, "required": ["x"], "additionalProperties": False}


def test_a_field_may_have_the_name_of_a_keyword() -> None:
    assert find_strict_flaw(GOOD) == ""
    assert keywords(GOOD) == {"type", "properties", "required", "additionalProperties", "items", "enum"}


@pytest.mark.parametrize(
    ("schema", "flaw"),
    [
        (
            {"type": "object"},
            "In context=(), 'additionalProperties' is required to be supplied and to be false.",
        ),
        (
            {"type": "object", "properties": {"b": {}, "a": {}}, "additionalProperties": False},
            "Missing 'a'.",
        ),
        (
            wrapped({"type": "string", "maxLength": 5}),
            "In context=('properties', 'x'), 'maxLength' is not permitted.",
        ),
        (wrapped({"items": {"minLength": 5}}), "In context=('properties', 'x', 'items'), 'minLength' is not"),
        (wrapped({"anyOf": [{}, {"not": {}}]}), "In context=('properties', 'x', 'anyOf', '1'), 'not' is not"),
        ({"$defs": {"d": {"allOf": []}}}, "In context=('$defs', 'd'), 'allOf' is not permitted."),
        (wrapped({"enum": list(range(ENUM_VALUES_MAX + 1))}), "at most 1000 enum values in total"),
    ],
)
def test_strict_flaws(schema: object, flaw: str) -> None:
    assert flaw in find_strict_flaw(schema)


def test_enums_up_to_the_limit_are_taken() -> None:
    assert find_strict_flaw(wrapped({"enum": list(range(ENUM_VALUES_MAX))})) == ""


def test_strange_keywords() -> None:
    assert find_strange({"type": "string", "maxLength": 5}, PLAIN_KEYWORDS) == "maxLength"
    assert find_strange({"type": "string", "maxLength": 5}, GEMINI_KEYWORDS) == ""
    assert find_strange(GOOD, GEMINI_KEYWORDS) == "additionalProperties"
    assert find_strange({"anything": 1}, None) == ""
