"""Replies: the chunks in which a reply arrives, the whole reply, and its token usage.

A chunk may end anywhere: within a word, an escape, a fence. Do not rely on chunk boundaries. Prices are not
known here.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import TypeAlias, assert_never

from talewright.common.frozen_values import frozen
from talewright.llm.requests import ToolCall


@frozen
class Usage:
    """Tokens of one or several calls."""

    input_tokens: int = 0
    output_tokens: int = 0
    cached_tokens: int = 0
    """Input tokens read from the provider's cache, which cost less."""

    estimated: bool = False
    """Whether any of it is an estimate because the provider did not report it."""

    def __add__(self, other: "Usage") -> "Usage":
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cached_tokens + other.cached_tokens,
            self.estimated or other.estimated,
        )


class StopReason(StrEnum):
    """Why a model stopped."""

    END = "end"
    LENGTH = "length"
    CALLS = "calls"
    REFUSAL = "refusal"
    REPETITION = "repetition"
    """It went round in circles and the caller stopped it; no provider reports this."""


@frozen
class Text:
    """More of the text."""

    text: str


@frozen
class CallPart:
    """More of a tool call."""

    index: int
    """The index of the call in the reply, from zero."""

    id: str = ""
    """The id that its result refers to; empty in all parts but the first."""

    name: str = ""
    arguments: str = ""


@frozen
class Used:
    """The usage of the reply so far; the last one counts."""

    usage: Usage


@frozen
class Stop:
    """The end of the reply. A stream that ends without one was cut off."""

    reason: StopReason


@frozen
class Again:
    """The reply restarts: discard what came so far. Its cost remains."""

    reason: str


@frozen
class PromptProgress:
    """How much of the prompt the server has read. It is not part of the reply."""

    read: int
    """Tokens read so far, including those still cached from an earlier prompt."""

    total: int
    cached: int = 0
    """Tokens still cached."""


Piece: TypeAlias = Text | CallPart | Used | Stop
"""A part of a reply."""

Chunk: TypeAlias = Piece | Again | PromptProgress
"""An element of a stream: part of a reply, a restart, or a sign of progress before the reply begins."""


@frozen
class Reply:
    """A whole reply."""

    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    usage: Usage | None = None
    stop: StopReason | None = None
    """None if the stream broke off."""


def gather(chunks: Iterable[Chunk]) -> Reply:
    """The reply that these chunks make up; after restarts, the last one, with the usage of all."""
    texts: list[str] = []
    calls: dict[int, list[CallPart]] = {}
    spent: Usage | None = None
    usage: Usage | None = None
    stop: StopReason | None = None
    for chunk in chunks:
        match chunk:
            case Text(text):
                texts.append(text)
            case CallPart():
                calls.setdefault(chunk.index, []).append(chunk)
            case Used(usage=found):
                usage = found
            case Stop(reason):
                stop = reason
            case Again():
                spent, usage = add_usage(spent, usage), None
                texts, calls, stop = [], {}, None
            case PromptProgress():
                pass
            case _:
                assert_never(chunk)
    whole = tuple(_join(i, calls[i]) for i in sorted(calls))
    return Reply("".join(texts), whole, add_usage(spent, usage), stop)


def add_usage(one: Usage | None, other: Usage | None) -> Usage | None:
    """The sum of two usages, either of which may be unknown."""
    if one is None or other is None:
        return other if one is None else one
    return one + other


def _join(index: int, parts: list[CallPart]) -> ToolCall:
    # Some servers neither give an id nor repeat the name: use the position instead.
    named = next((part.id for part in parts if part.id), f"call-{index + 1}")
    name = "".join(part.name for part in parts)
    return ToolCall(named, name, "".join(part.arguments for part in parts))
