"""The Gemini wire: responses as recorded, as events, as a list and whole."""

import asyncio
import json
from typing import Any

import pytest

from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import ToolCall
from talewright_testkit.fake_provider.fake_server import AT_ONCE, serve
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright_testkit.fake_provider.vendor_cache import GEMINI_CACHE, GEMINI_CACHE_4096
from talewright_testkit.fake_provider.wires.wire_form import Wire
from tests.testkit.fake_provider import recordings
from tests.testkit.fake_provider.client import TALE, Response, ask, connected, exchange
from tests.testkit.fake_provider.recordings import shape

WIRE = Wire.GEMINI


def told(answer: FakeAnswer, *, pace: ReplyPace = AT_ONCE, stream: bool = True) -> Response:
    """What the server answers."""

    async def run() -> Response:
        async with serve(WIRE, [answer], pace=pace) as server:
            return await exchange(server, WIRE, stream=stream)

    return asyncio.run(run())


def parts(response: Response) -> list[Any]:
    """Every part of the only candidate, event by event."""
    return [part for event in response.events for part in event["candidates"][0]["content"].get("parts", [])]


def test_stream_is_as_recorded() -> None:
    response = told(TALE)
    assert response.headers["content-type"] == "text/event-stream"
    assert [shape(event) for event in response.events] == [
        shape(json.loads(text)) for text in recordings.GEMINI_STREAM
    ]
    assert response.body.endswith(b"\r\n\r\n")


def test_pieces_join_to_the_answer_and_calls_are_whole() -> None:
    response = told(FakeAnswer(TALE.text, TALE.calls, "so so"), pace=ReplyPace(3))
    found = parts(response)
    assert "".join(part["text"] for part in found if "text" in part and "thought" not in part) == TALE.text
    assert "".join(part["text"] for part in found if part.get("thought")) == "so so"
    assert [part["functionCall"] for part in found if "functionCall" in part] == [
        {"name": "roll", "args": {"sides": 20}}
    ]
    counts = [event["usageMetadata"] for event in response.events]
    assert counts[-1]["thoughtsTokenCount"] == 2
    last = counts[-1]
    assert last["totalTokenCount"] == last["promptTokenCount"] + last["candidatesTokenCount"] + 2
    totals = [count["totalTokenCount"] for count in counts]
    assert totals == sorted(totals)


def test_without_sse_a_stream_is_one_growing_list() -> None:
    async def run() -> Response:
        async with serve(WIRE, [TALE], pace=ReplyPace(5)) as server, connected(server) as line:
            key = {"x-goog-api-key": server.key}
            line.say("POST", "/v1beta/models/m:streamGenerateContent", key, ask(WIRE))
            return await line.hear()

    response = asyncio.run(run())
    assert response.headers["content-type"] == "application/json"
    assert len(response.json) == len(response.chunks) > 3


def test_whole_answer() -> None:
    whole = told(FakeAnswer(TALE.text, (ToolCall("id1", "roll", ""),), "so"), stream=False).json
    assert whole["candidates"][0]["content"]["parts"] == [
        {"text": "so", "thought": True},
        {"text": TALE.text},
        {"functionCall": {"id": "id1", "name": "roll", "args": {}}},
    ]
    assert whole["candidates"][0]["finishReason"] == "STOP"


@pytest.mark.parametrize(
    ("answer", "finish"),
    [
        (FakeAnswer("x"), "STOP"),
        (FakeAnswer("x", stop=StopReason.LENGTH), "MAX_TOKENS"),
        (FakeAnswer("x", stop=StopReason.REFUSAL), "SAFETY"),
        (TALE, "STOP"),
        (FakeAnswer("x", (ToolCall("", "roll", '{"si'),)), "MALFORMED_FUNCTION_CALL"),
    ],
)
def test_finish_reasons(answer: FakeAnswer, finish: str) -> None:
    assert told(answer).events[-1]["candidates"][0]["finishReason"] == finish
    assert told(answer, stream=False).json["candidates"][0]["finishReason"] == finish


def test_a_blocked_prompt_has_no_candidate() -> None:
    blocked = FakeAnswer(refusal="No.", stop=StopReason.REFUSAL)
    for body in (told(blocked).events[0], told(blocked, stream=False).json):
        assert "candidates" not in body
        assert body["promptFeedback"] == {"blockReason": "PROHIBITED_CONTENT"}


def test_cached_tokens_are_told_where_there_are_any() -> None:
    async def run() -> list[int | None]:
        async with serve(WIRE, ["a"] * 3) as server:
            told = [
                await exchange(server, WIRE, ask(WIRE, "rain " * 3_000, "x", tools=False)) for _ in range(2)
            ]
            return [each.events[-1]["usageMetadata"].get("cachedContentTokenCount") for each in told]

    assert asyncio.run(run()) == [None, 3_004]
    assert (GEMINI_CACHE.minimum_tokens, GEMINI_CACHE_4096.minimum_tokens) == (2_048, 4_096)


def test_errors_and_models() -> None:
    async def run() -> None:
        async with serve(WIRE, ["x", "y"], models=("a",)) as server, connected(server) as line:
            path = "/v1beta/models/m:generateContent"
            line.say("POST", path, {"x-goog-api-key": "wrong"}, ask(WIRE))
            wrong = await line.hear()
            assert (wrong.status, wrong.json) == (400, json.loads(recordings.GEMINI_KEY_ERROR))
            line.say("POST", path, {}, ask(WIRE))
            missing = await line.hear()
            assert (missing.status, missing.json["error"]["status"]) == (403, "PERMISSION_DENIED")
            line.say("POST", f"{path}?key={server.key}", {}, ask(WIRE))
            unknown = await line.hear()
            assert (unknown.status, unknown.json["error"]["status"]) == (404, "NOT_FOUND")
            assert unknown.json["error"]["message"].startswith("models/m is not found for API version v1beta")
            line.say("GET", f"/v1beta/models?key={server.key}", {})
            assert (await line.hear()).json["models"][0]["name"] == "models/a"
            line.say("POST", "/v1beta/models/a:dream", {}, ask(WIRE))
            assert (await line.hear()).status == 404
            assert server.key not in repr(server.ledger.entries)

    asyncio.run(run())
