"""Slots made: what a variable says of itself, and what it cannot say."""

import pytest

from talewright.common.json_values import Json
from talewright.kernel.slots.slot_types import (
    LIST_ITEMS_MAX,
    STRING_LENGTH_MAX,
    Carry,
    Policy,
    Slot,
    SlotKind,
    default_of,
)
from tests.pack.making import check_fault, compile_game, slot_of, variable

LEAVES = [
    ("type: integer", Slot(kind=SlotKind.INTEGER, default=0)),
    ("type: integer, min: 3, max: 5", Slot(kind=SlotKind.INTEGER, default=3, minimum=3, maximum=5)),
    ("type: number, max: -2", Slot(kind=SlotKind.NUMBER, default=-2, maximum=-2)),
    ("type: integer, default: 4, max_step: 2", Slot(kind=SlotKind.INTEGER, default=4, max_step=2)),
    ("type: integer, nullable: true", Slot(kind=SlotKind.INTEGER, default=None, nullable=True)),
    ("type: boolean", Slot(kind=SlotKind.BOOLEAN, default=False)),
    ("type: boolean, default: true, hidden: true", Slot(kind=SlotKind.BOOLEAN, default=True, hidden=True)),
    (
        "type: enum, enum_values: [rim, mill]",
        Slot(kind=SlotKind.ENUM, default="rim", enum_values=("rim", "mill")),
    ),
    ("type: string, max_length: 5", Slot(kind=SlotKind.STRING, default="", max_length=5)),
    ("type: string, secret: true", Slot(kind=SlotKind.STRING, default="", secret=True)),
    ("type: integer, rules: {clamp: false}", Slot(kind=SlotKind.INTEGER, default=0, clamp=False)),
    ("type: integer, rules: {readonly: true}", Slot(kind=SlotKind.INTEGER, default=0, readonly=True)),
    (
        "type: string, rules: {update_policy: set_only}",
        Slot(kind=SlotKind.STRING, default="", policy=Policy.SET_ONLY),
    ),
    ("type: list", Slot(kind=SlotKind.LIST, default=[], element=Slot(kind=SlotKind.STRING, default=""))),
    (
        "type: list, items: {type: integer}, max_items: 3",
        Slot(kind=SlotKind.LIST, default=[], element=Slot(kind=SlotKind.INTEGER, default=0), max_items=3),
    ),
    (
        "type: list, default: [1, 2]",
        Slot(kind=SlotKind.LIST, default=[1, 2], element=Slot(kind=SlotKind.INTEGER, default=0)),
    ),
    (
        "type: list, nullable: true",
        Slot(kind=SlotKind.LIST, default=None, nullable=True, element=Slot(kind=SlotKind.STRING, default="")),
    ),
    ("type: object", Slot(kind=SlotKind.OBJECT, default={})),
    ("type: object, nullable: true", Slot(kind=SlotKind.OBJECT, default=None, nullable=True)),
    (
        "type: object, open: true, values: {type: integer}, default: {a: 1}",
        Slot(kind=SlotKind.OBJECT, default={"a": 1}, values=Slot(kind=SlotKind.INTEGER, default=0)),
    ),
]


@pytest.mark.parametrize(("line", "slot"), LEAVES, ids=[line for line, _ in LEAVES])
def test_a_variable_becomes_a_slot(line: str, slot: Slot) -> None:
    assert slot_of(line) == slot


def test_what_is_not_said_has_its_usual_limits() -> None:
    assert slot_of("type: string").max_length == STRING_LENGTH_MAX
    assert slot_of("type: list").max_items == LIST_ITEMS_MAX


def test_an_object_hands_its_default_to_its_members() -> None:
    slot = slot_of(
        "type: object, fields: {a: {type: integer, default: 1}, b: {type: boolean}}, default: {a: 5}"
    )
    assert {name: field.default for name, field in slot.fields.items()} == {"a": 5, "b": False}
    assert slot.default == {}
    assert default_of(slot) == {"a": 5, "b": False}


def test_an_object_within_an_object_takes_its_part_of_the_default() -> None:
    slot = slot_of(
        "type: object, default: {a: {b: 7}}, fields: {a: {type: object,"
        " fields: {b: {type: integer}, c: {type: integer, default: 2}}}}"
    )
    assert default_of(slot) == {"a": {"b": 7, "c": 2}}


