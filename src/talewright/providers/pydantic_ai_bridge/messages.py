"""Messages: a request in pydantic-ai's own values.

The same request gives the same values on the wire. Nothing is sent here, and no key is part of it.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, assert_never

from pydantic_ai.messages import (
    CachePoint,
    InstructionPart,
    ModelMessage,
    ModelRequest,
    ModelRequestPart,
    ModelResponse,
    ModelResponsePart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.tools import ToolDefinition

from talewright.llm.messages import Assistant, Message, System, ToolResult, User
from talewright.llm.tools import Schema, ToolCall, ToolSpec
from talewright.providers.openai_wire.names import write_name
from talewright.providers.openai_wire.wire import SILENCE

_STRANGE = re.compile(r"[^A-Za-z0-9_-]")


def write_rules(messages: Sequence[Message]) -> list[InstructionPart]:
    """The rules that a request begins with. The first ones are the frozen ones."""
    rules: list[InstructionPart] = []
    for message in messages:
        if not isinstance(message, System):
            break
        rules.append(InstructionPart(message.text, dynamic=bool(rules)))
    return rules


def write_messages(messages: Sequence[Message], mark_before: int | None) -> list[ModelMessage]:
    """What was said after the rules. A mark can only stand before a question that is not the first."""
    told: list[ModelMessage] = []
    parts: list[ModelRequestPart] = []
    first = len(write_rules(messages))
    if first < len(messages) and isinstance(messages[first], Assistant):
        # Every vendor wants the first word to be ours.
        parts.append(UserPromptPart(SILENCE))
    for place, message in enumerate(messages[first:], first):
        match message:
            case Assistant(text, calls):
                told += _close(parts)
                told.append(ModelResponse(_write_answer(text, calls)))
            case ToolResult(call_id, name, text, refused):
                result = ToolReturnPart(write_name(name), text, write_id(call_id))
                result.outcome = "failed" if refused else "success"
                parts.append(result)
            case User(text) | System(text):
                words = text if text.strip() else SILENCE
                parts.append(UserPromptPart([CachePoint(), words] if place == mark_before else words))
            case _:
                assert_never(message)
    return told + _close(parts)


def write_tool(tool: ToolSpec) -> ToolDefinition:
    """A tool; the vendor's own side brings its schema to what the vendor takes."""
    return ToolDefinition(
        name=tool.name, parameters_json_schema=write_schema(tool.parameters), description=tool.description
    )


def write_schema(schema: Schema) -> dict[str, Any]:
    """A schema as plain dictionaries and lists, which are nobody else's."""
    plain: dict[str, Any] = json.loads(json.dumps(schema, default=dict))
    return plain


def write_id(call_id: str) -> str:
    """The id of a call as every vendor takes it; equal ones stay equal."""
    if call_id and not _STRANGE.search(call_id):
        return call_id
    return "call_" + hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()[:24]


def _close(parts: list[ModelRequestPart]) -> list[ModelMessage]:
    """What we said in one go: all results of calls must come together."""
    whole = list(parts)
    parts.clear()
    return [ModelRequest(whole)] if whole else []


def _write_answer(text: str, calls: Sequence[ToolCall]) -> list[ModelResponsePart]:
    parts: list[ModelResponsePart] = []
    if text.strip() or not calls:
        parts.append(TextPart(text if text.strip() else SILENCE))
    for call in calls:
        parts.append(ToolCallPart(write_name(call.name), _read_arguments(call.arguments), write_id(call.id)))
    return parts


def _read_arguments(arguments: str) -> dict[str, Any]:
    # No vendor takes arguments that are no object; the result that follows tells what was wrong with them.
    try:
        raw = json.loads(arguments)
    except (ValueError, RecursionError):
        return {}
    return dict(raw) if isinstance(raw, Mapping) else {}
