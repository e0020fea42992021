"""Dialects: how servers behind the OpenAI wire differ from each other, as data.

A dialect holds no code; `openai_wire` and `openai_requests` read it.
"""

from dataclasses import dataclass
from enum import StrEnum

from talewright.testing.fake_provider.caching import (
    DEEPSEEK_CACHE,
    LLAMA_CPP_CACHE,
    NO_CACHE,
    OPENAI_CACHE,
    Rules,
)
from talewright.testing.fake_provider.schemas import PLAIN_KEYWORDS


class Telltale(StrEnum):
    """When a stream says what it cost."""

    ASKED = "asked"
    ALWAYS = "always"
    NEVER = "never"


@dataclass(frozen=True, slots=True)
class Dialect:
    """One kind of server."""

    name: str
    cache: Rules = OPENAI_CACHE
    comments: tuple[str, ...] = ()
    """Comment lines before the first event."""

    reasoning_field: str = ""
    """Where thinking is told; empty: it is kept."""

    usage: Telltale = Telltale.ASKED
    timings: bool = False
    """Whether the last event carries llama.cpp's `timings`."""

    hit_and_miss: bool = False
    """Whether usage names cached tokens as DeepSeek does, too."""

    cost: bool = False
    """Whether usage names a price, as OpenRouter does."""

    numbered_errors: bool = False
    """Whether `code` of an error is the HTTP status, as OpenRouter and llama.cpp have it."""

    whole_calls: bool = False
    """Whether a tool call comes in one event, however finely the text is cut."""

    needs_key: bool = True
    refuses_unknown: bool = False
    """Whether a field it does not know is an error."""

    takes_schema: bool = True
    """Whether `response_format` of type `json_schema` is known."""

    schema_keywords: frozenset[str] | None = None
    """Keywords taken in a schema; None: all."""

    strict_schema: bool = False
    """Whether strict schemas are held to OpenAI's rules."""

    schema_in_prompt: bool = False
    """Whether the schema of the answer is part of the prompt and of the cached prefix."""


OPENAI = Dialect("openai", refuses_unknown=True, strict_schema=True, schema_in_prompt=True)
OPENROUTER = Dialect(
    "openrouter",
    comments=("OPENROUTER PROCESSING", "OPENROUTER PROCESSING"),
    reasoning_field="reasoning",
    usage=Telltale.ALWAYS,
    cost=True,
    numbered_errors=True,
)
DEEPSEEK = Dialect(
    "deepseek",
    cache=DEEPSEEK_CACHE,
    comments=("keep-alive",),
    reasoning_field="reasoning_content",
    hit_and_miss=True,
    takes_schema=False,
)
LLAMA_CPP = Dialect(
    "llama.cpp",
    cache=LLAMA_CPP_CACHE,
    reasoning_field="reasoning_content",
    timings=True,
    numbered_errors=True,
    needs_key=False,
)
OLLAMA = Dialect(
    "ollama",
    cache=NO_CACHE,
    reasoning_field="reasoning",
    usage=Telltale.NEVER,
    whole_calls=True,
    needs_key=False,
)
PLAIN = Dialect("plain", cache=NO_CACHE, schema_keywords=PLAIN_KEYWORDS, refuses_unknown=True)
"""A compatible server that refuses whatever it does not know: fields and schema keywords."""

DIALECTS = (OPENAI, OPENROUTER, DEEPSEEK, LLAMA_CPP, OLLAMA, PLAIN)
