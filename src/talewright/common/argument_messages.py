"""Argument messages: what is wrong with the arguments of a call, worded so that a model can act on it.

`json_schema` validates the arguments.
"""

from collections.abc import Mapping

from talewright.common.json_schema import JsonSchema, Mismatch, SchemaFinding, check_value
from talewright.common.json_values import Json, quote_value
from talewright.common.name_suggestions import listed, nearest

_NOUNS: Mapping[str, str] = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}

_BOUNDS: Mapping[str, str] = {
    "minimum": "at least {}",
    "maximum": "at most {}",
    "minLength": "at least {} characters",
    "maxLength": "at most {} characters",
    "minItems": "at least {} elements",
    "maxItems": "at most {} elements",
}


def complain(value: Json, schema: JsonSchema, where: str) -> str:
    """The first violation of a schema in a value, with what is allowed; empty if there is none."""
    return next((word_finding(finding, where) for finding in check_value(value, schema)), "")


def word_finding(finding: SchemaFinding, root: str) -> str:
    """What is wrong and what would be accepted; `root` is the name of the whole value."""
    parts = (f"[{part}]" if isinstance(part, int) else f".{part}" for part in finding.where)
    where, schema, name = root + "".join(parts), finding.schema, finding.name
    if finding.kind is Mismatch.MISSING:
        wanted = schema.properties.get(name)
        told = "" if wanted is None else f": {describe(wanted)}"
        return f"`{where}` needs `{name}`{told}"
    if finding.kind is Mismatch.UNKNOWN:
        near = nearest(name, schema.properties)
        meant = f"; did you mean {near}?" if near else ""
        taken = listed(schema.properties) or "nothing"
        return f"`{where}` has no {quote_value(name)}; it takes {taken}{meant}"
    return f"`{where}` must be {describe(schema)}, not {quote_value(finding.value)}"


def describe(schema: JsonSchema) -> str:
    """What a schema accepts, worded for a message."""
    if schema.enum is not None:
        return f"one of {listed(map(quote_value, schema.enum))}"
    nouns = [noun for name, noun in _NOUNS.items() if name in schema.types]
    if not nouns:
        nouns = list(dict.fromkeys(map(describe, schema.any_of)))
    bounds = [words.format(schema.bounds[name]) for name, words in _BOUNDS.items() if name in schema.bounds]
    told = " or ".join(nouns) or "something"
    return f"{told}, {' and '.join(bounds)}" if bounds else told
