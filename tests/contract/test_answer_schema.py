from dataclasses import replace

import pytest

from talewright.contract.answer_schema import list_kinds, list_places, sketch
from talewright.kernel.slots.slot_types import Carry, Policy, Slot, SlotKind
from tests.contract.cards_making import make_well
from tests.kernel.making import (
    boolean,
    enum,
    integer,
    listing,
    make_game,
    make_layout,
    number,
    opened,
    record,
    string,
)


def test_places_are_what_a_model_may_write() -> None:
    assert [place.path for place in list_places(make_well())] == [
        *("hp", "place", "time.hour", "time.minute", "flags.met", "flags.plot", "notes", "bonds", "party")
    ]
    layout = make_layout(
        {
            "sum": replace(integer(), derived="1 + 1"),
            "maybe": replace(record(a=integer(), b=replace(integer(), readonly=True)), nullable=True),
            "odd.name": integer(),
        }
    )
    assert [place.path for place in list_places(make_game(layout))] == ["maybe", "maybe.a", "/odd.name"]


def test_open_places_are_known() -> None:
    places = {place.path: place.is_open for place in list_places(make_well())}
    assert [path for path, is_open in places.items() if is_open] == ["bonds", "party"]
    nested = make_game(make_layout({"grid": listing(listing(integer())), "row": listing(integer())}))
    assert [place.is_open for place in list_places(nested)] == [True, False]


@pytest.mark.parametrize(
    ("slot", "text"),
    [
        (integer(), "integer"),
        (integer(0, 0, 100), "integer 0..100"),
        (integer(0, 0), "integer 0.."),
        (integer(0, None, 9), "integer ..9"),
        (number(0, -1.5, 1.5), "number -1.5..1.5"),
        (integer(0, 0, 59, carry=Carry("hour", 60)), "integer"),
        (integer(0, 0, 9, policy=Policy.INC_DEC_ONLY), "integer 0..9 (inc, dec)"),
        (integer(0, policy=Policy.SET_ONLY), "integer (set)"),
        (replace(number(), policy=Policy.SET_ONLY, nullable=True), "number|null (set)"),
        (replace(enum("a", "b"), policy=Policy.SET_ONLY), "a|b"),
        (boolean(), "boolean"),
        (replace(string(), nullable=True), "string|null"),
        (listing(string()), "[string]"),
        (listing(replace(record(a=string()), secret=True)), "list"),
        (opened(integer(0, 0)), "{*: integer 0..}"),
        (opened(replace(integer(), secret=True)), "{}"),
        (replace(opened(integer()), fields={"a": string()}), "{a: string, *: integer}"),
        (
            record(
                a=integer(),
                b=replace(integer(), secret=True),
                c=replace(integer(), readonly=True),
                d=replace(integer(), derived="a"),
                e=string(),
            ),
            "{a: integer, e: string}",
        ),
    ],
)
def test_places_are_sketched(slot: Slot, text: str) -> None:
    assert sketch(slot) == text


def test_kinds_of_what_lies_beneath_are_found() -> None:
    slot = listing(record(a=integer(), b=opened(boolean()), c=replace(string(), secret=True)))
    assert list(list_kinds(slot)) == [
        SlotKind.LIST,
        SlotKind.OBJECT,
        SlotKind.INTEGER,
        SlotKind.OBJECT,
        SlotKind.BOOLEAN,
    ]
