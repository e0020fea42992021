"""Rolls: what falls is read by the rules, told in plain words and recorded whole."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.kernel.chance import Fate
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_rolls import Die, DieFace, Throw, roll
from talewright.kernel.dice.dice_tree import NO_FACES, Pool, PoolRules
from tests.kernel.dice.loaded_dice import LoadedDice
from tests.sweep.dice import EXPRESSIONS

TOLD = [
    ("d20", [13], "d20 (13) = 13"),
    ("2d6+3", [1, 6], "2d6 (1, 6) + 3 = 10"),
    ("4d6kh3", [6, 3, 2, 3], "4d6kh3 (6, 3, 2 dropped, 3) = 12"),
    ("4d6kl3", [6, 3, 2, 3], "4d6kl3 (6 dropped, 3, 2, 3) = 8"),
    ("4d6dl1", [1, 1, 2, 1], "4d6dl1 (1, 1, 2, 1 dropped) = 4"),
    ("4d6dh1", [5, 1, 5, 5], "4d6dh1 (5 dropped, 1, 5, 5) = 11"),
    ("5d6dh1dl1", [3, 1, 3, 5, 4], "5d6dh1dl1 (3, 1 dropped, 3, 5 dropped, 4) = 10"),
    ("4d6kh4", [1, 2, 3, 4], "4d6kh4 (1, 2, 3, 4) = 10"),
    ("d20adv", [14, 9], "d20adv (14, 9 dropped) = 14"),
    ("d20adv", [9, 9], "d20adv (9, 9 dropped) = 9"),
    ("d20dis", [14, 9], "d20dis (14 dropped, 9) = 9"),
    ("d20dis", [9, 9], "d20dis (9 dropped, 9) = 9"),
    ("d%", [100], "d% (100) = 100"),
    ("4dF", [1, 2, 3, 3], "4dF (-1, 0, +1, +1) = 1"),
    ("3dFkh2", [1, 2, 3], "3dFkh2 (-1 dropped, 0, +1) = 1"),
    ("3d6e6", [6, 6, 2, 3, 6, 1], "3d6e6 (6 then 6 then 2, 3, 6 then 1) = 24"),
    ("2d6!>=5", [5, 6, 4, 1], "2d6!>=5 (5 then 6 then 4, 1) = 16"),
    ("2dF!", [3, 1, 2], "2dF! (+1 then -1, 0) = 0"),
    ("3d6e6kh2", [6, 1, 3, 6, 2], "3d6e6kh2 (6 then 1, 3 dropped, 6 then 2) = 15"),
    ("3d6e6kl1", [6, 1, 3, 6, 2], "3d6e6kl1 ((6 then 1) dropped, 3, (6 then 2) dropped) = 3"),
    ("4d6ro1", [1, 5, 3, 1, 1, 2], "4d6ro1 (1 rerolled to 5, 3, 1 rerolled to 1, 2) = 11"),
    ("2d6ro<3e6", [2, 6, 1, 2, 4], "2d6ro<3e6 (2 rerolled to 6 then 1 rerolled to 2, 4) = 12"),
    ("2dFro=-1", [1, 3, 2], "2dFro=-1 (-1 rerolled to +1, 0) = 1"),
    ("3d6mi2ma5", [1, 6, 3], "3d6mi2ma5 (1 as 2, 6 as 5, 3) = 10"),
    ("2dFmi0", [1, 3], "2dFmi0 (-1 as 0, +1) = 1"),
    ("2dFma0", [1, 3], "2dFma0 (-1, +1 as 0) = -1"),
    ("dFmi1", [2], "dFmi1 (0 as +1) = 1"),
    ("4d10s>=8", [9, 3, 8, 7], "4d10s>=8 (9 counts, 3, 8 counts, 7) = 2"),
    ("2d10s>=8e10", [10, 10, 4, 9], "2d10s>=8e10 (10 counts then 10 counts then 4, 9 counts) = 3"),
    ("3d10s>=8kl2", [10, 9, 3], "3d10s>=8kl2 (10 counts dropped, 9 counts, 3) = 1"),
    ("2d6ro1mi3s>=3", [1, 2, 5], "2d6ro1mi3s>=3 (1 rerolled to 2 as 3 counts, 5 counts) = 2"),
    ("2d6[fire]+d8[cold]-1", [2, 6, 5], "2d6 (2, 6) [fire] + d8 (5) [cold] - 1 = 12"),
    ("(2d6+3)*2", [2, 2], "(2d6 (2, 2) + 3) * 2 = 14"),
    ("-2d4/3", [3, 4], "-2d4 (3, 4) / 3 = -3"),
    ("-(d4 - 7)[odd]", [1], "-(d4 (1) - 7) [odd] = 6"),
    ("7*-2", [], "7 * -2 = -14"),
    (" D6 ", [4], "D6 (4) = 4"),
]


@pytest.mark.parametrize(("text", "faces", "told"), TOLD, ids=[text for text, _, _ in TOLD])
def test_told(text: str, faces: list[int], told: str) -> None:
    dice = LoadedDice(*faces)
    rolled = roll(parse(text), dice)
    assert str(rolled) == told
    assert told.endswith(f" = {rolled.total}")
    assert dice.faces == []


def test_explosions_stop_at_the_limit() -> None:
    rolled = roll(parse("d6e6"), LoadedDice(*[6] * 11))
    assert rolled.total == 66
    assert len(rolled.throws[0].dice[0].faces) == 11


def test_throws_are_the_leaves_in_reading_order() -> None:
    dice = parse("(3dF[a]+2d10s>=8kh1)*2")
    rolled = roll(dice, LoadedDice(1, 2, 3, 8, 9))
    fate, tens = dice.pools
    assert rolled == (
        dice,
        (
            Throw(fate, (Die((DieFace(-1, -1),), -1), Die((DieFace(0, 0),), 0), Die((DieFace(1, 1),), 1)), 0),
            Throw(tens, (Die((DieFace(8, 8, True),), 8, False), Die((DieFace(9, 9, True),), 9, True)), 1),
        ),
        (("a", 0),),
        2,
    )
    assert fate == Pool("3dF", 3, 3, True, None, -3, 3)
    assert tens.rules == PoolRules(NO_FACES, NO_FACES, 0, 1, 10, 0, 1, range(8, 11), only_drops=False)


def test_labels_have_the_totals_of_what_they_stand_on() -> None:
    rolled = roll(parse("(2d6[fire]+3)[spell]-d4[shield]"), LoadedDice(2, 5, 3))
    assert rolled.labels == (("fire", 7), ("spell", 10), ("shield", 3))
    assert rolled.total == 7


@pytest.mark.parametrize(
    ("text", "sides", "faces"),
    [("2d6ro1e6", [6, 6, 6, 6], [1, 6, 2, 3]), ("d20+4dF", [20, 3, 3, 3, 3], [5, 1, 2, 3, 3])],
)
def test_every_draw_says_why(text: str, sides: list[int], faces: list[int]) -> None:
    dice = LoadedDice(*faces)
    roll(parse(text), dice)
    assert dice.asked == [(one, text) for one in sides]
    dice = LoadedDice(*faces)
    roll(parse(text), dice, "a blow")
    assert dice.asked == [(one, "a blow") for one in sides]


def test_record() -> None:
    rolled = roll(parse("2d6ro1e6mi2s>=2[fire] + 3d4kh2"), LoadedDice(1, 6, 1, 1, 5, 4, 2, 3))
    record = rolled.to_json()
    assert json.loads(json.dumps(record)) == record
    assert record == {
        "dice": "2d6ro1e6mi2s>=2[fire] + 3d4kh2",
        "total": 10,
        "throws": [
            {
                "pool": "2d6ro1e6mi2s>=2",
                "total": 3,
                "dice": [
                    {
                        "value": 8,
                        "faces": [
                            {"face": 6, "rerolled": 1, "success": True},
                            {"face": 1, "rerolled": 1, "worth": 2, "success": True},
                        ],
                    },
                    {"value": 5, "faces": [{"face": 5, "success": True}]},
                ],
            },
            {
                "pool": "3d4kh2",
                "total": 7,
                "dice": [
                    {"value": 4, "faces": [{"face": 4}]},
                    {"value": 2, "faces": [{"face": 2}], "dropped": True},
                    {"value": 3, "faces": [{"face": 3}]},
                ],
            },
        ],
        "labels": [{"label": "fire", "total": 3}],
    }


def test_record_without_labels_names_none() -> None:
    assert roll(parse("d6"), LoadedDice(2)).to_json() == {
        "dice": "d6",
        "total": 2,
        "throws": [{"pool": "d6", "total": 2, "dice": [{"value": 2, "faces": [{"face": 2}]}]}],
    }


def test_fate_rolls_the_same_again() -> None:
    dice = parse("4d6kh3+2d10e10")
    assert roll(dice, Fate(b"s", 3)) == roll(dice, Fate(b"s", 3))
    assert len({roll(dice, Fate(b"s", version)).total for version in range(50)}) > 5


@given(st.sampled_from(EXPRESSIONS), st.integers(0, 2**32))
def test_total_stays_within_the_bounds(node: object, version: int) -> None:
    dice = parse(str(node))
    rolled = roll(dice, Fate(b"bounds", version))
    assert dice.root.low <= rolled.total <= dice.root.high
    for throw in rolled.throws:
        assert throw.pool.low <= throw.total <= throw.pool.high
        assert len(throw.dice) == throw.pool.count


@pytest.mark.parametrize(
    ("text", "faces", "modifiers"),
    [
        ("2d6+3", [1, 6], 3),
        ("2d6-1d4", [4, 3, 2], 0),
        ("2d6-1d4+5", [4, 3, 2], 5),
        ("1d20-2", [13], -2),
        ("10-(1d4-1)", [3], 11),
        ("-(1d6)+2", [5], 2),
        ("2d6[fire]-1d4[ice]", [4, 3, 2], 0),
        ("(d8+1)*2", [3], 5),
    ],
)
def test_modifiers_are_the_total_without_the_dice(text: str, faces: list[int], modifiers: int) -> None:
    assert roll(parse(text), LoadedDice(*faces)).modifiers == modifiers
