"""The stream: the same chunks wherever the bytes are cut, and a ProviderError for whatever is no stream."""

import json
import random
from typing import Any

import pytest

from talewright.llm.known_models import THINK
from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import CallPart, Chunk, Reply, Stop, StopReason, Text, Usage, Used, gather
from talewright.llm.requests import ToolCall
from talewright.providers.http_errors import ProviderErrorReporter
from talewright.providers.model_http_client import LINE_BYTES_MAX, STREAM_BYTES_MAX
from talewright.providers.openai_wire.reply_stream import ReplyStreamReader
from tests.providers.openai_wire.raw_server import DONE, event

SEED = 20_261_115
PLAIN = Profile("plain")
WORDS = 'He said "so",\n\tthen: 你好，世界 — \\n 🜂 <thin air> e\u0301'
USAGE = {"prompt_tokens": 9, "completion_tokens": 4, "prompt_tokens_details": {"cached_tokens": 2}}
CALL = {"index": 0, "id": "a", "type": "function", "function": {"name": "pay", "arguments": ""}}


def listener(profile: Profile = PLAIN) -> ReplyStreamReader:
    return ReplyStreamReader(profile, ProviderErrorReporter("host", "tale-1", ""))


def read(*pieces: bytes, profile: Profile = PLAIN) -> list[Chunk]:
    heard = listener(profile)
    chunks: list[Chunk] = []
    for piece in pieces:
        chunks += heard.feed(piece)
    return chunks + heard.finish()


def fail(*pieces: bytes, profile: Profile = PLAIN) -> ProviderError:
    with pytest.raises(ProviderError) as caught:
        read(*pieces, profile=profile)
    return caught.value


WHOLE = b"".join(
    [
        b": a comment\r\n\r\n",
        event({"role": "assistant", "content": ""}),
        *(event({"content": WORDS[at : at + 9]}) for at in range(0, len(WORDS), 9)),
        b"event: message\nid: 7\nretry: 10\n",
        event({"tool_calls": [CALL]}).replace(b"\n", b"\r\n"),
        event({"tool_calls": [{"index": 0, "function": {"arguments": '{"to": "Mä'}}]}),
        event({"tool_calls": [{"index": 0, "function": {"arguments": 'rn"}'}}]}),
        event({}, "tool_calls"),
        event(usage=USAGE),
        DONE,
    ]
)
REPLY = Reply(WORDS, (ToolCall("a", "pay", '{"to": "Märn"}'),), Usage(9, 4, 2), StopReason.CALLS)


def test_one_piece() -> None:
    assert gather(read(WHOLE)) == REPLY


@pytest.mark.parametrize(
    "profile", [PLAIN, Profile("thinking", reasoning_tags=THINK)], ids=["plain", "thinking"]
)
def test_every_cut_in_two(profile: Profile) -> None:
    for at in range(len(WHOLE) + 1):
        assert gather(read(WHOLE[:at], WHOLE[at:], profile=profile)) == REPLY, at


def test_byte_by_byte_and_at_random() -> None:
    assert gather(read(*(bytes([byte]) for byte in WHOLE))) == REPLY
    luck = random.Random(SEED)
    for _ in range(100):
        cuts = sorted(luck.sample(range(len(WHOLE)), luck.randrange(1, 12)))
        pieces = [WHOLE[a:b] for a, b in zip([0, *cuts], [*cuts, len(WHOLE)], strict=True)]
        assert gather(read(*pieces)) == REPLY, f"seed {SEED}: {cuts}"


def test_the_end_comes_after_the_cost() -> None:
    assert read(WHOLE)[-2:] == [Used(Usage(9, 4, 2)), Stop(StopReason.CALLS)]
    assert read(event({"content": "a"}, "stop"), DONE) == [Text("a"), Stop(StopReason.END)]


FINISHES = [
    ("stop", StopReason.END),
    ("eos", StopReason.END),
    ("length", StopReason.LENGTH),
    ("max_tokens", StopReason.LENGTH),
    ("model_length", StopReason.LENGTH),
    ("tool_calls", StopReason.CALLS),
    ("function_call", StopReason.CALLS),
    ("content_filter", StopReason.REFUSAL),
]


@pytest.mark.parametrize(("finish", "stop"), FINISHES)
def test_why_it_stopped(finish: str, stop: StopReason) -> None:
    assert read(event({"content": "a"}), event(None, finish), DONE)[-1] == Stop(stop)


