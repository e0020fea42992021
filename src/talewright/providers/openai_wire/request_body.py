"""The request body: a request as JSON for the chat completions API.

The same request and profile give the same bytes. The messages come last, so that requests with a common start
have bodies with a common start. The key is never part of it.
"""

import json
from collections.abc import Mapping, Sequence
from typing import TypeAlias, assert_never

from talewright.llm.profiles import AnswerMode, Profile, SchemaForm
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
from talewright.providers.wire_text import SILENCE, write_id, write_name

Body: TypeAlias = dict[str, object]

ANSWER_NAME = "answer"
"""The name of the answer schema; the API requires one."""

_MAPS = frozenset({"properties", "patternProperties", "$defs"})
"""Keywords whose value maps names to schemas; those names are not keywords."""


def write_request(model: str, request: Request, profile: Profile) -> bytes:
    """The body of a request."""
    body: Body = {"model": model, "stream": True}
    if profile.asks_usage:
        body["stream_options"] = {"include_usage": True}
    if profile.reports_progress:
        body["return_progress"] = True
    if request.temperature is not None and profile.takes_temperature:
        body["temperature"] = request.temperature
    if request.max_output_tokens is not None:
        body[profile.output_limit_field] = request.max_output_tokens
    body |= json.loads(profile.extra)
    calls = bool(request.tools) and profile.takes_tools
    form = write_answer_form(request.answer_schema, profile)
    # The server accepts no grammar together with tools, for which it makes its own.
    if request.answer_grammar and profile.takes_grammar and not calls:
        body["grammar"] = request.answer_grammar
    elif form is not None:
        body["response_format"] = form
    if calls:
        body["tools"] = [_write_tool(tool, profile) for tool in request.tools]
    body["messages"] = write_messages(request.messages, profile)
    # Lone surrogates cannot be sent; no text of a game contains any, and a question mark is harmless.
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=dict).encode(
        "utf-8", "replace"
    )


def write_answer_form(schema: Schema | None, profile: Profile) -> Body | None:
    """The response format: as strict as the profile allows."""
    if schema is None:
        return None
    match profile.answer_mode:
        case AnswerMode.SCHEMA:
            fitting = _fit(schema, profile)
            if profile.schema_form is SchemaForm.JSON_OBJECT:
                return {"type": "json_object", "schema": fitting}
            form: Body = {"name": ANSWER_NAME, "schema": fitting}
            if profile.takes_strict and is_closed(fitting):
                form["strict"] = True
            return {"type": "json_schema", "json_schema": form}
        case AnswerMode.JSON:
            return {"type": "json_object"}
        case AnswerMode.FREE:
            return None
        case _:
            assert_never(profile.answer_mode)


def is_closed(schema: object) -> bool:
    """Whether every object of a schema lists and requires all its members, as strict mode demands."""
    if isinstance(schema, Mapping):
        if schema.get("type") == "object":
            members = schema.get("properties", {})
            closed = schema.get("additionalProperties") is False
            if not closed or sorted(members) != sorted(schema.get("required", ())):
                return False
        return all(map(is_closed, schema.values()))
    if isinstance(schema, Sequence) and not isinstance(schema, str):
        return all(map(is_closed, schema))
    return True


def _fit(schema: Schema, profile: Profile) -> Body:
    """A schema without keywords this model does not support: it may have been written for another one."""
    keywords = profile.schema_keywords
    fitting: Body = {}
    for keyword, value in schema.items():
        if keywords is not None and keyword not in keywords:
            continue
        if keyword in _MAPS and isinstance(value, Mapping):
            fitting[keyword] = {name: _fit_part(part, profile) for name, part in value.items()}
        elif isinstance(value, list):
            fitting[keyword] = [_fit_part(part, profile) for part in value]
        else:
            fitting[keyword] = _fit_part(value, profile)
    return fitting


def _fit_part(part: object, profile: Profile) -> object:
    return _fit(part, profile) if isinstance(part, Mapping) else part


def _write_tool(tool: ToolSpec, profile: Profile) -> Body:
    parameters = _fit(tool.parameters, profile)
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": parameters},
    }


def write_messages(messages: Sequence[Message], profile: Profile) -> list[Body]:
    """All messages; an assistant message `...` is inserted between a tool's result and the next user message.

    Mistral's servers, and the templates of its models elsewhere, refuse a user message right after a result,
    and the name of a model does not tell which template its server uses. Earlier messages never change.
    """
    written: list[Body] = []
    answered = False
    for message in messages:
        if answered and isinstance(message, UserMessage):
            written.append({"role": "assistant", "content": SILENCE})
        written.append(_write_message(message, profile))
        answered = isinstance(message, ToolResult)
    return written


def _write_message(message: Message, profile: Profile) -> Body:
    match message:
        case SystemMessage(text):
            return {"role": "system", "content": text}
        case UserMessage(text):
            return {"role": "user", "content": text}
        case AssistantMessage(text, ()):
            return {"role": "assistant", "content": text if text.strip() else SILENCE}
        case AssistantMessage(text, calls):
            made = [_write_call(call, profile) for call in calls]
            return {"role": "assistant", "content": text or None, "tool_calls": made}
        case ToolResult(call_id, _, text):
            return {"role": "tool", "tool_call_id": write_id(call_id, profile.call_ids), "content": text}
        case _:
            assert_never(message)


def _write_call(call: ToolCall, profile: Profile) -> Body:
    function = {
        "name": write_name(call.name),
        "arguments": call.arguments if _is_object(call.arguments) else "{}",
    }
    return {"id": write_id(call.id, profile.call_ids), "type": "function", "function": function}


def _is_object(text: str) -> bool:
    # Some servers parse the arguments of past calls and fail on invalid JSON; the result that follows tells
    # the model what was wrong with them.
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False
