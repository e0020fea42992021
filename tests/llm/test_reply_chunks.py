"""Chunks: the reply they make, wherever they were cut."""

import random

from talewright.llm.reply_chunks import CallPart, Chunk, Reply, Stop, StopReason, Text, Usage, Used, gather
from talewright.llm.requests import ToolCall


def test_nothing_at_all() -> None:
    assert gather([]) == Reply()
    assert Reply() == Reply("", (), None, None)


def test_texts_are_joined_and_the_last_usage_counts() -> None:
    chunks: list[Chunk] = [
        Text("He "),
        Used(Usage(1)),
        Text("nods."),
        Used(Usage(1, 2)),
        Stop(StopReason.END),
    ]
    assert gather(chunks) == Reply("He nods.", (), Usage(1, 2), StopReason.END)


def test_a_stream_that_was_cut_off_has_no_stop() -> None:
    assert gather([Text("He no")]).stop is None


def test_calls_are_joined_by_their_index() -> None:
    chunks: list[Chunk] = [
        CallPart(1, "b", "lo"),
        CallPart(0, "a", "pay", '{"coi'),
        CallPart(1, name="ok"),
        CallPart(0, arguments='ns": 2}'),
        Stop(StopReason.CALLS),
    ]
    calls = (ToolCall("a", "pay", '{"coins": 2}'), ToolCall("b", "look", ""))
    assert gather(chunks) == Reply("", calls, None, StopReason.CALLS)


def test_calls_that_nobody_named_go_by_their_place() -> None:
    chunks = [CallPart(2, name="x"), CallPart(0, name="y"), CallPart(0, "late", arguments="{}")]
    assert gather(chunks).calls == (ToolCall("late", "y", "{}"), ToolCall("call-3", "x", ""))


def test_the_same_reply_wherever_it_was_cut() -> None:
    seed = 7
    print(f"seed {seed}")
    chance = random.Random(seed)
    text, arguments = "He nods, 慢慢地.", '{"coins": 2, "to": "Märn"}'
    for _ in range(200):
        chunks: list[Chunk] = []
        for whole, make in ((text, Text), (arguments, lambda part: CallPart(0, arguments=part))):
            cuts = sorted(chance.choices(range(len(whole) + 1), k=3))
            pieces = [whole[a:b] for a, b in zip([0, *cuts], [*cuts, len(whole)], strict=True)]
            chunks += [make(piece) for piece in pieces]
        chunks.insert(4, CallPart(0, "a", "pay"))
        assert gather(chunks) == Reply(text, (ToolCall("a", "pay", arguments),))
