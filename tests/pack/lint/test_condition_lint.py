"""Conditions that hold always or never, whole or in part: the part, the reason and what to write."""

import pytest

from tests.pack.lint.making import codes, find

GAME = """\
variables:
- {id: clues, type: integer, min: 0, max: 12}
- {id: hp, type: integer, min: 0, max: 100, default: 80}
- {id: debt, type: integer}
- {id: solved, type: boolean, rules: {readonly: true}}
- {id: doom, type: integer, secret: true, min: 0, max: 9}
- {id: bag, type: list, default: [rope], rules: {readonly: true}}
- {id: place, type: enum, enum_values: [inn, mill]}
- {id: end, type: enum, enum_values: [open, shut], rules: {readonly: true}}
- id: time
  type: object
  fields:
    day: {type: integer, default: 1}
    hour: {type: integer, default: 8, carry: {into: day, at: 24}}
    minute: {type: integer}
"""


FIRST_COLUMN = 10


def told(when: str, once: bool = True) -> list[str]:
    """What is told of a trigger with this condition, which begins in FIRST_COLUMN; variables left aside."""
    trigger = f"- id: bell\n  when: '{when}'\n  once: {str(once).lower()}\n"
    return [line for line in find(GAME, {"triggers.yaml": trigger}) if line.startswith("triggers.yaml:2:")]


def column_of(message: str, when: str) -> int:
    """Where the part that a message begins with stands in the file."""
    return FIRST_COLUMN + when.index(message.split("`")[1])


NEVER = [
    ("clues > 12", "`clues > 12` never holds, since `clues` is at most 12"),
    ("hp < 0", "`hp < 0` never holds, since `hp` is at least 0"),
    ("hp == 101", "`hp == 101` never holds, since `hp` is from 0 to 100"),
    ("13 <= clues", "`13 <= clues` never holds, since `clues` is at most 12"),
    ("hp < 50 and clues > 12", "`clues > 12` never holds, since `clues` is at most 12"),
    ("hp < 50 and (clues > 12 or hp > 200)", "`clues > 12 or hp > 200` never holds"),
    ("not (hp < 50 or clues >= 0)", "`clues >= 0` always holds, since `clues` is at least 0"),
    ("hp + clues > 200", "`hp + clues > 200` never holds, since `hp + clues` is at most 112"),
    (
        "clues > hp + 20",
        "`clues > hp + 20` never holds, since `clues` is at most 12 and `hp + 20` is at least 20",
    ),
    (
        "clues > 8 and clues < 3",
        "`clues > 8 and clues < 3` never holds, since its parts contradict each other",
    ),
    ("solved", "`solved` never holds, since `solved` is always false (nothing ever writes it)"),
    ('"lamp" in bag', '`"lamp" in bag` never holds, since nothing ever adds `"lamp"` to `bag`'),
    ("len(bag) > 1", "`len(bag) > 1` never holds, since `len(bag)` is always 1"),
    ("doom >= 5", "`doom >= 5` never holds, since `doom` is always 0 (nothing ever writes it)"),
    ('end == "shut"', '`end == "shut"` never holds, since `end` is always "open" (nothing ever writes it)'),
    ("turn < 1", "`turn < 1` never holds, since `turn` is at least 1"),
    ("false", "`false` never holds"),
]


@pytest.mark.parametrize(("when", "reason"), NEVER)
def test_a_condition_that_never_holds_is_told_at_the_part_that_decides(when: str, reason: str) -> None:
    (line,) = told(when)
    message, _, suggestion = line.partition(" | ")
    place = f"triggers.yaml:2:{column_of(reason, when)}"
    assert message == f"{place} trigger-never-fires: the trigger `bell` never fires: {reason}"
    assert suggestion.endswith(".")


ALWAYS = [
    ("clues >= 0", "`clues >= 0` always holds, since `clues` is at least 0"),
    ("hp <= 100", "`hp <= 100` always holds, since `hp` is at most 100"),
    ("hp < 50 and clues >= 0", "`clues >= 0` always holds, since `clues` is at least 0"),
    ("clues < 8 or clues > 3", "`clues < 8 or clues > 3` always holds, since its parts cover every case"),
    ("not solved", "`not solved` always holds, since `solved` is always false (nothing ever writes it)"),
    ('"a" not in bag', '`"a" not in bag` always holds, since nothing ever adds `"a"` to `bag`'),
    (
        "time.hour < 24",
        "`time.hour < 24` always holds, since `time.hour` is at most 23 (it carries into `time.day`)",
    ),
    ("len(bag) >= 1", "`len(bag) >= 1` always holds, since `len(bag)` is always 1"),
]


@pytest.mark.parametrize(("when", "reason"), ALWAYS)
def test_a_condition_that_always_holds_is_told(when: str, reason: str) -> None:
    (line,) = told(when)
    assert line.partition(" | ")[0] == f"triggers.yaml:2:{column_of(reason, when)} always-holds: {reason}"


OPEN = [
    "clues > 11",
    "hp < 50 or clues > 11",
    "debt > 1000000",
    "not (hp < 50 or clues >= 1)",
    "clues > 8 and clues < 10",
    'place == "inn"',
    'place == "inn" and place != "mill"',
    '"rope" in bag and hp > 3',
    "time.hour >= 23",
    "time.day > 9",
    "turn == 1",
    "true",
    "hp > clues",
]


