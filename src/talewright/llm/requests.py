"""Requests: everything one call of a model needs.

The same request gives the same bytes on the wire; nothing of the moment stands in it.
"""

from dataclasses import dataclass

from talewright.llm.messages import Message
from talewright.llm.tools import Schema, ToolSpec


@dataclass(frozen=True, slots=True)
class Request:
    """One question to a model."""

    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    answer_schema: Schema | None = None
    """The JSON Schema the text of the answer must keep to; None where it is free."""

    temperature: float | None = None
    max_output_tokens: int | None = None
