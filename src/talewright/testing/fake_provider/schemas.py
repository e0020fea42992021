"""Schemas: what a vendor says to a JSON Schema it will not take, as sets of keywords.

It judges the schema only; no answer is ever held to it.
"""

from collections.abc import Iterator

from talewright.testing.fake_provider.bodies import as_list, as_map, keywords

STRICT_KEYWORDS = frozenset(
    "type properties required additionalProperties items enum const anyOf description title $defs $ref "
    "pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems".split()
)
"""What OpenAI takes in a strict schema; lengths of strings are not among it."""

PLAIN_KEYWORDS = frozenset("type properties required additionalProperties items enum description".split())
"""What the most careful compatible servers take."""

GEMINI_KEYWORDS = frozenset(
    "type format title description nullable enum maxItems minItems properties required minProperties "
    "maxProperties minLength maxLength pattern example anyOf propertyOrdering default items "
    "minimum maximum".split()
)
"""The fields of Gemini's own Schema; `parametersJsonSchema` takes any schema instead."""

ENUM_VALUES_MAX = 1_000
"""Enum values in a strict schema of OpenAI's, all enums together."""


def walk(schema: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Every schema within a schema, with the way to it."""
    yield path, schema
    for name, inner in as_map(as_map(schema).get("properties")).items():
        yield from walk(inner, (*path, "properties", name))
    for name, inner in as_map(as_map(schema).get("$defs")).items():
        yield from walk(inner, (*path, "$defs", name))
    if "items" in as_map(schema):
        yield from walk(as_map(schema)["items"], (*path, "items"))
    for number, inner in enumerate(as_list(as_map(schema).get("anyOf"))):
        yield from walk(inner, (*path, "anyOf", str(number)))


def find_strict_flaw(schema: object) -> str:
    """What OpenAI holds against a strict schema; empty: nothing."""
    enums = 0
    for path, inner in walk(schema):
        fields = as_map(inner)
        where = f"In context=({', '.join(repr(step) for step in path)}), "
        strange = sorted(set(fields) - STRICT_KEYWORDS)
        if strange:
            return f"{where}'{strange[0]}' is not permitted."
        if fields.get("type") == "object":
            if fields.get("additionalProperties") is not False:
                return f"{where}'additionalProperties' is required to be supplied and to be false."
            lacking = set(as_map(fields.get("properties"))) - set(map(str, as_list(fields.get("required"))))
            if lacking:
                return (
                    f"{where}'required' is required to be supplied and to be an array including every key in "
                    f"properties. Missing '{min(lacking)}'."
                )
        enums += len(as_list(fields.get("enum")))
    if enums > ENUM_VALUES_MAX:
        return f"Expected at most {ENUM_VALUES_MAX} enum values in total within a schema, found {enums}."
    return ""


def find_strange(schema: object, taken: frozenset[str] | None) -> str:
    """The first keyword that is not taken; empty: none."""
    return "" if taken is None else min(keywords(schema) - taken, default="")
