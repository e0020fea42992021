"""The order of a fight through the tool: initiative, ties, turns, removal, and the end."""

import pytest

from talewright.common.json_values import Json
from talewright.kernel.state.state import Position, begin
from tests.systems.tabletop.making import READY, call, do, end_turn, game_with, granted, read, refused, write

THREE = READY
for _name in ("Gruk", "Sniv", "Nib"):
    THREE = do(THREE, "create_npc", name=_name, templateName="Goblin")
FIGHT = do(THREE, "manage_combat", faces=[10, 12, 11, 3], action="start")
"""Gruk 14, Rowan and Sniv 13, Nib 5; Rowan's modifier is higher than that of Sniv."""


def order_of(position: Position) -> list[str]:
    entries = read(position, "tabletop.combat.initiativeOrder")
    assert isinstance(entries, list)
    return [str(entry["name"]) for entry in entries if isinstance(entry, dict)]


def current_of(position: Position) -> str:
    index = read(position, "tabletop.combat.currentIndex")
    assert isinstance(index, int)
    return order_of(position)[index]


def next_turn(position: Position) -> Position:
    return do(position, "manage_combat", action="next_turn")


def test_ties_go_to_the_higher_modifier() -> None:
    assert order_of(FIGHT) == ["Gruk", "Rowan", "Sniv", "Nib"]
    assert current_of(FIGHT) == "Gruk"


def test_turns_go_round_and_skip_those_who_are_down() -> None:
    position = do(FIGHT, "apply_damage", target="npc", npcName="Sniv", amount=7)
    seen = []
    for _ in range(6):
        seen.append((current_of(position), read(position, "tabletop.combat.round")))
        position = next_turn(position)
    assert seen == [("Gruk", 1), ("Rowan", 1), ("Nib", 1), ("Gruk", 2), ("Rowan", 2), ("Nib", 2)]


@pytest.mark.parametrize(
    ("turns", "removed", "left", "current"),
    [
        (0, "Gruk", ["Rowan", "Sniv", "Nib"], "Rowan"),
        (1, "Gruk", ["Rowan", "Sniv", "Nib"], "Rowan"),
        (1, "Sniv", ["Gruk", "Rowan", "Nib"], "Rowan"),
        (2, "Sniv", ["Gruk", "Rowan", "Nib"], "Nib"),
        (3, "Nib", ["Gruk", "Rowan", "Sniv"], "Gruk"),
    ],
)
def test_removal_keeps_whose_turn_it_is(turns: int, removed: str, left: list[str], current: str) -> None:
    position = FIGHT
    for _ in range(turns):
        position = next_turn(position)
    position = do(position, "remove_npc", name=removed)
    assert (order_of(position), current_of(position)) == (left, current)


def test_initiative_may_be_a_roll_of_this_turn() -> None:
    position = do(THREE, "roll_dice", faces=[1], expression="1d20+20")
    rows: Json = [{"name": "player", "initiativeRoll": "r1"}, {"name": "nib"}]
    step = call("manage_combat", {"action": "start", "combatants": rows}, position=position, faces=[10])
    assert order_of(step.position) == ["Rowan", "Nib"]
    assert read(step.position, "tabletop.combat.initiativeOrder.0.initiative") == 21
    twice: Json = [{"name": "Rowan", "initiativeRoll": "r1"}, {"name": "Nib", "initiativeRoll": "r1"}]
    reason = refused(call("manage_combat", {"action": "start", "combatants": twice}, position=position))
    assert reason == "manage_combat: every combatant needs a roll of their own"


@pytest.mark.parametrize("roll", ["r9", "20", 20])
def test_initiative_is_never_a_number_of_the_caller(roll: Json) -> None:
    rows: Json = [{"name": "Rowan", "initiativeRoll": roll}, {"name": "Nib"}]
    reason = refused(call("manage_combat", {"action": "start", "combatants": rows}, position=THREE))
    assert "`initiativeRoll` is the logId of a roll of this turn, such as r1" in reason


def test_a_fight_ends_with_rewards_for_the_fallen() -> None:
    position = do(FIGHT, "apply_damage", target="npc", npcName="Sniv", amount=7)
    step = call("manage_combat", {"action": "end"}, position=position)
    assert granted(step)["fight"] == "ended"
    assert [event.text for event in step.events] == ["The fight is over.", "You gain 25 XP."]
    npcs = read(step.position, "tabletop.npcs")
    assert isinstance(npcs, dict)
    assert list(npcs) == ["Gruk", "Nib"]


def test_a_decided_fight_ends_with_its_turn() -> None:
    position = FIGHT
    for name in ("Gruk", "Sniv", "Nib"):
        position = do(position, "apply_damage", target="npc", npcName=name, amount=7)
    assert read(position, "tabletop.combat.active") is True
    step = end_turn(position)
    assert read(step.position, "tabletop.combat.outcome") == "won"
    assert read(step.position, "tabletop.character.xp") == 75
    fallen = write(FIGHT, {"tabletop.character.hp.current": 0})
    lost = end_turn(fallen)
    assert read(lost.position, "tabletop.combat.outcome") == "lost"
    gone = do(do(do(FIGHT, "remove_npc", name="Gruk"), "remove_npc", name="Sniv"), "remove_npc", name="Nib")
    assert read(end_turn(gone).position, "tabletop.combat.outcome") == "won"


@pytest.mark.parametrize(
    ("position", "said", "reason"),
    [
        (READY, {"action": "start"}, "a fight needs somebody hostile"),
        (READY, {"action": "next_turn"}, "nobody fights now"),
        (READY, {"action": "end"}, "nobody fights now"),
        (
            THREE,
            {"action": "start", "combatants": [{"name": "Bob"}]},
            "there is no combatant 'Bob'",
        ),
        (THREE, {"action": "start", "combatants": [{"name": "Nib"}, {"name": "nib"}]}, "Nib is listed twice"),
        (THREE, {"action": "start", "combatants": [{"name": "Nib"}]}, "a fight needs somebody hostile"),
        (THREE, {"action": "dance"}, "`action` is one of start, next_turn, end"),
        (FIGHT, {"action": "start"}, "a fight goes on already"),
    ],
)
def test_refusals(position: Position, said: dict[str, Json], reason: str) -> None:
    assert reason in refused(call("manage_combat", said, position=position))


def test_nobody_fights_who_is_down() -> None:
    down = do(THREE, "apply_damage", target="npc", npcName="Nib", amount=7)
    rows: Json = [{"name": "Rowan"}, {"name": "Nib"}]
    reason = refused(call("manage_combat", {"action": "start", "combatants": rows}, position=down))
    assert reason == "manage_combat: Nib cannot fight with no hit points left"


def test_a_narrative_fight_has_the_player_first() -> None:
    game = game_with("pbta", character="")
    stats: Json = {"Bold": 2, "Strong": 1, "Sharp": 1, "Warm": 0, "Strange": -1}
    position = do(begin(game), "set_character", game, name="Ines", stats=stats)
    position = do(position, "create_npc", game, name="Cold", templateName="Sleepwalker")
    position = do(position, "manage_combat", game, action="start")
    assert order_of(position) == ["Ines", "Cold"]
    assert read(position, "tabletop.combat.structure") == "narrative"
