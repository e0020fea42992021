"""Evaluators: arithmetic, truth, null, equality and fuel, one by one; the sweep has the rest."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.conditions.condition_functions import NoAnswerError, are_equal, spend
from talewright.kernel.conditions.conditions import FUEL_MAX, compile_truth, compile_value
from talewright.kernel.conditions.expression_parser import parse
from talewright.kernel.conditions.expression_types import check
from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind
from talewright.kernel.state.documents import INTEGER_MAX
from tests.kernel.making import boolean, integer, listing, number, opened, record, string

NULLS = {
    "no_number": Slot(kind=SlotKind.INTEGER, nullable=True),
    "no_truth": Slot(kind=SlotKind.BOOLEAN, nullable=True),
    "no_text": Slot(kind=SlotKind.STRING, nullable=True),
    "no_list": replace(listing(string()), nullable=True, default=None),
    "no_object": replace(opened(integer()), nullable=True, default=None),
}
LAYOUT = Layout(
    {
        "hp": integer(7),
        "luck": number(0.5),
        "name": string("Lian"),
        "met": boolean(True),
        "bag": listing(string(), "rope", "lamp", "rope"),
        "rolls": listing(number(), 1, 2, 2.5, 1),
        "marks": listing(boolean(), True, False, True),
        "holes": listing(replace(string(), nullable=True), None, "a", None),
        "pairs": listing(listing(integer()), [1, 2], [2, 1], [1, 2]),
        "pair": listing(integer(), 1, 2),
        "same": listing(integer(), 1, 2),
        "people": opened(integer(), {"ann": 1, "bo": 2}),
        "flags": record(a=boolean(), b=boolean()),
        **NULLS,
    }
)
DOCUMENT = LAYOUT.defaults()


def value_of(text: str, document: dict[str, Json] = DOCUMENT, turn: int = 4, fuel: int = FUEL_MAX) -> Json:
    tree = parse(text)
    check(tree, LAYOUT)
    return compile_value(tree, LAYOUT)(document, turn, [fuel])


VALUES: list[tuple[str, Json]] = [
    ("luck - 0.2 - 0.2 - 0.1", 0),
    ("-(luck - 0.2 - 0.2 - 0.1)", 0),
    ("luck - 0.4 == 0.1", True),
    ("luck - 0.2 > 0.3", False),
    ("0.1 + 0.2 <= 0.3", True),
    ("luck / 1024", 0.000488281),
    ("hp / 3", 2.333333333),
    ("3", 3),
    ("'a'", "a"),
    ("true", True),
    ("turn", 4),
    ("turn + 1", 5),
    ("hp", 7),
    ("-hp", -7),
    ("--hp", 7),
    ("-0", 0),
    ("hp + 1", 8),
    ("hp - 10", -3),
    ("hp * 3", 21),
    ("hp / 2", 3.5),
    ("6 / 2", 3),
    ("luck + luck", 1),
    ("0.1 + 0.2", 0.3),
    ("1 / 3", 0.333333333),
    ("9007199254740991 + 0", INTEGER_MAX),
    ("-9007199254740990 - 1", -INTEGER_MAX),
    ("min(3, 1, 2)", 1),
    ("max(3, hp, 2)", 7),
    ("min(hp, luck)", 0.5),
    ("len(bag)", 3),
    ("len(people)", 2),
    ("len(name)", 4),
    ("len('abc')", 3),
    ("len(flags)", 2),
    ("count(bag, 'rope')", 2),
    ("count(bag, 'x')", 0),
    ("count(rolls, 1)", 2),
    ("count(rolls, 2.5)", 1),
    ("count(rolls, hp - 5)", 1),
    ("count(marks, true)", 2),
    ("count(marks, hp > 100)", 1),
    ("count(pairs, pair)", 2),
    ("has(bag, 'lamp')", True),
    ("has(bag, name)", False),
    ("'lamp' in bag", True),
    ("'lamp' not in bag", False),
    ("has(people, 'ann')", True),
    ("has(people, name)", False),
    ("has(flags, 'a')", True),
    ("hp == 7", True),
    ("hp == 8", False),
    ("hp != 7", False),
    ("7 == hp", True),
    ("hp == luck", False),
    ("hp != luck", True),
    ("name == 'Lian'", True),
    ("met == true", True),
    ("met != (hp > 1)", False),
    ("pair == same", True),
    ("pair != same", False),
    ("pair == rolls", False),
    ("people == people", True),
    ("people != people", False),
    ("flags == people", False),
    ("hp > 7", False),
    ("hp >= 7", True),
    ("hp < 7", False),
    ("hp <= 7", True),
    ("6 < hp", True),
    ("luck < hp", True),
    ("luck > hp", False),
    ("luck >= hp", False),
    ("hp <= luck", False),
    ("not met", False),
    ("not (hp > 100)", True),
    ("met and hp > 1", True),
    ("met and hp > 100", False),
    ("hp > 100 and met", False),
    ("met or hp > 100", True),
    ("hp > 100 or met", True),
    ("hp > 100 or hp > 99", False),
    ("met and met and met", True),
    ("met and met and hp > 100", False),
    ("hp > 100 or hp > 99 or met", True),
    ("hp > 100 or hp > 99 or hp > 98", False),
    # Null.
    ("no_number", None),
    ("no_truth", None),
    ("no_number == 0", False),
    ("no_number != 0", True),
    ("no_number == no_number", False),
    ("no_number != no_number", True),
    ("0 == no_number", False),
    ("hp == no_number", False),
    ("no_truth == false", False),
    ("not no_truth", True),
    ("no_truth or met", True),
    ("no_truth and met", False),
    ("no_text == ''", False),
    ("no_text == name", False),
    ("name != no_text", True),
    ("len(no_text)", 0),
    ("len(no_list)", 0),
    ("len(no_object)", 0),
    ("count(no_list, 'a')", 0),
    ("has(no_list, 'a')", False),
    ("has(no_object, 'a')", False),
    ("no_list == no_list", False),
    ("no_list != bag", True),
    ("bag == no_list", False),
    ("count(holes, no_text)", 0),
    ("count(holes, 'a')", 1),
    ("has(bag, no_text)", False),
    ("has(people, no_text)", False),
    ("count(rolls, no_number)", 0),
    ("holes == holes", True),
    # What is not evaluated does no harm.
    ("met or 1 / 0 > 1", True),
    ("not met and 1 / 0 > 1", False),
    ("met or met or 1 / 0 > 1", True),
]


@pytest.mark.parametrize(("text", "value"), VALUES)
def test_values(text: str, value: Json) -> None:
    given = value_of(text)
    assert given == value
    assert type(given) is type(value)


NO_ANSWERS = [
    *("1 / 0", "hp / (hp - 7)", "9007199254740991 + 1", "-9007199254740991 - 1", "9007199254740991 * 2"),
    *("9007199254740991 * 9007199254740991", "1 / 0 > 1", "not (1 / 0 > 1)", "met and 1 / 0 > 1"),
    *("1 / 0 > 1 or met", "no_number + 1", "-no_number", "no_number > 1", "1 > no_number", "hp <= no_number"),
    *("min(1, no_number)", "max(no_number, 1)", "no_number == 1 / 0", "1 / 0 == no_number", "1 / 0 == 1"),
    *("count(rolls, 1 / 0)", "has(marks, 1 / 0 > 1)", "met and met and 1 / 0 > 1"),
]


@pytest.mark.parametrize("text", NO_ANSWERS)
def test_no_answers(text: str) -> None:
    with pytest.raises(ArithmeticError):
        value_of(text)


@pytest.mark.parametrize("value", [10**400, float("inf"), float("nan"), 2**60])
def test_numbers_out_of_bounds_end_in_no_answer(value: float) -> None:
    for text in ("hp + 0.5", "hp / 3", "-hp", "hp * 1"):
        with pytest.raises(ArithmeticError):
            value_of(text, {**DOCUMENT, "hp": value})


def test_truth_of_null_is_false() -> None:
    assert compile_truth(parse("no_truth"), LAYOUT)(DOCUMENT, 1, [0]) is False
    assert compile_truth(parse("met"), LAYOUT)(DOCUMENT, 1, [0]) is True
    assert compile_truth(parse("met and met"), LAYOUT)(DOCUMENT, 1, [0]) is True


FUEL: list[tuple[str, int]] = [
    ("count(bag, 'rope')", 3),
    ("has(bag, 'rope')", 3),
    ("count(rolls, 1)", 4),
    ("count(marks, true)", 3),
    ("count(pairs, pair)", 3 + 2 * 3),
    ("'x' in bag or 'y' in bag", 6),
    ("'rope' in bag or 'y' in bag", 3),
    ("pair == same", 2),
    ("pair == rolls", 0),
    ("people == people", 2),
    ("people == flags", 0),
    ("has(people, 'ann')", 0),
    ("has(no_list, 'a')", 0),
    ("len(bag)", 0),
    ("hp > 1", 0),
]


@pytest.mark.parametrize(("text", "needed"), FUEL)
def test_fuel(text: str, needed: int) -> None:
    value_of(text, fuel=needed)
    if needed:
        with pytest.raises(NoAnswerError):
            value_of(text, fuel=needed - 1)


def test_fuel_is_named() -> None:
    assert FUEL_MAX == 10_000
    fuel = [5]
    spend(fuel, 5)
    assert fuel == [0]
    with pytest.raises(NoAnswerError):
        spend(fuel, 1)


EQUAL: list[tuple[Json, Json, bool]] = [
    (1, 1, True),
    (1, 1.0, True),
    (1, 2, False),
    (1, True, False),
    (True, 1, False),
    (0, False, False),
    (True, True, True),
    ("a", "a", True),
    ("1", 1, False),
    (None, None, False),
    (None, 1, False),
    (1, None, False),
    ([], [], True),
    ([1], [1, 2], False),
    ([1], [True], False),
    ([1, 2], [1, 3], False),
    ([3, 2], [1, 2], False),
    ([None], [None], True),
    ([None], [0], False),
    ([], {}, False),
    ([], "", False),
    ({}, {}, True),
    ({"a": 1}, {"a": 1}, True),
    ({"a": 1}, {"b": 1}, False),
    ({"a": 1}, {"a": 1, "b": 2}, False),
    ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 2}]}, True),
    ({"a": [1, {"b": 2}]}, {"a": [1, {"b": 3}]}, False),
    ({"a": True}, {"a": 1}, False),
]


@pytest.mark.parametrize(("left", "right", "same"), EQUAL)
def test_equality(left: Json, right: Json, same: bool) -> None:
    assert are_equal(left, right, [100]) is same
    assert are_equal(right, left, [100]) is same


def test_equality_bears_with_any_depth() -> None:
    one: Json = []
    other: Json = []
    for _ in range(5_000):
        one, other = [one], [other]
    assert are_equal(one, other, [FUEL_MAX])
    with pytest.raises(NoAnswerError):
        are_equal(one, other, [4_999])
