"""System files: what a system reads of an author's folder, and what it says of it."""

from collections.abc import Mapping

from talewright.errors import Fault, Severity
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.system import AuthorFileReader, AuthorFiles, AuthorYaml
from tests.pack.making import brief, check_fault, compile_game, good_game, told, variable
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


BOATS = {"toll/boats.yaml": "punt: {price: 2}\n", "toll/big.yaml": "ferry:\n  price: 9\n"}


def test_a_system_reads_its_yaml_files_at_once() -> None:
    files = good_game(ON, {"Toll.md": "cart: 3\n", **BOATS}, SYSTEMS).files["toll"]
    assert files == {
        "Toll.md": {"cart": 3},
        "toll/boats.yaml": {"punt": {"price": 2}},
        "toll/big.yaml": {"ferry": {"price": 9}},
    }


def test_faults_in_yaml_files_of_systems_have_their_places() -> None:
    text = "punt: {price: 2}\nraft:\n  oars: 2\nskiff: 3\n"
    compiled = compile_game(ON, {"toll/boats.yaml": text}, SYSTEMS)
    assert told(compiled) == [
        "toll/boats.yaml:3:3 toll-boat: Write `price: 1`.",
        "toll/boats.yaml:4:8 toll-boat: Write `price: 1`.",
    ]


def test_a_file_of_a_system_that_is_no_yaml_is_told_by_the_engine_alone() -> None:
    for text in ("punt: [1\n", "punt: .inf\nraft: 1\n", b"punt: \xff\n"):
        compiled = compile_game(ON, {"toll/boats.yaml": text}, SYSTEMS)
        assert compiled.game is None
        assert len(compiled.faults) == 1
        assert "toll-boat" not in told(compiled)[0]


def test_values_in_lists_have_places_too() -> None:
    seen: list[str] = []

    class Rower(Toll):
        def read_yaml(self, files: Mapping[str, AuthorYaml]) -> tuple[AuthorFiles, tuple[Fault, ...]]:
            seen.extend(str(files["toll/x.yaml"].locate(path)) for path in (("1", "a"), ("0",), ("7",), ()))
            return {}, ()

    good_game(ON, {"toll/x.yaml": "- {b: 1}\n- {a: 1}\n"}, {"toll": Rower()})
    assert seen == ["toll/x.yaml:2:7", "toll/x.yaml:1:3", "toll/x.yaml:1:1", "toll/x.yaml:1:1"]


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


ROPE = variable("id: rope, type: integer, min: 0, max: 9")


def test_a_system_may_offer_what_a_scene_lacks() -> None:
    """In a moment that is its own, such as a fight."""
    one = "- id: rim\n  when: {}\n  text: The rim.\n  choices: [{{label: a}}]\n"
    files = {"scenes/a.yaml": one.format("bridge.water > 1")}
    assert good_game(ON + ROPE, files, SYSTEMS).scenes["rim"].choices
    for when in ("rope < 9", "turn > 1"):
        (fault,) = compile_game(ON + ROPE, {"scenes/a.yaml": one.format(when)}, SYSTEMS).faults
        assert fault.code == "few-choices"


class RulebookReader(Toll):
    """Reads the rulebook of a game."""

    def reads(self) -> tuple[AuthorFileReader, ...]:
        return (AuthorFileReader("System.md", lambda text, name: (text, ())),)


def test_a_rulebook_that_no_system_reads_is_a_warning() -> None:
    files = {"System.md": "# Rules\n"}
    installed = {"toll": RulebookReader()}
    compiled = compile_game("", files, installed)
    assert compiled.game is not None
    assert [(fault.severity, brief(fault)) for fault in compiled.faults] == [
        (
            Severity.WARNING,
            "System.md:1:1 unexpected-file: Add `toll` to `systems` in game.yaml, or rename the file.",
        )
    ]
    assert told(compile_game("", files)) == [
        "System.md:1:1 unexpected-file: Rename it, or install a system that reads it."
    ]
    assert compile_game("systems: [toll]\n", files, installed).faults == ()
