"""Matching: the choice that is meant, or none."""

import pytest

from talewright.turn.inputs.player_choices import LEAD_MIN, THRESHOLD, ChoiceCandidate, match, match_exactly

PAY = ChoiceCandidate("pay", ("Pay two coins", "give him the coins"))
HAGGLE = ChoiceCandidate("haggle", ("Haggle", "argue about the price"))
WAIT = ChoiceCandidate("wait", ("Wait for the morning ferry",))
QUAY = (PAY, HAGGLE, WAIT)

LAMP = ChoiceCandidate("lamp", ("点亮灯塔的灯", "点灯"))
HALL = ChoiceCandidate("hall", ("去码头大厅", "进入大厅"))
SLEEP = ChoiceCandidate("sleep", ("睡", "在旅馆休息"))
HARBOR = (LAMP, HALL, SLEEP)

EXACT = [
    ("Pay two coins", "pay"),
    ("pay", "pay"),
    ("  PAY  two\tCOINS!! ", "pay"),
    ("Ｐａｙ two coins", "pay"),
    ("give him the coins", "pay"),
    ("haggle.", "haggle"),
    ("Pay two", None),
    ("", None),
    ("?!", None),
]


@pytest.mark.parametrize(("text", "expected"), EXACT)
def test_called_exactly_so(text: str, expected: str | None) -> None:
    assert match_exactly(text, QUAY) == expected
    if expected is not None:
        assert match(text, QUAY) == expected


LIKELY = [
    ("pay the two coins", "pay"),
    ("I pay him two coins", "pay"),
    ("give the coins", "pay"),
    ("argue about price", "haggle"),
    ("wait for the ferry", "wait"),
    ("I wait for the morning", "wait"),
    # Words that stand in no choice, or too few of one.
    ("sing", None),
    ("the", None),
    ("go", None),
    # A long sentence is not meant by one word of it.
    ("I look around, wonder who lit the lamp, haggle in my head and say nothing at all", None),
    ("while they haggle over fish at the far end of the quay I count the ropes", None),
    # One word is enough where it stands in one choice only.
    ("two", "pay"),
    ("coins", "pay"),
    ("wait", "wait"),
    ("wait here until somebody tells me why the sea is so quiet tonight", None),
]


@pytest.mark.parametrize(("text", "expected"), LIKELY)
def test_meant(text: str, expected: str | None) -> None:
    assert match(text, QUAY) == expected


CHINESE = [
    ("点亮灯塔的灯", "lamp"),
    ("点亮灯塔", "lamp"),
    ("点灯", "lamp"),
    ("去码头大厅。", "hall"),
    ("我去码头大厅", "hall"),
    ("进入大厅", "hall"),
    ("在旅馆休息", "sleep"),
    ("睡", "sleep"),
    ("在旅馆休息一下", "sleep"),
    ("唱歌", None),
    ("大厅", "hall"),
    ("我想先看看天上的星星再决定要不要去码头那边的大厅看一看", None),
]


@pytest.mark.parametrize(("text", "expected"), CHINESE)
def test_in_chinese(text: str, expected: str | None) -> None:
    assert match(text, HARBOR) == expected


def test_two_that_are_called_the_same_are_ambiguous() -> None:
    north, south = ChoiceCandidate("north", ("Open the door",)), ChoiceCandidate("south", ("open the door!",))
    assert match_exactly("open the door", (north, south)) is None
    assert match("open the door", (north, south)) is None
    assert match("south", (north, south)) == "south"


def test_two_that_fit_as_well_are_ambiguous() -> None:
    red, blue = ChoiceCandidate("red", ("open red door",)), ChoiceCandidate("blue", ("open blue door",))
    assert match("open door", (red, blue)) is None
    assert match("open door", (red,)) == "red"
    assert match("open red door quickly", (red, blue)) == "red"


def test_the_threshold_and_the_lead_are_exact() -> None:
    assert (THRESHOLD, LEAD_MIN) == (0.6, 0.1)
    # One of two words said and one of one asked is 0.75; one of five and one is 0.6; one of six is less.
    assert match("one two", (ChoiceCandidate("x", ("one",)),)) == "x"
    assert match("one two three four five", (ChoiceCandidate("x", ("one",)),)) == "x"
    assert match("one two three four five six", (ChoiceCandidate("x", ("one",)),)) is None
    # 0.75 against 2/3 is a lead of 0.083; against 0.625 it is one of 0.125.
    one = ChoiceCandidate("one", ("one",))
    assert match("one two", (one, ChoiceCandidate("near", ("one two c d e f",)))) is None
    assert match("two one", (one, ChoiceCandidate("far", ("one two c d e f g h",)))) == "one"


def test_nothing_to_choose_from() -> None:
    assert match("anything", ()) is None
    assert match_exactly("anything", ()) is None
    assert match("anything", (ChoiceCandidate("x", ()),)) is None
    assert match("x", (ChoiceCandidate("x", ()),)) == "x"
