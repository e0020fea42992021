"""JSON Schema: what is refused when a schema is read, and what is found in a value."""

import random
from pathlib import Path

import jsonschema
import pytest

from talewright.common.json_schema import (
    KEYWORDS,
    JsonSchema,
    Mismatch,
    SchemaError,
    Where,
    check_value,
    fits,
    read_schema,
)
from talewright.common.json_values import Json

TYPES = "string, integer, number, boolean, array, object, null"

REFUSED: list[tuple[Json, str]] = [
    ({"pattern": "^a"}, "the keyword 'pattern' is not understood"),
    ({"maximun": 1}, "the keyword 'maximun' is not understood; did you mean maximum?"),
    ({"properties": {"a": {"const": 1}}}, "the keyword 'const' at `/properties/a` is not understood"),
    ({"items": {"items": {"if": {}}}}, "the keyword 'if' at `/items/items` is not understood"),
    (
        {"additionalProperties": {"$ref": "#"}},
        "the keyword '$ref' at `/additionalProperties` is not understood",
    ),
    (
        {"anyOf": [{}, {"oneOf": []}]},
        "the keyword 'oneOf' at `/anyOf/1` is not understood; did you mean anyOf?",
    ),
    ("x", "a schema must be an object or true, not 'x'"),
    (False, "a schema must be an object or true, not false"),
    ({"items": False}, "`/items` must be an object or true, not false"),
    ({"items": None}, "`/items` must be an object or true, not null"),
    ({"properties": {"a": 1}}, "`/properties/a` must be an object or true, not 1"),
    ({"properties": []}, "`/properties` must be an object, not a list"),
    ({"type": "odd"}, f"`/type` must be one of {TYPES}, or a list of these, not 'odd'"),
    ({"type": ["integer", {}]}, f"`/type` must be one of {TYPES}, or a list of these, not a list"),
    ({"enum": "ab"}, "`/enum` must be a list, not 'ab'"),
    ({"anyOf": {}}, "`/anyOf` must be a list, not an object"),
    ({"required": "a"}, "`/required` must be a list, not 'a'"),
    ({"required": ["a", 1]}, "`/required` must be a list of names, not a list"),
    ({"maxLength": "2"}, "`/maxLength` must be a number, not '2'"),
    ({"minimum": True}, "`/minimum` must be a number, not true"),
]


@pytest.mark.parametrize(("raw", "message"), REFUSED)
def test_what_would_not_be_checked_is_refused(raw: Json, message: str) -> None:
    with pytest.raises(SchemaError) as caught:
        read_schema(raw)
    assert caught.value.message == message
    assert caught.value.hint == f"What is understood: {', '.join(KEYWORDS)}."


def test_every_keyword_stands_in_the_guide_for_systems() -> None:
    guide = (Path(__file__).parents[2] / "docs" / "plug" / "systems.md").read_text(encoding="utf-8")
    assert [keyword for keyword in KEYWORDS if f"`{keyword}`" not in guide] == []


@pytest.mark.parametrize("raw", [raw for raw, _ in REFUSED])
def test_it_can_be_passed_over_instead(raw: Json) -> None:
    assert fits(1, read_schema(raw, strict=False))


def test_what_is_understood_of_a_schema_holds_without_the_rest() -> None:
    schema = read_schema({"type": ["integer", "odd"], "required": ["a", 1], "format": "x"}, strict=False)
    assert schema == JsonSchema(types=("integer",), required=("a",))


@pytest.mark.parametrize("raw", [None, True, {}, {"title": "x", "default": 1, "examples": []}])
def test_a_schema_that_asks_for_nothing(raw: Json) -> None:
    schema = read_schema(raw)
    values: list[Json] = [None, True, 1, "a", [1], {"a": []}]
    assert all(fits(value, schema) for value in values)


SCHEMA: dict[str, Json] = {
    "type": "object",
    "properties": {
        "skill": {"type": "string", "enum": ["stealth", "sense"], "maxLength": 5},
        "dice": {"type": ["integer", "null"], "minimum": 1, "maximum": 6},
        "tags": {"type": "array", "items": {"type": "string", "minLength": 1}, "minItems": 1, "maxItems": 2},
        "where": {"properties": {"x": {}}, "required": ["x"], "additionalProperties": {"type": "number"}},
        "who": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
    },
    "required": ["skill", "dice"],
    "additionalProperties": False,
}

T, M = Mismatch, "minimum"


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ([], [((), T.TYPE, "")]),
        ({}, [((), T.MISSING, "skill"), ((), T.MISSING, "dice")]),
        ({"skill": "sense", "dice": None}, []),
        ({"skill": "stealth", "dice": 0}, [(("skill",), T.BOUND, "maxLength"), (("dice",), T.BOUND, M)]),
        (
            {"skill": "listening", "dice": True},
            [
                (("skill",), T.ENUM, ""),
                (("skill",), T.BOUND, "maxLength"),
                (("dice",), T.TYPE, ""),
            ],
        ),
        (
            {"dice": 7, "skil": 1},
            [
                ((), T.MISSING, "skill"),
                (("dice",), T.BOUND, "maximum"),
                ((), T.UNKNOWN, "skil"),
            ],
        ),
        (
            {"skill": "sense", "dice": 1, "tags": ["", 1, "a"]},
            [
                (("tags",), T.BOUND, "maxItems"),
                (("tags", 0), T.BOUND, "minLength"),
                (("tags", 1), T.TYPE, ""),
            ],
        ),
        (
            {"skill": "sense", "dice": 1, "where": {"y": "z"}},
            [
                (("where",), T.MISSING, "x"),
                (("where", "y"), T.TYPE, ""),
            ],
        ),
        ({"skill": "sense", "dice": 1, "who": ["a"], "tags": []}, [(("tags",), T.BOUND, "minItems")]),
        ({"skill": "sense", "dice": 1, "who": ["a", 1]}, [(("who",), T.BRANCHES, "")]),
    ],
)
def test_everything_that_is_wrong_is_found(value: Json, found: list[tuple[Where, Mismatch, str]]) -> None:
    findings = list(check_value(value, read_schema(SCHEMA)))
    assert [(finding.where, finding.kind, finding.name) for finding in findings] == found
    assert fits(value, read_schema(SCHEMA)) is (not found)


def test_a_finding_has_what_is_there_and_what_would_be_accepted() -> None:
    schema = read_schema(SCHEMA)
    (finding,) = check_value({"skill": "sense", "dice": 9}, schema)
    assert (finding.value, finding.schema) == (9, schema.properties["dice"])


def test_a_schema_library_agrees() -> None:
    seed = 12
    print(f"seed {seed}")
    choose = random.Random(seed)
    values: list[Json] = [
        "sense",
        "",
        1,
        0,
        2.5,
        True,
        None,
        [],
        ["a"],
        ["a", 1],
        [1, 2, 3],
        {},
        {"x": 1},
        {"x": 1, "y": "z"},
    ]
    schema, validator = read_schema(SCHEMA), jsonschema.Draft202012Validator(SCHEMA)
    names = ["skill", "dice", "tags", "where", "who", "other"]
    for _ in range(1_000):
        chosen = choose.sample(names, choose.randrange(len(names)))
        value: Json = {"skill": "sense", "dice": 1, **{name: choose.choice(values) for name in chosen}}
        assert fits(value, schema) is validator.is_valid(value), value
