"""Requests: everything one call of a model needs: messages, tools, the form of the answer.

Poor values: fields and equality. How a provider spells them on its wire is the provider's business.
The same request gives the same bytes on the wire; nothing of the moment stands in it.
"""

from collections.abc import Mapping
from typing import TypeAlias

from talewright.common.frozen_values import frozen

Schema: TypeAlias = Mapping[str, object]
"""A JSON Schema."""


@frozen
class ToolSpec:
    """A tool as the model is told of it."""

    name: str
    description: str
    parameters: Schema


@frozen
class ToolCall:
    """One call of a tool, as the model wrote it."""

    id: str
    name: str
    arguments: str
    """JSON text, or what the model took for it."""


@frozen
class SystemMessage:
    """The rules a model is given before anything else."""

    text: str


@frozen
class UserMessage:
    """What is asked of the model."""

    text: str


@frozen
class AssistantMessage:
    """What the model answered."""

    text: str
    calls: tuple[ToolCall, ...] = ()


@frozen
class ToolResult:
    """What came of a call the model made."""

    call_id: str
    name: str
    text: str
    refused: bool = False
    """Whether the call was not carried out."""


Message: TypeAlias = SystemMessage | UserMessage | AssistantMessage | ToolResult


@frozen
class Request:
    """One question to a model."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    answer_schema: Schema | None = None
    """The JSON Schema the text of the answer must keep to; None where it is free."""

    temperature: float | None = None
    max_output_tokens: int | None = None
