from talewright.contract.answer_schema import narrow, narrow_answer
from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.requests import Schema

SCHEMA: Schema = {
    "type": "object",
    "properties": {
        "enum": {"type": "string", "enum": ["a", "b", "c"], "maxLength": 1},
        "pattern": {"anyOf": [{"type": "string", "pattern": "^x", "maxLength": 900}, {"type": "null"}]},
        "list": {"type": "array", "items": {"type": "string", "maxLength": 50}, "maxItems": 4},
        "map": {"type": "object", "additionalProperties": {"type": "number", "minimum": 0}},
    },
    "required": ["enum", "pattern"],
    "additionalProperties": False,
}


def test_model_that_takes_all_gets_all() -> None:
    assert narrow(SCHEMA, Profile("any")) == SCHEMA


def test_schema_is_sent_only_where_it_is_kept_to() -> None:
    assert narrow_answer(SCHEMA, Profile("firm", AnswerMode.SCHEMA)) == SCHEMA
    assert narrow_answer(SCHEMA, Profile("some", AnswerMode.JSON)) == SCHEMA
    assert narrow_answer(SCHEMA, Profile("free", AnswerMode.FREE)) is None


def test_unknown_keywords_are_left_out_and_names_of_members_kept() -> None:
    keywords = frozenset({"type", "properties", "items", "required", "anyOf", "additionalProperties"})
    assert narrow(SCHEMA, Profile("small", schema_keywords=keywords)) == {
        "type": "object",
        "properties": {
            "enum": {"type": "string"},
            "pattern": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "list": {"type": "array", "items": {"type": "string"}},
            "map": {"type": "object", "additionalProperties": {"type": "number"}},
        },
        "required": ["enum", "pattern"],
        "additionalProperties": False,
    }
    assert narrow(SCHEMA, Profile("least", schema_keywords=frozenset({"type"}))) == {"type": "object"}
    assert narrow(SCHEMA, Profile("none", schema_keywords=frozenset())) == {}


def test_long_enums_are_left_out() -> None:
    schema: Schema = {"type": "string", "enum": ["a", "b", "c"], "maxLength": 1}
    assert narrow(schema, Profile("x", enum_values_max=3)) == schema
    assert narrow(schema, Profile("x", enum_values_max=2)) == {"type": "string", "maxLength": 1}


def test_texts_are_no_longer_than_the_model_takes() -> None:
    for given, kept in ((900, 800), (800, 800), (799, 799)):
        schema: Schema = {"items": {"maxLength": given}}
        assert narrow(schema, Profile("x", string_length_max=800)) == {"items": {"maxLength": kept}}


def test_lists_are_no_longer_than_the_model_can_end() -> None:
    few = Profile("x", list_items_max=2)
    for most, least in (("maxItems", "minItems"), ("maxProperties", "minProperties")):
        for given, kept in ((3, 2), (2, 2), (1, 1), (0, 0)):
            schema: Schema = {"items": {most: given}}
            assert narrow(schema, few) == {"items": {most: kept}}
            assert narrow(schema, Profile("x")) == schema
        # A list that must hold more may hold as much.
        assert narrow({most: 6, least: 3}, few) == {most: 3, least: 3}
        assert narrow({most: 6, least: 1}, few) == {most: 2, least: 1}
        assert narrow({least: 3}, few) == {least: 3}


def test_every_place_of_a_schema_is_reached() -> None:
    long, short = {"maxLength": 9}, {"maxLength": 5}
    single = ("items", "additionalProperties", "propertyNames", "not")
    lists = ("anyOf", "oneOf", "allOf", "prefixItems")
    maps = ("properties", "patternProperties", "$defs")
    schema = {
        **dict.fromkeys(single, long),
        **{word: [long, True] for word in lists},
        **{word: {"a": long, "b": False} for word in maps},
        "default": long,
    }
    assert narrow(schema, Profile("x", string_length_max=5)) == {
        **dict.fromkeys(single, short),
        **{word: [short, True] for word in lists},
        **{word: {"a": short, "b": False} for word in maps},
        "default": long,
    }


def test_what_is_no_schema_is_left_as_it_is() -> None:
    schema: Schema = {"properties": 1, "anyOf": 2, "enum": 3, "maxLength": "x", "items": True}
    assert narrow(schema, Profile("x", enum_values_max=0)) == schema
    schema = {"maxItems": "x", "maxProperties": 9, "minProperties": "x"}
    assert narrow(schema, Profile("x", list_items_max=1)) == schema
