"""Requests on the OpenAI wire: what is taken, what is refused and in which words."""

from typing import Any

import pytest

from talewright_testkit.fake_provider.parsed_request import RejectionError, RequestBlock
from talewright_testkit.fake_provider.wires.openai_request_checks import read
from talewright_testkit.fake_provider.wires.vendor_dialects import (
    DEEPSEEK,
    LLAMA_CPP,
    OPENAI,
    PLAIN,
    ServerDialect,
)
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.testkit.fake_provider.client import SCHEMA, ask

CALL = {"id": "c1", "type": "function", "function": {"name": "roll", "arguments": "{}"}}
USER = {"role": "user", "content": "Go on."}
CALLED = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "20"}
STRICT = {**SCHEMA, "additionalProperties": False}


def body(*messages: object, **more: Any) -> dict[str, Any]:
    """A request with these messages."""
    return {"model": "m", "messages": list(messages) or [USER], **more}


def answer_form(schema: object, strict: bool = True) -> dict[str, Any]:
    """A response format."""
    return {"type": "json_schema", "json_schema": {"name": "turn", "strict": strict, "schema": schema}}


def refused(request: dict[str, Any], dialect: ServerDialect = OPENAI) -> RejectionError:
    """What is said to this request."""
    with pytest.raises(RejectionError) as caught:
        read(request, dialect)
    assert caught.value.status == 400
    return caught.value


def test_a_whole_conversation_becomes_blocks() -> None:
    tools = [{"type": "function", "function": {"name": "roll"}}]
    asked = read(body({"role": "system", "content": "Tell."}, USER, CALLED, RESULT, tools=tools), OPENAI)
    assert asked.blocks == (
        RequestBlock("tool", '{"type":"function","function":{"name":"roll"}}'),
        RequestBlock("system", "Tell."),
        RequestBlock("user", "Go on."),
        RequestBlock("assistant", "roll{}"),
        RequestBlock("result", "20"),
    )
    assert asked.tools == ("roll",)
    assert (asked.stream, asked.wants_usage, asked.output_tokens_max) == (False, False, None)


def test_settings_are_read() -> None:
    asked = read({**ask(Wire.OPENAI), "max_completion_tokens": 7}, OPENAI)
    assert (asked.model, asked.stream, asked.wants_usage, asked.output_tokens_max) == ("m", True, True, 7)
    assert read(body(max_tokens=9), OPENAI).output_tokens_max == 9
    parts = [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]
    assert read(body({"role": "user", "content": parts}), OPENAI).text == "ab"


def test_the_schema_is_part_of_the_prompt_where_the_vendor_says_so() -> None:
    request = body(response_format=answer_form(STRICT))
    assert [block.kind for block in read(request, OPENAI).blocks] == ["schema", "user"]
    assert [block.kind for block in read(request, LLAMA_CPP).blocks] == ["user"]


@pytest.mark.parametrize(
    ("request_body", "message", "param", "code"),
    [
        ({"messages": [USER]}, "you must provide a model parameter", None, None),
        ({"model": "m"}, "Missing required parameter: 'messages'.", "messages", "missing_required_parameter"),
        ({"model": "m", "messages": []}, "empty array", "messages", "empty_array"),
        (body(colour="red"), "Unknown parameter: 'colour'.", "colour", "unknown_parameter"),
        (
            body({"role": "narrator", "content": "x"}),
            "'narrator'. Supported",
            "messages[0].role",
            "invalid_value",
        ),
        (body({"role": "user", "content": None}), "got null", "messages.[0].content", None),
        (body({"role": "assistant", "content": None}), "got null", "messages.[0].content", None),
        (body(USER, RESULT), "must be a response to a preceeding", "messages.[1].role", None),
        (body(USER, CALLED, RESULT, RESULT), "must be a response to a preceeding", "messages.[3].role", None),
        (
            body(USER, CALLED, {"role": "tool", "content": "x"}),
            "'tool_call_id'",
            "messages.[2].tool_call_id",
            None,
        ),
        (body(USER, CALLED, USER), "did not have response messages: c1", "messages.[2].role", None),
        (body(USER, CALLED), "did not have response messages: c1", "messages.[2].role", None),
        (
            body(USER, {**CALLED, "tool_calls": [{"id": "c1", "function": {"name": "roll"}}]}),
            "tool_calls[0].function",
            "messages[1].tool_calls[0].function",
            "missing_required_parameter",
        ),
        (body(stream_options={}), "only allowed when 'stream' is enabled", "stream_options", None),
        (body(max_tokens=1, max_completion_tokens=1), "at the same time", "max_tokens", None),
        (body(max_tokens=0), "below minimum value", "max_tokens", "integer_below_min_value"),
        (body(temperature=2.1), "between 0 and 2, got 2.1", "temperature", "invalid_value"),
        (body(temperature="hot"), "between 0 and 2, got hot", "temperature", "invalid_value"),
        (
            body(tools=[{"type": "function", "function": {"name": "a b"}}]),
            "does not match pattern",
            "tools[0].function.name",
            "invalid_value",
        ),
        (
            body(tools=[{"type": "function", "function": {"name": "a", "parameters": {}}}]),
            "got 'type: \"None\"'",
            "tools[0].function.parameters",
            "invalid_function_parameters",
        ),
        (
            body(
                tools=[{"type": "function", "function": {"name": "a", "strict": True, "parameters": SCHEMA}}]
            ),
            "'additionalProperties' is required",
            "tools[0].function.parameters",
            "invalid_function_parameters",
        ),
        (body(response_format={"type": "xml"}), "'xml'. Supported", "response_format.type", "invalid_value"),
        (body(response_format={"type": "json_object"}), "must contain the word 'json'", "messages", None),
        (
            body(response_format={"type": "json_schema", "json_schema": {"schema": {}}}),
            "json_schema.name",
            "response_format.json_schema.name",
            "missing_required_parameter",
        ),
        (
            body(response_format=answer_form(SCHEMA)),
            "response_format 'turn': In context=()",
            "response_format",
            None,
        ),
    ],
)
def test_refusals(request_body: dict[str, Any], message: str, param: str | None, code: str | None) -> None:
    error = refused(request_body)
    assert message in error.message
    assert (error.param, error.code) == (param, code)


def test_dialects_refuse_what_they_do_not_know() -> None:
    assert "unavailable now" in refused(body(response_format=answer_form(STRICT)), DEEPSEEK).message
    long = {**SCHEMA, "maxProperties": 3}
    assert (
        "unknown keyword 'maxProperties'" in refused(body(response_format=answer_form(long)), PLAIN).message
    )
    tool = {"type": "function", "function": {"name": "a", "parameters": long}}
    assert "unknown keyword 'maxProperties'" in refused(body(tools=[tool]), PLAIN).message
    assert read(body(colour="red", tools=[tool]), LLAMA_CPP).tools == ("a",)


def test_what_is_not_strict_is_taken() -> None:
    assert read(body(response_format=answer_form(SCHEMA, strict=False)), OPENAI).blocks[0].kind == "schema"
    say_json = {"role": "user", "content": "Answer in JSON."}
    assert read(body(say_json, response_format={"type": "json_object"}), OPENAI).text == "Answer in JSON."
    assert read(body(temperature=2, tools=[]), OPENAI).tools == ()
