"""Endings that cannot be reached, and endings that cannot be missed."""

import pytest

from talewright.systems.world import system as world_system
from tests.pack.lint.making import codes, find
from tests.plugs.toll import Toll

GAME = """\
variables:
- {id: clues, type: integer, min: 0, max: 12}
- {id: hp, type: integer, min: 0, max: 100, default: 80}
- {id: solved, type: boolean, rules: {readonly: true}}
"""


def test_an_ending_whose_condition_never_holds_is_told() -> None:
    game = (
        GAME
        + "endings:\n- {id: rich, when: clues > 12, kind: win}\n- {id: dead, when: hp <= 0, kind: lose}\n"
    )
    assert find(game) == [
        "game.yaml:6:8 unchanging-variable: `solved` never changes: nothing writes it, and the storyteller "
        "may "
        "not | Let a choice or a trigger change it, delete its `readonly`, or describe it in world.md "
        "instead.",
        "game.yaml:8:20 unreachable-ending: the ending `rich` can never be reached: `clues > 12` never "
        "holds, "
        "since `clues` is at most 12 | Use a value it can have: `clues` is a whole number from 0 to 12.",
    ]


def test_a_flag_that_nobody_may_set_makes_an_ending_unreachable() -> None:
    game = GAME + "win_conditions: [hp > 3 and solved]\n"
    assert find(game) == [
        "game.yaml:7:29 unreachable-ending: the ending `win_1` can never be reached: `solved` never holds, "
        "since "
        "`solved` is always false (nothing ever writes it)"
        " | Let a choice or a trigger change `solved`, or delete its `readonly`."
    ]


@pytest.mark.parametrize(
    "file",
    [
        {
            "triggers.yaml": "- {id: t, when: clues > 3, once: true, effects: [{op: set, path: solved, "
            "value: true}]}\n"
        },
        {
            "scenes/a.yaml": "- id: s\n  when: 'true'\n  text: t\n  choices:\n"
            "  - {label: a, check: {roll: 1d6, at_least: 3, success: {updates: [{op: toggle, path: solved}]},"
            " failure: {}}}\n"
        },
    ],
)
def test_a_flag_that_somebody_sets_makes_it_reachable(file: dict[str, str]) -> None:
    assert codes(GAME + "win_conditions: [hp > 3 and solved]\n", file) == []


def test_a_finale_may_set_the_flag() -> None:
    game = """\
endings:
- id: over
  when: clues > 3
  kind: win
  finale: [{label: go, ending: gone, updates: [{op: toggle, path: solved}]}]
- {id: late, when: solved, kind: win}
"""
    assert codes(GAME + game) == []


def test_in_a_game_with_systems_any_place_may_be_written() -> None:
    game = GAME + "systems: [toll]\nwin_conditions: [solved]\n"
    assert codes(game, systems={"toll": Toll()}) == []
    beyond = GAME + "systems: [toll]\nwin_conditions: [bridge.water > 5]\n"
    assert codes(beyond, systems={"toll": Toll()}) == ["game.yaml:8:18 unreachable-ending"]


def test_an_ending_behind_another_is_told() -> None:
    game = GAME + "win_conditions: [clues >= 8, clues >= 10 and hp > 50]\nlose_conditions: [hp <= 0]\n"
    (line,) = [line for line in find(game) if "solved" not in line]
    assert line == (
        "game.yaml:7:30 unreachable-ending: the ending `win_2` can never be reached: whenever its condition "
        "holds, `clues >= 8` holds too, and `win_1` comes before it"
        " | Put `win_2` before `win_1`, or narrow the condition of `win_1`."
    )


@pytest.mark.parametrize(
    "endings",
    [
        "win_conditions: [clues >= 10 and hp > 50, clues >= 8]",
        "win_conditions: [clues >= 8 and hp > 50, clues >= 10]",
        # Once its finale stands open, a finale makes way for other endings.
        "endings: [{id: f, when: clues >= 8, kind: win, finale: [{label: a, ending: b}]},"
        " {id: g, when: clues >= 10, kind: win}]",
        # Where the first has no answer, the second may hold.
        "win_conditions: [hp / clues > 1 or hp / clues <= 1, clues < 1]",
        "model_may_end: true\nwin_conditions: [clues >= 8, clues >= 10]",
    ],
)
def test_an_ending_that_may_come_first_is_not_told(endings: str) -> None:
    assert [code for code in codes(GAME + endings + "\n") if "ending" in code] == []


def test_what_the_storyteller_may_declare_is_never_out_of_reach() -> None:
    game = GAME + "model_may_end: true\nwin_conditions: ['false', clues > 12]\n"
    assert codes(game)[1:] == ["game.yaml:8:27 never-holds"]
    assert codes(GAME + "win_conditions: ['false']\n")[1:] == ["game.yaml:7:19 unreachable-ending"]


