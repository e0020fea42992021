"""System files: what a system reads of an author's folder, and what it says of it."""

from talewright.kernel.judging.moves_and_rulings import Op, Update
from tests.pack.making import check_fault, compile_game, good_game, told
from tests.plugs.toll import Toll

SYSTEMS = {"toll": Toll()}
ON = "systems: [toll]\n"


def test_a_system_reads_its_file() -> None:
    game = good_game(ON, {"Toll.md": "cart: 3\nhorse: 1\n"}, SYSTEMS)
    assert game.files == {"toll": {"Toll.md": {"cart": 3, "horse": 1}}}
    assert game.systems == (SYSTEMS["toll"],)


def test_a_system_that_finds_no_file_reads_none() -> None:
    assert good_game(ON, {}, SYSTEMS).files == {}


def test_a_fault_of_a_system_stands_among_the_others() -> None:
    compiled = compile_game(ON + "tune: quiet\n", {"Toll.md": "cart: 3\nhorse\n"}, SYSTEMS)
    assert compiled.game is None
    assert told(compiled) == [
        "Toll.md:2:1 toll-price: Write `cart: 3`.",
        "game.yaml:4:1 unknown-field: Write `tone`.",
    ]


def test_a_fault_that_shows_only_in_all_files_stands_among_the_others() -> None:
    compiled = compile_game(ON, {"Toll.md": "cart: 3\nbarge: 5\n"}, SYSTEMS)
    assert told(compiled) == ["Toll.md:1:1 toll-horse: Write `horse: 2`."]
    assert compiled.game is not None


def test_a_file_of_a_system_that_is_off_is_not_read() -> None:
    assert good_game("", {"Toll.md": "horse\n"}, SYSTEMS).files == {}


def test_a_file_of_a_system_that_is_no_text_is_told_once() -> None:
    compiled = compile_game(ON, {"Toll.md": b"cart: \xff\n"}, SYSTEMS)
    assert told(compiled) == ["Toll.md:1:7 not-utf8: Save the file as UTF-8."]


def test_conditions_and_updates_use_the_slots_of_a_system() -> None:
    rule = "- {id: t, when: bridge.water > 3, effects: [{op: dec, path: bridge.water, value: 1}]}\n"
    (trigger,) = good_game(ON, {"triggers.yaml": rule}, SYSTEMS).triggers
    assert trigger.effects == (Update(Op.DEC, "bridge.water", 1),)


def test_first_values_of_a_system_s_slots_may_differ() -> None:
    game = good_game(ON + "initial_state: {bridge: {coins: 7}}\n", {}, SYSTEMS)
    assert game.initial["bridge"] == {"coins": 7, "water": 0, "crossed": False, "keeper": "", "last_roll": 0}


def test_a_mistake_about_a_system_s_slot_is_told() -> None:
    check_fault(
        "bad-condition: Write `bridge.water`.",
        ON,
        {"triggers.yaml": "- {id: t, when: »bridge.watr > 3}\n"},
        SYSTEMS,
    )
    check_fault(
        "bad-value: Write a whole number from 0 to 9.",
        ON + "initial_state: {bridge: {coins: »12}}\n",
        {},
        SYSTEMS,
    )
    check_fault(
        "bad-condition: The variables are: rope.",
        "variables:\n  - {id: rope, type: integer}\n",
        {"triggers.yaml": "- {id: t, when: »bridge.water > 3}\n"},
        SYSTEMS,
    )
