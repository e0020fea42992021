"""The grammar: trees, precedence, bounds, limits, and refusals of whatever is no roll."""

import json
import re
import time
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from talewright.kernel.dice.dice_parser import EXAMPLES, parse
from talewright.kernel.dice.dice_tree import (
    DEFAULT_LIMITS,
    Dice,
    DiceError,
    DiceLimits,
    Group,
    Labelled,
    NegativePart,
    NumberPart,
    Pair,
    Pool,
)
from talewright.kernel.game import ChanceRules

D4 = Pool("d4", 1, 4, False, None, 1, 4)
D6 = Pool("d6", 1, 6, False, None, 1, 6)
TWO_D6 = Pool("2d6", 2, 6, False, None, 2, 12)

HOSTILE = Path(__file__).parent / "hostile_dice.txt"
"""One JSON string a line."""

REFUSAL_SECONDS = 0.005


def refuse(text: str, limits: DiceLimits = DEFAULT_LIMITS) -> tuple[str, int]:
    with pytest.raises(DiceError) as caught:
        parse(text, limits)
    return caught.value.message, caught.value.column


def try_to_parse(text: str) -> Dice | DiceError:
    try:
        return parse(text)
    except DiceError as error:
        return error


def test_text_and_pools_are_kept() -> None:
    dice = parse(" 2d6 + d4 ")
    assert dice == Dice(" 2d6 + d4 ", Pair("+", TWO_D6, D4, 3, 16), (TWO_D6, D4))
    assert str(dice) == " 2d6 + d4 "


@pytest.mark.parametrize(
    ("text", "root"),
    [
        ("7", NumberPart(7)),
        ("007", NumberPart(7)),
        ("1000000000", NumberPart(1_000_000_000)),
        ("-1000000000", NegativePart(NumberPart(1_000_000_000), -1_000_000_000, -1_000_000_000)),
        ("d6", D6),
        ("\td6\t", D6),
        ("+d6", D6),
        ("-d6", NegativePart(D6, -6, -1)),
        ("--d6", NegativePart(NegativePart(D6, -6, -1), 1, 6)),
        ("(d6)", Group(D6, 1, 6)),
        ("( d6 )", Group(D6, 1, 6)),
        ("d6[fire]", Labelled(D6, "fire", 1, 6)),
        ("d6 [ cold iron ]", Labelled(D6, "cold iron", 1, 6)),
        ("3[雾]", Labelled(NumberPart(3), "雾", 3, 3)),
        ("(d6)[x]", Labelled(Group(D6, 1, 6), "x", 1, 6)),
        ("-d6[x]", NegativePart(Labelled(D6, "x", 1, 6), -6, -1)),
        ("d6+2", Pair("+", D6, NumberPart(2), 3, 8)),
        ("d6-d4", Pair("-", D6, D4, -3, 5)),
        ("d6 - -2", Pair("-", D6, NegativePart(NumberPart(2), -2, -2), 3, 8)),
        ("d6*2", Pair("*", D6, NumberPart(2), 2, 12)),
        ("-d6*d4", Pair("*", NegativePart(D6, -6, -1), D4, -24, -1)),
        ("d6*-d4", Pair("*", D6, NegativePart(D4, -4, -1), -24, -1)),
        ("d6/d4", Pair("/", D6, D4, 0, 6)),
        ("-d6/d4", Pair("/", NegativePart(D6, -6, -1), D4, -6, -1)),
        ("d6/-d4", Pair("/", D6, NegativePart(D4, -4, -1), -6, -1)),
        ("7/-2", Pair("/", NumberPart(7), NegativePart(NumberPart(2), -2, -2), -4, -4)),
        ("1-2-3", Pair("-", Pair("-", NumberPart(1), NumberPart(2), -1, -1), NumberPart(3), -4, -4)),
        ("8/4/2", Pair("/", Pair("/", NumberPart(8), NumberPart(4), 2, 2), NumberPart(2), 1, 1)),
        ("1+2*3", Pair("+", NumberPart(1), Pair("*", NumberPart(2), NumberPart(3), 6, 6), 7, 7)),
        ("2*3+1", Pair("+", Pair("*", NumberPart(2), NumberPart(3), 6, 6), NumberPart(1), 7, 7)),
        (
            "2*(3+1)",
            Pair("*", NumberPart(2), Group(Pair("+", NumberPart(3), NumberPart(1), 4, 4), 4, 4), 8, 8),
        ),
    ],
)
def test_tree(text: str, root: object) -> None:
    assert parse(text).root == root


