"""The compilation: conditions, paths and dice understood, and mistakes told at their own column."""

import pytest

from tests.pack.making import HEAD, check_fault, compile_game, find_mark, good_game, told

GAME = """variables:
  - {id: rope, type: integer, min: 0, max: 9}
  - {id: flags, type: object, default: {lit: false, lid_open: false}}
  - {id: bag, type: list}
  - {id: place, type: enum, enum_values: [rim, mill, 井边]}
  - {id: shelf, type: object, open: true, values: {type: integer}}
"""
LOOK = "A condition looks like `hp <= 0 and flags.met_lian`."


def check_condition(fault: str, when: str, game: str = GAME) -> None:
    check_fault(
        f"bad-condition: {fault}", game, {"triggers.yaml": f"- id: t\n  when: {when}\n  once: true\n"}
    )


CONDITIONS = {
    "rope > 2 and »lamp": "The variables are: rope, flags, bag, place, shelf.",
    "rope > 2 and »rop": "Write `rope`.",
    "»lit and rope > 2": "Write `flags.lit`.",
    "»flags.lamp": "The members of `flags` are: lit, lid_open.",
    "»flags.lid_opne": "Write `flags.lid_open`.",
    "place == »rim": 'Write `"rim"`, in quotes.',
    "place == »井边": 'Write `"井边"`, in quotes.',
    "'place == »\"rin\"'": 'Write `"rim"`.',
    "\"place == »'rin'\"": "Write `'rim'`.",
    "'place == »''rin'''": "Write `'rim'`.",
    '"place == »\\"rin\\""': 'Write `"rim"`.',
    "rope »= 2": "Write `==` to compare.",
    "rope > 2 »&& flags.lit": "Write `and`.",
    "1 < rope »< 3": "Join two comparisons with `and`: `1 < x and x < 5`.",
    "»length(bag) > 1": "Write `len(...)`.",
    "rope »+ 1": "Compare it with something, such as `hp > 0`.",
    "rope > 2 and»": LOOK,
    "place »== 3": "The values are rim, mill, 井边.",
    "|\n    rope > 2\n    and »lamp": "The variables are: rope, flags, bag, place, shelf.",
    ">-\n    rope > 2\n    and »rop": "Write `rope`.",
    "rope > 2\n    and\n      »rop > 3": "Write `rope`.",
    '"rope > 2 \\\n    and »rop > 3"': "Write `rope`.",
    "'place == \"井边\" and »rop > 3'": "Write `rope`.",
    "»\"place == '\\u0072in'\"": "Write `'rim'`.",
}


@pytest.mark.parametrize("when", CONDITIONS)
def test_a_mistake_in_a_condition_is_told_at_its_own_column(when: str) -> None:
    check_condition(CONDITIONS[when], when)


def test_without_variables_one_is_to_be_declared() -> None:
    check_condition("Declare it under `variables:` in game.yaml.", "»lamp", "")


@pytest.mark.parametrize("when", ["true", "'true'", "turn > 3", "'place == \"rim\"'", "shelf.any_key > 3"])
def test_a_good_condition_is_understood(when: str) -> None:
    game = good_game(GAME, {"triggers.yaml": f"- {{id: t, when: {when}}}\n"})
    (trigger,) = game.triggers
    assert trigger.when.source == when.strip("'")


def test_the_same_condition_in_two_places_is_told_in_both() -> None:
    files = {"triggers.yaml": "- {id: a, when: rop > 1}\n- {id: b, when: rop > 1}\n"}
    assert told(compile_game(GAME, files)) == [
        "triggers.yaml:1:17 bad-condition: Write `rope`.",
        "triggers.yaml:2:17 bad-condition: Write `rope`.",
    ]


PATHS = {
    "»rop": "unknown-path: Write `rope`.",
    "»lit": "unknown-path: Write `flags.lit`.",
    "»flags.lamp": "unknown-path: The members of `flags` are: lit, lid_open.",
    "»wholly.other": "unknown-path: The variables are: rope, flags, bag, place, shelf.",
    "»_engine.once": "unknown-path: The variables are: rope, flags, bag, place, shelf.",
    "»rope..left": "bad-name: Write it like `time.minute`.",
    "»3": "wrong-type: Write it like `time.minute`.",
    "»''": "bad-length: Write a text.",
}