def test_rules_of_an_object_hold_for_its_members_until_they_say_otherwise() -> None:
    slot = slot_of(
        "type: object, rules: {clamp: false, update_policy: inc_dec_only, readonly: true},"
        " fields: {a: {type: integer}, b: {type: string},"
        " c: {type: integer, rules: {clamp: true, update_policy: any}}}"
    )
    a, b, c = slot.fields.values()
    assert (a.clamp, a.policy) == (False, Policy.INC_DEC_ONLY)
    assert b.policy is Policy.ANY, "only numbers go up and down"
    assert (c.clamp, c.policy) == (True, Policy.ANY)
    assert all(field.readonly for field in slot.fields.values())


def test_privacy_goes_downwards() -> None:
    slot = slot_of("type: object, secret: true, fields: {a: {type: list, items: {type: string}}}")
    a = slot.fields["a"]
    assert a.secret
    assert a.element is not None
    assert a.element.secret


FAULTS = {
    "type: list, »min: 3": "field-not-for-type: Delete it, or write `type: integer`.",
    "type: string, »max: 3": "field-not-for-type: Write `max_length`.",
    "type: list, »max: 3": "field-not-for-type: Write `max_items`.",
    "type: integer, »enum_values: [a]": "field-not-for-type: Delete it, or write `type: enum`.",
    "type: list, »fields: {a: {type: integer}}": "field-not-for-type: Delete it, or write `type: object`.",
    "type: object, »items: {type: integer}": "field-not-for-type: Delete it, or write `type: list`.",
    "type: string, rules: {update_policy: »inc_dec_only}": "field-not-for-type: Write `set_only` or `any`.",
    "type: integer, max: »9.5": "wrong-type: Write 10, or `type: number`.",
    "type: integer, max_step: »0.5": "wrong-type: Write 0, or `type: number`.",
    "type: integer, min: 3, max: »2": "empty-range: Write 3 or more.",
    "type: enum, enum_values: [a, b, »a]": "duplicate-id: Delete one of the two.",
    "type: integer, default: »1.5": "bad-value: Write a whole number.",
    "type: integer, default: »null": "bad-value: Write a whole number.",
    "type: boolean, default: »1": "bad-value: Write true or false.",
    "type: enum, enum_values: [rim, mill], default: »mil": "bad-value: Write `mill`.",
    "type: list, default: »a": "bad-value: Write a list of at most 500 elements.",
    "type: list, items: {type: integer}, default: [1, »a]": "bad-value: Write a whole number.",
    "type: list, max_items: 1, default: »[a, b]": "bad-value: Write a list of at most 1 elements.",
    "type: list, default: [1, »a]": "bad-value: Declare the type of the elements under `items:`.",
    "type: list, default: [»~]": "bad-value: Write a value, or declare the type under `fields:`.",
    "type: object, default: {a: »~}": "bad-value: Write a value, or declare the type under `fields:`.",
    "type: object, default: »3": "bad-value: Write an object.",
    "type: object, fields: {key: {type: integer}}, default: {»kay: 1}": "unknown-path: Write `key`.",
    "type: object, fields: {a: {type: integer, min: 2, max: »1}}": "empty-range: Write 2 or more.",
    "type: list, items: {type: integer, »derived: turn}": "bad-derived: Make it a separate variable.",
    "type: object, open: true, values: {type: integer, »derived: turn}": (
        "bad-derived: Make it a separate variable."
    ),
    "type: integer, »carry: {into: w, at: 3}": (
        "bad-carry: Put both numbers under the `fields:` of one object."
    ),
}
USES = {"triggers.yaml": "- {id: t, when: 'v == 1', effects: [{op: inc, path: v.a, value: 1}]}\n"}


@pytest.mark.parametrize("line", FAULTS)
def test_what_a_variable_cannot_say_is_told_once(line: str) -> None:
    check_fault(FAULTS[line], variable(f"id: v, {line}"))
    check_fault(FAULTS[line], variable(f"id: v, {line}"), USES)


LACKING = {
    "type: enum": "missing-field: Add `enum_values:` with the words it may hold.",
    "type: object, open: true": "missing-field: Add `values:` with what new members are.",
    "type: object, values: {type: integer}": "missing-field: Add `open: true`.",
}


@pytest.mark.parametrize("line", LACKING)
def test_what_a_variable_lacks_is_told_at_its_beginning(line: str) -> None:
    check_fault(LACKING[line], f"variables:\n  - »{{id: v, {line}}}\n", USES)


def test_a_first_value_out_of_range_is_told_and_not_clamped() -> None:
    (fault,) = compile_game(variable("id: v, type: integer, min: 0, max: 9, default: 12")).faults
    assert fault.message == "v is a whole number from 0 to 9, not 12"