def test_a_refusal_is_not_told_as_text() -> None:
    chunks = read(event({"refusal": "I cannot"}), event({}, "stop"), DONE)
    assert chunks == [Stop(StopReason.REFUSAL)]


def test_calls_end_an_answer_that_says_it_merely_stopped() -> None:
    assert read(event({"tool_calls": [CALL]}), event({}, "stop"), DONE)[-1] == Stop(StopReason.CALLS)
    assert read(event({"tool_calls": [CALL]}), event({}, "length"), DONE)[-1] == Stop(StopReason.LENGTH)


def test_thinking_in_its_own_member_is_dropped() -> None:
    heard = listener()
    assert heard.feed(event({"reasoning_content": "hm"}) + event({"reasoning": "hm", "content": None})) == []
    assert heard.progress == 2
    assert heard.feed(event({"role": "assistant", "content": ""}) + b": ping\n\n" + event()) == []
    assert heard.progress == 2
    assert heard.feed(event({"content": "", "reasoning_details": [{"type": "reasoning.encrypted"}]})) == []
    assert heard.progress == 3


def test_text_in_typed_parts() -> None:
    parts = [
        {"type": "thinking", "thinking": []},
        {"type": "text", "text": "He "},
        {"type": "text", "text": "nods"},
    ]
    assert read(event({"content": parts}, "stop"), DONE)[0] == Text("He nods")


USAGES: list[tuple[dict[str, Any], Usage | None]] = [
    ({"usage": USAGE}, Usage(9, 4, 2)),
    ({"usage": {"prompt_tokens": 9, "completion_tokens": 4, "prompt_cache_hit_tokens": 5}}, Usage(9, 4, 5)),
    ({"usage": {"prompt_tokens": 9, "completion_tokens": 4}, "timings": {"cache_n": 6}}, Usage(9, 4, 6)),
    ({"timings": {"cache_n": 6, "prompt_n": 3, "predicted_n": 4}}, Usage(9, 4, 6)),
    ({"x_groq": {"usage": {"prompt_tokens": 9, "completion_tokens": 4}}}, Usage(9, 4)),
    ({"usage": {"prompt_tokens": 9, "prompt_tokens_details": {"cached_tokens": 70}}}, Usage(9, 0, 9)),
    ({"usage": {"prompt_tokens": -9, "completion_tokens": 4, "prompt_tokens_details": None}}, Usage(0, 4)),
    # Whoever has counted nothing has not counted: it is better guessed.
    ({"usage": {"prompt_tokens": True, "completion_tokens": 1.5}}, None),
    ({"usage": {"prompt_tokens": 0, "completion_tokens": 0}}, None),
    ({"timings": {"cache_n": 0, "prompt_n": 0, "predicted_n": 0}}, None),
]


@pytest.mark.parametrize(("more", "usage"), USAGES)
def test_usage_in_every_spelling(more: dict[str, Any], usage: Usage | None) -> None:
    assert gather(read(event({"content": "a"}, "stop", **more), DONE)).usage == usage
    assert gather(read(event({"content": "a"}, "stop"), event(**more), DONE)).usage == usage


def test_the_last_usage_counts_and_none_is_none() -> None:
    early = {"prompt_tokens": 9, "completion_tokens": 1}
    assert gather(read(event({"content": "a"}, "stop", usage=early), event(usage=USAGE))).usage == Usage(
        9, 4, 2
    )
    zero = {"prompt_tokens": 0, "completion_tokens": 0}
    assert gather(read(event({"content": "a"}, "stop", usage=USAGE), event(usage=zero))).usage == Usage(
        9, 4, 2
    )
    assert gather(read(event({"content": "a"}, "stop", usage=None), DONE)).usage is None
    assert gather(read(event({"content": "a"}, "stop", timings={"x": 1}), DONE)).usage is None


def test_halves_of_characters() -> None:
    one, other = (
        rb'data: {"choices":[{"delta":{"content":"a\ud83d"}}]}',
        rb'data: {"choices":[{"delta":{"content":"\ude00b"}}]}',
    )
    end = b"\n" + event({}, "stop")
    assert gather(read(one + b"\n" + other + end)).text == "a😀b"
    assert gather(read(one + b"\n" + event({"content": "b"}) + end)).text == "a\ufffdb"
    assert gather(read(one + end)).text == "a\ufffd"
    assert gather(read(one + end, profile=Profile("t", reasoning_tags=THINK))).text == "a\ufffd"
    assert gather(read(other + end)).text == "\ufffdb"
    assert gather(read(one.replace(rb"a\ud", rb"\ud") + b"\n" + other + end)).text == "😀b"


