"""The cover of a compiled game: where dials stand for values of every kind, and texts that are no cover."""

import pytest

from talewright.common.json_values import Json
from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind
from talewright.kernel.story.endings import Outcome, Route, list_endings
from talewright.kernel.story.game_cover import (
    DIALS,
    PLACE,
    CoverDial,
    find_dial_range,
    read_cover_rules,
    turn_dial,
    write_dials,
)
from talewright.kernel.story.game_texts import Texts
from tests.kernel.making import make_ending

NUMBER = Slot(kind=SlotKind.INTEGER, minimum=0, maximum=4)
PLACES = Slot(kind=SlotKind.ENUM, enum_values=("ford", "pines", "gate"))
MARKS = Slot(
    kind=SlotKind.OBJECT,
    fields={name: Slot(kind=SlotKind.BOOLEAN) for name in "abcd"},
)
LAMPS = Slot(kind=SlotKind.LIST, element=PLACES)


@pytest.mark.parametrize(
    ("slot", "value", "share"),
    [
        (NUMBER, 3, 0.75),
        (NUMBER, 9, 1),
        (PLACES, "pines", 0.5),
        (PLACES, "nowhere", 0),
        (MARKS, {"a": True, "b": False, "c": False, "d": False}, 0.25),
        (LAMPS, ["ford", "gate"], 0.667),
        (Slot(kind=SlotKind.BOOLEAN), True, 1),
        (NUMBER, None, 0),
    ],
)
def test_a_dial_stands_where_its_value_is_in_its_range(slot: Slot, value: Json, share: float) -> None:
    low, high = find_dial_range(slot) or (0, 0)
    assert turn_dial(CoverDial("x", ("v",), low, high), slot, value) == share


def test_a_dial_may_run_backwards() -> None:
    assert turn_dial(CoverDial("sun", ("v",), 4, 0), NUMBER, 1) == 0.75


@pytest.mark.parametrize(
    "slot",
    [
        Slot(kind=SlotKind.INTEGER),
        Slot(kind=SlotKind.STRING),
        Slot(kind=SlotKind.OBJECT, fields={"a": NUMBER}),
    ],
)
def test_some_values_have_no_range(slot: Slot) -> None:
    assert find_dial_range(slot) is None


def test_dials_are_kept_as_a_text() -> None:
    dials = (CoverDial("lamp", ("clues",), 0, 12), CoverDial("fog", ("time", "hour"), 20, 24))
    assert read_cover_rules(Texts("en", {DIALS: write_dials(dials), PLACE: "time.hour"})).dials == dials
    assert read_cover_rules(Texts("en", {PLACE: "time.hour"})).place == ("time", "hour")
    assert write_dials(()) == ""


@pytest.mark.parametrize(
    "text",
    [
        "[",
        "{}",
        "[1]",
        '[["a"]]',
        '[["a", ["b"], 1, 1]]',
        '[["a", ["b"], "x", 1]]',
        '[["a", [7], 0, 1]]',
        '[["a", ["b"], 0, Infinity]]',
        "[" * 100_000,
    ],
)
def test_a_strange_text_has_no_dials(text: str) -> None:
    assert read_cover_rules(Texts("en", {DIALS: text, PLACE: "not a path!"})).dials == ()


def test_endings_are_listed_once() -> None:
    last = (Route("1", "gold", Outcome.WIN), Route("2", "ash", Outcome.LOSE))
    layout = Layout({"v": NUMBER})
    endings = (
        make_ending(layout, "fog", "v > 3"),
        make_ending(layout, "end", "v > 2", Outcome.WIN, *last),
        make_ending(layout, "other", "v > 1", Outcome.WIN, *last[:1]),
    )
    assert list_endings(endings) == ("fog", "gold", "ash")
