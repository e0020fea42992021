"""Quotes: lines cut to a terminal, and the mark under the right cell."""

import pytest

from talewright.cli.terminal_text import ROOM_MIN, printable, quote, width, wrap

MARGIN = len("     1 | ")


def cell_of(line: str, mark: str) -> str:
    """The character of a quoted line under which the mark stands."""
    at = 0
    for char in line:
        if at == mark.index("^"):
            return char
        at += width(char)
    return ""


TEXTS = {
    "plain": "when: rope > 2 and @ > 3",
    "chinese": "label: 井边的灯, when: @ > 3",
    "full width": "ＡＢＣ，@",
    "accents": "cafe\u0301 and na\u0308ive @",
    "tabs": "a\tb\t@ c",
    "invisible": "a\u200bb\u202e @ c",
    "first": "@bc",
    "long before": "x" * 300 + "@" + "y" * 10,
    "long after": "ab@" + "y" * 300,
    "long both": "字" * 300 + "@" + "y" * 300,
    "long chinese after": "ab@" + "字" * 300,
}


@pytest.mark.parametrize("columns", [20, 40, 80, 200])
@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
def test_the_mark_stands_under_its_character_and_the_line_fits(text: str, columns: int) -> None:
    line, mark = quote(text, 1, text.index("@") + 1, columns)
    assert cell_of(line, mark) == "@"
    assert width(line) <= max(columns, MARGIN + ROOM_MIN)
    assert line.startswith("     1 | ")
    assert mark.startswith("       | ")


def test_a_mark_after_the_end_of_a_line() -> None:
    assert quote("rope >", 12, 7, 80) == ["    12 | rope >", "       |       ^"]
    assert quote("", 1, 1, 80) == ["     1 |", "       | ^"]
    assert quote("ab", 1, 99, 80)[1] == "       |   ^"


def test_what_is_cut_is_shown_as_cut() -> None:
    line, _ = quote("a" * 200, 1, 100, 60)
    assert line.startswith("     1 | ...a")
    assert line.endswith("a...")


def test_a_line_of_a_whole_file_costs_nothing() -> None:
    line, _ = quote("a" * 5_000_000 + "@", 1, 5_000_001, 80)
    assert line.endswith("a@")


@pytest.mark.parametrize(
    ("text", "cells"),
    [("abc", 3), ("井边", 4), ("e\u0301", 1), ("ｱ", 1), ("Ａ", 2), ("", 0), ("\U0001f3ee", 2)],
)
def test_the_cells_of_a_text(text: str, cells: int) -> None:
    assert width(text) == cells


def test_nothing_that_moves_the_cursor_is_printed() -> None:
    assert printable("a\x1b[2Jb\n\u202ec\td") == "a [2Jb  c d"
    assert printable("井边 ok") == "井边 ok"


def test_a_sentence_is_broken_between_words() -> None:
    assert wrap("one two three", 7, "  ") == "one two\n  three"
    assert wrap("one two three", 80, "  ") == "one two three"
    assert wrap("unbreakable word", 5, "  ") == "unbreakable\n  word"
    assert wrap("井边 的灯 在", 9, "") == "井边 的灯\n在"
    assert wrap("", 9, "") == ""
