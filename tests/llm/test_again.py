"""Again: a reply that begins anew is what came last, and what all of it has cost."""

from talewright.llm.reply_chunks import (
    Again,
    CallPart,
    Chunk,
    Reply,
    Stop,
    StopReason,
    Text,
    Usage,
    Used,
    add_usage,
    gather,
)
from talewright.llm.requests import ToolCall


def test_what_came_before_is_void() -> None:
    chunks: list[Chunk] = [
        Text("He sh"),
        CallPart(0, "a", "pay", "{"),
        Stop(StopReason.LENGTH),
        Used(Usage(5, 1)),
        Again("it broke"),
        Text("He nods."),
    ]
    assert gather(chunks) == Reply("He nods.", (), Usage(5, 1), None)
    more: list[Chunk] = [CallPart(0, "b", "look", "{}"), Used(Usage(6, 2)), Stop(StopReason.CALLS)]
    assert gather(chunks + more) == Reply(
        "He nods.", (ToolCall("b", "look", "{}"),), Usage(11, 3), StopReason.CALLS
    )


def test_usage_adds_up_over_all_beginnings() -> None:
    chunks: list[Chunk] = [
        Used(Usage(9, 9)),
        Used(Usage(1)),
        Again("x"),
        Again("y"),
        Used(Usage(2)),
        Again("z"),
        Used(Usage(4)),
    ]
    assert gather(chunks).usage == Usage(7)
    assert gather([Text("a"), Again("x")]) == Reply()


def test_adding_what_may_be_unknown() -> None:
    assert add_usage(None, None) is None
    assert add_usage(Usage(1), None) == add_usage(None, Usage(1)) == Usage(1)
    assert add_usage(Usage(1), Usage(2)) == Usage(3)
