"""Stunts: a check in place of an attack, whose success hurts enemies or makes them run."""

import pytest

from talewright.common.json_values import Json
from tests.systems.tabletop.making import READY, call, do, granted, read, refused

GOBLINS: Json = [{"template": "Goblin", "count": 2}]
FIGHT = do(READY, "start_fight", faces=[20, 2, 1], enemies=GOBLINS)
"""Rowan is first, then Goblin 1 and Goblin 2."""

STUNT: dict[str, Json] = {"action": "stunt", "skill": "Stealth", "difficulty": 12}


def test_a_stunt_that_works_hurts_the_first_enemy_and_then_the_others_act() -> None:
    step = call("take_turn", {**STUNT, "damage": "2d6"}, position=FIGHT, faces=[10, 2, 3, 1, 1])
    told = granted(step)
    assert (told["outcome"], told["success"], told["skill"], told["round"]) == ("success", True, "Stealth", 2)
    assert [event.text for event in step.events] == [
        "Goblin 1 takes 5 damage.",
        "Goblin 1 comes at you (Scimitar), and you are no longer there.",
        "Goblin 2 comes at you (Scimitar), and you are no longer there.",
    ]
    assert read(step.position, "tabletop.npcs.Goblin 1.hp.current") == 2


def test_a_stunt_that_fails_only_costs_the_turn() -> None:
    step = call("take_turn", {**STUNT, "damage": "2d6", "everyone": True}, position=FIGHT, faces=[2, 1, 1])
    assert granted(step)["outcome"] == "failure"
    assert [event.type for event in step.events] == ["tabletop:miss", "tabletop:miss"]


def test_everyone_takes_the_same_roll_and_a_target_may_be_named() -> None:
    step = call("take_turn", {**STUNT, "damage": "2d6", "everyone": True}, position=FIGHT, faces=[15, 6, 6])
    assert granted(step)["fight"] == "won"
    assert read(step.position, "tabletop.character.xp") == 50
    named = call(
        "take_turn",
        {**STUNT, "damage": "1d4", "target": "goblin 2"},
        position=FIGHT,
        faces=[15, 4, 1, 1],
    )
    assert read(named.position, "tabletop.npcs.Goblin 2.hp.current") == 3


def test_whoever_is_scared_leaves_the_fight_and_counts_as_overcome() -> None:
    assert read(FIGHT, "tabletop.combat.enemies") == 2
    step = call("take_turn", {**STUNT, "scare": 1}, position=FIGHT, faces=[15, 1])
    assert step.events[0].text == "Goblin 1 has had enough, and goes."
    assert read(step.position, "tabletop.combat.enemies") == 1
    assert read(step.position, "tabletop.character.xp") == 25
    over = call("take_turn", {**STUNT, "scare": 2}, position=FIGHT, faces=[15])
    assert granted(over)["fight"] == "won"
    both = call("take_turn", {**STUNT, "damage": "2d6", "scare": 1}, position=FIGHT, faces=[15, 6, 6])
    assert granted(both)["fight"] == "won"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({}, "take_turn: a stunt needs `damage`, such as 2d6, or `scare`, how many enemies run"),
        ({"damage": "a lot"}, "take_turn: `damage` is dice such as 2d6, not a lot"),
        ({"damage": "1d6", "target": "Ogre"}, "take_turn: there is no enemy who stands"),
        ({"damage": "1d6", "skill": "Juggling"}, "take_turn: there is no skill"),
    ],
)
def test_what_a_stunt_needs(said: dict[str, Json], reason: str) -> None:
    assert refused(call("take_turn", {**STUNT, **said}, position=FIGHT)).startswith(reason)
