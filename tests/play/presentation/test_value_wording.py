"""Wording: values in words, and text that steers no terminal."""

import random

import pytest

from talewright.common.json_values import Json
from talewright.common.safe_text import clean, clean_line
from talewright.kernel.story.game_texts import Texts
from talewright.play.presentation.value_wording import Wording, clock_text, is_clock, is_clock_slot
from tests.kernel.making import boolean, integer, record, string
from tests.play.scenes import WORDS, room_game

LAYOUT = room_game().layout
EN = Wording(Texts("en", WORDS), "en")
ZH = Wording(Texts("zh-CN", {}), "zh-CN")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain\n\ttext é 雾", "plain\n\ttext é 雾"),
        ("a\x00b\x07c\x1b[31md\x7fe", "abc[31mde"),
        ("a\x85b\x9bc", "abc"),
        ("a\u202eb\u2066c\u200fd\u061ce", "abcde"),
        ("a\u2028b\ufeffc\U000e0041d", "abcd"),
        ("a\ud800b", "a\ufffdb"),
        ("a\r\nb\rc", "a\nbc"),
    ],
)
def test_text_loses_what_steers_a_terminal(text: str, expected: str) -> None:
    assert clean(text) == expected


def test_pieces_cleaned_one_by_one_are_the_whole_cleaned() -> None:
    seed = 11
    rng = random.Random(seed)
    for _ in range(200):
        text = "".join(chr(rng.choice((rng.randrange(0x300), rng.randrange(0x110000)))) for _ in range(40))
        cut = rng.randrange(40)
        assert clean(text[:cut]) + clean(text[cut:]) == clean(text), f"seed {seed}"
        clean(text).encode()


def test_a_line_is_one_line() -> None:
    assert clean_line("  a\n b\t\x1bc ") == "a b c"
    assert clean_line("\u00a0 8\u00a0% a\u00a0\u00a0b \u00a0c\nd\u00a0") == "8\u00a0% a b c d"


@pytest.mark.parametrize(
    ("value", "english", "chinese"),
    [
        (True, "yes", "是"),
        (False, "no", "否"),
        (3, "3", "3"),
        (2.50, "2.5", "2.5"),
        ("dock", "dock", "dock"),
        ("", "none", "无"),
        (None, "none", "无"),
        ([], "none", "无"),
        (["a", 1], "a, 1", "a、1"),
        ({"a": 1, "b_c": True}, "a 1, b c: yes", "a 1、b c：是"),
        ({"hour": 22, "minute": 5}, "22:05", "22:05"),
        ({"day": 2, "hour": 9, "minute": 30}, "day 2, 09:30", "day：2、09:30"),
    ],
)
def test_values_are_said_on_one_line(value: Json, english: str, chinese: str) -> None:
    assert EN.value(("x",), None, value) == english
    assert ZH.value(("x",), None, value) == chinese


def test_labels_of_the_author_are_used() -> None:
    assert EN.label(("ties", "lian")) == "Lian"
    assert EN.full_label(("ties", "lian")) == "Ties: Lian"
    assert EN.label(("odd_name",)) == "odd name"
    assert EN.value(("place",), LAYOUT.roots["place"], "dock") == "The dock"
    assert EN.value(("bag",), LAYOUT.roots["bag"], ["rope", "coin"]) == "a rope, coin"
    lit = Wording(Texts("en", {"value.lit.true": "burning\x1b"}), "en")
    assert (lit.value(("lit",), boolean(), True), lit.value(("lit",), boolean(), False)) == ("burning", "no")


def test_things_are_called_by_their_names() -> None:
    wording = Wording(Texts("en", {"item.oar.name": "a long oar"}), "en")
    things: Json = [{"id": "oar", "qty": 1}, {"id": "wet_rope", "qty": 3}, {"id": "oar", "qty": None}]
    assert wording.value(("bag",), None, things) == "a long oar, wet rope × 3, a long oar"
    assert wording.value(("bag",), None, {"id": "oar", "qty": 2, "wet": True}) == "a long oar × 2 (wet: yes)"
    assert wording.value(("bag",), None, {"id": "oar", "left": False}) == "a long oar (left: no)"
    assert wording.value(("bag",), None, {"id": "x1", "left": False}) == "id: x1, left: no"
    assert wording.value(("bag",), None, ["oar", "wet_rope"]) == "a long oar, wet_rope"
    assert wording.value(("held",), None, "oar") == "a long oar"
    assert wording.value(("stack",), None, {"oar": 2, "wet_rope": 1}) == "a long oar 2, wet rope 1"
    assert wording.label(("oar",)) == "oar"
    labelled = Wording(Texts("en", {"item.oar.name": "a long oar", "value.held.oar": "that oar"}), "en")
    assert labelled.value(("held",), None, "oar") == "that oar"
    same = Wording(Texts("en", {"item.oar.name": "An Oar", "value.held.oar": "oar"}), "en")
    assert same.value(("held",), None, "oar") == "oar"


def test_a_label_of_one_character_is_not_joined_with_its_number() -> None:
    clock: Json = {"day": 1, "hour": 20, "minute": 10}
    for label, words in (("日", "第 1 日、20:10"), ("日期", "日期：1、20:10")):
        wording = Wording(Texts("zh-CN", {"variable.time.day": label}), "zh-CN")
        assert wording.value(("time",), None, clock) == words


def test_ranges_are_said() -> None:
    assert EN.measured(("hp",), integer(5, 0, 100), 60) == "60/100"
    assert EN.measured(("x",), integer(5, -100, 100), 60) == "60 (-100 to 100)"
    assert ZH.measured(("x",), integer(5, -100, 100), 60) == "60（-100 至 100）"
    assert EN.measured(("x",), integer(5, 0), 60) == "60"
    assert EN.measured(("x",), string(), "a") == "a"
    assert EN.measured(("x",), integer(5, 0, 100), None) == "none"


def test_clocks_are_known_by_their_members() -> None:
    assert is_clock({"hour": 0, "minute": 5})
    assert clock_text({"hour": 0, "minute": 5}) == "00:05"
    assert not is_clock({"hour": True, "minute": 5})
    assert not is_clock({"hour": 1, "minute": -5})
    assert not is_clock({"hour": 1})
    assert not is_clock([])
    assert is_clock_slot(record(hour=integer(), minute=integer()))
    assert not is_clock_slot(record(hour=integer(), minute=string()))
    assert not is_clock_slot(record(hour=integer()))
    assert not is_clock_slot(integer())
    assert not is_clock_slot(None)


def test_numbers_have_no_needless_digits() -> None:
    numbers = (7, -1, 0.1 + 0.2, 1e15, 8.881784197e-16, -8.881784197e-16, -0.0, -0.5, 123456.123456789)
    assert [EN.value(("hp",), None, value) for value in numbers] == [
        *("7", "-1", "0.3", "1000000000000000", "0", "0", "0", "-0.5", "123456.123456789"),
    ]
