"""Triggers that never stop: told where nothing ends them, left alone where something does or may."""

import pytest

from tests.pack.lint.making import codes, find
from tests.plugs.toll import Toll

GAME = """\
variables:
- {id: clues, type: integer, min: 0, max: 12}
- {id: hp, type: integer, min: 0, max: 100, default: 80}
- {id: steps, type: integer}
- {id: slow, type: integer, min: 0, max: 100, max_step: 5}
- {id: seen, type: boolean}
- {id: bag, type: list}
- {id: half, type: number, derived: clues / 2}
- {id: time, type: object, default: {day: 0, hour: 8, minute: 0}}
"""


def trigger(when: str, effects: str = "", name: str = "bell") -> str:
    return f"- id: {name}\n  when: '{when}'\n  once: false\n  effects: [{effects}]\n"


def stops(when: str, effects: str = "", others: str = "", files: dict[str, str] | None = None) -> bool:
    """Whether nothing is told of a trigger's end."""
    found = codes(GAME, {"triggers.yaml": trigger(when, effects) + others, **(files or {})})
    return "triggers.yaml:3:9 trigger-fires-for-ever" not in found


SCENE = """\
- id: s
  when: 'true'
  text: t
  choices:
  - {label: a, updates: [{op: set, path: seen, value: VALUE}]}
"""


def test_a_trigger_that_nothing_stops_is_told() -> None:
    assert find(GAME, {"triggers.yaml": trigger("clues >= 3")}) == [
        "triggers.yaml:3:9 trigger-fires-for-ever: the trigger `bell` fires every turn while `clues >= 3` "
        "holds, and none of its effects ends that"
        " | Write `once: true`, or add an effect that makes the condition false."
    ]


def test_where_once_is_not_written_the_id_is_the_place() -> None:
    assert codes(GAME, {"triggers.yaml": "- when: clues >= 3\n  id: bell\n"}) == [
        "triggers.yaml:2:7 trigger-fires-for-ever"
    ]


def test_a_trigger_that_fires_once_is_left_alone() -> None:
    assert codes(GAME, {"triggers.yaml": "- {id: bell, when: clues >= 3, once: true}\n"}) == []


LASTING = [
    ("clues >= 3", "{op: inc, path: hp, value: 1}"),
    ("clues >= 3", "{op: inc, path: clues, value: 1}"),
    ("clues < 3", "{op: dec, path: clues, value: 1}"),
    ("clues >= 3", "{op: set, path: clues, value: 4}"),
    ("seen", "{op: set, path: seen, value: true}"),
    ("steps > 3", "{op: inc, path: steps, value: 1}"),
    ("turn >= 5", ""),
    ("turn > 2 and seen", "{op: inc, path: hp, value: 1}"),
    ("time.hour >= 22", "{op: inc, path: time.minute, value: 95}"),
    ("half > 2", "{op: inc, path: hp, value: 1}"),
    ("clues >= 0", "{op: dec, path: clues, value: 1}"),
]


@pytest.mark.parametrize(("when", "effects"), LASTING)
def test_effects_that_leave_the_condition_true_do_not_stop_it(when: str, effects: str) -> None:
    assert not stops(when, effects)


STOPPING = [
    ("seen or clues > 3", "{op: toggle, path: seen}, {op: toggle, path: seen}"),
    ("clues >= 3", "{op: dec, path: clues, value: 1}"),
    ("clues >= 3", "{op: set, path: clues, value: 0}"),
    ("clues >= 3 and not seen", "{op: set, path: seen, value: true}"),
    ("seen", "{op: toggle, path: seen}"),
    ("slow >= 3", "{op: inc, path: slow, value: 1}"),
    ("turn == 5", ""),
    ("turn < 5", ""),
    ("time.hour >= 22", "{op: dec, path: time.minute, value: 5}"),
    ("time.minute >= 30", "{op: inc, path: time.minute, value: 5}"),
    ("time.hour >= 22", "{op: set, path: time.minute, value: 5}"),
    ("half > 2", "{op: inc, path: clues, value: 1}"),
    ("len(bag) > 2", "{op: push, path: bag, value: x}"),
    ("time.hour > 2", "{op: set, path: time, value: {hour: 3}}"),
    ("true", "{op: inc, path: hp, value: 1}"),
]


