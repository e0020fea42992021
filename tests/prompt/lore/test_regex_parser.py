"""Patterns: what is taken as one, and what is said of what is not."""

import pytest

from talewright.prompt.lore.regex_parser import (
    ANY,
    PATTERN_LENGTH_MAX,
    REPEAT_MAX,
    Node,
    PatternError,
    RegexAlternatives,
    RegexAnchor,
    RegexChars,
    RegexRepeat,
    RegexSequence,
    parse,
)


def char(sign: str) -> RegexChars:
    return RegexChars(((sign, sign),))


TAKEN: list[tuple[str, Node]] = [
    ("", RegexSequence(())),
    ("a", char("a")),
    ("ab", RegexSequence((char("a"), char("b")))),
    (".", ANY),
    ("a|b|", RegexAlternatives((char("a"), char("b"), RegexSequence(())))),
    ("(a)", char("a")),
    ("(?:ab)", RegexSequence((char("a"), char("b")))),
    ("(?P<name>a)", char("a")),
    ("a*", RegexRepeat(char("a"), 0, None)),
    ("a+?", RegexRepeat(char("a"), 1, None)),
    ("a?", RegexRepeat(char("a"), 0, 1)),
    ("a{3}", RegexRepeat(char("a"), 3, 3)),
    ("a{2,}", RegexRepeat(char("a"), 2, None)),
    ("a{2,5}", RegexRepeat(char("a"), 2, 5)),
    (f"a{{0,{REPEAT_MAX}}}", RegexRepeat(char("a"), 0, REPEAT_MAX)),
    (r"\d\W", RegexSequence((RegexChars(kinds=("d",)), RegexChars(kinds=("W",))))),
    (r"^\b\B$", RegexSequence((RegexAnchor("^"), RegexAnchor("b"), RegexAnchor("B"), RegexAnchor("$")))),
    (r"\.\n\t\x41\u5317", RegexSequence(tuple(map(char, ".\n\tA北")))),
    ("[abc]", RegexChars((("a", "a"), ("b", "b"), ("c", "c")))),
    ("[a-z0-]", RegexChars((("a", "z"), ("0", "0"), ("-", "-")))),
    ("[^a]", RegexChars((("a", "a"),), negated=True)),
    ("[]a]", RegexChars((("]", "]"), ("a", "a")))),
    (r"[\d_\]\n]", RegexChars((("_", "_"), ("]", "]"), ("\n", "\n")), ("d",))),
    ("}]", RegexSequence((char("}"), char("]")))),
]


@pytest.mark.parametrize(("pattern", "node"), TAKEN)
def test_what_is_taken(pattern: str, node: Node) -> None:
    assert parse(pattern) == node


REFUSED = [
    ("x" * (PATTERN_LENGTH_MAX + 1), "at most 200 characters, not 201"),
    ("a)", "a ')' too many"),
    ("(a", "a group is not closed"),
    ("*a", "nothing before '*'"),
    ("a|+", "nothing before '+'"),
    ("{2}", "nothing before '{'"),
    ("a**", "follows another count"),
    ("a{2}{3}", "follows another count"),
    ("a{2", "a count is written"),
    ("a{x}", "a count is written"),
    ("a{2,y}", "a count is written"),
    ("a{,5}", "a count is written"),
    ("a{5,2}", "at most 50"),
    (f"a{{{REPEAT_MAX + 1}}}", "at most 50"),
    (f"a{{1,{REPEAT_MAX + 1}}}", "at most 50"),
    ("^*", "cannot be repeated"),
    (r"\b?", "cannot be repeated"),
    ("(?=a)", "backreferences, lookahead"),
    ("(?<!a)", "backreferences, lookahead"),
    ("(?i)a", "backreferences, lookahead"),
    ("(?P=x)", "backreferences, lookahead"),
    ("(?P<x", "name of a group"),
    ("(?P<1>a)", "name of a group"),
    (r"(a)\1", r"\1 is not supported"),
    (r"\z", r"\z is not supported"),
    (r"\x4", "takes 2 hexadecimal"),
    (r"\u12", "takes 4 hexadecimal"),
    (r"\u+123", "takes 4 hexadecimal"),
    (r"\U00110000", "takes 8 hexadecimal"),
    ("\\", "nothing behind the last backslash"),
    ("[a", "a class is not closed"),
    ("[", "a class is not closed"),
    ("[\\", "a class is not closed"),
    ("[z-a]", "z-a is not a range"),
    (r"[a-\d]", "is not a range"),
]


@pytest.mark.parametrize(("pattern", "why"), REFUSED)
def test_what_is_refused(pattern: str, why: str) -> None:
    with pytest.raises(PatternError) as caught:
        parse(pattern)
    assert why in str(caught.value)
