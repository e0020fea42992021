"""Whether a value fits its slot."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json, quote_value
from talewright.kernel.judging.rulings import Grade, Refusal
from talewright.kernel.slots.slot_types import Carry, Layout, Slot, SlotKind, describe_slot
from talewright.kernel.slots.value_validation import FittedValue, carry_over, find_misfit, fit
from tests.kernel.making import boolean, enum, integer, listing, number, opened, record, string

CLOCK = record(
    day=integer(1),
    hour=integer(20, carry=Carry("day", 24)),
    minute=integer(10, carry=Carry("hour", 60)),
)


def refuse(slot: Slot, value: Json, *, proposed: bool = False) -> tuple[Grade, str]:
    with pytest.raises(Refusal) as caught:
        fit(slot, value, "it", proposed=proposed)
    assert str(caught.value) == caught.value.reason
    return caught.value.grade, caught.value.reason


@pytest.mark.parametrize(
    ("slot", "value", "fitted"),
    [
        (integer(0, 0, 10), 0, FittedValue(0)),
        (integer(0, 0, 10), 10, FittedValue(10)),
        (integer(0, 0, 10), 11, FittedValue(10, True)),
        (integer(0, 0, 10), -1, FittedValue(0, True)),
        (integer(0, 0, 10), 3.0, FittedValue(3)),
        (number(0, 0, 1), 0.5, FittedValue(0.5)),
        (number(0, 0, 1), 1.5, FittedValue(1, True)),
        (number(), -0.0, FittedValue(0)),
        (boolean(), True, FittedValue(True)),
        (enum("a", "b"), "b", FittedValue("b")),
        (string(max_length=3), "雾港雾", FittedValue("雾港雾")),
        (listing(integer(0, 0, 5)), [1, 9], FittedValue([1, 5], True)),
        (listing(integer()), (1, 2), FittedValue([1, 2])),
        (listing(integer(), max_items=1), [1], FittedValue([1])),
        (record(a=integer(7), b=boolean()), {"b": True}, FittedValue({"a": 7, "b": True})),
        (record(a=integer(7, 0, 9)), {"a": 10}, FittedValue({"a": 9}, True)),
        (opened(integer(0, 0, 5)), {"x": 9, "y": 1}, FittedValue({"x": 5, "y": 1}, True)),
        (opened(integer(), max_items=1), {"k" * 100: 1}, FittedValue({"k" * 100: 1})),
        (replace(integer(), nullable=True), None, FittedValue(None)),
        (CLOCK, {"day": 1, "hour": 23, "minute": 125}, FittedValue({"day": 2, "hour": 1, "minute": 5})),
        (CLOCK, {"minute": -1}, FittedValue({"day": 1, "hour": 19, "minute": 59})),
    ],
)
def test_fits(slot: Slot, value: Json, fitted: FittedValue) -> None:
    got = fit(slot, value, "it")
    assert (got.value, got.clamped) == (fitted.value, fitted.clamped)
    assert type(got.value) is type(fitted.value)


@pytest.mark.parametrize(
    ("slot", "value", "reason"),
    [
        (integer(), None, "it cannot be null; it is a whole number"),
        (integer(), True, "it is a whole number, not true"),
        (integer(), "3", "it is a whole number, not '3'"),
        (integer(), 0.5, "it is a whole number, not 0.5"),
        (integer(), 2**53, "it takes numbers that can be kept exact, not 9007199254740992"),
        (number(), float("nan"), "it takes numbers that can be kept exact, not nan"),
        (integer(0, 0, 9, clamp=False), 10, "it is a whole number from 0 to 9, not 10"),
        (boolean(), 1, "it is true or false, not 1"),
        (enum("a", "b"), "c", "it is one of a, b, not 'c'"),
        (enum("a", "b"), ["a"], "it is one of a, b, not a list"),
        (string(), 5, "it is a text of at most 2000 characters, not 5"),
        (string(max_length=2), "abc", "it is a text of at most 2 characters; this one has 3"),
        (string(), "\ud800", "it has a character that cannot be written as UTF-8"),
        (listing(integer()), "abc", "it is a list of at most 500 elements, not 'abc'"),
        (listing(integer()), {}, "it is a list of at most 500 elements, not an object"),
        (listing(integer(), max_items=1), [1, 2], "it is a list of at most 1 elements; this one has 2"),
        (listing(integer()), [1, "x"], "it.1 is a whole number, not 'x'"),
        (record(a=integer()), [], "it is an object with a, not a list"),
        (record(a=integer(), b=integer()), {"c": 1}, "it has no member 'c'; it has a, b"),
        (record(), {"c": 1}, "it has no member 'c'; it has none"),
        (record(a=integer()), {"a": "x"}, "it.a is a whole number, not 'x'"),
        (opened(integer(), max_items=1), {"a": 1, "b": 2}, "it takes at most 1 keys"),
        (opened(integer()), {"": 1}, "a key of it has 1 to 100 characters"),
        (opened(integer()), {"k" * 101: 1}, "a key of it has 1 to 100 characters"),
        (opened(integer()), {"\ud800": 1}, "a key of it has 1 to 100 characters"),
        (opened(integer()), {"x": "y"}, "it.x is a whole number, not 'y'"),
    ],
)
def test_refusals_say_what_is_taken(slot: Slot, value: Json, reason: str) -> None:
    assert refuse(slot, value) == (Grade.MEND, reason)


@pytest.mark.parametrize("closed", [{"readonly": True}, {"secret": True}])
def test_proposers_cannot_fill_closed_members(closed: dict[str, bool]) -> None:
    slot = record(a=integer(), b=integer(3, **closed))
    assert refuse(slot, {"b": 4}, proposed=True) == (Grade.DROP, "it.b is not yours to write")
    assert fit(slot, {"b": 4}, "it").value == {"a": 0, "b": 4}
    assert fit(slot, {"b": 3}, "it", proposed=True).value == {"a": 0, "b": 3}
    assert fit(slot, {"a": 1}, "it", proposed=True).value == {"a": 1, "b": 3}


def test_closed_members_deep_in_lists_and_open_objects() -> None:
    inner = record(b=integer(3, readonly=True))
    cases: list[tuple[Slot, Json]] = [
        (listing(inner), [{"b": 4}]),
        (opened(inner), {"x": {"b": 4}}),
        (record(a=inner), {"a": {"b": 4}}),
    ]
    for slot, value in cases:
        assert refuse(slot, value, proposed=True)[0] is Grade.DROP


def test_nobody_fills_a_derived_member() -> None:
    slot = record(a=integer(), b=integer(0, derived="a"))
    assert refuse(slot, {"b": 4}) == (Grade.DROP, "it.b is not yours to write")


def test_run_over_carries_as_far_as_it_goes_and_tells_of_a_bound() -> None:
    members: dict[str, Json] = {"day": 1, "hour": 23, "minute": 60}
    assert carry_over(CLOCK, members, "time") is False
    assert members == {"day": 2, "hour": 0, "minute": 0}
    bounded = record(hour=integer(0, 0, 24), minute=integer(0, carry=Carry("hour", 60)))
    members = {"hour": 24, "minute": 61}
    assert carry_over(bounded, members, "time") is True
    assert members == {"hour": 24, "minute": 1}
    members = {"hour": 20, "minute": 59}
    assert carry_over(bounded, members, "time") is False
    assert members == {"hour": 20, "minute": 59}


def test_run_over_refuses_where_the_gaining_member_does_not_clamp() -> None:
    slot = record(hour=integer(0, 0, 24, clamp=False), minute=integer(0, carry=Carry("hour", 60)))
    with pytest.raises(Refusal, match=r"time\.hour is a whole number from 0 to 24, not 25"):
        carry_over(slot, {"hour": 24, "minute": 61}, "time")


def test_one_cut_among_several_carries_is_told() -> None:
    slot = record(
        a=integer(0, carry=Carry("b", 10)),
        b=integer(0, 0, 5),
        c=integer(0, carry=Carry("d", 10)),
        d=integer(),
    )
    members: dict[str, Json] = {"a": 99, "b": 0, "c": 10, "d": 0}
    assert carry_over(slot, members, "x") is True
    assert members == {"a": 9, "b": 5, "c": 0, "d": 1}


@pytest.mark.parametrize(
    ("slot", "words"),
    [
        (integer(0, 1), "a whole number of 1 or more"),
        (integer(0, None, 9), "a whole number of 9 or less"),
        (number(), "a number"),
        (integer(0, carry=Carry("x", 60)), "a whole number from 0 to 59"),
        (enum(*map(str, range(12))), "one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11"),
        (enum(*map(str, range(14))), "one of 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 more"),
        (record(), "an object"),
        (record(a=integer(), b=integer()), "an object with a, b"),
        (Slot(kind=SlotKind.STRING), "a text of at most 2000 characters"),
    ],
)
def test_describe(slot: Slot, words: str) -> None:
    assert describe_slot(slot) == words


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (None, "null"),
        (True, "true"),
        (False, "false"),
        ({}, "an object"),
        ([1], "a list"),
        (0, "0"),
        (1.5, "1.5"),
        ("x" * 58, repr("x" * 58)),
        ("x" * 59, "'" + "x" * 56 + "..."),
    ],
)
def test_brief(value: Json, words: str) -> None:
    assert quote_value(value) == words


@pytest.mark.parametrize(
    ("slot", "value"),
    [
        (integer(0, 0, 10), 10),
        (number(0, 0, 1), 0.123456789012345),
        (number(), 3),
        (boolean(), True),
        (enum("a", "b"), "b"),
        (string(max_length=2), "ab"),
        (listing(integer(0, 0, 3)), [0, 3]),
        (opened(integer(0, 0, 3)), {"any": 3}),
        (record(a=integer(), b=string()), {"a": 1}),
        (CLOCK, {"day": 3, "hour": 23, "minute": 59}),
        (replace(integer(), nullable=True), None),
        (replace(integer(0, 0, 3), derived="1 + 1"), 99),
    ],
)
def test_a_value_that_could_stand_there(slot: Slot, value: Json) -> None:
    assert find_misfit(Layout({"it": slot}), {"it": value}) == ""


@pytest.mark.parametrize(
    ("slot", "value", "told"),
    [
        (integer(0, 0, 100), 5_000, "it is 5000; it must be a whole number from 0 to 100"),
        (integer(0, 1), 0, "it is 0; it must be a whole number of 1 or more"),
        (integer(), 1.5, "it is 1.5; it must be a whole number"),
        (integer(), True, "it is true; it must be a whole number"),
        (integer(), None, "it is null; it must be a whole number"),
        (boolean(), 1, "it is 1; it must be true or false"),
        (enum("a", "b"), "c", "it is 'c'; it must be one of a, b"),
        (string(max_length=2), "abc", "it is 'abc'; it must be a text of at most 2 characters"),
        (integer(), "1", "it is '1'; it must be a whole number"),
        (listing(integer(), max_items=1), [1, 2], "it is a list; it must be a list of at most 1 elements"),
        (listing(integer(0, 0, 3)), [0, 4], "it.1 is 4; it must be a whole number from 0 to 3"),
        (string(), [], "it is a list; it must be a text of at most 2000 characters"),
        (string(), {}, "it is an object; it must be a text of at most 2000 characters"),
        (record(a=integer()), {"b": 1}, "the game has no variable it.b"),
        (CLOCK, {"minute": 60}, "it.minute is 60; it must be a whole number from 0 to 59"),
        (replace(opened(integer()), max_items=1), {"a": 1, "b": 1}, "it is an object; it must be an object"),
    ],
)
def test_a_value_that_could_never_stand_there(slot: Slot, value: Json, told: str) -> None:
    assert find_misfit(Layout({"fine": integer(), "it": slot}), {"fine": 1, "it": value}) == told


def test_a_variable_that_the_game_does_not_have() -> None:
    assert find_misfit(Layout({"it": integer()}), {"other": 1}) == "the game has no variable other"
