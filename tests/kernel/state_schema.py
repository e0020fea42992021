"""The JSON Schema of a state: what every document of a game looks like, for any validator in any language.

Derived from the slots alone, so that it can be held against what the rules let through.
"""

from typing import assert_never

from talewright.common.json_values import Json
from talewright.kernel.slots.slot_types import OPEN_KEY_LENGTH_MAX, Layout, Slot, SlotKind
from talewright.kernel.state.documents import INTEGER_MAX


def state_schema(layout: Layout) -> dict[str, Json]:
    """The schema of a whole document."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_object({name: slot_schema(slot) for name, slot in layout.roots.items()}),
    }


def slot_schema(slot: Slot) -> dict[str, Json]:
    """The schema of one place."""
    schema = _by_kind(slot)
    return {"anyOf": [schema, {"type": "null"}]} if slot.nullable else schema


def _by_kind(slot: Slot) -> dict[str, Json]:
    match slot.kind:
        case SlotKind.INTEGER | SlotKind.NUMBER:
            low, high = slot.lowest, slot.highest
            return {
                "type": slot.kind.value,
                "minimum": -INTEGER_MAX if low is None else low,
                "maximum": INTEGER_MAX if high is None else high,
            }
        case SlotKind.BOOLEAN:
            return {"type": "boolean"}
        case SlotKind.ENUM:
            return {"enum": list(slot.enum_values)}
        case SlotKind.STRING:
            return {"type": "string", "maxLength": slot.max_length}
        case SlotKind.LIST:
            assert slot.element is not None
            return {"type": "array", "items": slot_schema(slot.element), "maxItems": slot.max_items}
        case SlotKind.OBJECT:
            return _object({name: slot_schema(inner) for name, inner in slot.fields.items()}, slot)
        case _:
            assert_never(slot.kind)


def _object(members: dict[str, dict[str, Json]], slot: Slot | None = None) -> dict[str, Json]:
    schema: dict[str, Json] = {"type": "object", "properties": members, "required": list(members)}
    if slot is None or slot.values is None:
        return {**schema, "additionalProperties": False}
    return {
        **schema,
        "additionalProperties": slot_schema(slot.values),
        "maxProperties": len(members) + slot.max_items,
        "propertyNames": {"minLength": 1, "maxLength": max(OPEN_KEY_LENGTH_MAX, *map(len, members), 1)},
    }
