"""Exchanges: replies and their cost, kept and read again."""

import pytest

from talewright.common.json_values import Json
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import CallPart, Reply, Stop, StopReason, Text, Usage, Used, gather
from talewright.llm.requests import ToolCall
from talewright.turn.records.commit_body import (
    read_reply,
    read_usage,
    replay,
    write_reply,
    write_trouble,
    write_usage,
)

CALL = ToolCall("call-1", "pay", '{"coins": 2}')
REPLIES: list[tuple[Reply, dict[str, Json]]] = [
    (Reply(), {"text": "", "stop": None}),
    (
        Reply("He nods.", (CALL,), Usage(1, 2, 3), StopReason.CALLS),
        {
            "text": "He nods.",
            "stop": "calls",
            "calls": [{"id": "call-1", "name": "pay", "arguments": '{"coins": 2}'}],
            "usage": {"input_tokens": 1, "output_tokens": 2, "cached_tokens": 3},
        },
    ),
    (
        Reply("He", usage=Usage(1, estimated=True), stop=StopReason.LENGTH),
        {
            "text": "He",
            "stop": "length",
            "usage": {"input_tokens": 1, "output_tokens": 0, "cached_tokens": 0, "estimated": True},
        },
    ),
]


@pytest.mark.parametrize(("reply", "form"), REPLIES)
def test_replies_there_and_back(reply: Reply, form: dict[str, Json]) -> None:
    assert write_reply(reply) == form
    assert read_reply(form) == reply
    assert read_reply({**form, "purpose": "tell", "flaws": []}) == reply


@pytest.mark.parametrize(("reply", "form"), REPLIES)
def test_a_reply_replayed_gives_itself(reply: Reply, form: dict[str, Json]) -> None:
    assert gather(replay(reply)) == reply


def test_the_chunks_of_a_replay() -> None:
    assert replay(REPLIES[0][0]) == (Text(""),)
    assert replay(REPLIES[1][0]) == (
        Text("He nods."),
        CallPart(0, "call-1", "pay", '{"coins": 2}'),
        Used(Usage(1, 2, 3)),
        Stop(StopReason.CALLS),
    )


def test_usage() -> None:
    assert write_usage(Usage()) == {"input_tokens": 0, "output_tokens": 0, "cached_tokens": 0}
    assert read_usage(None) is None
    assert read_usage(write_usage(Usage(1, 2, 3, True))) == Usage(1, 2, 3, True)
    assert read_usage(write_usage(Usage(1, 2, 3))) == Usage(1, 2, 3, False)


def test_trouble() -> None:
    assert write_trouble(ProviderError(Trouble.BUSY, "later", "Wait.")) == {
        "trouble": "busy",
        "message": "later",
    }
    assert write_trouble(ProviderError(Trouble.SLOW, "no answer", usage=Usage(4))) == {
        "trouble": "slow",
        "message": "no answer",
        "usage": {"input_tokens": 4, "output_tokens": 0, "cached_tokens": 0},
    }
