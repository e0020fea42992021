"""Bodies: JSON of unknown shape, read with types.

A value of the wrong shape becomes an empty one or None here; what that means is for the wire to say.
"""

import json
from collections.abc import Mapping

from talewright.testing.fake_provider.asked import Json


def as_map(value: object) -> Json:
    """The value as an object; empty where it is none."""
    return value if isinstance(value, Mapping) else {}


def as_list(value: object) -> list[object]:
    """The value as a list; empty where it is none."""
    return value if isinstance(value, list) else []


def as_text(value: object) -> str:
    """The value as a string; empty where it is none."""
    return value if isinstance(value, str) else ""


def as_count(value: object) -> int | None:
    """The value as a whole number; None where it is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def spell(value: object, *, escaped: bool = False) -> str:
    """The value as JSON without spaces, keys in their order."""
    return json.dumps(value, ensure_ascii=escaped, separators=(",", ":"))


def parse_object(text: str) -> Json | None:
    """The JSON object a text spells; None where it spells none."""
    try:
        value = json.loads(text)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def keywords(schema: object) -> set[str]:
    """Every JSON Schema keyword used anywhere in a schema."""
    found: set[str] = set()
    for key, value in as_map(schema).items():
        found.add(key)
        if key in ("properties", "$defs", "definitions", "patternProperties"):
            for inner in as_map(value).values():
                found |= keywords(inner)
        elif key not in ("enum", "const", "default", "examples", "required"):
            for inner in value if isinstance(value, list) else [value]:
                found |= keywords(inner)
    return found
