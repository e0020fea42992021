"""Folding: lines that fit, the same however the text arrives, and nothing a terminal would obey."""

import random

import pytest

from talewright.faces.plain.plain_output import COLUMNS_MIN, StreamWrapper, clean_text, width, wrap_text

CASES = [
    ("the fog comes in first", 20, "the fog comes in\nfirst"),
    ("exactly twenty cells", 20, "exactly twenty cells"),
    ("exactly twenty-one cells", 20, "exactly twenty-one\ncells"),
    ("one\ntwo", 20, "one\ntwo"),
    ("一二三四五六七八九十一", 20, "一二三四五六七八九十\n一"),
    ("一二三四五六七八九十。", 20, "一二三四五六七八九\n十。"),
    ("一二三四五六七八九“十”", 20, "一二三四五六七八九\n“十”"),
    ("一二三四五六七八九 ab cd", 20, "一二三四五六七八九\nab cd"),
    ("电power灯", 20, "电power灯"),
    ("No, and it costs 18\u00a0%", 20, "No, and it costs\n18\u00a0%"),
    ("一二三四五六七八（还剩\u00a02\u00a0点）", 20, "一二三四五六七八（还\n剩\u00a02\u00a0点）"),
    ("一二三四五六七八\u00a02\u00a0点", 20, "一二三四五六七\n八\u00a02\u00a0点"),
    ("  kept indent", 20, "  kept indent"),
    ("a" * 25 + " bc", 20, "a" * 25 + "\nbc"),
    ("e\u0301" * 20, 20, "e\u0301" * 20),
    ("", 20, ""),
]


@pytest.mark.parametrize(("text", "columns", "folded"), CASES)
def test_text_is_folded(text: str, columns: int, folded: str) -> None:
    assert wrap_text(text, columns) == folded


def test_a_broken_line_goes_on_with_the_indent() -> None:
    assert wrap_text("1. one two three four five", 20, "   ") == "1. one two three\n   four five"


def test_a_narrow_terminal_still_gets_lines() -> None:
    assert wrap_text("a b " * 10, 3) == wrap_text("a b " * 10, COLUMNS_MIN)


def test_no_line_begins_or_ends_where_it_may_not() -> None:
    choose = random.Random(7)
    for _ in range(200):
        text = "".join(choose.choice("一二三，。“”（）abc") for _ in range(60))
        for line in wrap_text(text, 20).split("\n")[1:]:
            assert line[:1] not in set("，。”）"), f"seed 7: {text}"
        for line in wrap_text(text, 20).split("\n")[:-1]:
            assert line[-1:] not in set("“（"), f"seed 7: {text}"


def test_however_it_is_cut_the_lines_are_the_same() -> None:
    seed = 3
    choose = random.Random(seed)
    text = "雾港，ten past eight。“五块。”She said  nothing.\n\n一二三四五六七八九十一二三四五六七八九十" * 3
    for _ in range(100):
        folder, out, rest = StreamWrapper(24), "", text
        while rest:
            cut = choose.randint(1, 9)
            out, rest = out + folder.feed(rest[:cut]), rest[cut:]
        assert out + folder.end() == wrap_text(text, 24), f"seed {seed}"


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("a\x1b[31mb\x07\x00", "a[31mb"),
        ("a\tb\r\nc", "a b\nc"),
        ("\u202eabc\u2066\u200f", "abc"),
        ("\x9b2J\x85", "2J"),
        ("\ud800x", "\ufffdx"),
        ("雾港 – “…”", "雾港 – “…”"),
    ],
)
def test_nothing_reaches_the_terminal_that_it_would_obey(text: str, cleaned: str) -> None:
    assert clean_text(text) == cleaned


def test_pieces_cleaned_one_by_one_are_the_whole_cleaned_at_once() -> None:
    text = "".join(map(chr, range(0x3100))) + "\ud800\U000e0041"
    assert "".join(map(clean_text, text)) == clean_text(text)
    assert not [
        char for char in clean_text(text) if not char.isprintable() and char != "\n" and ord(char) < 0xA0
    ]


def test_width_counts_cells() -> None:
    assert [width(text) for text in ("ab", "雾港", "a雾", "e\u0301", "“a”")] == [2, 4, 3, 1, 3]