def test_an_event_without_data_is_none() -> None:
    assert gather(read(b"data:\n\ndata: \r\n\r\n", event({"content": "a"}, "stop"), b"data:\n")).text == "a"


def test_an_answer_without_a_farewell_is_whole_all_the_same() -> None:
    assert gather(read(event({"content": "a"}), event({}, "stop"))) == Reply("a", (), None, StopReason.END)
    assert gather(read(event({"content": "a"}), DONE)) == Reply("a", (), None, StopReason.END)
    heard = listener()
    assert heard.feed(DONE + event({"content": "after"})) == []
    assert heard.ended


TROUBLES = [
    ([], Trouble.GARBLED, "an empty answer"),
    ([DONE], Trouble.GARBLED, "an empty answer"),
    ([event({"content": "a"})], Trouble.UNREACHABLE, "broke off"),
    ([b'data: {"choices": [{"del'], Trouble.UNREACHABLE, "broke off"),
    ([b'data: {"choices": [{"del\n'], Trouble.GARBLED, "no JSON"),
    ([b"data: " + b"[" * 100_000 + b"\n"], Trouble.GARBLED, "no JSON"),
    ([b'data: {"choices": []} x\n'], Trouble.GARBLED, "no JSON"),
    ([b"data: 7\n"], Trouble.GARBLED, "strange form"),
    ([b'data: {"choices": 7}\n'], Trouble.GARBLED, "strange form"),
    ([b'data: {"choices": [7]}\n'], Trouble.GARBLED, "strange form"),
    ([event({"content": 7})], Trouble.GARBLED, "strange form"),
    ([event({"content": [7]})], Trouble.GARBLED, "strange form"),
    ([event({"tool_calls": 7})], Trouble.GARBLED, "strange form"),
    ([event({"tool_calls": [{"function": 7}]})], Trouble.GARBLED, "strange form"),
    ([event({"tool_calls": [{"id": 7}]})], Trouble.GARBLED, "strange form"),
    ([event({"tool_calls": [{"index": [], "id": "a"}]})], Trouble.GARBLED, "strange form"),
    ([event({"tool_calls": [{"id": str(n)} for n in range(65)]})], Trouble.GARBLED, "strange form"),
    ([event({"content": "a\xff"}).replace(b"\xc3\xbf", b"\xff")], Trouble.GARBLED, "no UTF-8"),
    ([event({}, "stop"), event({"content": "late"})], Trouble.GARBLED, "text after the end"),
    ([event({}, "stop"), event({"tool_calls": [CALL]})], Trouble.GARBLED, "a call after the end"),
    ([b"data: " + b"x" * LINE_BYTES_MAX], Trouble.GARBLED, "far too much"),
    ([b"data: {}\n" + b":" * (1 << 19) + b"\n"] * 70, Trouble.GARBLED, "far too much"),
    ([event({}, "error")], Trouble.BUSY, "a fault of its own"),
    ([b'error: {"code": 503, "message": "Loading model"}\n'], Trouble.BUSY, "still being loaded"),
    (
        [b'data: {"error": {"message": "Overloaded", "type": "overloaded_error"}}\n'],
        Trouble.BUSY,
        "overloaded",
    ),
    ([event({"content": ""}, "error", error={"code": 402, "message": "pay"})], Trouble.MONEY, "no money"),
    ([b'data: {"error": "boom"}\n'], Trouble.BUSY, "fault of its own (status 500): boom"),
    (
        [b'data: {"object": "error", "message": "slow down", "type": "x", "code": 429}\n'],
        Trouble.BUSY,
        "too many requests from this key: slow down",
    ),
    ([b'data: {"error": {"message": "wait", "code": "503"}}\n'], Trouble.BUSY, "is overloaded: wait"),
]


@pytest.mark.parametrize(("pieces", "trouble", "words"), TROUBLES)
def test_what_is_no_answer(pieces: list[bytes], trouble: Trouble, words: str) -> None:
    error = fail(*pieces)
    assert error.trouble is trouble
    assert words in error.message
    assert not error.unpaid


