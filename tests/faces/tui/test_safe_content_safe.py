"""What reaches a terminal: nothing that steers it, and nothing that reads as markup."""

import sys
import unicodedata
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.content import Span

from talewright.faces.tui.safe_content import (
    ELLIPSIS,
    LINE_LENGTH_MAX,
    LINES_MAX,
    MARKS_MAX,
    TAB,
    TEXT_LENGTH_MAX,
    plain,
    safe,
    safe_line,
)

ANY = st.text(
    st.characters(codec=None) | st.sampled_from("\x1b\x07\x9b\u200d\ufe0f\u202e\u0301❤👩\n\r\t[]\ud83d")
)
LINEAR_SECONDS = 0.5


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", ""),
        ("plain [b]text[/b]", "plain [b]text[/b]"),
        ("雾港，二十点十分。", "雾港，二十点十分。"),
        ("a\nb", "a\nb"),
        ("a\r\nb\rc", "a\nbc"),
        ("a\u2028b\u2029c", "a\nb\nc"),
        ("a\tb", f"a{TAB}b"),
        ("\x1b[31mred\x1b[0m", "[31mred[0m"),
        ("\x1b]52;c;aGk=\x07", "]52;c;aGk="),
        ("\x1b]8;;http://a\x1b\\link\x1b]8;;\x1b\\", "]8;;http://a\\link]8;;\\"),
        ("\x9b31m\x90q\x9c\x85\x7f\x00", "31mq"),
        ("\u202egnp.exe\u2066x\u2069\u061c\u200f", "gnp.exex"),
        ("pass\u200bword\u2060\ufeff\xad", "password"),
        ("a\U000e0041b\ufff9c", "abc"),
        ("\ud83d\ude00 \udcff", "\ufffd\ufffd \ufffd"),
        ("👩\u200d🚀 ❤\ufe0f 1\ufe0f\u20e3", "👩\u200d🚀 ❤\ufe0f 1\ufe0f\u20e3"),
        ("👩\ufe0f\u200d🚀", "👩\ufe0f\u200d🚀"),
        ("a\u200db\ufe0f \u200d👩\u200d", "ab 👩"),
        ("a\ufe0f\u200d👩", "a👩"),
        ("👩\u200d\u200d👩", "👩👩"),
        ("x\ufe0ey\u3164z", "xyz"),
        ("e" + "\u0301" * 9, "e" + "\u0301" * 8),
        ("e" + "\u0301\u200b" * 20, "e" + "\u0301" * 8),
    ],
)
def test_what_a_terminal_would_obey_is_dropped(text: str, wanted: str) -> None:
    assert safe(text) == wanted
    assert safe(wanted) == wanted


def test_line_is_cut_where_it_is_too_long() -> None:
    assert safe("x" * LINE_LENGTH_MAX) == "x" * LINE_LENGTH_MAX
    cut = "x" * (LINE_LENGTH_MAX - 1) + ELLIPSIS
    assert safe("x" * (LINE_LENGTH_MAX + 1)) == cut
    assert safe("x" * 1_000_000 + "\nend") == cut
    assert safe("a\n" + "x" * 15_000 + "\nend") == f"a\n{cut}\nend"
    assert safe(cut) == cut


def test_text_is_cut_where_it_is_too_long() -> None:
    short = f"{'x' * 99}\n" * (TEXT_LENGTH_MAX // 100)
    assert safe(short) == short
    assert safe(short + "x") == short[:-1] + ELLIPSIS
    assert len(safe(f"{'x' * 80}\t\n" * TEXT_LENGTH_MAX)) == TEXT_LENGTH_MAX


def test_text_of_too_many_lines_is_cut() -> None:
    short = "a\n" * (LINES_MAX - 1) + "b"
    assert safe(short) == short
    assert safe(short + "\n") == "a\n" * (LINES_MAX - 1) + ELLIPSIS
    assert safe("\n" * 1_000_000) == "\n" * (LINES_MAX - 1) + ELLIPSIS


def test_joiner_is_not_left_at_a_cut() -> None:
    assert safe("👩\u200d" * LINE_LENGTH_MAX).endswith(f"👩{ELLIPSIS}")


def test_one_line_has_no_line_ends() -> None:
    assert safe_line("a\nb\r\nc\u2028d\re") == "a b c de"
    assert safe_line("a\n" * TEXT_LENGTH_MAX) == "a " * (LINE_LENGTH_MAX // 2 - 1) + "a" + ELLIPSIS
    assert safe_line("short") == "short"


@given(ANY)
def test_safe_text_has_nothing_unsafe(text: str) -> None:
    made = safe(text)
    assert safe(made) == made
    made.encode()
    for before, char, after in zip(" " + made, made, made[1:] + " ", strict=False):
        category = unicodedata.category(char)
        assert category not in ("Cc", "Cs", "Zl", "Zp") or char == "\n"
        assert category != "Cf" or (char == "\u200d" and ord(before) > 0xA8 and ord(after) > 0xA8)


@given(ANY)
def test_one_line_is_one_line(text: str) -> None:
    assert "\n" not in safe_line(text)


def test_every_format_character_of_unicode_is_known() -> None:
    for code in range(sys.maxunicode + 1):
        char = chr(code)
        if unicodedata.category(char) in ("Cf", "Cc", "Cs") and char not in "\n\t":
            assert char not in safe(f"a{char}b"), hex(code)


@pytest.mark.parametrize(
    "text", ["\x1b", "a\u200d", "👩\u200d", "\t", "e\u0301", "x", "\n", "1\ufe0f", "\r\n"]
)
def test_time_grows_with_the_length_alone(text: str) -> None:
    begun = process_time()
    safe(text * (5_000_000 // len(text)))
    safe_line(text * (5_000_000 // len(text)))
    assert process_time() - begun < LINEAR_SECONDS


def test_marks_of_one_letter_are_kept() -> None:
    assert safe("e\u0301" * 100) == "e\u0301" * 100
    assert MARKS_MAX >= 4


def test_plain_content_reads_no_markup() -> None:
    content = plain("[bold red]x[/] \x1b[1m", "$error")
    assert content.plain == "[bold red]x[/] [1m"
    assert content.spans == [Span(0, len(content.plain), "$error")]
    assert plain("[b]x[/b]").spans == []
    assert plain("").plain == ""
