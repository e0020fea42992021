"""JSON Schema: the subset that tools and errands use, and a validator for it.

Reading a schema rejects keywords that the validator would not check. Findings are data; the caller words them
for a model or for an author. Values are never repaired.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from enum import StrEnum
from typing import TypeAlias, cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, equal, quote_value
from talewright.common.name_suggestions import nearest
from talewright.errors import TalewrightError

Where: TypeAlias = tuple[str | int, ...]
"""The path to a part of a value: member names and element indexes."""


def _amount(value: Json) -> int | float | None:
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _length(value: Json) -> int | None:
    return len(value) if isinstance(value, str) else None


def _count(value: Json) -> int | None:
    return len(value) if isinstance(value, list) else None


_TYPES: Mapping[str, Callable[[Json], bool]] = {
    "string": lambda value: isinstance(value, str),
    "integer": lambda value: isinstance(value, int) and not isinstance(value, bool),
    "number": lambda value: _amount(value) is not None,
    "boolean": lambda value: isinstance(value, bool),
    "array": lambda value: isinstance(value, list),
    "object": lambda value: isinstance(value, dict),
    "null": lambda value: value is None,
}

_BOUNDS: Mapping[str, Callable[[Json], int | float | None]] = {
    "minimum": _amount,
    "maximum": _amount,
    "minLength": _length,
    "maxLength": _length,
    "minItems": _count,
    "maxItems": _count,
}
"""What each bound measures; None if the value has no such measure."""

_CHECKED = ("type", "enum", *_BOUNDS, "properties", "required", "additionalProperties", "items", "anyOf")
_NOTES = ("title", "description", "default", "examples", "$comment", "$schema")
"""Keywords that do not constrain a value."""

KEYWORDS = (*_CHECKED, *_NOTES)
"""Every supported keyword."""


class SchemaError(TalewrightError):
    """A schema uses something that would not be checked."""


@frozen
class JsonSchema:
    """The constraints of a schema."""

    types: tuple[str, ...] = ()
    """Type names in the order they are written; empty allows every type."""

    enum: tuple[Json, ...] | None = None
    bounds: Mapping[str, int | float] = field(default_factory=dict)
    """By keyword."""

    properties: "Mapping[str, JsonSchema]" = field(default_factory=dict)
    required: tuple[str, ...] = ()
    closed: bool = False
    """Whether an object may only have the listed properties."""

    additional: "JsonSchema | None" = None
    """The schema of any other member."""

    items: "JsonSchema | None" = None
    any_of: "tuple[JsonSchema, ...]" = ()


class Mismatch(StrEnum):
    """The ways in which a value can violate its schema."""

    TYPE = "type"
    ENUM = "enum"
    BOUND = "bound"
    BRANCHES = "branches"
    """No branch of `anyOf` accepts it."""

    MISSING = "missing"
    UNKNOWN = "unknown"


@frozen
class SchemaFinding:
    """One violation of a schema."""

    where: Where
    kind: Mismatch
    value: Json
    """The value in that place; for a missing or unknown member, the object that contains it."""

    schema: JsonSchema
    """The schema that applies there."""

    name: str = ""
    """The keyword of the bound, or the name of the member."""


def read_schema(raw: object, *, strict: bool = True) -> JsonSchema:
    """Read a schema; null allows anything, as for a tool without arguments.

    Raises SchemaError if part of it would not be checked, unless `strict` is false.
    """
    reader = _SchemaReader()
    schema = JsonSchema() if raw is None else reader.read(raw, "")
    if strict and reader.problems:
        raise SchemaError(reader.problems[0], f"What is understood: {', '.join(KEYWORDS)}.")
    return schema


class _SchemaReader:
    """Reads the supported part of a schema and collects the rest."""

    def __init__(self) -> None:
        self.problems: list[str] = []

    def read(self, raw: object, at: str) -> JsonSchema:
        """Read a schema or subschema, located by a JSON Pointer."""
        if raw is True:
            return JsonSchema()
        if not isinstance(raw, Mapping):
            self._refuse(at, "an object or true", raw)
            return JsonSchema()
        for keyword in raw:
            if keyword not in KEYWORDS:
                near = nearest(str(keyword), _CHECKED)
                meant = f"; did you mean {near}?" if near else ""
                place = f" at `{at}`" if at else ""
                self.problems.append(f"the keyword {quote_value(keyword)}{place} is not understood{meant}")
        closed = raw.get("additionalProperties") is False
        return JsonSchema(
            types=self._read_types(raw, at),
            enum=self._read_list(raw, "enum", at),
            bounds=self._read_bounds(raw, at),
            properties=self._read_properties(raw, at),
            required=self._read_required(raw, at),
            closed=closed,
            additional=None if closed else self._read_part(raw, "additionalProperties", at),
            items=self._read_part(raw, "items", at),
            any_of=self._read_branches(raw, at),
        )

    def _refuse(self, at: str, wanted: str, found: object) -> None:
        place = f"`{at}`" if at else "a schema"
        self.problems.append(f"{place} must be {wanted}, not {quote_value(cast(Json, found))}")

    def _read_part(self, raw: Mapping[str, Json], keyword: str, at: str) -> JsonSchema | None:
        return self.read(raw[keyword], f"{at}/{keyword}") if keyword in raw else None

    def _read_list(self, raw: Mapping[str, Json], keyword: str, at: str) -> tuple[Json, ...] | None:
        given = raw.get(keyword)
        if isinstance(given, list | tuple):
            return tuple(given)
        if keyword in raw:
            self._refuse(f"{at}/{keyword}", "a list", given)
        return None

    def _read_types(self, raw: Mapping[str, Json], at: str) -> tuple[str, ...]:
        given = raw.get("type", ())
        names = given if isinstance(given, list | tuple) else (given,)
        known = tuple(name for name in names if isinstance(name, str) and name in _TYPES)
        if len(known) < len(names):
            self._refuse(f"{at}/type", f"one of {', '.join(_TYPES)}, or a list of these", given)
        return known

    def _read_bounds(self, raw: Mapping[str, Json], at: str) -> Mapping[str, int | float]:
        bounds: dict[str, int | float] = {}
        for keyword in _BOUNDS:
            bound = _amount(raw.get(keyword))
            if bound is not None:
                bounds[keyword] = bound
            elif keyword in raw:
                self._refuse(f"{at}/{keyword}", "a number", raw[keyword])
        return bounds

    def _read_properties(self, raw: Mapping[str, Json], at: str) -> Mapping[str, JsonSchema]:
        given = raw.get("properties", {})
        if isinstance(given, Mapping):
            return {name: self.read(each, f"{at}/properties/{name}") for name, each in given.items()}
        self._refuse(f"{at}/properties", "an object", given)
        return {}

    def _read_required(self, raw: Mapping[str, Json], at: str) -> tuple[str, ...]:
        given = self._read_list(raw, "required", at) or ()
        names = tuple(name for name in given if isinstance(name, str))
        if len(names) < len(given):
            self._refuse(f"{at}/required", "a list of names", given)
        return names

    def _read_branches(self, raw: Mapping[str, Json], at: str) -> tuple[JsonSchema, ...]:
        branches = self._read_list(raw, "anyOf", at) or ()
        return tuple(self.read(each, f"{at}/anyOf/{number}") for number, each in enumerate(branches))


def fits(value: Json, schema: JsonSchema) -> bool:
    """Whether a value is valid against a schema."""
    return next(check_value(value, schema), None) is None


def check_value(value: Json, schema: JsonSchema, where: Where = ()) -> Iterator[SchemaFinding]:
    """Yield every violation: first of the value itself, then of what it contains."""
    if schema.types and not any(_TYPES[name](value) for name in schema.types):
        yield SchemaFinding(where, Mismatch.TYPE, value, schema)
        return
    if schema.enum is not None and not any(equal(value, each) for each in schema.enum):
        yield SchemaFinding(where, Mismatch.ENUM, value, schema)
    for keyword, bound in schema.bounds.items():
        measured = _BOUNDS[keyword](value)
        if measured is None:
            continue
        if measured < bound if keyword.startswith("min") else measured > bound:
            yield SchemaFinding(where, Mismatch.BOUND, value, schema, keyword)
    if schema.any_of and not any(fits(value, branch) for branch in schema.any_of):
        yield SchemaFinding(where, Mismatch.BRANCHES, value, schema)
    if isinstance(value, dict):
        yield from _check_members(value, schema, where)
    elif isinstance(value, list) and schema.items is not None:
        for number, part in enumerate(value):
            yield from check_value(part, schema.items, (*where, number))


def _check_members(value: Mapping[str, Json], schema: JsonSchema, where: Where) -> Iterator[SchemaFinding]:
    for name in schema.required:
        if name not in value:
            yield SchemaFinding(where, Mismatch.MISSING, value, schema, name)
    for name, inner in value.items():
        wanted = schema.properties.get(name, schema.additional)
        if wanted is not None:
            yield from check_value(inner, wanted, (*where, name))
        elif schema.closed:
            yield SchemaFinding(where, Mismatch.UNKNOWN, value, schema, name)
