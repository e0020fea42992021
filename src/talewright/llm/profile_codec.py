"""Profile codec: the abilities of a model that decide how it is asked and read, as JSON in a record.

Prices, wires and caches stay out of it: they change nothing in a turn. Unknown members are passed over.
"""

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from talewright.common.json_values import Json
from talewright.llm.profiles import AnswerMode, Profile

_KEPT = (
    "answer_mode",
    "takes_tools",
    "schema_keywords",
    "enum_values_max",
    "string_length_max",
    "list_items_max",
    "context_tokens",
    "output_tokens_max",
    "reads_schema",
)
"""What prompts, schemas and answers depend on."""

_DEFAULTS: Mapping[str, Any] = {part.name: part.default for part in fields(Profile) if part.name in _KEPT}


def write_profile(profile: Profile) -> dict[str, Json]:
    """The name of a model and what is not as usual about it."""
    raw: dict[str, Json] = {"name": profile.name}
    for name, usual in _DEFAULTS.items():
        value = getattr(profile, name)
        if value != usual:
            raw[name] = sorted(value) if isinstance(value, frozenset) else value
    return raw


def read_profile(raw: Mapping[str, Json], known: Profile | None = None) -> Profile:
    """The profile that was written; everything else is as in `known`."""
    parts: dict[str, Any] = {name: raw.get(name, usual) for name, usual in _DEFAULTS.items()}
    parts["answer_mode"] = AnswerMode(parts["answer_mode"])
    if parts["schema_keywords"] is not None:
        parts["schema_keywords"] = frozenset(parts["schema_keywords"])
    name = str(raw["name"])
    return replace(known or Profile(name), name=name, **parts)
