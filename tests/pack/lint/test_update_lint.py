"""Updates that no state lets through, and those that some state does."""

import pytest

from tests.pack.lint.making import codes, find

GAME = """\
variables:
- {id: clues, type: integer, min: 0, max: 12, rules: {clamp: false}}
- {id: luck, type: integer, min: 0, max: 12}
- {id: pace, type: integer, min: 0, max: 100, max_step: 5, rules: {clamp: false}}
- {id: bag, type: list, default: [rope], max_items: 2}
- {id: box, type: list, default: [rope, pin], max_items: 2, rules: {readonly: true}}
- {id: tin, type: list, default: [rope], rules: {readonly: true}}
- {id: vow, type: boolean, nullable: true, rules: {readonly: true}}
- {id: age, type: integer, nullable: true, rules: {readonly: true}}
- {id: hour, type: integer, min: 0, max: 9}
- id: body
  type: object
  fields:
    str: {type: integer, min: 0, max: 9, rules: {update_policy: inc_dec_only}}
    agi: {type: integer, min: 0, max: 9}
- {id: time, type: object, default: {hour: 8, minute: 0}}
"""


def told(update: str, when: str = "hour > 3") -> list[str]:
    """What is told of an update in a trigger; it begins in column 13 of line 4."""
    trigger = f"- id: t\n  when: '{when}'\n  once: true\n  effects: [{{{update}}}]\n"
    found = find(GAME, {"triggers.yaml": trigger})
    return [line for line in found if line.startswith("triggers.yaml:4:")]


REFUSED = [
    (
        "op: inc, path: clues, value: 13",
        "`clues` would always go above 12",
        "Write a smaller number, or `clamp: true`.",
    ),
    (
        "op: dec, path: clues, value: 13",
        "`clues` would always go below 0",
        "Write a smaller number, or `clamp: true`.",
    ),
    (
        "op: push, path: box, value: lamp",
        "`box` is always full",
        "Raise `max_items`, or remove something first.",
    ),
    (
        "op: remove, path: tin, value: lamp",
        '"lamp" is never in `tin`',
        "Add it with `push` in a choice or a trigger, or remove something that is in `tin`.",
    ),
    ("op: inc, path: age, value: 1", "`age` is always null", "Set it first."),
    ("op: set, path: body, value: {agi: 3, str: 4}", "`body.str` can only go up or down", "Leave it out."),
]


@pytest.mark.parametrize(("update", "reason", "suggestion"), REFUSED)
def test_an_update_that_is_always_refused_is_told_at_its_value(
    update: str, reason: str, suggestion: str
) -> None:
    (line,) = told(update)
    column = len("  effects: [{") + update.rindex(" ") + 2
    op = update.split(",")[0].removeprefix("op: ")
    assert line == (
        f"triggers.yaml:4:{column} update-always-refused: this `{op}` is always refused: {reason} | "
        f"{suggestion}"
    )


def test_where_there_is_no_value_the_path_is_the_place() -> None:
    assert told("op: toggle, path: vow") == [
        "triggers.yaml:4:32 update-always-refused: this `toggle` is always refused: `vow` is always null"
        " | Set it first."
    ]


def test_an_element_that_no_list_can_have_is_told_at_the_path() -> None:
    assert told("op: set, path: bag.2, value: pin") == [
        "triggers.yaml:4:29 update-always-refused: this `set` is always refused: `bag` has at most 2 "
        "elements, "
        "counted from 0 | Write a number below 2."
    ]


GRANTED = [
    "op: inc, path: clues, value: 12",
    "op: dec, path: clues, value: 12",
    "op: inc, path: luck, value: 50",
    "op: set, path: pace, value: 5",
    "op: push, path: bag, value: lamp",
    "op: remove, path: bag, value: lamp",
    "op: remove, path: tin, value: rope",
    "op: set, path: bag.1, value: pin",
    "op: set, path: body, value: {agi: 3}",
    "op: inc, path: time.minute, value: 600",
    "op: set, path: vow, value: true",
]


@pytest.mark.parametrize("update", GRANTED)
def test_what_some_state_lets_through_is_not_told(update: str) -> None:
    assert told(update) == []


CLASHES = [
    ("op: remove, path: bag, value: rope", '"rope" not in bag', '"rope" is never in `bag`'),
    ("op: push, path: bag, value: pin", "len(bag) >= 2", "`bag` is always full"),
    ("op: set, path: pace, value: 60", "pace < 50", "`pace` is always more than 5 away from 60"),
    ("op: inc, path: clues, value: 3", "clues > 9", "`clues` would always go above 12"),
]


@pytest.mark.parametrize(("update", "when", "reason"), CLASHES)
def test_an_update_that_its_own_condition_excludes_is_told(update: str, when: str, reason: str) -> None:
    (line,) = told(update, when)
    assert line.partition(": ")[2] == (
        f"this `{update.split(',')[0].removeprefix('op: ')}` is always refused: {reason} while `{when}` holds"
        " | Change one of the two."
    )


def test_what_an_earlier_update_makes_possible_is_not_told() -> None:
    effects = "op: push, path: bag, value: rope}, {op: remove, path: bag, value: rope"
    assert told(effects, '"rope" not in bag') == []


def test_a_condition_that_leaves_the_update_possible_is_not_told() -> None:
    assert told("op: remove, path: bag, value: rope", '"pin" not in bag') == []
    assert told("op: inc, path: clues, value: 3", "clues > 8") == []


SCENE = """\
- id: s
  when: '"rope" not in bag'
  text: t
  choices:
  - label: a
    updates: [{op: remove, path: bag, value: rope}]
  - label: b
    updates: [{op: push, path: bag, value: rope}]
    check:
      roll: 1d6
      at_least: 3
      success: {updates: [{op: remove, path: bag, value: rope}]}
      failure: {updates: [{op: dec, path: clues, value: 13}]}
"""


def test_choices_and_checks_stand_under_the_conditions_of_their_scene() -> None:
    assert [code for code in codes(GAME, {"scenes/a.yaml": SCENE}) if code.startswith("scenes")] == [
        "scenes/a.yaml:6:46 update-always-refused",
        "scenes/a.yaml:13:57 update-always-refused",
    ]


def test_the_routes_of_a_finale_are_looked_at() -> None:
    route = "{label: a, ending: b, updates: [{op: inc, path: clues, value: 13}]}"
    game = GAME + f"endings: [{{id: f, when: luck > 8, kind: win, finale: [{route}]}}]\n"
    assert "game.yaml:19:117 update-always-refused" in codes(game)
