"""Vendor dialects: how servers on one wire differ, and which JSON Schemas each of them accepts, as data.

Only schemas are checked; answers are never validated against them.
"""

from collections.abc import Iterator
from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright_testkit.fake_provider.parsed_request import as_list, as_map, keywords
from talewright_testkit.fake_provider.vendor_cache import (
    DEEPSEEK_CACHE,
    LLAMA_CPP_CACHE,
    NO_CACHE,
    OPENAI_CACHE,
    VendorCacheRules,
)

STRICT_KEYWORDS = frozenset(
    "type properties required additionalProperties items enum const anyOf description title $defs $ref "
    "pattern format minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minItems maxItems".split()
)
"""Keywords OpenAI accepts in a strict schema; string lengths are not among them."""

PLAIN_KEYWORDS = frozenset("type properties required additionalProperties items enum description".split())
"""Keywords the strictest compatible servers accept."""

GEMINI_KEYWORDS = frozenset(
    "type format title description nullable enum maxItems minItems properties required minProperties "
    "maxProperties minLength maxLength pattern example anyOf propertyOrdering default items "
    "minimum maximum".split()
)
"""The fields of Gemini's own Schema; `parametersJsonSchema` accepts any schema instead."""

ENUM_VALUES_MAX = 1_000
"""Maximum number of enum values in a strict OpenAI schema, all enums together."""


def walk(schema: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Yield every schema within a schema, with its path."""
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
    """Return why OpenAI would reject a strict schema; empty if it would not."""
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
    """Return the first keyword that is not accepted; empty if there is none."""
    return "" if taken is None else min(keywords(schema) - taken, default="")


class UsageTiming(StrEnum):
    """When a stream reports usage."""

    ASKED = "asked"
    ALWAYS = "always"
    NEVER = "never"


@frozen
class ServerDialect:
    """One kind of server."""

    name: str
    cache: VendorCacheRules = OPENAI_CACHE
    comments: tuple[str, ...] = ()
    """Comment lines before the first event."""

    reasoning_field: str = ""
    """The field that carries reasoning; empty if it is not sent."""

    usage: UsageTiming = UsageTiming.ASKED
    timings: bool = False
    """Whether the last event carries llama.cpp's `timings`."""

    hit_and_miss: bool = False
    """Whether usage also names cached tokens as DeepSeek does."""

    cost: bool = False
    """Whether usage includes a price, as OpenRouter does."""

    numbered_errors: bool = False
    """Whether `code` of an error is the HTTP status, as with OpenRouter and llama.cpp."""

    progress_tokens: int = 0
    """Batch size in tokens; on request, progress is reported after each batch, as llama.cpp does. 0: never
    reported.
    """

    whole_calls: bool = False
    """Whether a tool call comes in one event, however finely the text is split."""

    needs_key: bool = True
    refuses_unknown: bool = False
    """Whether an unknown field is an error."""

    takes_schema: bool = True
    """Whether `response_format` of type `json_schema` is supported."""

    schema_keywords: frozenset[str] | None = None
    """Keywords accepted in a schema; None: all."""

    strict_schema: bool = False
    """Whether strict schemas must follow OpenAI's rules."""

    schema_in_prompt: bool = False
    """Whether the response schema is part of the prompt and of the cached prefix."""


OPENAI = ServerDialect("openai", refuses_unknown=True, strict_schema=True, schema_in_prompt=True)
OPENROUTER = ServerDialect(
    "openrouter",
    comments=("OPENROUTER PROCESSING", "OPENROUTER PROCESSING"),
    reasoning_field="reasoning",
    usage=UsageTiming.ALWAYS,
    cost=True,
    numbered_errors=True,
)
DEEPSEEK = ServerDialect(
    "deepseek",
    cache=DEEPSEEK_CACHE,
    comments=("keep-alive",),
    reasoning_field="reasoning_content",
    hit_and_miss=True,
    takes_schema=False,
)
LLAMA_CPP = ServerDialect(
    "llama.cpp",
    cache=LLAMA_CPP_CACHE,
    reasoning_field="reasoning_content",
    timings=True,
    numbered_errors=True,
    needs_key=False,
    progress_tokens=2_048,
)
OLLAMA = ServerDialect(
    "ollama",
    cache=NO_CACHE,
    reasoning_field="reasoning",
    usage=UsageTiming.NEVER,
    whole_calls=True,
    needs_key=False,
)
PLAIN = ServerDialect("plain", cache=NO_CACHE, schema_keywords=PLAIN_KEYWORDS, refuses_unknown=True)
"""A compatible server that rejects every field and schema keyword it does not know."""

DIALECTS = (OPENAI, OPENROUTER, DEEPSEEK, LLAMA_CPP, OLLAMA, PLAIN)
