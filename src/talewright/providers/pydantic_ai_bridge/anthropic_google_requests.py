"""Requests to Anthropic and Google: messages, tools and cache marks as pydantic-ai values.

The same request gives the same values on the wire. Nothing is sent here, and the key is not included. It only
chooses where cache marks go; each vendor's client writes them.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, Protocol, TypeAlias, assert_never

import httpx2
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
from pydantic_ai.models import Model, ModelRequestParameters
from pydantic_ai.settings import ModelSettings
from pydantic_ai.tools import ToolDefinition

from talewright.common.frozen_values import frozen
from talewright.llm.profiles import CacheKind, CacheRules, Profile
from talewright.llm.requests import (
    AssistantMessage,
    Message,
    Request,
    Schema,
    SystemMessage,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from talewright.providers.wire_text import SILENCE, write_name


@frozen
class CacheMarks:
    """The cache marks of one request."""

    before: int | None = None
    """The message before which a mark goes; None for no mark."""

    rules: bool = False
    """Whether a mark goes after the first rules: they outlive the memory and transcript that follow them."""

    end: bool = False
    """Whether a mark goes after the last message."""


def place_marks(request: Request, rules: CacheRules) -> CacheMarks:
    """Marks where the next request will still be the same, the most useful ones first.

    The last user message is new in every turn; what precedes it is the start of the next turn's request. With
    tools, another round is likely, and it starts with this whole request.
    """
    if rules.kind is not CacheKind.MARKS:
        return CacheMarks()
    asked = [place for place, message in enumerate(request.messages) if isinstance(message, UserMessage)]
    said = [place for place, message in enumerate(request.messages) if not isinstance(message, SystemMessage)]
    before = asked[-1] if asked and asked[-1] > said[0] else None
    ruled = isinstance(request.messages[0], SystemMessage)
    left = rules.marks_max - (before is not None)
    at_rules = ruled and left > 0
    at_end = bool(request.tools) and left - at_rules > 0
    return CacheMarks(before if rules.marks_max > 0 else None, at_rules, at_end)


_STRANGE = re.compile(r"[^A-Za-z0-9_-]")


def write_rules(messages: Sequence[Message]) -> list[InstructionPart]:
    """The rules that a request starts with. The first ones are the frozen part."""
    rules: list[InstructionPart] = []
    for message in messages:
        if not isinstance(message, SystemMessage):
            break
        rules.append(InstructionPart(message.text, dynamic=bool(rules)))
    return rules


def write_messages(messages: Sequence[Message], mark_before: int | None) -> list[ModelMessage]:
    """The messages after the rules. A mark can only go before a user message that is not the first."""
    told: list[ModelMessage] = []
    parts: list[ModelRequestPart] = []
    first = len(write_rules(messages))
    if first < len(messages) and isinstance(messages[first], AssistantMessage):
        # Every vendor requires the first message to be ours.
        parts.append(UserPromptPart(SILENCE))
    for place, message in enumerate(messages[first:], first):
        match message:
            case AssistantMessage(text, calls):
                told += _close(parts)
                told.append(ModelResponse(_write_answer(text, calls)))
            case ToolResult(call_id, name, text, refused):
                result = ToolReturnPart(write_name(name), text, write_id(call_id))
                result.outcome = "failed" if refused else "success"
                parts.append(result)
            case UserMessage(text) | SystemMessage(text):
                words = text if text.strip() else SILENCE
                parts.append(UserPromptPart([CachePoint(), words] if place == mark_before else words))
            case _:
                assert_never(message)
    return told + _close(parts)


def write_tool(tool: ToolSpec) -> ToolDefinition:
    """A tool; the vendor's client adapts its schema."""
    return ToolDefinition(
        name=tool.name, parameters_json_schema=write_schema(tool.parameters), description=tool.description
    )


def write_schema(schema: Schema) -> dict[str, Any]:
    """A copy of a schema as plain dictionaries and lists."""
    plain: dict[str, Any] = json.loads(json.dumps(schema, default=dict))
    return plain


def write_id(call_id: str) -> str:
    """A call id that every vendor accepts; equal ids stay equal."""
    if call_id and not _STRANGE.search(call_id):
        return call_id
    return "call_" + hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()[:24]


def _close(parts: list[ModelRequestPart]) -> list[ModelMessage]:
    """Our messages in one block: all results of calls must come together."""
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
    # No vendor accepts arguments that are not an object; the result that follows says what was wrong with
    # them.
    try:
        raw = json.loads(arguments)
    except (ValueError, RecursionError):
        return {}
    return dict(raw) if isinstance(raw, Mapping) else {}


NO_KEY = "none"
"""Sent if there is no key: with an empty one a library looks for another in the environment."""

AnyModel: TypeAlias = Model[Any]


@frozen
class VendorAccess:
    """What is needed to reach a vendor. Its key is never displayed."""

    model: str
    key: str
    base_url: str
    client: httpx2.AsyncClient

    def __repr__(self) -> str:
        return f"Door({self.model!r})"


class VendorSide(Protocol):
    """One vendor."""

    @property
    def failures(self) -> tuple[type[Exception], ...]:
        """Exceptions of its library besides those of pydantic-ai."""

    def open(self, door: VendorAccess) -> AnyModel:
        """Create a model of this vendor; nothing is sent yet."""

    def write_settings(
        self, request: Request, profile: Profile, model: AnyModel, marks: CacheMarks
    ) -> ModelSettings:
        """The settings of one request."""

    def write_form(
        self, parameters: ModelRequestParameters, request: Request, profile: Profile, model: AnyModel
    ) -> ModelRequestParameters:
        """The parameters with the answer format, as strict as possible."""
