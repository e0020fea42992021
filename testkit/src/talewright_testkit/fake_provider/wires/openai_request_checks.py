"""Requests on the OpenAI wire: parsed into blocks, and rejected as the vendor would.

For the answers see `openai_reply_format`.
"""

import re
from typing import NoReturn

from talewright_testkit.fake_provider.parsed_request import (
    Json,
    ParsedRequest,
    RejectionError,
    RequestBlock,
    as_count,
    as_list,
    as_map,
    as_text,
    spell,
)
from talewright_testkit.fake_provider.wires.vendor_dialects import (
    ServerDialect,
    find_strange,
    find_strict_flaw,
)

ROLES = ("system", "assistant", "user", "function", "tool", "developer")
FIELDS = frozenset(
    "model messages tools tool_choice parallel_tool_calls response_format stream stream_options temperature "
    "top_p n stop max_tokens max_completion_tokens presence_penalty frequency_penalty logit_bias logprobs "
    "top_logprobs seed user metadata store reasoning_effort verbosity service_tier safety_identifier "
    "prompt_cache_key prompt_cache_retention prompt_cache_options prediction modalities audio "
    "web_search_options moderation functions function_call".split()
)
TEMPERATURE_MAX = 2
_NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")


def read(body: Json, dialect: ServerDialect) -> ParsedRequest:
    """Parse the request; raise RejectionError where the vendor would reject it."""
    if not as_text(body.get("model")):
        _refuse("you must provide a model parameter")
    if dialect.refuses_unknown:
        for name in sorted(set(body) - FIELDS):
            _refuse(f"Unknown parameter: '{name}'.", name, "unknown_parameter")
    if "messages" not in body:
        _refuse("Missing required parameter: 'messages'.", "messages", "missing_required_parameter")
    messages = [as_map(message) for message in as_list(body["messages"])]
    if not messages:
        _refuse(
            "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty "
            "array instead.",
            "messages",
            "empty_array",
        )
    _check_settings(body)
    _check_messages(messages)
    tools = [as_map(tool) for tool in as_list(body.get("tools"))]
    for number, tool in enumerate(tools):
        _check_tool(number, tool, dialect)
    blocks = [RequestBlock("tool", spell(tool)) for tool in tools]
    blocks += _read_format(as_map(body.get("response_format")), messages, dialect)
    blocks += [_read_message(message) for message in messages]
    return ParsedRequest(
        as_text(body["model"]),
        tuple(blocks),
        body,
        tuple(as_text(as_map(tool.get("function")).get("name")) for tool in tools),
        body.get("stream") is True,
        as_map(body.get("stream_options")).get("include_usage") is True,
        as_count(body.get("max_completion_tokens")) or as_count(body.get("max_tokens")),
        wants_progress=body.get("return_progress") is True,
    )


def _refuse(message: str, param: str | None = None, code: str | None = None) -> NoReturn:
    raise RejectionError(400, message, param=param, code=code)


def _check_settings(body: Json) -> None:
    if "stream_options" in body and body["stream_options"] is not None and body.get("stream") is not True:
        _refuse("The 'stream_options' parameter is only allowed when 'stream' is enabled.", "stream_options")
    if body.get("max_tokens") is not None and body.get("max_completion_tokens") is not None:
        _refuse(
            "Setting 'max_tokens' and 'max_completion_tokens' at the same time is not supported.",
            "max_tokens",
        )
    for name in ("max_tokens", "max_completion_tokens"):
        value = body.get(name)
        if value is not None and (as_count(value) or 0) < 1:
            _refuse(
                f"Invalid '{name}': integer below minimum value. Expected a value >= 1, but got {value} "
                "instead.",
                name,
                "integer_below_min_value",
            )
    temperature = body.get("temperature")
    if temperature is not None and not (
        isinstance(temperature, int | float) and 0 <= temperature <= TEMPERATURE_MAX
    ):
        _refuse(
            f"Invalid 'temperature': expected a decimal between 0 and {TEMPERATURE_MAX}, got {temperature}.",
            "temperature",
            "invalid_value",
        )


