"""The opening: first values, derived slots in their order, and the roots of a layout."""

import pytest

from talewright.contract.patch.dialect import PatchDialect
from talewright.contract.patch.patch_operations import VERSION as PATCH_VERSION
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.state_paths import dotted
from talewright.pack.build.variable_builder import PATCH, VERSION
from tests.pack.making import check_fault, compile_game, good_game, told, variable
from tests.plugs.toll import Toll

GAME = """variables:
  - {id: rope, type: integer, min: 0, max: 9, default: 3}
  - {id: time, type: object, default: {hour: 8, minute: 0}}
  - {id: place, type: enum, enum_values: [rim, mill]}
"""


def test_the_first_document_is_defaults_and_what_initial_state_says() -> None:
    game = good_game(GAME + "initial_state: {time: {hour: 21}, place: mill}\n")
    document = dict(game.initial)
    assert document.pop(ENGINE_ROOT)
    assert document == {"rope": 3, "time": {"hour": 21, "minute": 0}, "place": "mill"}


def test_derived_slots_are_computed_in_the_order_they_need() -> None:
    game = good_game(
        GAME
        + "  - {id: sum, type: integer, derived: half + 1}\n"
        + "  - {id: half, type: integer, derived: rope / 2}\n"
        + "  - {id: late, type: boolean, derived: time.hour >= half}\n"
        + "  - {id: none, type: number, default: 7, derived: rope / 0}\n"
        + "  - {id: deep, type: object, fields: {twice: {type: integer, derived: sum * 2}}}\n"
    )
    order = [dotted(derived.path) for derived in game.derived]
    assert order.index("half") < order.index("sum") < order.index("deep.twice")
    assert set(order) == {"half", "sum", "late", "none", "deep.twice"}
    initial = game.initial
    assert (initial["half"], initial["sum"], initial["late"], initial["none"]) == (1, 2, True, 7)
    assert initial["deep"] == {"twice": 4}


def test_a_derived_value_is_kept_in_its_range() -> None:
    game = good_game(GAME + "  - {id: many, type: integer, max: 10, derived: rope * 100}\n")
    assert game.initial["many"] == 10


DERIVED = {
    "{id: a, type: integer, derived: »rop + 1}": "bad-condition: Write `rope`.",
    "{id: a, type: integer, derived: rope »> 1}": (
        "bad-condition: A derived variable is a number, an integer, a boolean, a string or an enum."
    ),
    "{id: a, type: integer, derived: »a + 1}": "bad-derived: Compute one of them without the others.",
    "{id: a, type: integer, derived: »b + 1}\n  - {id: b, type: integer, derived: a + 1}": (
        "bad-derived: Compute one of them without the others."
    ),
    "{id: a, type: object, fields: {b: {type: integer, derived: »len(a)}}}": (
        "bad-derived: Compute one of them without the others."
    ),
    "{id: a, type: integer, derived: »[rope]}": "wrong-type: Write an expression such as strength + level.",
}


@pytest.mark.parametrize("line", DERIVED)
def test_what_cannot_be_computed_is_told_once(line: str) -> None:
    check_fault(DERIVED[line], f"{GAME}  - {line}\n")


INITIAL = {
    "{»rop: 4}": "unknown-path: Write `rope`.",
    "{»other: 4}": "unknown-path: The variables here are: rope, time, place.",
    "{rope: »12}": "bad-value: Write a whole number from 0 to 9.",
    "{rope: »'3'}": "bad-value: Write a whole number from 0 to 9.",
    "{rope: »~}": "bad-value: Write a whole number from 0 to 9.",
    "{time: {»hor: 3}}": "unknown-path: Write `hour`.",
    "{time: {minute: »75}}": "bad-value: Write a whole number from 0 to 59.",
    "{place: »mil}": "bad-value: Write `mill`.",
    "{rope: ».nan}": "bad-number: Write a smaller number, or put it in quotes if it is a text.",
    "»[rope]": "wrong-type: Write a mapping of names to values.",
    "{»'a b': 3}": "bad-name: Use ASCII letters, digits and _.",
}