@pytest.mark.parametrize(("when", "effects"), STOPPING)
def test_what_may_stop_it_is_taken_to_do_so(when: str, effects: str) -> None:
    assert stops(when, effects)


@pytest.mark.parametrize(
    ("when", "ending", "over"),
    [
        ("time.hour >= 24", "time.hour >= 24", True),
        ("time.hour >= 25", "time.hour >= 24", True),
        ("clues >= 3 and seen", "seen", True),
        ("time.hour >= 23", "time.hour >= 24", False),
        ("seen", "clues >= 3", False),
        ("seen", "seen and clues >= 3", False),
    ],
)
def test_a_trigger_that_comes_with_the_end_does_not_fire_for_ever(when: str, ending: str, over: bool) -> None:
    game = GAME + f"lose_conditions: ['{ending}']\n"
    found = codes(game, {"triggers.yaml": trigger(when)})
    assert ("triggers.yaml:3:9 trigger-fires-for-ever" not in found) is over


def test_the_end_is_asked_for_after_the_effects() -> None:
    game = GAME + "lose_conditions: [clues >= 3]\n"
    healing = trigger("clues >= 3", "{op: dec, path: hp, value: 1}, {op: set, path: clues, value: 5}")
    assert codes(game, {"triggers.yaml": healing}) == []


def test_a_line_told_again_and_again_is_stopped_by_other_triggers_only() -> None:
    other = trigger("clues > 9", "{op: set, path: seen, value: false}", "cure")
    assert not stops("seen")
    assert stops("seen", others=other)
    assert not stops("seen", files={"scenes/a.yaml": SCENE.replace("VALUE", "false")})


def test_a_trigger_that_does_something_is_stopped_by_scenes_too() -> None:
    poison = "{op: dec, path: hp, value: 1}"
    assert stops("seen", poison, files={"scenes/a.yaml": SCENE.replace("VALUE", "false")})
    assert not stops("seen", poison, files={"scenes/a.yaml": SCENE.replace("VALUE", "true")})


def test_many_different_updates_are_taken_to_stop_it() -> None:
    choices = "".join(
        f"  - {{label: a, updates: [{{op: set, path: steps, value: {n}}}]}}\n" for n in range(5, 12)
    )
    many = "".join(
        trigger("seen", f"{{op: set, path: steps, value: {number}}}", f"t{number}") for number in range(5, 75)
    )
    scene = f"- id: s\n  when: 'true'\n  text: t\n  choices:\n{choices}"
    assert not stops("steps > 3", files={"scenes/a.yaml": scene})
    assert stops("steps > 3", others=many)


def test_what_a_system_moves_may_stop_by_itself() -> None:
    game = GAME + "systems: [toll]\n"
    toll = {"toll": Toll()}
    assert codes(game, {"triggers.yaml": trigger("bridge.water > 3")}, toll) == []
    assert codes(game, {"triggers.yaml": trigger("clues > 3")}, toll) == [
        "triggers.yaml:3:9 trigger-fires-for-ever"
    ]


def test_a_trigger_that_never_fires_is_told_as_that_alone() -> None:
    assert codes(GAME, {"triggers.yaml": trigger("clues > 12")}) == ["triggers.yaml:2:10 trigger-never-fires"]


def test_a_trigger_that_always_holds_is_told_as_one_without_end() -> None:
    assert codes(GAME, {"triggers.yaml": trigger("clues >= 0")}) == [
        "triggers.yaml:3:9 trigger-fires-for-ever"
    ]
