"""The wire: whole requests, byte for byte."""

import json
import re
from dataclasses import replace
from types import MappingProxyType

import pytest

from talewright.llm.known_models import find_profile
from talewright.llm.profiles import AnswerMode, Profile, SchemaForm
from talewright.llm.requests import (
    AssistantMessage,
    Request,
    SystemMessage,
    ToolCall,
    ToolResult,
    ToolSpec,
    UserMessage,
)
from talewright.providers.openai_wire.request_body import (
    is_closed,
    write_answer_form,
    write_messages,
    write_request,
)
from talewright.providers.wire_text import SILENCE

SCHEMA = MappingProxyType(
    {
        "type": "object",
        "properties": {
            "maxLength": {"type": "string", "maxLength": 40, "enum": ["a", "b"]},
            "list": {
                "type": "array",
                "items": {"anyOf": [{"type": "null"}, {"type": "string", "maxLength": 9}]},
            },
        },
        "required": ["maxLength", "list"],
        "additionalProperties": False,
    }
)
NARROW = {
    "type": "object",
    "properties": {
        "maxLength": {"type": "string", "enum": ["a", "b"]},
        "list": {"type": "array", "items": {"anyOf": [{"type": "null"}, {"type": "string"}]}},
    },
    "required": ["maxLength", "list"],
    "additionalProperties": False,
}
REQUEST = Request(
    (
        SystemMessage("You tell."),
        UserMessage("I pay."),
        AssistantMessage(
            "", (ToolCall("paying001", "pay", '{"coins": 1}'), ToolCall("paying002", "pay", "{broken"))
        ),
        ToolResult("paying001", "pay", "done"),
        ToolResult("paying002", "pay", "no", refused=True),
        AssistantMessage("Hm."),
        AssistantMessage("So", (ToolCall("looking03", "look", "[]"),)),
        UserMessage("你好 \ud800"),
    ),
    (ToolSpec("pay", "Pay coins.", {"type": "object", "properties": {"coins": {"type": "integer"}}}),),
    SCHEMA,
    0.5,
    100,
)
MESSAGES = [
    {"role": "system", "content": "You tell."},
    {"role": "user", "content": "I pay."},
    {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {"id": "paying001", "type": "function", "function": {"name": "pay", "arguments": '{"coins": 1}'}},
            {"id": "paying002", "type": "function", "function": {"name": "pay", "arguments": "{}"}},
        ],
    },
    {"role": "tool", "tool_call_id": "paying001", "content": "done"},
    {"role": "tool", "tool_call_id": "paying002", "content": "no"},
    {"role": "assistant", "content": "Hm."},
    {
        "role": "assistant",
        "content": "So",
        "tool_calls": [
            {"id": "looking03", "type": "function", "function": {"name": "look", "arguments": "{}"}}
        ],
    },
    {"role": "user", "content": "你好 ?"},
]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": "pay",
            "description": "Pay coins.",
            "parameters": {"type": "object", "properties": {"coins": {"type": "integer"}}},
        },
    }
]
USAGE: dict[str, object] = {"stream_options": {"include_usage": True}}
FORM = {"type": "json_schema", "json_schema": {"name": "answer", "schema": dict(SCHEMA)}}
STRICT = {"type": "json_schema", "json_schema": {"name": "answer", "schema": NARROW, "strict": True}}
LOOSE: dict[str, object] = {"temperature": 0.5, "max_tokens": 100}

SNAPSHOTS: dict[str, tuple[Profile, dict[str, object]]] = {
    "careful": (find_profile("m"), USAGE | LOOSE | {"tools": TOOLS}),
    "openai": (
        find_profile("gpt-4.1-mini"),
        USAGE | {"temperature": 0.5, "max_completion_tokens": 100, "response_format": STRICT, "tools": TOOLS},
    ),
    "gpt-5": (
        find_profile("gpt-5-mini"),
        USAGE
        | {"max_completion_tokens": 100, "reasoning_effort": "minimal", "response_format": STRICT}
        | {"tools": TOOLS},
    ),
    "deepseek": (
        find_profile("deepseek-flash"),
        USAGE
        | LOOSE
        | {"thinking": {"type": "disabled"}, "response_format": {"type": "json_object"}, "tools": TOOLS},
    ),
    "mistral": (
        find_profile("mistral-small-2603"),
        LOOSE
        | {
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answer", "schema": dict(SCHEMA), "strict": True},
            },
            "tools": TOOLS,
        },
    ),
    "llama_cpp": (
        find_profile("m", service="llama_cpp"),
        USAGE | {"return_progress": True} | LOOSE | {"response_format": FORM, "tools": TOOLS},
    ),
    "kobold_cpp": (find_profile("m", service="kobold_cpp"), USAGE | LOOSE),
}


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_the_whole_request(name: str) -> None:
    profile, rest = SNAPSHOTS[name]
    expected = {"model": "tale-1", "stream": True} | rest | {"messages": MESSAGES}
    text = json.dumps(expected, ensure_ascii=False, separators=(",", ":"))
    assert write_request("tale-1", REQUEST, profile).decode() == text


def test_a_bare_request() -> None:
    body = write_request("tale-1", Request((UserMessage("你好"),)), find_profile("m"))
    assert body.decode() == (
        '{"model":"tale-1","stream":true,"stream_options":{"include_usage":true},'
        '"messages":[{"role":"user","content":"你好"}]}'
    )


# Whatever the model is called, a server of one's own may run it with a template that is strict about roles.
ANY_SERVER = [find_profile("mistral-small-2603"), find_profile("qwen/x", service="openrouter")]
ANY_SERVER += [find_profile("m"), find_profile("gpt-4.1-mini"), find_profile("deepseek-flash"), Profile("m")]


