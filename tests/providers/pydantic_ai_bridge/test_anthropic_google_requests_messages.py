"""Requests in the vendors' own words: what is said, in which order, and what every vendor takes."""

import asyncio
import json
from dataclasses import replace
from types import MappingProxyType
from typing import Any

import pytest
from pydantic_ai.messages import ModelRequest, ModelResponse, UserPromptPart

from talewright.llm.known_models import find_profile
from talewright.llm.profiles import AnswerMode, Profile
from talewright.llm.requests import (
    AssistantMessage,
    Message,
    Request,
    SystemMessage,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from talewright.providers.pydantic_ai_bridge.anthropic_client import is_open
from talewright.providers.pydantic_ai_bridge.anthropic_google_requests import (
    write_id,
    write_messages,
    write_rules,
    write_schema,
)
from talewright.providers.wire_text import SILENCE
from talewright.testing.provider_suite import PLAIN, FarSideReply
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.providers.openai_wire.raw_server import serve_raw
from tests.providers.pydantic_ai_bridge.far_sides import MODELS, NAMES, bridge_to, spell

TOOL = ToolSpec("pay", "Pay coins.", MappingProxyType({"type": "object", "properties": {}}))
CLOSED = {
    "type": "object",
    "properties": {"a": {"type": "string", "maxLength": 9}, "b": {"type": "array", "items": {"enum": ["x"]}}},
    "required": ["a"],
    "additionalProperties": False,
}


def send(wire: Wire, request: Request, **changes: Any) -> dict[str, Any]:
    """The body that a request becomes."""

    async def ask() -> bytes:
        async with serve_raw(spell(wire, FarSideReply(PLAIN))) as server:
            profile: Profile = replace(find_profile(MODELS[wire], NAMES[wire]), **changes)
            bridge = bridge_to(wire, server.url.removesuffix("/v1"), profile=profile)
            async for _ in bridge.stream(request):
                pass
            await bridge.close()
            return server.bodies[0]

    body: dict[str, Any] = json.loads(asyncio.run(ask()))
    return body


def test_rules_come_first_and_only_the_first_are_frozen() -> None:
    rules = write_rules((SystemMessage("A"), SystemMessage("B"), UserMessage("x"), SystemMessage("C")))
    assert [(rule.content, rule.dynamic) for rule in rules] == [("A", False), ("B", True)]


def test_results_of_one_round_come_together() -> None:
    calls = (ToolCall("1", "pay", "{}"), ToolCall("2", "look", "{}"))
    said: tuple[Message, ...] = (
        UserMessage("x"),
        AssistantMessage("", calls),
        ToolResult("1", "pay", "done"),
        ToolResult("2", "look", "no", refused=True),
        UserMessage("y"),
    )
    first, answer, last = write_messages(said, None)
    assert isinstance(first, ModelRequest)
    assert isinstance(answer, ModelResponse)
    assert [part.part_kind for part in answer.parts] == ["tool-call", "tool-call"]
    assert [part.part_kind for part in last.parts] == ["tool-return", "tool-return", "user-prompt"]
    assert [getattr(part, "outcome", None) for part in last.parts] == ["success", "failed", None]


def test_no_message_is_empty_and_the_first_word_is_ours() -> None:
    begun, answer, asked = write_messages((AssistantMessage(" "), UserMessage("\n")), None)
    assert isinstance(begun.parts[0], UserPromptPart)
    assert [begun.parts[0].content, answer.parts[0].content] == [SILENCE, SILENCE]  # type: ignore[union-attr]  # parts of known kinds
    assert asked.parts[0].content == SILENCE  # type: ignore[union-attr]  # likewise


@pytest.mark.parametrize("arguments", ["{", "[1]", "[" * 100_000, ""])
def test_arguments_that_are_no_object_become_an_empty_one(arguments: str) -> None:
    (answer,) = write_messages((AssistantMessage("", (ToolCall("1", "pay", arguments),)),), None)[1:]
    assert answer.parts[0].args == {}  # type: ignore[union-attr]  # a call


def test_ids_are_such_as_every_vendor_takes() -> None:
    assert write_id("call-1_a") == "call-1_a"
    strange = write_id("functions.pay:0")
    assert strange == write_id("functions.pay:0") != write_id("functions.pay:1")
    assert strange.startswith("call_")
    assert write_id("").startswith("call_")


def test_a_schema_is_copied() -> None:
    nested = {"type": "object"}
    copied = write_schema(MappingProxyType({"properties": MappingProxyType({"a": nested})}))
    assert copied == {"properties": {"a": {"type": "object"}}}
    assert copied["properties"]["a"] is not nested


REQUEST = Request(
    (
        SystemMessage("Rules."),
        SystemMessage("Memory."),
        UserMessage("I look."),
        AssistantMessage("Fog."),
        UserMessage("I pay."),
    ),
    (TOOL,),
)


def test_anthropic_body() -> None:
    body = send(Wire.ANTHROPIC, replace(REQUEST, temperature=1.4, max_output_tokens=77))
    mark = {"type": "ephemeral", "ttl": "5m"}
    assert body["system"] == [
        {"type": "text", "text": "Rules.", "cache_control": mark},
        {"type": "text", "text": "Memory."},
    ]
    assert body["messages"] == [
        {"role": "user", "content": [{"type": "text", "text": "I look."}]},
        {"role": "assistant", "content": [{"type": "text", "text": "Fog.", "cache_control": mark}]},
        {"role": "user", "content": [{"type": "text", "text": "I pay.", "cache_control": mark}]},
    ]
    assert (body["temperature"], body["max_tokens"], body["stream"]) == (1.0, 77, True)
    assert [tool["name"] for tool in body["tools"]] == ["pay"]
    assert "thinking" not in body
    assert "output_config" not in body


def test_google_body() -> None:
    body = send(Wire.GEMINI, replace(REQUEST, temperature=2.5, max_output_tokens=77))
    assert [part["text"] for part in body["systemInstruction"]["parts"]] == ["Rules.", "Memory."]
    assert [content["role"] for content in body["contents"]] == ["user", "model", "user"]
    config = body["generationConfig"]
    assert (config["temperature"], config["maxOutputTokens"]) == (2.0, 77)
    assert "responseMimeType" not in config


@pytest.mark.parametrize("wire", list(MODELS))
def test_what_the_profile_does_not_take_is_not_sent(wire: Wire) -> None:
    asked = replace(REQUEST, temperature=0.5, answer_schema=CLOSED)
    body = send(wire, asked, takes_tools=False, takes_temperature=False, answer_mode=AnswerMode.FREE)
    assert "tools" not in body
    assert "temperature" not in body | body.get("generationConfig", {})
    assert "maxLength" not in json.dumps(body)


def test_a_schema_is_sent_where_the_profile_says_so() -> None:
    asked = Request((UserMessage("x"),), answer_schema=CLOSED)
    told = send(Wire.ANTHROPIC, asked, answer_mode=AnswerMode.SCHEMA)
    assert told["output_config"]["format"]["schema"]["required"] == ["a"]
    config = send(Wire.GEMINI, asked, answer_mode=AnswerMode.SCHEMA)["generationConfig"]
    assert config["responseMimeType"] == "application/json"
    assert config["responseJsonSchema"]["required"] == ["a"]


def test_json_is_asked_for_without_a_word_more() -> None:
    asked = Request((UserMessage("x"),), answer_schema=CLOSED)
    body = send(Wire.GEMINI, asked, answer_mode=AnswerMode.JSON)
    assert body["generationConfig"]["responseMimeType"] == "application/json"
    assert "responseJsonSchema" not in body["generationConfig"]
    assert "systemInstruction" not in body


def test_a_form_that_a_model_does_not_take_beside_tools_is_left_out() -> None:
    body = send(Wire.GEMINI, replace(REQUEST, answer_schema=CLOSED), answer_mode=AnswerMode.SCHEMA)
    assert "responseMimeType" not in body["generationConfig"]


@pytest.mark.parametrize(
    ("schema", "opened"),
    [
        (CLOSED, False),
        ({"type": "object", "properties": {}}, True),
        ({}, True),
        ("x", True),
        ({"anyOf": [{"type": "string"}, {}]}, True),
        ({"type": "array", "items": {"type": "object"}}, True),
        ({"type": "string", "$defs": {"a": {"const": 1}}}, False),
    ],
)
def test_open_schemas_are_known(schema: object, opened: bool) -> None:
    assert is_open(schema) is opened
    if opened and isinstance(schema, dict):
        asked = Request((UserMessage("x"),), answer_schema=schema)
        assert "output_config" not in send(Wire.ANTHROPIC, asked, answer_mode=AnswerMode.SCHEMA)


@pytest.mark.parametrize("wire", [Wire.ANTHROPIC, Wire.GEMINI])
def test_the_same_request_gives_the_same_bytes(wire: Wire) -> None:
    assert send(wire, REQUEST) == send(wire, REQUEST)
