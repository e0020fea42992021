"""Profiles: what a model can do and what it costs, as data and as JSON. A new model is a row, never an `if`.

A profile describes; it opens no connection. The rows are in `known_models.py`. Unknown prices are never
guessed.
"""

from collections.abc import Callable, Mapping
from dataclasses import field, fields, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json


@frozen
class Prices:
    """Dollars for a million tokens."""

    input: float
    output: float
    cached_input: float | None = None
    """For cached input; None: no discount."""

    cache_write: float | None = None
    """For input written to the cache; None: the normal input price."""


FREE = Prices(0.0, 0.0)
"""A local model."""

Wire: TypeAlias = Literal["openai", "anthropic", "google", "scripted"]
"""The protocol used to talk to a model."""


class AnswerMode(StrEnum):
    """How strictly the form of an answer can be enforced."""

    SCHEMA = "schema"
    """The provider enforces a JSON Schema."""

    JSON = "json_object"
    """The provider guarantees some JSON object."""

    FREE = "none"
    """The form can only be asked for in words."""


class SchemaForm(StrEnum):
    """How a schema is sent to a server that enforces it."""

    JSON_SCHEMA = "json_schema"
    """As `response_format` of the type `json_schema`, like OpenAI."""

    JSON_OBJECT = "json_object"
    """As `schema` beside the type `json_object`."""


class CacheKind(StrEnum):
    """How a provider caches the beginning of a prompt."""

    NONE = "none"
    AUTOMATIC = "automatic"
    """It detects the common prefix automatically."""

    MARKS = "marks"
    """It caches what comes before a mark in the request."""


@frozen
class CacheRules:
    """When the beginning of a prompt is cached, and for how long."""

    kind: CacheKind = CacheKind.NONE
    minimum_tokens: int = 0
    """A shorter prefix is not cached."""

    step_tokens: int = 1
    """Prefixes are cached in multiples of this."""

    lifetime_seconds: int = 0
    """Minimum time it stays cached after its last use; 0: not guaranteed."""

    marks_max: int = 0
    """Marks allowed in one request."""


@frozen
class Profile:
    """The abilities of one model."""

    name: str
    answer_mode: AnswerMode = AnswerMode.FREE
    takes_tools: bool = True
    schema_keywords: frozenset[str] | None = None
    """The JSON Schema keywords the provider accepts; None accepts all we use."""

    enum_values_max: int = 500
    """Values an enum of a schema may have before it is left out."""

    string_length_max: int = 1_500
    """The largest `maxLength` sent."""

    list_items_max: int | None = None
    """The largest `maxItems` sent, if a list may be that short; None leaves every list unchanged.

    A small model with an enforced schema fills it up: only with limits on texts and lists does it end in
    time.
    """

    context_tokens: int = 16_000
    output_tokens_max: int = 2_000
    wire: Wire = "scripted"
    cache: CacheRules = CacheRules()
    reasoning_tags: tuple[tuple[str, str], ...] = ()
    """Pairs of marks; the text between them is the model's thinking and is never shown."""

    prices: Prices | None = None
    """None if unknown."""

    takes_strict: bool = False
    """Whether a schema may be sent as strict, if it closes every object and requires every member."""

    reads_schema: bool = True
    """Whether a schema takes up room in the prompt. If the server enforces it by a grammar, the model never
    reads it.
    """

    takes_temperature: bool = True
    asks_usage: bool = True
    """Whether the usage of a stream can and must be requested."""

    output_limit_field: str = "max_tokens"
    """The request member that limits the tokens of the answer."""

    call_ids: str = "[A-Za-z0-9_-]{1,40}"
    """A pattern for the call ids that the provider accepts; other ids are replaced."""

    extra: str = "{}"
    """Extra members of every request to this model, as one JSON object."""

    schema_form: SchemaForm = SchemaForm.JSON_SCHEMA
    """How a schema is sent, where the server enforces one."""

    takes_grammar: bool = False
    """Whether the server can enforce a grammar in the notation of llama.cpp."""

    reports_progress: bool = False
    """Whether the server reports, on request, how much of the prompt it has read."""

    read_tokens_per_second: float | None = None
    """How fast it reads a prompt that it has not seen before, as measured; None if it was not measured."""

    write_tokens_per_second: float | None = None
    """How fast it writes, as measured; None if it was not measured."""

    short_prompts: bool = False
    """Whether prompts, instructions and answers are kept short, because the model is slow or small."""

    prompt_tokens_max: int | None = None
    """Tokens a prompt may have, if a slow model should not read as much as fits its context."""


@frozen
class Service:
    """Where models are served: a vendor, or a local program."""

    name: str
    title: str
    wire: Wire
    base_url: str
    default: Profile
    """For models of this service without a row of their own."""

    models: Mapping[str, Profile] = field(default_factory=lambda: MappingProxyType({}))
    """Profiles by the start of the model's name."""

    key_name: str = ""
    """The environment variable that usually holds the key; empty if none is needed."""

    batches: bool = False
    """Whether a local program answers many requests at the same time in little more than the time of one."""

    @property
    def is_local(self) -> bool:
        """Whether it runs on the player's own machine."""
        return not self.key_name


ProfileLookup: TypeAlias = Callable[[str], Profile]
"""Finds the profile of a model by the name its server uses."""


_RECORDED = (
    "answer_mode",
    "takes_tools",
    "schema_keywords",
    "enum_values_max",
    "string_length_max",
    "list_items_max",
    "context_tokens",
    "output_tokens_max",
    "reads_schema",
    "takes_grammar",
    "short_prompts",
    "prompt_tokens_max",
)
"""The fields that prompts, schemas and answers depend on, and that are therefore recorded with a turn.

Prices, wires and caches change nothing in a turn.
"""

_DEFAULTS: Mapping[str, Any] = {part.name: part.default for part in fields(Profile) if part.name in _RECORDED}


def write_profile(profile: Profile) -> dict[str, Json]:
    """The name of a model and all fields that differ from the defaults."""
    raw: dict[str, Json] = {"name": profile.name}
    for name, usual in _DEFAULTS.items():
        value = getattr(profile, name)
        if value != usual:
            raw[name] = sorted(value) if isinstance(value, frozenset) else value
    return raw


def read_profile(raw: Mapping[str, Json], known: Profile | None = None) -> Profile:
    """Read what `write_profile` wrote; all other fields come from `known`."""
    parts: dict[str, Any] = {name: raw.get(name, usual) for name, usual in _DEFAULTS.items()}
    parts["answer_mode"] = AnswerMode(parts["answer_mode"])
    if parts["schema_keywords"] is not None:
        parts["schema_keywords"] = frozenset(parts["schema_keywords"])
    name = str(raw["name"])
    return replace(known or Profile(name), name=name, **parts)