def test_limits_are_far_from_what_is_sent() -> None:
    assert STREAM_BYTES_MAX > 20 * LINE_BYTES_MAX
    long = json.dumps("x" * (LINE_BYTES_MAX // 2))
    assert len(gather(read(event({"content": long}, "stop"))).text) == len(long)


def test_what_came_before_a_fault_is_given_with_its_cost() -> None:
    heard = listener()
    usage = {"prompt_tokens": 9, "completion_tokens": 1}
    assert heard.feed(event({"content": "He"}, usage=usage) + b"data: {\n") == [Text("He")]
    assert heard.failure is not None
    assert heard.failure.usage == Usage(9, 1)
    with pytest.raises(ProviderError):
        heard.finish()


def test_a_server_that_does_not_stream() -> None:
    message = {
        "role": "assistant",
        "content": WORDS,
        "tool_calls": [{"id": "a", "function": {"name": "pay", "arguments": "{}"}}],
    }
    body = json.dumps(
        {"choices": [{"message": message, "finish_reason": "tool_calls"}], "usage": USAGE}
    ).encode()
    calls = (ToolCall("a", "pay", "{}"),)
    assert gather(listener().take_whole(body)) == Reply(WORDS, calls, Usage(9, 4, 2), StopReason.CALLS)
    with pytest.raises(ProviderError):
        listener().take_whole(b'{"choices": []}')
    # Its length says that it is whole.
    unfinished = b'{"choices": [{"message": {"content": "So."}}]}'
    assert gather(listener().take_whole(unfinished)) == Reply("So.", (), None, StopReason.END)


def parts(*raw: dict[str, object]) -> list[Chunk]:
    return [
        chunk
        for chunk in read(*(event({"tool_calls": [one]}) for one in raw), DONE)
        if isinstance(chunk, CallPart)
    ]


def test_calls_of_every_make() -> None:
    repeated = parts(
        {"index": 0, "id": "a", "function": {"name": "pay", "arguments": "{"}},
        {"index": 0, "id": "a", "function": {"name": "pay", "arguments": "}"}},
    )
    assert gather(repeated).calls == (ToolCall("a", "pay", "{}"),)
    same_index = parts(
        {"index": 0, "id": "a", "function": {"name": "pay", "arguments": "{}"}},
        {"index": 0, "id": "b", "function": {"name": "pay", "arguments": "{}"}},
    )
    assert gather(same_index).calls == (ToolCall("a", "pay", "{}"), ToolCall("b", "pay", "{}"))
    unnamed = parts(
        {"index": 0, "id": "", "function": {"name": "pay", "arguments": '{"coins": 1}'}},
        {"index": 0, "id": "", "function": {"name": "look", "arguments": "{}"}},
        {"index": 0, "id": "", "function": {"name": "look", "arguments": '{"at"'}},
        {"index": 0, "id": "", "function": {"name": "look", "arguments": ': "sea"}'}},
    )
    assert gather(unnamed).calls == (
        ToolCall("call-1", "pay", '{"coins": 1}'),
        ToolCall("call-2", "look", "{}"),
        ToolCall("call-3", "look", '{"at": "sea"}'),
    )
    one_id = parts(
        {"index": 0, "id": "a", "function": {"name": "pay", "arguments": "{}"}},
        {"index": 1, "id": "a", "function": {"name": "look", "arguments": "{"}},
        {"index": 1, "id": "a", "function": {"arguments": "}"}},
    )
    assert gather(one_id).calls == (ToolCall("a", "pay", "{}"), ToolCall("a-2", "look", "{}"))
    nameless = parts(
        {"function": {"name": "pay", "arguments": {"to": "Märn"}}},
        {"function": {"name": "look", "arguments": None}},
        {"function": {"arguments": "{}"}},
    )
    assert gather(nameless).calls == (
        ToolCall("call-1", "pay", '{"to": "Märn"}'),
        ToolCall("call-2", "look", "{}"),
    )
    in_pieces = parts(
        {"index": 3, "id": "a", "function": {"name": "lo", "arguments": '"\ud83d'}},
        {"index": 3, "function": {"name": "ok", "arguments": '\ude00"'}},
    )
    assert gather(in_pieces).calls == (ToolCall("a", "look", '"😀"'),)
    assert gather(parts({"index": 0, "id": None, "function": None})).calls == (ToolCall("call-1", "", ""),)