def test_product_of_mixed_signs_reaches_all_corners() -> None:
    root = parse("(d6-3)*(d4-3)").root
    assert (root.low, root.high) == (-6, 4)
    root = parse("(d6-8)/(d4+1)").root
    assert (root.low, root.high) == (-4, -1)
    root = parse("(d20-8)/(0-d4)").root
    assert (root.low, root.high) == (-12, 7)


BEFORE = f"here a number, dice or ( is expected, as in {EXAMPLES}"


def after(character: str) -> str:
    return (
        f"{character!r} is not expected here: after dice come rules, + - * / or the end, and words stand in "
        f"[ ], as in {EXAMPLES}"
    )


REFUSED = [
    ("", BEFORE, 1),
    ("  ", BEFORE, 3),
    ("d6+", BEFORE, 4),
    ("2*", BEFORE, 3),
    ("- ", BEFORE, 3),
    ("()", BEFORE, 2),
    ("*2", BEFORE, 1),
    ("[fire]", BEFORE, 1),
    ("\u0662d6", BEFORE, 1),
    ("\nd6", BEFORE, 1),
    ("d6 stealth", after("s"), 4),
    ("2d6 d4", after("d"), 5),
    ("2.5", after("."), 2),
    ("2 6", after("6"), 3),
    ("2d6x", after("x"), 4),
    ("d6,d4", after(","), 3),
    ("d6\x00", after("\x00"), 3),
    ("d6\ud800", after("\ud800"), 3),
    ("d6[a][b]", after("["), 6),
    ("d6]", after("]"), 3),
    ("2d6>=5", "a roll compares nothing by itself; to count successes write 6d6s>=5", 4),
    ("2d6 < 5", "a roll compares nothing by itself; to count successes write 6d6s>=5", 5),
    ("3=3", "a roll compares nothing by itself; to count successes write 6d6s>=5", 2),
    ("d6)", "this ) closes nothing; each ) needs a ( before it", 3),
    ("(d6", "the ( at column 1 needs its ) here", 4),
    ("1+ (d6 ]", "the ( at column 4 needs its ) here", 8),
    ("d6[", "the [ of this label needs its ]", 3),
    ("2d6 [fire", "the [ of this label needs its ]", 5),
    ("d6[a[b]]", "the [ of this label needs its ]", 3),
    ("d6[]", "a label is 1 to 40 printable characters: 2d6[fire]", 3),
    ("d6 [ ]", "a label is 1 to 40 printable characters: 2d6[fire]", 4),
    ("d6[\x1b[31m]", "the [ of this label needs its ]", 3),
    ("d6[\x1b]", "a label is 1 to 40 printable characters: 2d6[fire]", 3),
    (f"d6[{'x' * 41}]", "a label is 1 to 40 printable characters: 2d6[fire]", 3),
    ("1/0", "what divides must never be 0; this may lie between 0 and 0", 2),
    ("1/(d6-1)", "what divides must never be 0; this may lie between 0 and 5", 2),
    ("1/(d6-6)", "what divides must never be 0; this may lie between -5 and 0", 2),
    ("d6 / d4 / 4dF", "what divides must never be 0; this may lie between -4 and 4", 9),
    ("1000000001", "a result lies between -1000000000 and 1000000000; this may reach 1000000001", 1),
    ("1234567890123", "a number is at most 1000000000", 1),
    ("d6+1000000000", "a result lies between -1000000000 and 1000000000; this may reach 1000000006", 3),
    ("-1000000000-1", "a result lies between -1000000000 and 1000000000; this may reach -1000000001", 12),
    ("-99999*99999", "a result lies between -1000000000 and 1000000000; this may reach -9999800001", 7),
    ("501d6", "a roll has at most 500 dice, not 501", 1),
    ("499d6+d20adv", "a roll has at most 500 dice, not 501", 7),
    ("2*7d6x", after("x"), 6),
    ("4+d1001", "a die has 1 to 1000 sides, not 1001", 4),
    ("1 + 4d6kh5", "kh keeps 1 to 4 dice; 5 does not fit a pool of 4", 8),
]


@pytest.mark.parametrize(("text", "message", "column"), REFUSED, ids=[repr(text) for text, _, _ in REFUSED])
def test_refusal(text: str, message: str, column: int) -> None:
    assert refuse(text) == (message, column)


def test_what_just_fits_is_taken() -> None:
    parse(f"d6[{'x' * 40}]")
    parse("500d6")
    parse("498d6+d20adv")
    parse("-1000000000")
    parse("0-1000000000")
    parse("d6+999999994")
    parse("1-1000000001+1", DiceLimits(result=1_000_000_001))
    parse("(" * 16 + "1" + ")" * 16)
    parse("-" * 16 + "1")
    parse("1+" * 99 + "10")
    parse("1/(d6-7)")