def _check_messages(messages: list[Json]) -> None:
    waiting: list[str] = []
    for number, message in enumerate(messages):
        role = message.get("role")
        if role not in ROLES:
            _refuse(
                f"Invalid value: '{role}'. Supported values are: 'system', 'assistant', 'user', 'function', "
                "'tool', and 'developer'.",
                f"messages[{number}].role",
                "invalid_value",
            )
        if role == "tool":
            _check_result(number, message, waiting)
            continue
        _check_answered(number, waiting)
        calls = [as_map(call) for call in as_list(message.get("tool_calls"))]
        if message.get("content") is None and not (role == "assistant" and calls):
            _refuse(
                "Invalid value for 'content': expected a string, got null.", f"messages.[{number}].content"
            )
        for at, call in enumerate(calls):
            function = as_map(call.get("function"))
            if not isinstance(function.get("arguments"), str) or not as_text(function.get("name")):
                _refuse(
                    f"Missing required parameter: 'messages[{number}].tool_calls[{at}].function'.",
                    f"messages[{number}].tool_calls[{at}].function",
                    "missing_required_parameter",
                )
        waiting = [as_text(call.get("id")) for call in calls]
    _check_answered(len(messages), waiting)


def _check_result(number: int, message: Json, waiting: list[str]) -> None:
    if "tool_call_id" not in message:
        _refuse(
            "Missing parameter 'tool_call_id': messages with role 'tool' must have a 'tool_call_id'.",
            f"messages.[{number}].tool_call_id",
        )
    if as_text(message["tool_call_id"]) not in waiting:
        _refuse(
            "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with "
            "'tool_calls'.",
            f"messages.[{number}].role",
        )
    waiting.remove(as_text(message["tool_call_id"]))


def _check_answered(number: int, waiting: list[str]) -> None:
    if waiting:
        _refuse(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
            "'tool_call_id'. The following tool_call_ids did not have response messages: "
            + ", ".join(waiting),
            f"messages.[{number}].role",
        )


def _check_tool(number: int, tool: Json, dialect: ServerDialect) -> None:
    function = as_map(tool.get("function"))
    name = as_text(function.get("name"))
    if tool.get("type") != "function" or not _NAME.fullmatch(name):
        _refuse(
            f"Invalid 'tools[{number}].function.name': string does not match pattern. Expected a string that "
            "matches the pattern '^[a-zA-Z0-9_-]+$'.",
            f"tools[{number}].function.name",
            "invalid_value",
        )
    schema = as_map(function.get("parameters"))
    if "parameters" in function and schema.get("type") != "object":
        _refuse(
            f"Invalid schema for function '{name}': schema must be a JSON Schema of 'type: \"object\"', got "
            f"'type: \"{schema.get('type')}\"'.",
            f"tools[{number}].function.parameters",
            "invalid_function_parameters",
        )
    flaw = find_strict_flaw(schema) if function.get("strict") is True and dialect.strict_schema else ""
    strange = find_strange(schema, dialect.schema_keywords)
    if flaw or strange:
        _refuse(
            f"Invalid schema for function '{name}': {flaw or f'unknown keyword {strange!r}'}",
            f"tools[{number}].function.parameters",
            "invalid_function_parameters",
        )


def _read_format(form: Json, messages: list[Json], dialect: ServerDialect) -> list[RequestBlock]:
    kind = form.get("type", "text")
    if kind not in ("text", "json_object", "json_schema"):
        _refuse(
            f"Invalid value: '{kind}'. Supported values are: 'json_object', 'json_schema', and 'text'.",
            "response_format.type",
            "invalid_value",
        )
    if kind == "json_object" and "json" not in spell(messages).lower() and dialect.strict_schema:
        _refuse(
            "'messages' must contain the word 'json' in some form, to use 'response_format' of type "
            "'json_object'.",
            "messages",
        )
    if kind != "json_schema":
        return []
    if not dialect.takes_schema:
        _refuse("This response_format type is unavailable now", code="invalid_request_error")
    wanted = as_map(form.get("json_schema"))
    if not _NAME.fullmatch(as_text(wanted.get("name"))):
        _refuse(
            "Missing required parameter: 'response_format.json_schema.name'.",
            "response_format.json_schema.name",
            "missing_required_parameter",
        )
    schema = wanted.get("schema")
    flaw = find_strict_flaw(schema) if wanted.get("strict") is True and dialect.strict_schema else ""
    strange = find_strange(schema, dialect.schema_keywords)
    if flaw or strange:
        _refuse(
            f"Invalid schema for response_format '{wanted['name']}': "
            f"{flaw or f'unknown keyword {strange!r}'}",
            "response_format",
        )
    return [RequestBlock("schema", spell(wanted))] if dialect.schema_in_prompt else []


def _read_message(message: Json) -> RequestBlock:
    content = message.get("content")
    parts = [as_text(as_map(part).get("text")) for part in as_list(content)]
    text = as_text(content) + "".join(parts)
    called = [as_map(as_map(call).get("function")) for call in as_list(message.get("tool_calls"))]
    told = [as_text(call.get("name")) + as_text(call.get("arguments")) for call in called]
    role = as_text(message["role"])
    return RequestBlock("result" if role == "tool" else role, text + "".join(told))
