"""The schema of arguments: whether those of a call keep to the JSON Schema of its tool.

The part of JSON Schema that tools use is understood (type, enum, bounds, members, elements); the rest is
passed over. Nothing is mended.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import TypeAlias

from talewright.common.name_suggestions import listed, nearest
from talewright.kernel.state.documents import Json, equal, quote_value

Measure: TypeAlias = Callable[[Json], int | float | None]
"""What a bound is about, or None where a value has no such thing."""


def _amount(value: Json) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _length(value: Json) -> int | None:
    return len(value) if isinstance(value, str) else None


def _count(value: Json) -> int | None:
    return len(value) if isinstance(value, list) else None


_TYPES: Mapping[str, tuple[str, Callable[[Json], bool]]] = {
    "string": ("a text", lambda value: isinstance(value, str)),
    "integer": ("a whole number", lambda value: isinstance(value, int) and not isinstance(value, bool)),
    "number": ("a number", lambda value: _amount(value) is not None),
    "boolean": ("true or false", lambda value: isinstance(value, bool)),
    "array": ("a list", lambda value: isinstance(value, list)),
    "object": ("an object", lambda value: isinstance(value, dict)),
    "null": ("null", lambda value: value is None),
}

_BOUNDS: Mapping[str, tuple[str, Measure]] = {
    "minimum": ("at least {}", _amount),
    "maximum": ("at most {}", _amount),
    "minLength": ("at least {} characters", _length),
    "maxLength": ("at most {} characters", _length),
    "minItems": ("at least {} elements", _count),
    "maxItems": ("at most {} elements", _count),
}


def complain(value: Json, schema: object, where: str) -> str:
    """The first thing in a value that its schema does not allow, and what it does; else nothing."""
    if not isinstance(schema, Mapping):
        return ""
    if not _fits(value, schema):
        return f"`{where}` must be {describe(schema)}, not {quote_value(value)}"
    if isinstance(value, dict):
        return next(filter(None, _look_at_members(value, schema, where)), "")
    if isinstance(value, list):
        parts = (complain(part, schema.get("items"), f"{where}[{n}]") for n, part in enumerate(value))
        return next(filter(None, parts), "")
    return ""


def describe(schema: Mapping[str, object]) -> str:
    """What a schema takes, in words for a message."""
    if "enum" in schema:
        return f"one of {listed(map(quote_value, _values(schema)))}"
    nouns = " or ".join(_TYPES[name][0] for name in _type_names(schema)) or "something"
    bounds = [
        words.format(bound)
        for keyword, (words, _) in _BOUNDS.items()
        if (bound := _bound(schema, keyword)) is not None
    ]
    return f"{nouns}, {' and '.join(bounds)}" if bounds else nouns


def _fits(value: Json, schema: Mapping[str, object]) -> bool:
    """Whether a value by itself, without what is in it, is what the schema takes."""
    names = _type_names(schema)
    if names and not any(_TYPES[name][1](value) for name in names):
        return False
    if "enum" in schema and not any(equal(value, each) for each in _values(schema)):
        return False
    for keyword, (_, measure) in _BOUNDS.items():
        bound, measured = _bound(schema, keyword), measure(value)
        if bound is None or measured is None:
            continue
        if measured < bound if keyword.startswith("min") else measured > bound:
            return False
    return True


def _look_at_members(value: Mapping[str, Json], schema: Mapping[str, object], where: str) -> Iterator[str]:
    """What is wrong with each member, empty where nothing is."""
    given = schema.get("properties")
    members = given if isinstance(given, Mapping) else {}
    required = schema.get("required")
    for name in required if isinstance(required, list | tuple) else ():
        if name not in value:
            wanted = members.get(name)
            told = f": {describe(wanted)}" if isinstance(wanted, Mapping) else ""
            yield f"`{where}` needs `{name}`{told}"
    more = schema.get("additionalProperties")
    for name, inner in value.items():
        if name in members:
            yield complain(inner, members[name], f"{where}.{name}")
        elif more is False:
            near = nearest(name, members)
            meant = f"; did you mean {near}?" if near else ""
            yield f"`{where}` has no {quote_value(name)}; it takes {listed(members) or 'nothing'}{meant}"
        else:
            yield complain(inner, more, f"{where}.{name}")


def _type_names(schema: Mapping[str, object]) -> list[str]:
    given = schema.get("type")
    names = given if isinstance(given, list | tuple) else [given]
    return [name for name in _TYPES if name in names]


def _values(schema: Mapping[str, object]) -> list[Json]:
    given = schema["enum"]
    return list(given) if isinstance(given, list | tuple) else []


def _bound(schema: Mapping[str, object], keyword: str) -> int | float | None:
    given = schema.get(keyword)
    return given if isinstance(given, int | float) else None
