"""What each place takes out of a text; what stands here is what campaigns and screens rely on."""

import sys
from collections.abc import Callable, Iterator, Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.common.safe_text import (
    ANSWER_TEXT,
    COMMAND_OUTPUT,
    FAULT_MESSAGE,
    PLAIN_FACE_TEXT,
    PLAYER_LINE,
    PLAYER_TEXT,
    SERVER_QUOTE,
    SPIRAL_LINE,
    TERMINAL_FACE_TEXT,
    SafeTextRule,
    clean,
    clean_line,
    make_safe,
)

RULES: Mapping[str, SafeTextRule] = {
    "answer": ANSWER_TEXT,
    "player": PLAYER_TEXT,
    "player line": PLAYER_LINE,
    "plain face": PLAIN_FACE_TEXT,
    "terminal face": TERMINAL_FACE_TEXT,
    "command": COMMAND_OUTPUT,
    "fault": FAULT_MESSAGE,
    "server": SERVER_QUOTE,
    "spiral": SPIRAL_LINE,
}

CONTROLS = "0-8 b-1f 7f-9f"

TOUCHED = {
    "answer": f"{CONTROLS} 61c 200e-200f 2028-202e 2066-2069 d800-dfff feff fff9-fffb",
    "player": f"{CONTROLS} 61c 200e-200f 2028-202e 2066-2069 d800-dfff feff fff9-fffb e0000-e007f",
    "player line": (
        "0-1f 7f-9f 61c 1680 2000-200a 200e-200f 2028-202f 205f 2066-2069 3000 d800-dfff feff"
        " fff9-fffb e0000-e007f"
    ),
    "plain face": "0-9 b-1f 7f-9f 61c 200e-200f 2028-202e 2066-2069 d800-dfff fff9-fffb e0000-e007f",
    "terminal face": (
        "0-9 b-1f 7f-9f ad 34f 600-605 61c 6dd 70f 890-891 8e2 115f-1160 17b4-17b5 180b-180f 200b-200f"
        " 202a-202e 2060-206f 3164 d800-dfff fe00-fe0f feff ffa0 fff0-fffb 110bd 110cd 13430-1343f"
        " 1bca0-1bca3 1d173-1d17a e0000-e0fff"
    ),
    "server": "0-1f 7f-9f 200b-200f 2028-202e 2066-2069 feff",
    "spiral": "0-1f 7f-a0 1680 2000-200a 2028-202f 205f 2066-2069 3000",
}
"""Characters that do not stay as they are between two letters, by their numbers."""


def spread(ranges: str) -> Iterator[int]:
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from range(int(first, 16), int(last or first, 16) + 1)


@pytest.fixture(scope="module")
def characters() -> list[str]:
    """Every character but the one that keeps them apart, which no place takes out."""
    return [chr(code) for code in range(sys.maxunicode + 1) if chr(code) != "|"]


@pytest.mark.parametrize("name", TOUCHED)
def test_a_place_takes_out_these_characters_and_no_other(name: str, characters: list[str]) -> None:
    # All at once: one by one would take minutes.
    _, *made, _ = make_safe(f"|{'|'.join(characters)}|", RULES[name]).split("|")
    touched = {ord(was) for was, now in zip(characters, made, strict=True) if was != now}
    assert touched == set(spread(TOUCHED[name]))


SAMPLE = " a\tb\r\n\x1b[1mc\u202e\xa0d \xa0e\ufeff\u2028f\ud800\U000e0041g\u3000\x85h\xad👩\u200d🚀 \n"

MADE = {
    "answer": " a\tb\n[1mc\xa0d \xa0ef\U000e0041g\u3000h\xad👩\u200d🚀 \n",
    "player": " a\tb\n[1mc\xa0d \xa0ef\ufffdg\u3000h\xad👩\u200d🚀 \n",
    "player line": "a b [1mc\xa0d ef\ufffdg h\xad👩\u200d🚀",
    "plain face": " a b\n[1mc\xa0d \xa0e\ufefff\ufffdg\u3000h\xad👩\u200d🚀 \n",
    "terminal face": " a    b\n[1mc\xa0d \xa0e\u2028f\ufffdg\u3000h👩\u200d🚀 \n",
    "command": " a b   [1mc  d  e  f  g  h 👩 🚀  ",
    "fault": (
        " a\\u0009b\\u000d\\u000a\\u001b[1mc\\u202e\\u00a0d \\u00a0e\\ufeff\\u2028f\\ud800\\ue0041g\\u3000"
        "\\u0085h\\u00ad👩\\u200d🚀 \\u000a"
    ),
    "server": "a b [1mc \xa0d \xa0e f\ud800\U000e0041g\u3000 h\xad👩 🚀",
    "spiral": "a b [1mc d e\ufeff f\ud800\U000e0041g h\xad👩\u200d🚀",
}


@pytest.mark.parametrize("name", RULES)
def test_a_sample_comes_out_of_each_place(name: str) -> None:
    assert make_safe(SAMPLE, RULES[name]) == MADE[name]


@pytest.mark.parametrize("name", RULES)
@pytest.mark.parametrize("text", ["", "plain [b]{text}[/b] \\u0009", "雾港，二十点十分。"])
def test_plain_words_stay(text: str, name: str) -> None:
    assert make_safe(text, RULES[name]) == text


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (" \xa0a\xa0", "a"),
        ("a\xa0b", "a\xa0b"),
        ("a\xa0\xa0b", "a b"),
        ("a \xa0b\xa0 c", "a b c"),
        ("a  b\n\nc", "a b c"),
        ("a\x1b \xa0\x1bb", "a b"),
    ],
)
def test_a_space_at_which_no_line_ends_stays_alone_on_a_line(text: str, line: str) -> None:
    assert clean_line(text) == line


ANY = st.text(st.characters(codec=None) | st.sampled_from("\x1b\t\r\n \xa0\u202e\u200d\ufe0f❤\ud83d"))


@pytest.mark.parametrize("make", [clean, clean_line])
@given(text=ANY)
def test_safe_text_is_left_alone(make: Callable[[str], str], text: str) -> None:
    assert make(make(text)) == make(text)


@given(text=ANY)
def test_pieces_cleaned_one_by_one_are_the_whole_cleaned_at_once(text: str) -> None:
    for rule in (ANSWER_TEXT, PLAYER_TEXT, PLAIN_FACE_TEXT, COMMAND_OUTPUT, FAULT_MESSAGE):
        assert "".join(make_safe(char, rule) for char in text) == make_safe(text, rule)