CLOCK = "type: object, fields: {hour: {type: integer, default: 8}, minute: {type: integer}}"


def test_an_hour_and_a_minute_carry_by_themselves() -> None:
    slot = slot_of(CLOCK)
    assert slot.fields["minute"].carry == Carry("hour", 60)
    assert slot.fields["hour"].carry is None
    inferred = slot_of("type: object, default: {day: 1, hour: 8, minute: 30}")
    assert {name: field.carry for name, field in inferred.fields.items()} == {
        "day": None,
        "hour": None,
        "minute": Carry("hour", 60),
    }


@pytest.mark.parametrize(
    "line",
    [
        "type: object, fields: {hour: {type: integer}, minute: {type: number}}",
        "type: object, fields: {hour: {type: integer, nullable: true}, minute: {type: integer}}",
        "type: object, fields: {hour: {type: integer}, minute: {type: integer, derived: turn}}",
        "type: object, fields: {hour: {type: integer}, minutes: {type: integer}}",
    ],
)
def test_what_is_no_clock_does_not_carry(line: str) -> None:
    assert all(field.carry is None for field in slot_of(line).fields.values())


def test_a_carry_of_the_author_s_own_stays() -> None:
    slot = slot_of(
        "type: object, fields: {hour: {type: integer}, minute: {type: integer, carry: {into: hour, at: 30}}}"
    )
    assert slot.fields["minute"].carry == Carry("hour", 30)


def field(members: str) -> str:
    return f"variables:\n  - id: o\n    type: object\n    fields:\n      {members}\n"


CARRIES = {
    "a: {type: integer, carry: {into: »bell, at: 3}}\n      bells: {type: integer}": "Write `bells`.",
    "a: {type: integer, carry: {into: »zzz, at: 3}}": "There are no whole numbers here.",
    "a: {type: integer, carry: {into: »b, at: 3}}\n      b: {type: string}": (
        "Declare `b` as `type: integer`."
    ),
    "a: {type: integer, carry: {into: »a, at: 3}}": "Delete one of the carries.",
    "a: {type: integer, nullable: true, carry: {into: »b, at: 3}}\n      b: {type: integer}": (
        "Delete `carry`."
    ),
    "a: {type: integer, carry: {into: »b, at: 3}}\n      b: {type: integer, carry: {into: c, at: 3}}\n"
    "      c: {type: integer, carry: {into: a, at: 3}}": "Delete one of the carries.",
}


@pytest.mark.parametrize("members", CARRIES)
def test_a_carry_that_cannot_work_is_told_once(members: str) -> None:
    check_fault(f"bad-carry: {CARRIES[members]}", field(members))


def test_a_first_value_does_not_run_over() -> None:
    members = "a: {type: integer, carry: {into: b, at: 3}, default: »3}\n      b: {type: integer}"
    check_fault("bad-value: Write a whole number from 0 to 2.", field(members))


INFERRED: list[tuple[str, Json, SlotKind]] = [
    ("{a: true}", False, SlotKind.BOOLEAN),
    ("{a: 3}", 0, SlotKind.INTEGER),
    ("{a: 3.5}", 0, SlotKind.NUMBER),
    ("{a: x}", "", SlotKind.STRING),
]


@pytest.mark.parametrize(("default", "_", "kind"), INFERRED)
def test_members_take_their_types_from_the_default(default: str, _: Json, kind: SlotKind) -> None:
    assert slot_of(f"type: object, default: {default}").fields["a"].kind is kind


@pytest.mark.parametrize(("default", "least", "kind"), INFERRED)
def test_elements_take_their_type_but_not_their_value(default: str, least: Json, kind: SlotKind) -> None:
    element = slot_of(f"type: list, default: [{default}]").element
    assert element is not None
    assert element.kind is SlotKind.OBJECT
    assert (element.fields["a"].kind, element.fields["a"].default) == (kind, least)


def test_lists_within_lists_and_empty_lists_are_told_from_the_default() -> None:
    slot = slot_of("type: object, default: {a: [[1], [2]], b: [], c: {}}")
    inner = slot.fields["a"].element
    assert inner is not None
    assert inner.element is not None
    assert inner.element.kind is SlotKind.INTEGER
    assert slot.fields["b"].element == Slot(kind=SlotKind.STRING, default="")
    assert slot.fields["c"].kind is SlotKind.OBJECT
