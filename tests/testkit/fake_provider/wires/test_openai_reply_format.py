"""The OpenAI wire: shapes as recorded, in every dialect, streamed and whole."""

import asyncio
import json
from typing import Any

import pytest

from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import ToolCall
from talewright_testkit.fake_provider.fake_server import AT_ONCE, serve
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright_testkit.fake_provider.wires.vendor_dialects import (
    DEEPSEEK,
    DIALECTS,
    LLAMA_CPP,
    OLLAMA,
    OPENAI,
    OPENROUTER,
    ServerDialect,
)
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.testkit.fake_provider import recordings
from tests.testkit.fake_provider.client import TALE, Response, ask, connected, exchange
from tests.testkit.fake_provider.recordings import shape

WIRE = Wire.OPENAI


def told(
    answer: FakeAnswer, dialect: ServerDialect = OPENAI, *, pace: ReplyPace = AT_ONCE, **changes: Any
) -> Response:
    """What a server of this dialect answers."""

    async def run() -> Response:
        async with serve(WIRE, [answer], dialect=dialect, pace=pace) as server:
            stream = changes.get("stream", True)
            return await exchange(server, WIRE, {**ask(WIRE, stream=stream), **changes}, stream=stream)

    return asyncio.run(run())


def deltas(response: Response, name: str) -> list[Any]:
    """What the events say under this name."""
    found = [choice["delta"] for event in response.events for choice in event["choices"]]
    return [delta[name] for delta in found if delta.get(name)]


def test_stream_has_the_recorded_shapes() -> None:
    response = told(TALE, pace=ReplyPace(9))
    assert response.headers["content-type"] == "text/event-stream; charset=utf-8"
    events = response.events
    recorded = [shape(json.loads(text)) for text in (recordings.OPENAI_FIRST, recordings.OPENAI_TEXT)]
    assert [shape(event) for event in events[:2]] == recorded
    assert shape(events[4]) == shape(json.loads(recordings.OPENAI_CALL))
    assert shape(events[5]) == shape(json.loads(recordings.OPENAI_ARGUMENTS))
    assert shape(events[-2]) == shape(json.loads(recordings.OPENAI_LAST))
    assert shape(events[-1]) == shape(json.loads(recordings.OPENAI_USAGE))
    assert response.body.endswith(b"data: [DONE]\n\n")
    assert "".join(deltas(response, "content")) == TALE.text
    assert (
        "".join(call[0]["function"]["arguments"] for call in deltas(response, "tool_calls"))
        == '{"sides": 20}'
    )
    assert events[-2]["choices"][0]["finish_reason"] == "tool_calls"


def test_whole_answer_has_the_recorded_shape() -> None:
    response = told(TALE, stream=False)
    assert response.headers["content-type"] == "application/json"
    assert shape(response.json) == shape(json.loads(recordings.OPENAI_WHOLE))


def test_calls_alone_have_no_content() -> None:
    calls = (ToolCall("call_a", "roll", "{}"), ToolCall("call_b", "look", "{}"))
    assert told(FakeAnswer(calls=calls), stream=False).json["choices"][0]["message"]["content"] is None
    stream = told(FakeAnswer(calls=calls))
    assert stream.events[0]["choices"][0]["delta"]["content"] is None
    named = [call[0] for call in deltas(stream, "tool_calls") if "id" in call[0]]
    assert [(call["index"], call["id"], call["function"]["name"]) for call in named] == [
        (0, "call_a", "roll"),
        (1, "call_b", "look"),
    ]


@pytest.mark.parametrize(
    ("stop", "finish"),
    [
        (StopReason.END, "stop"),
        (StopReason.LENGTH, "length"),
        (StopReason.CALLS, "tool_calls"),
        (StopReason.REFUSAL, "content_filter"),
    ],
)
def test_finish_reasons(stop: StopReason, finish: str) -> None:
    assert told(FakeAnswer("x", stop=stop), stream=False).json["choices"][0]["finish_reason"] == finish
    assert told(FakeAnswer("x", stop=stop)).events[-2]["choices"][0]["finish_reason"] == finish


def test_a_refusal_in_words_has_its_own_field() -> None:
    answer = FakeAnswer(refusal="No.", stop=StopReason.REFUSAL)
    stream = told(answer)
    assert deltas(stream, "refusal") == ["No."]
    assert stream.events[-2]["choices"][0]["finish_reason"] == "stop"
    assert told(answer, stream=False).json["choices"][0]["message"]["refusal"] == "No."


def test_usage_only_where_asked_for() -> None:
    quiet = told(TALE, stream_options=None)
    assert all("usage" not in event for event in quiet.events)
    assert len(quiet.events) == len(told(TALE).events) - 1


def test_usage_adds_up_and_counts_hidden_thinking() -> None:
    usage = told(FakeAnswer("one two", reasoning="so so so")).events[-1]["usage"]
    assert usage["completion_tokens"] == 5
    assert usage["completion_tokens_details"]["reasoning_tokens"] == 3
    assert usage["total_tokens"] == usage["prompt_tokens"] + 5


