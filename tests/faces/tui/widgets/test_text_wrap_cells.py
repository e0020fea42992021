"""Folding: lines that fit, with nothing lost and Chinese punctuation where it belongs."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.content import Content

from talewright.faces.tui.safe_content import safe
from talewright.faces.tui.widgets.text_wrap import CELLS_MIN, wrap_content, wrap_ranges

TEXTS = st.text(
    st.sampled_from("ab\u00a0 cd，。「」（“”’…—! é1👩‍🚀❤️雾港　.") | st.characters(codec="utf-8"), max_size=80
)


def rows(text: str, width: int) -> list[str]:
    """The folded lines."""
    return [text[start:end] for start, end in wrap_ranges(text, width)]


@pytest.mark.parametrize(
    ("text", "width", "wanted"),
    [
        ("", 10, [""]),
        ("one two three", 7, ["one two", "three"]),
        ("one two three", 8, ["one two", "three"]),
        ("one   two", 6, ["one", "two"]),
        ("abcdefghij", 4, ["abcd", "efgh", "ij"]),
        ("ab abcdefghij", 4, ["ab", "abcd", "efgh", "ij"]),
        ("one\n\ntwo", 10, ["one", "", "two"]),
        ("雾港二十点", 4, ["雾港", "二十", "点"]),
        ("雾港二十点", 5, ["雾港", "二十", "点"]),
        ("雾港，二十", 4, ["雾", "港，", "二十"]),
        ("说：「雾」", 6, ["说：", "「雾」"]),
        ("他说“你好”", 6, ["他说", "“你好”"]),
        ("the fog’s edge—wide", 9, ["the fog’s", "edge—wide"]),
        ("go to 雾港 now", 8, ["go to 雾", "港 now"]),
        ("don’t 雾", 5, ["don’t", "雾"]),
        ("超长abcdefgh字", 6, ["超长", "abcdef", "gh字"]),
        ("No...\u00a08\u00a0%; No", 11, ["No...\u00a08\u00a0%;", "No"]),
        ("so No...\u00a08\u00a0%", 10, ["so", "No...\u00a08\u00a0%"]),
        ("（还剩\u00a02\u00a0点）", 10, ["（还", "剩\u00a02\u00a0点）"]),
        ("雾\u00a0", 4, ["雾\u00a0"]),
        ("\u00a0\u00a0雾 雾\u00a0。", 6, ["\u00a0\u00a0雾", "雾\u00a0。"]),
        ("雾\u00a0港\u00a0二", 5, ["雾\u00a0港", "\u00a0二"]),
        ("，。，。，。", 4, ["，。", "，。", "，。"]),
    ],
)
def test_lines_are_broken_where_they_should(text: str, width: int, wanted: list[str]) -> None:
    assert rows(text, width) == wanted


@given(TEXTS, st.integers(1, 40))
def test_lines_fit_and_nothing_is_lost(text: str, width: int) -> None:
    text = safe(text)
    ranges = wrap_ranges(text, width)
    assert "".join(rows(text, width)).replace(" ", "") == text.replace(" ", "").replace("\n", "")
    for start, end in ranges:
        assert cell_len(text[start:end]) <= max(width, CELLS_MIN)
    for (_, end), (start, _) in pairwise(ranges):
        assert text[end:start].strip(" ") in ("", "\n")


def test_styles_go_on_over_the_end_of_a_line() -> None:
    content = Content.assemble("one ", ("two three", "bold"), " four")
    lines = wrap_content(content, 8)
    assert [line.plain for line in lines] == ["one two", "three", "four"]
    assert [[line.plain[span.start : span.end] for span in line.spans] for line in lines] == [
        ["two"],
        ["three"],
        [],
    ]