def test_length() -> None:
    assert refuse("1" * 201) == ("a roll has at most 200 characters, not 201", 201)
    assert refuse("d" * 1_000_000) == ("a roll has at most 200 characters, not 1000000", 201)
    assert refuse("1+1", DiceLimits(length=2)) == ("a roll has at most 2 characters, not 3", 3)


def test_depth() -> None:
    assert refuse("(" * 17 + "1" + ")" * 17) == ("signs and parentheses stand at most 16 deep", 17)
    assert refuse("-" * 17 + "1") == ("signs and parentheses stand at most 16 deep", 17)
    assert refuse("-(-(1))", DiceLimits(depth=3)) == ("signs and parentheses stand at most 3 deep", 4)
    # What was closed does not count any more, but it does not make room for more either.
    parse("(1)+(-1)+(1)+-1", DiceLimits(depth=2))
    parse("-1+(1)", DiceLimits(depth=1))
    assert refuse("-1+-1+(((1)))", DiceLimits(depth=2))[1] == 9
    assert refuse("(1)+(1)+(((1)))", DiceLimits(depth=2))[1] == 11


def test_limits_are_those_handed_in() -> None:
    assert refuse("d6[abc]", DiceLimits(label=2)) == ("a label is 1 to 2 printable characters: 2d6[fire]", 3)
    assert refuse("2d6+2d6", DiceLimits(dice=3)) == ("a roll has at most 3 dice, not 4", 5)
    assert refuse("5*5", DiceLimits(result=24)) == ("a result lies between -24 and 24; this may reach 25", 2)
    told = "a result lies between -12 and 12; this may reach -13"
    assert refuse("12dF+(d2-2)", DiceLimits(result=12)) == (told, 5)
    assert refuse("2d6", DiceLimits(result=11)) == ("a result lies between -11 and 11; this may reach 12", 1)


def test_dice_of_a_game() -> None:
    allowed = ChanceRules(dice=frozenset({6, "F"})).dice
    assert parse("2d6+4dF", allowed=allowed) == parse("2d6+4dF")
    with pytest.raises(DiceError) as caught:
        parse("2d6 + d20", allowed=allowed)
    assert (caught.value.message, caught.value.column) == ("d20 is not a die of this system: d6, dF", 7)
    assert caught.value.hint == ""


ALLOWED_IS_TOLD = re.compile(
    r"expected|at most|at least|needs|takes|stands?\b|write|never|between|holds|once|\b1 to \d|for one die|"
    r"not taken: "
)


def hostile() -> list[str]:
    return [json.loads(line) for line in HOSTILE.read_text(encoding="utf-8").splitlines()]


def test_hostile_texts_are_refused_at_once_with_what_is_allowed() -> None:
    texts = hostile()
    assert len(set(texts)) >= 500
    for text in texts:
        seconds = []
        for _ in range(3):
            started = time.process_time()
            with pytest.raises(DiceError) as caught:
                parse(text)
            seconds.append(time.process_time() - started)
        assert min(seconds) < REFUSAL_SECONDS, text
        assert ALLOWED_IS_TOLD.search(caught.value.message), (text, caught.value.message)
        assert 1 <= caught.value.column <= min(len(text), DEFAULT_LIMITS.length) + 1, text
        assert len(caught.value.message) < 400
        assert caught.value.message.isprintable()


WRITTEN = st.text("0123456789dFf%khlpaviserom!<>=+-*/()[] \t.", max_size=30)


@pytest.mark.slow
@given(st.one_of(st.text(max_size=40), WRITTEN))
@example("1" * 5000)
@example("(" * 200)
@example("d1" * 100)
def test_any_text_is_a_roll_or_refused(text: str) -> None:
    found = try_to_parse(text)
    if isinstance(found, DiceError):
        assert 1 <= found.column <= min(len(text), DEFAULT_LIMITS.length) + 1
        assert found.message
    else:
        assert parse(str(found)) == found
        assert -DEFAULT_LIMITS.result <= found.root.low <= found.root.high <= DEFAULT_LIMITS.result


def test_longest_texts_take_no_longer() -> None:
    texts = ("d%+" * 66 + "d6", "d9" + "ro1" * 66, "-" * 200, "(" * 200, " " * 200, "[" * 200, "2d6 kh " * 28)
    for text in (*texts, "d1000e>1+" * 22 + "d6", "9d9s>1ro1e9kh1+" * 13 + "1", "(1)*" * 49 + "1"):
        seconds = []
        for _ in range(5):
            started = time.process_time()
            try_to_parse(text)
            seconds.append(time.process_time() - started)
        assert min(seconds) < REFUSAL_SECONDS, text
