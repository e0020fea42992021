"""Requests: everything one call of a model needs: messages, tools, the form of the answer.

Plain values: fields and equality. Each provider encodes them for its own wire. The same request gives the
same bytes on the wire; it contains nothing time-dependent.
"""

from collections.abc import Mapping
from typing import TypeAlias

from talewright.common.frozen_values import frozen

Schema: TypeAlias = Mapping[str, object]
"""A JSON Schema."""


@frozen
class ToolSpec:
    """A tool as described to the model."""

    name: str
    description: str
    parameters: Schema


@frozen
class ToolCall:
    """One tool call, as the model wrote it."""

    id: str
    name: str
    arguments: str
    """JSON text, or what the model passed off as JSON."""


@frozen
class SystemMessage:
    """The instructions given to a model before anything else."""

    text: str


@frozen
class UserMessage:
    """Input for the model."""

    text: str


@frozen
class AssistantMessage:
    """A reply of the model."""

    text: str
    calls: tuple[ToolCall, ...] = ()


@frozen
class ToolResult:
    """The result of a tool call."""

    call_id: str
    name: str
    text: str
    refused: bool = False
    """Whether the call was refused."""


Message: TypeAlias = SystemMessage | UserMessage | AssistantMessage | ToolResult


@frozen
class Request:
    """One request to a model."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    answer_schema: Schema | None = None
    """The JSON Schema for the text of the answer; None for free text."""

    temperature: float | None = None
    max_output_tokens: int | None = None

    answer_grammar: str = ""
    """A grammar for the text of the answer, in the notation of llama.cpp. A server that enforces grammars
    uses it instead of the schema; empty if there is none.
    """