@pytest.mark.parametrize("when", OPEN)
def test_what_may_hold_and_may_not_is_not_told(when: str) -> None:
    assert [line for line in told(when) if '"rope" in bag' not in line] == []


def test_a_part_of_an_or_that_never_holds_is_told() -> None:
    assert told("hp < 50 or clues > 12") == [
        "triggers.yaml:2:21 never-holds: `clues > 12` never holds, since `clues` is at most 12"
        " | Use a value it can have: `clues` is a whole number from 0 to 12."
    ]


def test_parts_are_looked_for_at_every_depth() -> None:
    (line,) = told("hp < 50 or not (debt > 3 and clues >= 0)")
    assert line.startswith("triggers.yaml:2:39 always-holds: `clues >= 0` always holds")


SUGGESTIONS = [
    ("clues > 12", "Use a value it can have: `clues` is a whole number from 0 to 12."),
    (
        "clues >= 0",
        "Write `true` if you mean that, or make it stricter: `clues` is a whole number from 0 to 12.",
    ),
    (
        "hp > 9 and clues >= 0",
        "Delete it, or make it stricter: `clues` is a whole number from 0 to 12.",
    ),
    ("hp + clues > 200", "Use a value it can have."),
    ("turn >= 1", "Write `true` if you mean that, or make it stricter."),
    ("solved", "Let a choice or a trigger change `solved`, or delete its `readonly`."),
    ("doom > 3", "Let a choice or a trigger change `doom`, or delete its `secret`."),
    ("clues > 8 and clues < 3", "Change it so that it can be true."),
    ("clues < 8 or clues > 3", "Write `true` if you mean that."),
    ("hp > 9 and (clues < 8 or clues > 3)", "Delete it."),
]


@pytest.mark.parametrize(("when", "suggestion"), SUGGESTIONS)
def test_what_to_write_is_suggested(when: str, suggestion: str) -> None:
    (line,) = told(when)
    assert line.partition(" | ")[2] == suggestion


def test_a_carry_that_makes_a_condition_impossible_is_told_as_the_cause() -> None:
    assert told("hp > 5 and time.hour >= 24") == [
        "triggers.yaml:2:21 carry-trap: the trigger `bell` never fires: `time.hour >= 24` never holds, since "
        "`time.hour` carries into `time.day` at 24 and so stays from 0 to 23"
        " | Use `time.day` instead, or delete the `carry` of `time.hour`."
    ]


def test_a_carry_that_the_author_did_not_write_is_not_his_to_delete() -> None:
    (line,) = told("time.minute >= 60")
    assert "carry-trap" in line
    assert line.endswith("at 60 and so stays from 0 to 59 | Use `time.hour` instead.")


def test_a_trap_in_a_part_is_told_too() -> None:
    (line,) = told("hp < 5 or time.hour == 24")
    assert line.startswith("triggers.yaml:2:20 carry-trap: `time.hour == 24` never holds, since `time.hour`")


def test_what_no_carry_forbids_is_no_trap() -> None:
    game = """\
variables:
- {id: time, type: object, fields: {hour: {type: integer, min: 0, max: 24}, minute: {type: integer, max: 59}}}
"""
    triggers = (
        "- {id: late, when: time.hour > 24, once: true}\n- {id: odd, when: time.minute > 59, once: true}\n"
    )
    assert codes(game, {"triggers.yaml": triggers}) == [
        "triggers.yaml:1:20 trigger-never-fires",
        "triggers.yaml:2:19 trigger-never-fires",
    ]


def test_midnight_can_come_where_hours_do_not_carry() -> None:
    game = "variables:\n- {id: time, type: object, default: {day: 1, hour: 20, minute: 10}}\n"
    assert codes(game, {"triggers.yaml": "- {id: late, when: time.hour >= 24, once: true}\n"}) == []


DIVISIONS = [
    ("hp / clues > 2", "clues"),
    ("hp / debt > 2", "debt"),
    ("hp / (clues - 5) > 2", "clues - 5"),
    ("clues > 0 and 3 > hp / debt", "debt"),
]


@pytest.mark.parametrize(("when", "divisor"), DIVISIONS)
def test_a_divisor_that_may_be_zero_is_told(when: str, divisor: str) -> None:
    assert told(when) == [
        f"triggers.yaml:2:{FIRST_COLUMN + when.index(divisor)} division-by-zero: `{divisor}` may be 0; then "
        "the division has no result "
        f"and the condition does not hold | Check first that it is not 0: `{divisor} > 0 and ...`."
    ]


@pytest.mark.parametrize(
    "when",
    [
        "hp / 3 > 2",
        "hp / (clues + 1) > 2",
        "clues > 0 and hp / clues > 2",
        "debt != 0 and hp / debt > 2",
        "clues == 0 or hp / clues > 2",
    ],
)
def test_a_division_that_is_guarded_is_not_told(when: str) -> None:
    assert told(when) == []


def test_a_division_in_a_derived_variable_is_told_at_its_own_column() -> None:
    game = """\
variables:
- {id: paid, type: integer, min: 0, max: 9}
- {id: days, type: integer, min: 0, max: 9}
- {id: wage, type: number, derived: paid / days}
- {id: rate, type: number, derived: paid / (days + 1)}
"""
    assert find(game) == [
        "game.yaml:6:44 division-by-zero: `days` may be 0; then the division has no result and the variable "
        "keeps its default | Give the divisor a `min` above 0."
    ]
