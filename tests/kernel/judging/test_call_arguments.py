"""The one reader for arguments of tool calls: what it takes, and in which words it refuses."""

from collections.abc import Callable

import pytest

from talewright.common.json_values import Json
from talewright.kernel.judging.call_arguments import CallArguments
from talewright.kernel.judging.rulings import Grade, Refusal


def said(**members: Json) -> CallArguments:
    return CallArguments("row", members)


def refusal(read: Callable[[], object]) -> str:
    with pytest.raises(Refusal) as caught:
        read()
    assert caught.value.grade is Grade.MEND
    return caught.value.reason


def test_members_are_kept_to() -> None:
    said(oars=2, note="x").keep_to(["oars"], ignored=["note"])
    assert refusal(lambda: said(oarz=2).keep_to(["oars"])) == (
        "row has no `oarz`; it takes oars; did you mean oars?"
    )
    assert refusal(lambda: said(xyz=2).keep_to([])) == "row has no `xyz`; it takes nothing"


def test_null_is_missing() -> None:
    assert said(oars=0).has("oars")
    assert not said(oars=None).has("oars")
    assert not said().has("oars")


def test_objects() -> None:
    inner = said(boat={"oars": 2}).within("boat")
    assert inner.whole("oars") == 2
    assert refusal(lambda: said(boat="x").within("boat")) == "row: `boat` is an object, not 'x'"


def test_lines() -> None:
    assert said(name=" Red\nOar ").line("name", 9) == "Red Oar"
    assert said().line("name", 9) == ""
    assert said(name="aaa").line("name", len) == "aaa"
    assert refusal(lambda: said(name=3).line("name", 9)) == "row: `name` is a text, not 3"
    assert refusal(lambda: said(name="abc").line("name", 2)) == (
        "row: `name` has at most 2 characters; this one has 3"
    )


def test_texts() -> None:
    assert said(name=" Red ").text("name", 9, "a name") == "Red"
    assert refusal(lambda: said().text("name", 9, "a name")) == "row needs `name`: a name"
    assert refusal(lambda: said(name=" ").text("name", 9, "a name")) == "row needs `name`: a name"
    assert refusal(lambda: said(name=3).text("name", 9, "a name")) == "row needs `name`: a name, not 3"
    assert refusal(lambda: said(name="abc").text("name", 2, "a name")) == (
        "row: `name` has at most 2 characters; this one has 3"
    )


def test_choices() -> None:
    assert said(pace="easy").choice("pace", ["easy", "hard"]) == "easy"
    assert said().choice("pace", ["easy", "hard"], "hard") == "hard"
    assert said(pace=" Easy ").choice("pace", ["easy", "hard"]) == "easy"
    wanted = "row: `pace` is one of easy, hard"
    assert refusal(lambda: said(pace="Slow").choice("pace", ["easy", "hard"])) == f"{wanted}, not 'Slow'"
    assert refusal(lambda: said(pace=3).choice("pace", ["easy", "hard"])) == f"{wanted}, not 3"
    assert refusal(lambda: said().choice("pace", ["easy", "hard"])) == wanted


def test_whole_numbers() -> None:
    assert said(oars=2).whole("oars") == 2
    assert said(oars=2).whole("oars", 2, 2) == 2
    assert refusal(lambda: said(oars=True).whole("oars")) == "row: `oars` is a whole number, not true"
    assert refusal(lambda: said(oars=1).whole("oars", 2)) == (
        "row: `oars` is a whole number of 2 or more, not 1"
    )
    assert refusal(lambda: said(oars=9).whole("oars", 2, 4)) == (
        "row: `oars` is a whole number from 2 to 4, not 9"
    )


def test_two_point_zero_is_a_whole_number() -> None:
    read = said(oars=2.0, half=2.5)
    assert read.whole("oars") == 2
    assert type(read.whole("oars", 1, 2)) is int
    assert refusal(lambda: read.whole("oars", 3)) == "row: `oars` is a whole number of 3 or more, not 2"
    assert refusal(lambda: read.whole("half")) == "row: `half` is a whole number, not 2.5"


def test_truths() -> None:
    assert said(fast=True).truth("fast") is True
    assert said().truth("fast", default=False) is False
    assert refusal(lambda: said().truth("fast")) == "row: `fast` is true or false, not null"
    assert refusal(lambda: said(fast="yes").truth("fast", default=False)) == (
        "row: `fast` is true or false, not 'yes'"
    )
