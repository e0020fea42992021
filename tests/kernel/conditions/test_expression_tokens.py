"""Tokens: every kind of them, where they stand, and what is none."""

import json
import pathlib

import pytest

from talewright.kernel.conditions.expression_tokens import (
    FOREIGN_SIGNS,
    SIGNS,
    Token,
    TokenKind,
    quote,
    tokens,
)
from talewright.kernel.conditions.expression_tree import ExpressionError

NUMBER, TEXT, NAME, SIGN, END = TokenKind


def refusal(text: str) -> tuple[str, int, str]:
    with pytest.raises(ExpressionError) as refused:
        list(tokens(text))
    return refused.value.message, refused.value.column, refused.value.suggestion


def test_all_kinds_in_a_row() -> None:
    assert list(tokens(" hp>=80 and\tflags.chased == 'a b'\n")) == [
        Token(NAME, "hp", 2, path=("hp",)),
        Token(SIGN, ">=", 4),
        Token(NUMBER, "80", 6, value=80),
        Token(NAME, "and", 9, path=("and",)),
        Token(NAME, "flags.chased", 13, path=("flags", "chased")),
        Token(SIGN, "==", 26),
        Token(TEXT, "'a b'", 29, value="a b"),
        Token(END, "", 35),
    ]


def test_nothing_has_an_end() -> None:
    assert list(tokens("")) == [Token(END, "", 1)]
    assert list(tokens(" \r\n\t")) == [Token(END, "", 5)]


@pytest.mark.parametrize("sign", SIGNS)
def test_signs(sign: str) -> None:
    assert list(tokens(f"a{sign}1"))[1] == Token(SIGN, sign, 2)


def test_the_longest_sign_wins() -> None:
    assert [token.written for token in tokens("a<=-1>2*-(3)")] == [
        *("a", "<=", "-", "1", ">", "2", "*", "-", "(", "3", ")", ""),
    ]


HINTS = dict(
    json.loads(line)
    for line in pathlib.Path(__file__).with_name("hints.txt").read_text(encoding="utf-8").splitlines()
    if line.startswith("[")
)


def test_all_hints_are_known() -> None:
    assert {sign: hint for sign, hint in HINTS.items() if not sign.isidentifier()} == FOREIGN_SIGNS


@pytest.mark.parametrize("sign", [sign for sign in HINTS if not sign.isidentifier()])
def test_foreign_signs_have_a_hint(sign: str) -> None:
    assert refusal(f"a {sign} b") == (f"{quote(sign)} is not part of the language", 3, HINTS[sign])
    assert HINTS[sign].endswith(".")


def test_unknown_signs_have_none() -> None:
    assert refusal("a \u00a7") == ("`\u00a7` is not part of the language", 3, "")
    assert refusal("\x00") == ("`\\x00` is not part of the language", 1, "")
    assert refusal(".5") == ("`.` is not part of the language", 1, "")
    assert refusal("a \ud800")[0] == "`\\ud800` is not part of the language"


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("0", 0),
        ("7", 7),
        ("10", 10),
        ("0.5", 0.5),
        ("12.250", 12.25),
        ("3.0", 3),
        ("0.0", 0),
        ("9007199254740991", 2**53 - 1),
        ("9007199254740991.0", 2**53 - 1),
    ],
)
def test_numbers(written: str, value: int | float) -> None:
    token, end = tokens(written)
    assert token == Token(NUMBER, written, 1, value=value)
    assert type(token.value) is type(value)
    assert end.column == len(written) + 1


@pytest.mark.parametrize(
    "written",
    [
        "00",
        "007",
        "01.5",
        "1e5",
        "1E5",
        "0x1f",
        "1_000",
        "5.",
        "1..2",
        "1.2.3",
        "1.5e3",
        "5hp",
        "1.a",
        "2\u00e9",
    ],
)
def test_what_is_no_number(written: str) -> None:
    assert refusal(f"a + {written} + b") == (
        f"`{written}` is not a number",
        5,
        "Write numbers as `12` or `0.5`: no exponent, no separators, no leading zeros.",
    )


