"""Automata: the same answers as Python's own engine, in linear time."""

import random
import re
from time import process_time

import pytest

from talewright.prompt.lore.regex_matcher import (
    PROGRAM_MAX,
    REMEMBERED_MAX,
    TOO_MANY_WAYS,
    Automaton,
    find_mistake,
    make_automaton,
)
from talewright.prompt.lore.regex_parser import PATTERN_LENGTH_MAX, PatternError

CASES = [
    ("a", "bab", True),
    ("a", "bbb", False),
    ("", "", True),
    ("ab|cd", "xcdx", True),
    ("a(b|c)d", "acd", True),
    ("a(b|c)d", "aed", False),
    ("ab*c", "ac", True),
    ("ab+c", "ac", False),
    ("ab?c", "abbc", False),
    ("a{2}", "a a", False),
    ("a{2,3}b", "xaaab", True),
    ("x{2,}y", "xy xxxy", True),
    ("^b", "a\nb", True),
    ("a$", "a\nb", True),
    ("^b", "ab", False),
    (r"\bhe\b", "he is", True),
    (r"\bhe\b", "the", False),
    (r"\Bhe", "the", True),
    (r"\d+ marks", "40 marks", True),
    (r"[^a-z ]", "abc d", False),
    (r"[\d\s]", "x", False),
    (r"\D\S\W", "x!?", True),
    ("北.{1,3}公司", "北堤公司的人", True),
    ("北.公司", "北堤大公司", False),
    ("(a|b)*c", "ababab", False),
    ("(|a)+b", "aab", True),
]


@pytest.mark.parametrize(("pattern", "text", "found"), CASES)
def test_whether_a_pattern_occurs(pattern: str, text: str, found: bool) -> None:
    assert make_automaton(pattern, case_sensitive=True).find(text) is found


def test_capitals() -> None:
    for pattern in ("heron", "HERON", "[G-I]eron", "[g-i]eron"):
        assert make_automaton(pattern, case_sensitive=False).find("The HeRoN waits")
    assert not make_automaton("heron", case_sensitive=True).find("The HeRoN waits")
    assert not make_automaton("[^h]", case_sensitive=False).find("hH")


def test_the_same_answers_as_the_engine_of_the_language() -> None:
    seed = 20_260
    print(f"seed {seed}")
    chance = random.Random(seed)
    parts = [
        "a",
        "b",
        ".",
        "[ab]",
        "[^a]",
        r"\w",
        r"\s",
        "(a|bc)",
        "(?:ab)*",
        "c?",
        "b+",
        "a{1,2}",
        r"\b",
        "|",
    ]
    for _ in range(1_500):
        pattern = "".join(chance.choice(parts) for _ in range(chance.randint(1, 6)))
        text = "".join(chance.choice("abc ") for _ in range(chance.randint(0, 12)))
        expected = re.search(pattern, text) is not None
        assert make_automaton(pattern, case_sensitive=True).find(text) is expected, (pattern, text)


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|a)*b", "(a*)*b", "a*a*a*a*a*a*a*a*b", "(.*)*=(.*)"])
def test_patterns_that_would_hang_another_engine(pattern: str) -> None:
    automaton = make_automaton(pattern, case_sensitive=True)
    text = "a" * 20_000
    begin = process_time()
    assert not automaton.find(text)
    assert process_time() - begin < 2.0


def test_what_is_remembered_is_bounded() -> None:
    text = "".join(chr(0x4E00 + number) for number in range(REMEMBERED_MAX))
    automaton = Automaton("一.{0,49}x", case_sensitive=True)
    assert not automaton.find(text * 2)
    assert automaton.find(text * 2 + "一" + "a" * 49 + "x")
    assert not automaton.find(text * 2 + "一" + "a" * 50 + "x")


SLOW_PATTERNS = 120
SLOW = "[aeiou]" + "[^~]{50}" * 22


def test_a_pattern_that_would_hold_up_a_turn_is_refused_with_the_reason() -> None:
    assert find_mistake(SLOW) == TOO_MANY_WAYS
    assert "smaller counts" in TOO_MANY_WAYS
    with pytest.raises(PatternError, match="hold up a turn"):
        make_automaton(SLOW, case_sensitive=False)


def make_slow(chance: random.Random) -> str:
    """A pattern of the shape that was slow: something common, then counted sets that fit nearly all."""
    parts = [chance.choice(("[aeiou]", "e", "[a-z]", r"\w", "the", r"\b[aeiou]", "(a|e|i)"))]
    wide = ("[^~]", ".", r"[\w\s]", "[a-z ,.]", r"\S", "[^aeiou]", "(?:.|x)", "[a-y]")
    for _ in range(chance.choice((1, 2, 3, 5, 10, 22))):
        low = chance.choice((0, 1, 5, 10, 30, 50))
        high = chance.choice((low, 50))
        parts.append(
            f"{chance.choice(wide)}{{{low},{high}}}" if chance.random() < 0.4 else f"{wide[0]}{{{high}}}"
        )
    pattern = "".join(parts) + chance.choice(("", "~", "zq", r"\d"))
    return pattern if len(pattern) <= PATTERN_LENGTH_MAX else make_slow(chance)


@pytest.mark.slow
def test_patterns_of_the_slow_shape_are_refused_or_fast() -> None:
    seed = 15
    print(f"seed {seed}")
    chance = random.Random(seed)
    words = (
        "lantern",
        "and",
        "the",
        "ferryman",
        "said",
        "nothing",
        "at",
        "all",
        "upon",
        "a",
        "quiet",
        "river",
    )
    text = " ".join(chance.choice(words) for _ in range(8_000))[:40_000]
    slow, refused = [], 0
    for _ in range(SLOW_PATTERNS):
        pattern = make_slow(chance)
        if find_mistake(pattern):
            refused += 1
            continue
        automaton = make_automaton(pattern, case_sensitive=False)
        spent: list[float] = []
        while not spent or (min(spent) >= 0.02 and len(spent) < 5):
            begin = process_time()
            automaton.find(text)
            spent.append(process_time() - begin)
        slow += [(pattern, min(spent))] if min(spent) >= 0.02 else []
    assert slow == []
    assert SLOW_PATTERNS / 5 < refused < SLOW_PATTERNS, refused


@pytest.mark.parametrize("pattern", ["((a{50}){50}){50}", "(((){50}){50}){50}"])
def test_counts_that_would_make_a_pattern_endless(pattern: str) -> None:
    with pytest.raises(PatternError, match="too long"):
        make_automaton(pattern, case_sensitive=True)
    assert "too long" in find_mistake(pattern)
    assert PROGRAM_MAX < 50**3


def test_what_is_wrong_with_a_pattern() -> None:
    assert find_mistake("ab+") == ""
    assert "lookahead" in find_mistake("(?=a)")