@pytest.mark.parametrize("path", PATHS)
def test_a_path_that_leads_nowhere_is_told(path: str) -> None:
    update = f"- {{id: t, when: turn > 2, effects: [{{op: set, path: {path}, value: 1}}]}}\n"
    check_fault(PATHS[path], GAME, {"triggers.yaml": update})


def test_pointers_and_open_members_are_paths() -> None:
    updates = "[{op: set, path: /flags/lit, value: true}, {op: set, path: shelf.salt, value: 3}]"
    game = good_game(GAME, {"triggers.yaml": f"- {{id: t, when: turn > 2, effects: {updates}}}\n"})
    assert [update.path for update in game.triggers[0].effects] == ["/flags/lit", "shelf.salt"]


QUIET = {
    "a variable of an unknown type": "variables:\n  - {id: lamp, type: »bool}\n",
    "a variable without a type": "variables:\n  - »{id: lamp}\n",
    "a variable whose default is none": "variables:\n  - {id: lamp, type: boolean, default: »maybe}\n",
    "a variable that is a word": "variables:\n  - »lamp\n",
    "a variable without an id": "variables:\n  - »{type: boolean}\n",
    "variables of another shape": "variables:\n  »lamp: {type: boolean}\n",
    "a variable whose id is none": "variables:\n  - {id: »a lamp, type: boolean}\n",
    "a misspelt field of a variable": "variables:\n  - {id: lamp, type: boolean, »defautl: true}\n",
    "misspelt variables": "»variabels:\n  - {id: lamp, type: boolean}\n",
}


@pytest.mark.parametrize("game", QUIET.values(), ids=QUIET)
def test_whoever_uses_a_variable_with_a_fault_keeps_quiet(game: str) -> None:
    files = {
        "triggers.yaml": "- {id: t, when: lamp and turn > 2, effects: [{op: toggle, path: lamp}]}\n",
        "scenes/a.yaml": "- {id: a, when: not lamp, text: A, choices: [{label: b}, {label: c}, {label: d}]}",
        "lore/a.yaml": "- {id: a, when: lamp, text: A.}\n",
    }
    rest = "status_bar: {items: [{var_id: lamp}]}\ninitial_state: {lamp: true}\nwin_conditions: [lamp]\n"
    texts, place = find_mark({"game.yaml": HEAD + game + rest, **files, "endings.md": "## win_1\nWon.\n"})
    assert [str(fault.place) for fault in compile_game("", texts).faults] == [place]


def check_roll(fault: str, roll: str, game: str = GAME) -> None:
    check = f"{{roll: {roll}, at_least: 7, success: {{}}, failure: {{}}}}"
    scene = "- id: a\n  when: rope > 2\n  text: A.\n  choices:\n    - {label: b}\n    - {label: c}\n"
    check_fault(fault, game, {"scenes/a.yaml": f"{scene}    - {{label: d, check: {check}}}\n"})


@pytest.mark.parametrize("roll", ["2d6+»", "'2»x6'", "d»ie", "d»0", "2d6 +»"])
def test_dice_that_cannot_be_rolled_are_told_at_their_own_column(roll: str) -> None:
    check_roll("bad-dice: Write it like `2d6+1`.", roll)


def test_dice_of_a_game_that_has_a_bad_one_are_not_told_besides() -> None:
    for dice, fault in {
        "[d4, »w6]": "bad-dice: Write d1 to d1000, dF or d%.",
        "[d4, »6]": "wrong-type: Write it like `d20`.",
    }.items():
        check_roll(fault, "2d6+1", f"chance: {{dice: {dice}}}\n" + GAME)


def test_a_number_is_no_roll() -> None:
    check_roll("wrong-type: Write dice such as 2d6+1.", "»7")


def test_dice_of_another_game_are_told() -> None:
    other = "bad-dice: Use other dice, or add this one to `chance` in game.yaml."
    check_roll(other, "2d6+1»d20", "chance: {dice: [d6, dF]}\n" + GAME)
    check_roll("bad-dice: Write it like `2d6+1`.", "2d6+»", "chance: {dice: [d6]}\n" + GAME)