@pytest.mark.parametrize("written", ["9007199254740992", "9007199254740991.9", "9" * 30, "9" * 400 + ".5"])
def test_numbers_too_large(written: str) -> None:
    message, column, hint = refusal(f" {written}")
    assert message == f"{quote(written)} is too large"
    assert column == 2
    assert hint == "The largest number is 9007199254740991."


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("''", ""),
        ('""', ""),
        ("'a \"b\"'", 'a "b"'),
        ('"it\'s"', "it's"),
        (r"'it\'s'", "it's"),
        (r'"say \"x\""', 'say "x"'),
        (r"'\\'", "\\"),
        (r"'a\nb\tc'", "a\nb\tc"),
        ("'\u7801\u5934 \U0001f56f \u202e \u00a0 = && #'", "\u7801\u5934 \U0001f56f \u202e \u00a0 = && #"),
    ],
)
def test_texts(written: str, value: str) -> None:
    token, end = tokens(f" {written} ")
    assert token == Token(TEXT, written, 2, value=value)
    assert end.column == len(written) + 3


@pytest.mark.parametrize(("text", "column"), [("'a", 1), ("a == 'b\"", 6), ("'", 1), ("'a\\'", 1)])
def test_a_text_without_end(text: str, column: int) -> None:
    assert refusal(text) == ("this text is not closed", column, "End it with `'`.")


def test_a_text_without_end_names_its_own_quote() -> None:
    assert refusal('"a')[2] == 'End it with `"`.'


@pytest.mark.parametrize(
    ("char", "shown"),
    [
        ("\n", "\\n"),
        ("\t", "\\t"),
        ("\x00", "\\x00"),
        ("\x7f", "\\x7f"),
        ("\ud800", "\\ud800"),
        ("\x85", "\\x85"),
    ],
)
def test_what_cannot_stand_in_a_text(char: str, shown: str) -> None:
    hint = "Write a line break as `\\n` and a tab as `\\t`."
    assert refusal(f"'ab{char}c'") == (f"`{shown}` is not allowed in a text", 4, hint)


@pytest.mark.parametrize(("text", "shown"), [(r"a == 'b\q'", "q"), (r"a == 'b\x41'", "x"), ("a == 'b\\", "")])
def test_escapes_that_are_none(text: str, shown: str) -> None:
    hint = "The escapes are `\\\\`, `\\\"`, `\\'`, `\\n` and `\\t`."
    assert refusal(text) == (f"`\\` followed by `{shown}` is not an escape", 8, hint)


@pytest.mark.parametrize(
    "path",
    [
        *(
            "a",
            "_a",
            "X",
            "A9",
            "a_b.c_d",
            "bag.0",
            "rooms.12a.x",
            "flags.in.not",
            "\u96fe.\u6e2f",
            "e\u0301",
        ),
        *("\u0939\u093f\u0928\u094d\u0926\u0940", "\uff48\uff50", ".".join("abcdefghijklmnop")),
    ],
)
def test_paths(path: str) -> None:
    token, end = tokens(path)
    assert token == Token(NAME, path, 1, path=tuple(path.split(".")))
    assert end.column == len(path) + 1


@pytest.mark.parametrize(
    ("text", "column"),
    [("a.", 2), ("1 + a..b", 6), ("a.-1", 2), ("a.b. c", 4), ("a.'b'", 2), ("a.\u00b2", 2)],
)
def test_paths_that_break_off(text: str, column: int) -> None:
    hint = "Keys are letters, digits and `_`; list elements count from 0: `bag.0`."
    assert refusal(text) == ("a key must follow this dot", column, hint)


def test_paths_too_deep() -> None:
    assert refusal("  " + ".".join("abcdefghijklmnopq")) == (
        "this path has 17 keys; the limit is 16",
        3,
        "",
    )


def test_a_name_ends_where_no_name_goes_on() -> None:
    assert [token.written for token in tokens("a\u0301b+c")] == ["a\u0301b", "+", "c", ""]
    assert refusal("a\u00b2") == ("`\u00b2` is not part of the language", 2, "")


def test_tokens_before_a_mistake_are_given() -> None:
    stream = tokens("a ]")
    assert next(stream).written == "a"
    with pytest.raises(ExpressionError):
        next(stream)


def test_quote() -> None:
    assert quote("a b") == "`a b`"
    assert quote("") == "``"
    assert quote("a\nb\x00\ud800") == "`a\\nb\\x00\\ud800`"
    assert quote("a" * 40) == "`" + "a" * 40 + "`"
    assert quote("a" * 41) == "`" + "a" * 40 + "...`"
