"""What conditions can ask about a world: the hour, the day, and who is here."""

import pytest

from talewright.kernel.conditions.conditions import Condition, parse_condition, parse_expression
from tests.pack.lint.making import find
from tests.systems.world.making import FILES, GAME, PEOPLE, WORLD, Play, compile_world, make_world


def holds(play: Play, text: str) -> bool:
    return parse_condition(text, play.game.layout).holds(play.position.state.document, play.position.turn)


def read(play: Play, text: str) -> object:
    layout, state = play.game.layout, play.position.state
    return parse_expression(text, layout).value(state.document, play.position.turn)


def test_the_hour_and_the_day_follow_from_the_clock() -> None:
    play = Play()
    found = [(read(play, "world.day"), read(play, "world.hour"))]
    for ticks in (5, 1, 83, 1):
        play.wait(ticks)
        found.append((read(play, "world.day"), read(play, "world.hour")))
    # The game starts on the first day at half past four in the afternoon.
    assert found == [(1, 16), (1, 16), (1, 17), (1, 23), (2, 0)]


def test_who_is_here_is_known_and_follows_schedules_and_moves() -> None:
    play = Play()
    assert read(play, "world.here") == ["grim"]
    play.go("square", "grim")
    assert holds(play, "has(world.here, 'grim') and has(world.here, 'sera')")
    play.wait(24)
    # It is past six, and Sera has gone to the inn.
    assert not holds(play, "has(world.here, 'sera')")


def test_those_whom_the_player_has_not_discovered_are_here_too() -> None:
    play = Play()
    play.go("cellar")
    assert holds(play, "has(world.here, 'ann')")


def test_improvised_people_count() -> None:
    play = Play()
    play.go("mill")
    assert holds(play, "len(world.here) == 0")
    play.do("discoverCharacter", characterName="Tobb", introduction="A tinker.", goals="")
    assert holds(play, "len(world.here) == 1")


def test_nothing_of_it_is_stored() -> None:
    play = Play()
    play.wait(50)
    play.end_turn()
    assert not {"hour", "day", "here"} & play.own.keys()
    assert not {"hour", "day", "here"} & dict(GAME.layout.roots["world"].fields).keys()


def test_triggers_fire_at_an_hour_and_in_company() -> None:
    triggers = (
        "- {id: late, when: world.hour >= 20, effects: [{op: inc, path: late, value: 1}]}\n"
        "- {id: met, when: \"has(world.here, 'sera')\", effects: [{op: inc, path: met, value: 1}]}\n"
    )
    counts = "".join(f"  - {{id: {name}, type: integer, min: 0, max: 9}}\n" for name in ("late", "met"))
    play = Play(make_world({"triggers.yaml": triggers, "game.yaml": FILES["game.yaml"] + counts}))
    found = []
    for ticks in (20, 25):
        play.wait(ticks)
        play.end_turn()
        found.append([play.position.state.document[name] for name in ("late", "met")])
    assert found == [[0, 1], [1, 2]]


@pytest.mark.parametrize(
    ("when", "told"),
    [
        ("has(world.here, 'serra')", "`serra` is not a value of this enum | Write `'sera'`."),
        ("world.hours > 3", "there is no `world.hours` in the state | Write `world.hour`."),
        ("world.here == 3", "`==` compares values of the same type, not a list with a number"),
    ],
)
def test_mistakes_are_reported(when: str, told: str) -> None:
    faults = compile_world({"triggers.yaml": f'- {{id: t, when: "{when}"}}\n'}).faults
    (found,) = [f"{fault.message} | {fault.suggestion}" for fault in faults if fault.code == "bad-condition"]
    assert told in found


def test_an_hour_that_never_comes_is_reported() -> None:
    game = "systems: [world]\nendings: [{id: late, when: world.hour >= 24, kind: win}]\n"
    (found,) = find(game, {"world/places.yaml": "- {id: inn, name: The Inn}\n"}, {"world": WORLD})
    assert found.endswith("Use a value it can have: `world.hour` is a whole number from 0 to 23.")


def test_a_world_of_thousands_answers_quickly_enough() -> None:
    """Who may be here at all is looked up by place and hour; the others are not even counted."""
    many = "".join(f"- {{id: p{number}, name: P{number}, at: mill}}\n" for number in range(2_000))
    play = Play(make_world({"world/people.yaml": PEOPLE + many}))
    condition: Condition = parse_condition("has(world.here, 'p7')", play.game.layout)
    assert not any(condition.holds(play.position.state.document, 1) for _ in range(2_000))