@pytest.mark.parametrize("line", INITIAL)
def test_a_first_value_that_cannot_be_is_told(line: str) -> None:
    check_fault(INITIAL[line], f"{GAME}initial_state: {line}\n")


def test_a_derived_slot_has_no_first_value() -> None:
    game = GAME + "  - {id: twice, type: integer, derived: rope * 2}\ninitial_state: {»twice: 4}\n"
    check_fault("bad-value: Delete the line.", game)


NAMES = {
    "»turn": "reserved-name: Call it `turn_value`.",
    "»and": "reserved-name: Call it `and_value`.",
    "»in": "reserved-name: Call it `in_value`.",
    "»bridge": "reserved-name: Call it `bridge_value`.",
    "»_engine": "bad-name: Write it like `main_gate`.",
    "»绳子": "bad-name: Write it like `main_gate`.",
    "»3rd": "bad-name: Write it like `main_gate`.",
    "»true": 'wrong-type: Put it in quotes: "true".',
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_conditions_cannot_use_is_told_once(name: str) -> None:
    plain = name.removeprefix("»")
    effects = f"[{{op: inc, path: {plain}, value: 1}}]"
    files = {"triggers.yaml": f"- {{id: t, when: {plain} > 1, effects: {effects}}}\n"}
    if plain in ("turn", "and", "in", "true"):
        # Such a name means something else in a condition, or makes it none.
        files = {}
    game = "systems: [toll]\n" + variable(f"id: {name}, type: integer")
    check_fault(NAMES[name], game, files, {"toll": Toll()})


def test_what_a_patch_calls_the_version_is_no_variable_of_a_patch_game() -> None:
    lines = variable("id: »version, type: integer")
    files = {"triggers.yaml": "- {id: t, when: version > 1, effects: [{op: inc, path: version, value: 1}]}\n"}
    check_fault("reserved-name: Call it `version_value`.", "contract: patch\n" + lines, files)
    (fault,) = compile_game("contract: patch\n" + lines.replace("»", "")).faults
    assert fault.message == "`version` is reserved for the version of the state in this contract"


@pytest.mark.parametrize("contract", ["cards", "tools"])
def test_other_games_may_have_a_version(contract: str) -> None:
    assert "version" in good_game(f"contract: {contract}\n" + variable("id: version, type: integer")).initial


def test_a_patch_game_may_have_a_version_within_something() -> None:
    lines = variable("id: ship, type: object, fields: {version: {type: integer}}")
    assert good_game("contract: patch\n" + lines).initial["ship"] == {"version": 0}


def test_the_words_of_the_patch_contract_are_those_of_its_reader() -> None:
    assert (VERSION,) == PATCH_VERSION
    assert PatchDialect.name == PATCH


def test_a_variable_taken_twice_is_told_once_whatever_is_made_of_it() -> None:
    game = GAME + "  - {id: »rope, type: boolean}\n"
    check_fault("duplicate-id: Give this one another id.", game, {"triggers.yaml": "- {id: t, when: rope}\n"})


def test_a_layout_has_the_author_s_the_system_s_and_the_engine_s_roots() -> None:
    game = good_game("systems: [toll]\n" + GAME, systems={"toll": Toll()})
    assert list(game.layout.roots) == ["rope", "time", "place", "bridge", ENGINE_ROOT]
    assert game.initial["bridge"] == {"coins": 3, "water": 0, "crossed": False, "keeper": "", "last_roll": 0}


def test_nobody_switches_a_system_on_by_installing_it() -> None:
    game = good_game(GAME, systems={"toll": Toll()})
    assert "bridge" not in game.layout.roots
    assert told(compile_game(variable("id: bridge, type: integer"), systems={"toll": Toll()})) == []
