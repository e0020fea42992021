"""Damage and conditions through the tool: within bounds, for the player as for NPCs, and who hears of it."""

import pytest

from talewright.common.json_values import Json
from tests.systems.tabletop.making import READY, call, do, granted, read, refused

GRUK = do(READY, "create_npc", name="Gruk", templateName="Goblin")


def test_hit_points_stay_within_their_bounds() -> None:
    step = call("apply_damage", {"target": "player", "amount": 5})
    assert granted(step)["hp"] == {"current": 7, "max": 12}
    healed = granted(call("apply_damage", {"target": "player", "amount": -99}, position=step.position))
    assert (healed["hp"], healed["dealt"], healed["excess"]) == ({"current": 12, "max": 12}, -5, 94)
    down = call("apply_damage", {"target": "player", "amount": 99}, position=step.position)
    assert (granted(down)["incapacitated"], granted(down)["excess"]) == (True, 92)
    assert "incapacitated; see the rulebook" in str(granted(down)["message"])


def test_conditions_come_once_and_go() -> None:
    said: dict[str, Json] = {
        "target": "player",
        "amount": 0,
        "applyConditions": ["Poisoned", "poisoned", "prone"],
    }
    step = call("apply_damage", said)
    assert read(step.position, "tabletop.character.conditions") == ["Poisoned", "prone"]
    assert [event.text for event in step.events] == ["Your condition: Poisoned.", "Your condition: prone."]
    ended = do(
        step.position, "apply_damage", target="player", amount=0, removeConditions=["POISONED", "deaf"]
    )
    assert read(ended, "tabletop.character.conditions") == ["prone"]


def test_nobody_hears_of_an_npc_who_is_not_in_a_fight() -> None:
    step = call("apply_damage", {"target": "npc", "npcName": "gruk", "amount": 9}, position=GRUK)
    assert granted(step)["incapacitated"] is True
    assert step.events == ()
    assert read(step.position, "tabletop.npcs.Gruk.hp.current") == 0


def test_everybody_hears_of_one_who_is() -> None:
    fight = do(GRUK, "manage_combat", faces=[9, 3], action="start")
    said: dict[str, Json] = {"target": "npc", "npcName": "Gruk", "amount": 3, "applyConditions": ["prone"]}
    step = call("apply_damage", said, position=fight)
    assert [event.text for event in step.events] == ["Gruk takes 3 damage.", "Gruk: prone."]
    assert read(step.position, "tabletop.combat.initiativeOrder.1.conditions") == ["prone"]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({"target": "npc", "amount": 1}, "needs `npcName`"),
        ({"target": "npc", "npcName": "Sniv", "amount": 1}, "there is no NPC 'Sniv'; there is Gruk"),
        ({"target": "dog", "amount": 1}, "`target` is one of player, npc"),
        ({"target": "player", "amount": 1.5}, "`amount` is a whole number"),
        ({"target": "player", "amount": 1, "applyConditions": [""]}, "a condition has 1 to 39 characters"),
    ],
)
def test_refusals(said: dict[str, Json], reason: str) -> None:
    assert reason in refused(call("apply_damage", said, position=GRUK))
