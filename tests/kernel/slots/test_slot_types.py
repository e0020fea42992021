"""Slots: what may stand where, found by path, and what stands there first."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.slots.slot_types import (
    LIST_ITEMS_MAX,
    NUMERIC,
    OPEN_KEY_LENGTH_MAX,
    STRING_LENGTH_MAX,
    TEXTUAL,
    Carry,
    Layout,
    Policy,
    Slot,
    SlotKind,
    default_of,
    inherit,
    member,
)
from talewright.kernel.state.state_paths import Path

HP = Slot(kind=SlotKind.INTEGER, default=10, minimum=0, maximum=20)
MINUTE = Slot(kind=SlotKind.INTEGER, default=30, minimum=5, maximum=7, carry=Carry("hour", 60))
HOUR = Slot(kind=SlotKind.INTEGER, default=22)
TIME = Slot(kind=SlotKind.OBJECT, fields={"hour": HOUR, "minute": MINUTE})
ITEM = Slot(kind=SlotKind.OBJECT, fields={"id": Slot(kind=SlotKind.STRING, default=""), "count": HP})
BAG = Slot(kind=SlotKind.LIST, default=[], element=ITEM)
MINDS = Slot(kind=SlotKind.OBJECT, fields={"me": HP}, values=ITEM)
LAYOUT = Layout({"hp": HP, "time": TIME, "bag": BAG, "minds": MINDS})


@pytest.mark.parametrize(
    ("path", "slot"),
    [
        ((), None),
        (("hp",), HP),
        (("time",), TIME),
        (("time", "minute"), MINUTE),
        (("bag",), BAG),
        (("bag", "0"), ITEM),
        (("bag", "17", "id"), ITEM.fields["id"]),
        (("minds", "me"), HP),
        (("minds", "ann"), ITEM),
        (("minds", "ann", "count"), HP),
        (("mp",), None),
        (("mp", "x"), None),
        (("hp", "x"), None),
        (("hp", "0"), None),
        (("hp", "x", "y"), None),
        (("time", "day"), None),
        (("bag", "-"), None),
        (("bag", "00"), None),
        (("bag", "0", "weight"), None),
    ],
)
def test_slots_are_found_by_path(path: Path, slot: Slot | None) -> None:
    assert LAYOUT.find(path) is slot


def test_one_step_beneath() -> None:
    assert member(TIME, "hour") is HOUR
    assert member(BAG, "3") is ITEM
    assert member(BAG, "x") is None
    assert member(HP, "0") is None


def test_the_walk_keeps_the_declared_order() -> None:
    assert list(LAYOUT.walk()) == [
        (("hp",), HP),
        (("time",), TIME),
        (("time", "hour"), HOUR),
        (("time", "minute"), MINUTE),
        (("bag",), BAG),
        (("minds",), MINDS),
        (("minds", "me"), HP),
    ]


def test_the_first_document() -> None:
    assert LAYOUT.defaults() == {"hp": 10, "time": {"hour": 22, "minute": 30}, "bag": [], "minds": {"me": 10}}
    assert list(LAYOUT.defaults()) == ["hp", "time", "bag", "minds"]


OUTER = Slot(kind=SlotKind.OBJECT, default={"time": {"hour": 1}, "extra": 3}, fields={"time": TIME, "hp": HP})


@pytest.mark.parametrize(
    ("slot", "value"),
    [
        (HP, 10),
        (Slot(kind=SlotKind.STRING, default=None, nullable=True), None),
        (Slot(kind=SlotKind.OBJECT, fields={"hp": HP}, nullable=True), None),
        (Slot(kind=SlotKind.OBJECT, fields={"hp": HP}, default={}, nullable=True), {"hp": 10}),
        (Slot(kind=SlotKind.OBJECT), {}),
        (Slot(kind=SlotKind.OBJECT, default={"hp": 3}, fields={"hp": HP, "mp": HP}), {"hp": 3, "mp": 10}),
        (OUTER, {"time": {"hour": 1, "minute": 30}, "hp": 10, "extra": 3}),
        (
            Slot(kind=SlotKind.OBJECT, default={"ann": {"id": "a"}}, values=ITEM),
            {"ann": {"id": "a", "count": 10}},
        ),
        (
            Slot(kind=SlotKind.LIST, default=[{"id": "a"}, {}], element=ITEM),
            [{"id": "a", "count": 10}, {"id": "", "count": 10}],
        ),
        (Slot(kind=SlotKind.LIST, default=None, element=ITEM, nullable=True), None),
        (Slot(kind=SlotKind.LIST, default=[1, 2]), [1, 2]),
        (Slot(kind=SlotKind.ENUM, default="a", enum_values=("a", "b"), element=ITEM), "a"),
    ],
)
def test_defaults_are_completed_at_any_depth(slot: Slot, value: Json) -> None:
    assert default_of(slot) == value


def test_members_of_a_default_stand_in_declared_order() -> None:
    slot = Slot(kind=SlotKind.OBJECT, default={"z": 1, "b": 2, "a": 3}, fields={"a": HP, "b": HP}, values=HP)
    document = default_of(slot)
    assert isinstance(document, dict)
    assert list(document.items()) == [("a", 3), ("b", 2), ("z", 1)]


def test_a_default_is_not_altered_by_being_completed() -> None:
    given = OUTER.default
    default_of(OUTER)
    assert given == {"time": {"hour": 1}, "extra": 3}


def test_the_range_of_a_slot() -> None:
    assert (HP.lowest, HP.highest) == (0, 20)
    assert (HOUR.lowest, HOUR.highest) == (None, None)
    assert (MINUTE.lowest, MINUTE.highest) == (0, 59)


def test_what_a_slot_is_unless_told() -> None:
    slot = Slot(kind=SlotKind.NUMBER)
    assert (slot.default, slot.minimum, slot.maximum, slot.enum_values) == (None, None, None, ())
    assert (slot.max_length, slot.max_items) == (STRING_LENGTH_MAX, LIST_ITEMS_MAX) == (2_000, 500)
    assert [OPEN_KEY_LENGTH_MAX] == [100]
    assert (slot.fields, slot.values, slot.element) == ({}, None, None)
    assert (slot.nullable, slot.clamp, slot.readonly, slot.policy) == (False, True, False, Policy.ANY)
    assert (slot.max_step, slot.carry, slot.derived, slot.hidden, slot.secret) == (
        None,
        None,
        "",
        False,
        False,
    )


def test_kinds_and_policies_carry_the_authors_words() -> None:
    assert [str(kind) for kind in SlotKind] == [
        "number",
        "integer",
        "boolean",
        "enum",
        "string",
        "list",
        "object",
    ]
    assert [str(policy) for policy in Policy] == ["any", "inc_dec_only", "set_only"]
    assert {kind for kind in SlotKind if kind in NUMERIC} == {SlotKind.NUMBER, SlotKind.INTEGER}
    assert {kind for kind in SlotKind if kind in TEXTUAL} == {SlotKind.STRING, SlotKind.ENUM}


@pytest.mark.parametrize("privacy", ["readonly", "hidden", "secret"])
def test_what_is_closed_is_closed_all_the_way_down(privacy: str) -> None:
    closed = inherit(close(Slot(kind=SlotKind.OBJECT, fields={"bag": BAG}, values=MINDS), privacy))
    beneath = [
        closed,
        closed.fields["bag"],
        inner(closed.fields["bag"].element),
        inner(closed.fields["bag"].element).fields["count"],
        inner(closed.values),
        inner(closed.values).fields["me"],
        inner(inner(closed.values).values),
    ]
    assert [getattr(slot, privacy) for slot in beneath] == [True] * len(beneath)
    others = {"readonly", "hidden", "secret"} - {privacy}
    assert not any(getattr(slot, name) for slot in beneath for name in others)


@pytest.mark.parametrize("privacy", ["readonly", "hidden", "secret"])
def test_a_closed_member_leaves_its_object_open(privacy: str) -> None:
    shut = close(TIME, privacy)
    slot = inherit(Slot(kind=SlotKind.OBJECT, fields={"time": shut, "hp": HP}))
    assert getattr(slot.fields["time"].fields["hour"], privacy)
    assert getattr(slot.fields["time"], privacy)
    assert not getattr(slot.fields["hp"], privacy)
    assert not getattr(slot, privacy)


def test_an_open_slot_inherits_nothing() -> None:
    for slot in (HP, TIME, BAG, MINDS):
        assert inherit(slot) == slot


def close(slot: Slot, privacy: str) -> Slot:
    match privacy:
        case "readonly":
            return replace(slot, readonly=True)
        case "hidden":
            return replace(slot, hidden=True)
        case _:
            return replace(slot, secret=True)


def inner(slot: Slot | None) -> Slot:
    assert slot is not None
    return slot
