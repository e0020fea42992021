"""The Anthropic wire: events and bodies as recorded."""

import asyncio
import json
from typing import Any

import pytest

from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import ToolCall
from talewright_testkit.fake_provider.fake_server import AT_ONCE, serve
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.testkit.fake_provider import recordings
from tests.testkit.fake_provider.client import TALE, Response, ask, connected, exchange
from tests.testkit.fake_provider.recordings import shape

WIRE = Wire.ANTHROPIC


def told(answer: FakeAnswer, *, pace: ReplyPace = AT_ONCE, **changes: Any) -> Response:
    """What the server answers."""

    async def run() -> Response:
        async with serve(WIRE, [answer], pace=pace) as server:
            stream = changes.get("stream", True)
            return await exchange(server, WIRE, {**ask(WIRE, stream=stream), **changes})

    return asyncio.run(run())


def test_stream_is_as_recorded() -> None:
    response = told(FakeAnswer(TALE.text, TALE.calls, "Let me think."))
    recorded = [json.loads(text) for text in recordings.ANTHROPIC_STREAM]
    assert [shape(event) for event in response.events] == [shape(event) for event in recorded]
    assert [event["type"] for event in response.events] == [event["type"] for event in recorded]
    names = [line for line in response.body.decode().split("\n") if line.startswith("event: ")]
    assert names == [f"event: {event['type']}" for event in recorded]
    assert [event.get("index") for event in response.events] == [event.get("index") for event in recorded]


def test_pieces_join_to_the_answer() -> None:
    response = told(FakeAnswer(TALE.text, TALE.calls, "so so"), pace=ReplyPace(3))
    found = [event["delta"] for event in response.events if event["type"] == "content_block_delta"]
    for name, expected in (("text", TALE.text), ("partial_json", '{"sides": 20}'), ("thinking", "so so")):
        assert "".join(delta.get(name, "") for delta in found) == expected


def test_whole_answer_is_as_recorded() -> None:
    response = told(TALE, stream=False)
    assert shape(response.json) == shape(json.loads(recordings.ANTHROPIC_WHOLE))
    thought = told(FakeAnswer("x", reasoning="so"), stream=False).json["content"][0]
    assert thought["thinking"] == "so"
    cut = told(FakeAnswer(calls=(ToolCall("toolu_1", "roll", '{"si'),)), stream=False).json["content"][0]
    assert (cut["id"], cut["input"]) == ("toolu_1", {})


@pytest.mark.parametrize(
    ("stop", "word"),
    [
        (StopReason.END, "end_turn"),
        (StopReason.LENGTH, "max_tokens"),
        (StopReason.CALLS, "tool_use"),
        (StopReason.REFUSAL, "refusal"),
    ],
)
def test_stop_reasons(stop: StopReason, word: str) -> None:
    assert told(FakeAnswer("x", stop=stop), stream=False).json["stop_reason"] == word
    assert told(FakeAnswer("x", stop=stop)).events[-2]["delta"]["stop_reason"] == word


def test_usage_divides_the_input_between_cache_and_rest() -> None:
    async def run() -> None:
        long = [
            {"type": "text", "text": "rain " * 1_500, "cache_control": {"type": "ephemeral", "ttl": "1h"}}
        ]
        body = {**ask(WIRE, tools=False), "system": long}
        async with serve(WIRE, ["one", "two"]) as server:
            first = (await exchange(server, WIRE, body)).events
            second = (await exchange(server, WIRE, body)).events
            wrote, read = first[0]["message"]["usage"], second[0]["message"]["usage"]
            assert wrote["cache_creation"] == {
                "ephemeral_5m_input_tokens": 0,
                "ephemeral_1h_input_tokens": wrote["cache_creation_input_tokens"],
            }
            assert wrote["cache_creation_input_tokens"] == read["cache_read_input_tokens"] > 1_500
            assert wrote["input_tokens"] == read["input_tokens"] == 4
            assert second[-2]["usage"]["cache_read_input_tokens"] == read["cache_read_input_tokens"]
            entries = server.ledger.asks
            assert [entry.cached_tokens for entry in entries] == [0, read["cache_read_input_tokens"]]
            assert entries[0].written_tokens == wrote["cache_creation_input_tokens"]

    asyncio.run(run())


def test_errors_and_models() -> None:
    async def run() -> None:
        async with serve(WIRE, ["x"], models=("a",)) as server, connected(server) as line:
            line.say("POST", "/v1/messages", {"x-api-key": "wrong"}, ask(WIRE))
            wrong = await line.hear()
            assert (wrong.status, shape(wrong.json)) == (401, shape(json.loads(recordings.ANTHROPIC_ERROR)))
            assert wrong.json["error"] == {"type": "authentication_error", "message": "invalid x-api-key"}
            line.say("POST", "/v1/messages", {}, ask(WIRE))
            assert (await line.hear()).json["error"]["message"] == "x-api-key header is required"
            key = {"x-api-key": server.key, "anthropic-version": "2023-06-01"}
            line.say("POST", "/v1/messages", key, ask(WIRE))
            unknown = await line.hear()
            assert (unknown.status, unknown.json["error"]["type"]) == (404, "not_found_error")
            line.say("GET", "/v1/models", key)
            listed = (await line.hear()).json
            assert (listed["data"][0]["id"], listed["first_id"], listed["has_more"]) == ("a", "a", False)
            line.say("GET", "/v1/nowhere", key)
            assert (await line.hear()).status == 404

    asyncio.run(run())
