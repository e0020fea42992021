"""Profiles: what a model can do and what it costs, as data and as JSON. A new model is a row, never an `if`.

A profile describes; it opens no connection. The rows stand in `known_models.py`.
Where a price is not known nothing is guessed.
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
    """For input that the provider had kept; None: no discount."""

    cache_write: float | None = None
    """For input that the provider keeps for later; None: the price of any other input."""


FREE = Prices(0.0, 0.0)
"""A model on one's own machine."""

Wire: TypeAlias = Literal["openai", "anthropic", "google", "scripted"]
"""The protocol a model is spoken to in."""


class AnswerMode(StrEnum):
    """How firmly the form of an answer can be asked for."""

    SCHEMA = "schema"
    """The provider holds the answer to a JSON Schema."""

    JSON = "json_object"
    """The provider promises some JSON object."""

    FREE = "none"
    """The form can only be asked for in words."""


class CacheKind(StrEnum):
    """How a provider comes to keep the beginning of a prompt."""

    NONE = "none"
    AUTOMATIC = "automatic"
    """It finds the common beginning by itself."""

    MARKS = "marks"
    """It keeps what stands before a mark in the request."""


@frozen
class CacheRules:
    """When the beginning of a prompt is kept, and for how long."""

    kind: CacheKind = CacheKind.NONE
    minimum_tokens: int = 0
    """A shorter beginning is not kept."""

    step_tokens: int = 1
    """Beginnings are kept in multiples of this."""

    lifetime_seconds: int = 0
    """How long one is kept after its last use, at least; 0: not promised."""

    marks_max: int = 0
    """Marks that one request may bear."""


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
    """The largest `maxLength` that is asked for."""

    list_items_max: int | None = None
    """The largest `maxItems` that is asked for, where a list may be as short; None keeps every list as it is.

    A small model that is held to a schema fills it: only what is bounded in texts and lists ends in time.
    """

    context_tokens: int = 16_000
    output_tokens_max: int = 2_000
    wire: Wire = "scripted"
    cache: CacheRules = CacheRules()
    reasoning_tags: tuple[tuple[str, str], ...] = ()
    """Pairs of marks; the text between them is the model's thinking and is never shown."""

    prices: Prices | None = None
    """None where they are not known."""

    takes_strict: bool = False
    """Whether a schema may be sent as strict, if it closes every object and requires every member."""

    reads_schema: bool = True
    """Whether a schema takes room in the prompt. Where the server holds answers to it by a grammar, the model
    never reads it."""

    takes_temperature: bool = True
    asks_usage: bool = True
    """Whether the usage of a stream has to be asked for, and may be."""

    output_limit_field: str = "max_tokens"
    """How the request calls the limit of the answer's tokens."""

    call_ids: str = "[A-Za-z0-9_-]{1,40}"
    """The form of a call's id that the provider takes, as a pattern; another id is replaced."""

    extra: str = "{}"
    """Members that every request to this model carries besides, as one JSON object."""


@frozen
class Service:
    """Where models are served: a vendor, or a program on one's own machine."""

    name: str
    title: str
    wire: Wire
    base_url: str
    default: Profile
    """For the models of this service that have no row of their own."""

    models: Mapping[str, Profile] = field(default_factory=lambda: MappingProxyType({}))
    """Profiles by the beginning of the model's name."""

    key_name: str = ""
    """The environment variable that usually holds the key; empty where none is needed."""

    @property
    def is_local(self) -> bool:
        """Whether it runs on the player's own machine."""
        return not self.key_name


ProfileLookup: TypeAlias = Callable[[str], Profile]
"""The profile of a model, by the name its server has for it."""


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
)
"""What prompts, schemas and answers depend on, and so stands in the record of a turn. Prices, wires and
caches change nothing in a turn."""

_DEFAULTS: Mapping[str, Any] = {part.name: part.default for part in fields(Profile) if part.name in _RECORDED}


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