def test_an_ending_that_holds_at_the_start_is_told_as_that_alone() -> None:
    game = GAME + "lose_conditions: [clues <= 0, hp >= 0]\n"
    assert find(game)[1:] == [
        "game.yaml:7:19 ends-at-once: the game is over before it starts: `clues <= 0` holds at the start"
        " | Change the condition, or the initial values it depends on.",
        "game.yaml:7:31 always-holds: `hp >= 0` always holds, since `hp` is at least 0"
        " | Write `true` if you mean that, or make it stricter: "
        "`hp` is a whole number from 0 to 100.",
    ]


def test_a_finale_that_opens_at_the_start_is_told() -> None:
    game = GAME + "endings: [{id: f, when: clues < 8, kind: win, finale: [{label: a, ending: b}]}]\n"
    assert codes(game)[1:] == ["game.yaml:7:25 ends-at-once"]


def test_a_trigger_may_prevent_the_first_ending() -> None:
    trigger = "- {id: t, when: clues == 0, effects: [{op: inc, path: clues, value: 1}]}\n"
    assert codes(GAME + "lose_conditions: [clues <= 0]\n", {"triggers.yaml": trigger})[1:] == []


PLACES = """\
variables:
- {id: place, type: enum, enum_values: [mill, well, hill], default: mill, rules: {readonly: true}}
"""


def scene(name: str, when: str, choice: str, more: str = "") -> str:
    return f"- id: {name}\n  when: {when}\n  text: t\n{more}  choices:\n  - {choice}\n"


def going(place: str) -> str:
    return f"{{id: go, label: Go, updates: [{{op: set, path: place, value: {place}}}]}}"


WAY_BACK = "- {id: b, text: t, choices: [{label: Back}]}\n"


@pytest.mark.parametrize(
    ("scenes", "told"),
    [
        # Nothing is written for the hill.
        (scene("a", "place == 'mill'", going("hill")), ["scenes/a.yaml:5:5 dead-end"]),
        # Once is not for ever.
        (scene("a", "place == 'mill'", "{label: Wait}", "  once: true\n"), ["scenes/a.yaml:6:5 dead-end"]),
        (scene("a", "place == 'mill'", "{label: Wait}"), []),
        (scene("a", "place == 'mill'", going("hill")) + scene("b", "place == 'hill'", "{label: Wait}"), []),
        (scene("a", "place == 'mill'", "{label: On, next: b}") + WAY_BACK, []),
        # Nobody can begin there.
        (scene("a", "place == 'well'", "{label: Wait}"), ["game.yaml:1:1 dead-end"]),
    ],
)  # fmt: skip
def test_a_story_that_stops_without_an_ending_is_told(scenes: str, told: list[str]) -> None:
    triggers = "- {id: t, when: turn > 90, once: true, effects: [{op: set, path: place, value: well}]}\n"
    found = codes(PLACES, {"scenes/a.yaml": scenes, "triggers.yaml": triggers})
    assert [one for one in found if one.endswith("dead-end")] == told


def test_where_a_story_stops_is_told_with_what_to_do() -> None:
    found = find(PLACES, {"scenes/a.yaml": scene("a", "place == 'mill'", going("hill"))})
    assert (
        "scenes/a.yaml:5:5 dead-end: after the choice `go` of `a`, it can happen that no scene is open: "
        "without a storyteller the story stops"
        " | Add a scene without `once` whose `when` holds there, or continue with `next:`."
    ) in found


def test_an_ending_or_a_finale_is_no_dead_end() -> None:
    ending = "endings:\n- {id: top, when: place == 'hill', kind: win}\n"
    finale = (
        "endings:\n- id: top\n  when: place == 'hill'\n  kind: win\n  finale:\n"
        "  - {id: x, label: X, ending: up}\n  - {id: y, label: Y, ending: down}\n"
    )
    for end in (ending, finale):
        found = codes(PLACES + end, {"scenes/a.yaml": scene("a", "place == 'mill'", going("hill"))})
        assert [one for one in found if one.endswith("dead-end")] == []


def test_a_scene_without_a_choice_is_told_otherwise() -> None:
    closed = scene("a", "place == 'mill'", "{label: Go, when: place == 'hill'}")
    assert [one for one in codes(PLACES, {"scenes/a.yaml": closed}) if one.endswith("dead-end")] == []


def test_where_a_system_offers_choices_the_story_goes_on() -> None:
    leaving = {"scenes/a.yaml": scene("a", "place == 'mill'", going("hill"))}
    world = {"world/places.yaml": "- {id: yard, name: The Yard}\n"}
    found = codes(PLACES + "systems: [world]\n", {**leaving, **world}, {"world": world_system()})
    assert [one for one in found if one.endswith("dead-end")] == []
