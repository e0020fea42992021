"""Narrowing of a JSON Schema to what a model's profile accepts: keywords, enums, lengths.

It leaves out and shortens, and never adds. What is no longer said to the model, the readers check anyway.
"""

from collections.abc import Mapping, Sequence

from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.requests import Schema

_MAPS = frozenset({"properties", "patternProperties", "$defs"})
"""Keywords whose value holds schemas by name."""

_LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems"})
"""Keywords whose value is a list of schemas."""

_SINGLE = frozenset({"items", "additionalProperties", "propertyNames", "not"})
"""Keywords whose value is a schema, or true or false."""

_COUNTS: Mapping[str, str] = {"maxItems": "minItems", "maxProperties": "minProperties"}
"""Keywords that say how much a list or an object may hold, and those that say how much it must."""


def narrow_answer(schema: Schema, profile: Profile) -> Schema | None:
    """The schema to send with a request for an answer; None where the model cannot be held to any form.

    A provider that only promises some JSON object sends that promise in its place.
    """
    return None if profile.answer_mode is AnswerMode.FREE else narrow(schema, profile)


def narrow(schema: Schema, profile: Profile) -> Schema:
    """A schema without the keywords a model does not take; enums, lists and texts as short as it needs."""
    narrowed: dict[str, object] = {}
    for keyword, value in schema.items():
        if profile.schema_keywords is not None and keyword not in profile.schema_keywords:
            continue
        if keyword == "enum" and isinstance(value, Sequence) and len(value) > profile.enum_values_max:
            continue
        narrowed[keyword] = _narrow_value(keyword, value, profile)
    for keyword, least in _COUNTS.items():
        most, at_least = narrowed.get(keyword), narrowed.get(least, 0)
        if profile.list_items_max is not None and isinstance(most, int) and isinstance(at_least, int):
            narrowed[keyword] = max(at_least, min(most, profile.list_items_max))
    return narrowed


def _narrow_value(keyword: str, value: object, profile: Profile) -> object:
    if keyword in _MAPS and isinstance(value, Mapping):
        return {name: _narrow_part(part, profile) for name, part in value.items()}
    if keyword in _LISTS and isinstance(value, Sequence):
        return [_narrow_part(part, profile) for part in value]
    if keyword in _SINGLE:
        return _narrow_part(value, profile)
    if keyword == "maxLength" and isinstance(value, int):
        return min(value, profile.string_length_max)
    return value


def _narrow_part(part: object, profile: Profile) -> object:
    return narrow(part, profile) if isinstance(part, Mapping) else part