@pytest.mark.parametrize("profile", ANY_SERVER, ids=lambda profile: str(profile.name))
def test_no_question_comes_right_after_a_result(profile: Profile) -> None:
    called = AssistantMessage("I pay.", (ToolCall("a", "pay", "{}"), ToolCall("b", "pay", "{}")))
    results = (ToolResult("a", "pay", "done"), ToolResult("b", "pay", "done"))
    request = Request(
        (
            UserMessage("x"),
            called,
            *results,
            UserMessage("y"),
            UserMessage("z"),
            called,
            *results,
            AssistantMessage("So."),
        )
    )
    roles = [body["role"] for body in write_messages(request.messages, profile)]
    assert roles == [
        "user",
        "assistant",
        "tool",
        "tool",
        "assistant",
        *["user"] * 2,
        *roles[1:4],
        "assistant",
    ]
    assert write_messages(request.messages, profile)[4] == {"role": "assistant", "content": "..."}
    # Nothing that was sent is written otherwise later.
    whole = write_request("m", request, profile)
    for size in range(1, len(request.messages)):
        part = write_request("m", replace(request, messages=request.messages[:size]), profile)
        assert whole.startswith(part.removesuffix(b"]}") + b",")


@pytest.mark.parametrize("named", ["call-1", "functions.pay:0", "", "x" * 41, "a b", "你好"])
def test_a_call_that_another_model_named_is_named_anew(named: str) -> None:
    said = (AssistantMessage("", (ToolCall(named, "pay", "{}"),)), ToolResult(named, "pay", "done"))
    for profile in (find_profile("mistral-small-2603"), find_profile("gpt-4.1-mini")):
        call, result = json.loads(write_request("m", Request(said), profile))["messages"]
        assert call["tool_calls"][0]["id"] == result["tool_call_id"]
        assert re.fullmatch(profile.call_ids, result["tool_call_id"])


@pytest.mark.parametrize(("name", "sent"), [("pay", "pay"), ("pay coins!", "pay_coins_"), ("", "_")])
def test_a_tool_that_a_model_made_up_can_be_told_again(name: str, sent: str) -> None:
    (body,) = write_messages((AssistantMessage("", (ToolCall("a", name, "{}"),)),), Profile("m"))
    assert body["tool_calls"] == [
        {"id": "a", "type": "function", "function": {"name": sent, "arguments": "{}"}}
    ]


@pytest.mark.parametrize("text", ["", " \n"])
def test_an_answer_without_words_is_not_sent_empty(text: str) -> None:
    assert write_messages((AssistantMessage(text),), Profile("m")) == [
        {"role": "assistant", "content": SILENCE}
    ]


def test_requests_that_begin_alike_have_bodies_that_begin_alike() -> None:
    profile = find_profile("gpt-4.1-mini")
    short = write_request("m", replace(REQUEST, messages=REQUEST.messages[:4]), profile)
    assert write_request("m", REQUEST, profile).startswith(short.removesuffix(b"]}") + b",")


@pytest.mark.parametrize(
    ("mode", "form"),
    [(AnswerMode.SCHEMA, FORM), (AnswerMode.JSON, {"type": "json_object"}), (AnswerMode.FREE, None)],
)
def test_the_form_is_asked_for_as_firmly_as_the_model_allows(mode: AnswerMode, form: object) -> None:
    assert write_answer_form(SCHEMA, Profile("m", mode)) == form
    assert write_answer_form(None, Profile("m", mode)) is None


OPEN = [
    {"type": "object", "properties": {"a": {}}, "required": ["a"]},
    {"type": "object", "properties": {"a": {}}, "required": [], "additionalProperties": False},
    {"type": "object", "additionalProperties": {"type": "string"}},
    {"type": "array", "items": {"type": "object"}},
    {"anyOf": [{"type": "null"}, {"type": "object"}]},
]


@pytest.mark.parametrize("schema", OPEN)
def test_an_open_schema_is_not_sent_as_strict(schema: dict[str, object]) -> None:
    assert not is_closed(schema)
    form = write_answer_form(schema, find_profile("gpt-4.1-mini"))
    assert form is not None
    assert "strict" not in str(form)


def test_a_closed_schema() -> None:
    assert is_closed(SCHEMA)
    assert is_closed({"type": "object", "properties": {}, "required": [], "additionalProperties": False})
    assert is_closed({"type": "string", "enum": ["object"]})


def test_a_grammar_counts_more_than_the_schema_where_it_is_enforced() -> None:
    request = Request((UserMessage("x"),), (), {"type": "object"}, answer_grammar='root ::= "a"')
    held = replace(find_profile("m"), answer_mode=AnswerMode.SCHEMA, takes_grammar=True)
    body = json.loads(write_request("m", request, held))
    assert body["grammar"] == 'root ::= "a"'
    assert "response_format" not in body
    other = json.loads(write_request("m", request, replace(held, takes_grammar=False)))
    assert "grammar" not in other
    assert "response_format" in other


def test_no_grammar_goes_along_with_tools() -> None:
    tool = ToolSpec("pull", "Pull.", {"type": "object", "properties": {}})
    request = Request((UserMessage("x"),), (tool,), answer_grammar='root ::= "a"')
    held = replace(find_profile("m"), takes_grammar=True)
    assert "grammar" not in json.loads(write_request("m", request, held))
    assert "grammar" in json.loads(write_request("m", request, replace(held, takes_tools=False)))


def test_a_schema_may_go_along_with_json_object() -> None:
    profile = replace(find_profile("m"), answer_mode=AnswerMode.SCHEMA, schema_form=SchemaForm.JSON_OBJECT)
    request = Request((UserMessage("x"),), (), {"type": "object"})
    form = json.loads(write_request("m", request, profile))["response_format"]
    assert form == {"type": "json_object", "schema": {"type": "object"}}
