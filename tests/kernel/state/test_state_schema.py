"""The JSON Schema of a state."""

from dataclasses import replace

from talewright.kernel.slots.slot_types import Carry, Layout
from tests.kernel.making import boolean, enum, integer, listing, number, opened, record, string
from tests.kernel.state_schema import slot_schema, state_schema

FAR = 2**53 - 1


def test_each_kind_of_slot() -> None:
    assert slot_schema(integer(0, 1, 9)) == {"type": "integer", "minimum": 1, "maximum": 9}
    assert slot_schema(number()) == {"type": "number", "minimum": -FAR, "maximum": FAR}
    assert slot_schema(integer(0, carry=Carry("x", 60))) == {"type": "integer", "minimum": 0, "maximum": 59}
    assert slot_schema(boolean()) == {"type": "boolean"}
    assert slot_schema(enum("a", "b")) == {"enum": ["a", "b"]}
    assert slot_schema(string(max_length=7)) == {"type": "string", "maxLength": 7}
    assert slot_schema(listing(boolean(), max_items=3)) == {
        "type": "array",
        "items": {"type": "boolean"},
        "maxItems": 3,
    }
    assert slot_schema(replace(boolean(), nullable=True)) == {
        "anyOf": [{"type": "boolean"}, {"type": "null"}]
    }


def test_objects_closed_and_open() -> None:
    assert slot_schema(record(a=boolean())) == {
        "type": "object",
        "properties": {"a": {"type": "boolean"}},
        "required": ["a"],
        "additionalProperties": False,
    }
    mixed = replace(opened(boolean(), max_items=4), fields={"k" * 120: boolean(), "b": boolean()})
    schema = slot_schema(mixed)
    assert schema["additionalProperties"] == {"type": "boolean"}
    assert schema["maxProperties"] == 6
    assert schema["propertyNames"] == {"minLength": 1, "maxLength": 120}
    assert slot_schema(opened(boolean()))["propertyNames"] == {"minLength": 1, "maxLength": 100}


def test_a_whole_state() -> None:
    assert state_schema(Layout({"lit": boolean()})) == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {"lit": {"type": "boolean"}},
        "required": ["lit"],
        "additionalProperties": False,
    }