@pytest.mark.parametrize("dialect", DIALECTS, ids=lambda dialect: dialect.name)
def test_every_dialect_tells_the_same_answer(dialect: ServerDialect) -> None:
    response = told(FakeAnswer(TALE.text, TALE.calls, "so"), dialect, pace=ReplyPace(4))
    assert "".join(deltas(response, "content")) == TALE.text
    assert (
        "".join(call[0]["function"]["arguments"] for call in deltas(response, "tool_calls"))
        == '{"sides": 20}'
    )


def test_openrouter_comments_reasoning_and_cost() -> None:
    response = told(FakeAnswer("x", reasoning="so"), OPENROUTER, stream_options=None)
    assert response.body.startswith(b": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\ndata: ")
    assert deltas(response, "reasoning") == ["so"]
    assert response.events[-1]["usage"]["cost"] > 0


def test_deepseek_reasoning_and_hits() -> None:
    response = told(FakeAnswer("x", reasoning="so"), DEEPSEEK)
    assert deltas(response, "reasoning_content") == ["so"]
    usage = response.events[-1]["usage"]
    assert usage["prompt_cache_hit_tokens"] + usage["prompt_cache_miss_tokens"] == usage["prompt_tokens"]
    whole = told(FakeAnswer("x", reasoning="so"), DEEPSEEK, stream=False).json
    assert whole["choices"][0]["message"]["reasoning_content"] == "so"


def test_llama_cpp_timings_stand_in_the_last_event() -> None:
    recorded = shape(json.loads(recordings.LLAMA_TIMINGS))
    with_usage, without = told(TALE, LLAMA_CPP), told(TALE, LLAMA_CPP, stream_options=None)
    assert shape(with_usage.events[-1]["timings"]) == recorded
    assert shape(without.events[-1]["timings"]) == recorded
    assert "timings" not in with_usage.events[-2]
    timings, usage = with_usage.events[-1]["timings"], with_usage.events[-1]["usage"]
    assert timings["cache_n"] + timings["prompt_n"] == usage["prompt_tokens"]
    assert "timings" in told(TALE, LLAMA_CPP, stream=False).json


def test_ollama_tells_no_usage_and_calls_in_one_piece() -> None:
    response = told(TALE, OLLAMA, pace=ReplyPace(1))
    assert not any(event.get("usage") for event in response.events)
    (call,) = deltas(response, "tool_calls")
    assert call[0]["function"] == {"name": "roll", "arguments": '{"sides": 20}'}
    assert "usage" not in told(TALE, OLLAMA, stream=False).json


@pytest.mark.parametrize(
    "pace", [ReplyPace(1, 1), ReplyPace(0, 1, escaped=True), ReplyPace(3, 7, escaped=True)]
)
def test_any_byte_may_be_the_last_of_a_write(pace: ReplyPace) -> None:
    answer = FakeAnswer('雨 "\n\\ 😀', (ToolCall("", "roll", '{"a": "雨\\n"}'),))
    response = told(answer, pace=pace)
    assert max(map(len, response.chunks)) == pace.write_bytes
    assert "".join(deltas(response, "content")) == answer.text
    assert pace.escaped == response.body.isascii()


def test_errors_and_models() -> None:
    async def run() -> None:
        async with serve(WIRE, ["x"], models=("a", "b")) as server, connected(server) as line:
            line.say("POST", "/v1/chat/completions", {"authorization": "Bearer wrong"}, ask(WIRE))
            wrong = await line.hear()
            assert (wrong.status, shape(wrong.json)) == (401, shape(json.loads(recordings.OPENAI_ERROR)))
            line.say("POST", "/v1/chat/completions", {}, ask(WIRE))
            missing = (await line.hear()).json
            assert missing["error"]["message"] == "You didn't provide an API key."
            key = {"authorization": f"Bearer {server.key}"}
            line.say("POST", "/chat/completions", key, ask(WIRE))
            unknown = await line.hear()
            assert (unknown.status, unknown.json["error"]["code"]) == (404, "model_not_found")
            line.say("GET", "/v1/models", key)
            assert [row["id"] for row in (await line.hear()).json["data"]] == ["a", "b"]
            line.say("POST", "/v1/nowhere", key, {})
            nowhere = await line.hear()
            assert (nowhere.status, nowhere.json["error"]["message"]) == (
                404,
                "Invalid URL (POST /v1/nowhere)",
            )

    asyncio.run(run())


def test_local_servers_need_no_key_and_number_their_errors() -> None:
    async def run() -> None:
        async with serve(WIRE, ["x"], dialect=LLAMA_CPP) as server, connected(server) as line:
            line.say("POST", "/v1/chat/completions", {}, ask(WIRE))
            assert (await line.hear()).status == 200
            line.say("POST", "/v1/chat/completions", {}, {"model": "m"})
            assert (await line.hear()).json["error"]["code"] == 400

    asyncio.run(run())
