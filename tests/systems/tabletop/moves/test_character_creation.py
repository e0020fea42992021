"""The player's character: ready-made or agreed on, within the ranges of the rulebook, and its awards."""

from typing import cast

import pytest

from talewright.common.json_values import Json
from talewright.kernel.state.state import begin
from talewright.systems.tabletop.tabletop_system import BEFORE_CHARACTER
from talewright.systems.tabletop.tool_descriptions import ALL_TOOLS
from tests.systems.tabletop.making import (
    NOBODY,
    NOBODY_GAME,
    OLDER,
    READY,
    SHEET,
    TABLETOP,
    call,
    do,
    game_with,
    granted,
    read,
    refused,
    sight,
)

STATS = cast("dict[str, Json]", SHEET["stats"])
SAID: dict[str, dict[str, Json]] = {
    "start_fight": {"enemies": [{"template": "Goblin"}]},
    "take_turn": {"action": "defend"},
}


@pytest.mark.parametrize("tool", [tool for tool in ALL_TOOLS if tool not in BEFORE_CHARACTER])
def test_before_there_is_a_character_every_tool_leads_to_its_creation(tool: str) -> None:
    reason = refused(call(tool, SAID.get(tool, {}), position=NOBODY, game=NOBODY_GAME))
    assert reason.startswith(
        f"{tool}: there is no character yet. Agree on one with the player, then call set"
    )
    assert "STR 8 to 18" in reason


def test_a_character_is_created_in_conversation() -> None:
    phase = TABLETOP.phase(sight(NOBODY, NOBODY_GAME))
    assert phase is not None
    assert phase.name == "character_creation"
    assert "(STR 8–18, DEX 8–18" in phase.text
    assert "## Attributes" in phase.rulebook
    rolled = do(NOBODY, "roll_dice", NOBODY_GAME, [6, 5, 2, 4], expression="4d6kh3")
    step = call("set_character", SHEET, position=rolled, game=NOBODY_GAME)
    told = granted(step)["character"]
    assert isinstance(told, dict)
    assert told["modifiers"] == {"STR": 0, "DEX": 2, "CON": 1, "INT": 3, "WIS": 0, "CHA": -1}
    assert read(step.position, "tabletop.character.inventory.0") == {
        "name": "torches",
        "quantity": 3,
        "properties": {},
    }
    after = TABLETOP.phase(sight(step.position, NOBODY_GAME))
    assert after is not None
    assert after.name == "play"


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            {"stats": {**STATS, "STR": 25}},
            "STR 25 is out of range; this rulebook has STR from 8 to 18",
        ),
        ({"stats": {"STR": 10}}, "a new character needs all attributes; DEX, CON, INT, WIS, CHA are missing"),
        ({"stats": {**STATS, "LUCK": 9}}, "there is no attribute 'LUCK'"),
        ({"skills": {"Cooking": 3}}, "there is no skill 'Cooking'; there is Athletics"),
        ({"hp": 0}, "`hp` is a whole number from 1"),
        ({"name": ""}, "there is no character yet"),
        ({"name": "Player"}, "the name 'Player' is taken"),
    ],
)
def test_it_is_checked_against_the_rulebook(said: dict[str, Json], reason: str) -> None:
    assert reason in refused(call("set_character", {**SHEET, **said}, position=NOBODY, game=NOBODY_GAME))


def test_skills_have_ranges_where_the_rulebook_has_them() -> None:
    game = game_with("fate", character="")
    reason = refused(
        call("set_character", {"name": "Ines", "skills": {"fight": 9}}, position=begin(game), game=game)
    )
    assert reason == "set_character: Fight +9 is out of range; it goes from +0 to +4"


def test_later_only_what_is_named_changes() -> None:
    position = do(READY, "set_character", level=2, stats={"STR": 13})
    assert read(position, "tabletop.character.level") == 2
    assert read(position, "tabletop.character.stats.STR") == 13
    assert read(position, "tabletop.character.stats.DEX") == 16
    assert read(position, "tabletop.character.name") == "Rowan"
    gruk = do(READY, "create_npc", name="Gruk", templateName="Goblin")
    assert "the name 'gruk' is taken" in refused(call("set_character", {"name": "gruk"}, position=gruk))
    fight = do(gruk, "manage_combat", faces=[9, 3], action="start")
    assert "nobody is renamed during a fight" in refused(
        call("set_character", {"name": "Ro"}, position=fight)
    )


def test_a_ready_made_character_is_there_from_the_start() -> None:
    told = granted(call("get_character"))
    assert (told["name"], told["hp"], told["ac"]) == ("Rowan", {"current": 12, "max": 12}, 14)
    assert told["inventory"] == [
        {"name": "rope", "quantity": 1, "properties": {}},
        {"name": "torches", "quantity": 3, "properties": {}},
        {"name": "healing potions", "quantity": 2, "properties": {"note": "heals 2d4+2"}},
    ]


def test_awards_are_kept_and_told() -> None:
    said: dict[str, Json] = {
        "xp": 30,
        "loot": ["2 torches", {"name": "Lamp"}],
        "storyFlag": "lit",
        "lost": ["rope"],
    }
    step = call("award", said)
    told = granted(step)
    assert (told["xp"], told["storyFlags"]) == (30, ["lit"])
    assert read(step.position, "tabletop.character.inventory.0.quantity") == 5
    assert [event.text for event in step.events] == [
        "You lose rope.",
        "You gain 30 XP, 2 × torches, Lamp.",
    ]
    again = do(step.position, "award", storyFlag="lit")
    assert read(again, "tabletop.flags") == ["lit"]


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        ({}, "award gives something"),
        ({"lost": ["sword"]}, "there is no item 'sword'; there is rope"),
        ({"lost": ["9 torches"]}, "Rowan has 3 of torches, not 9"),
        ({"xp": -1}, "`xp` is a whole number from 0"),
        ({"loot": [7]}, "which is no item"),
    ],
)
def test_what_cannot_be_awarded(said: dict[str, Json], reason: str) -> None:
    assert reason in refused(call("award", said))


SWORD: dict[str, Json] = {
    "name": "Sword",
    "quantity": 1,
    "equipped": True,
    "properties": {"note": "an heirloom", "magical": True, "weight": 3, "rune": "7", "kin": 'old "Oak"'},
}


def test_items_keep_whether_they_are_equipped_and_all_their_properties() -> None:
    step = call("award", {"loot": [SWORD, {"name": "Shield", "equipped": False}, "rope"]})
    told = cast("list[dict[str, Json]]", granted(step)["inventory"])
    assert told[-2:] == [SWORD, {"name": "Shield", "quantity": 1, "properties": {}, "equipped": False}]
    assert "equipped" not in told[0], "nobody has said so"
    again = granted(call("get_character", position=step.position))
    assert cast("list[Json]", again["inventory"])[-2] == SWORD
    npc = do(READY, "create_npc", name="Gruk", reward={"loot": [SWORD]})
    npc = do(npc, "update_npc", name="Gruk", updates={"inventory": [SWORD]})
    gone = cast("dict[str, Json]", granted(call("remove_npc", {"name": "Gruk"}, position=npc))["npc"])
    assert gone["inventory"] == [SWORD]
    assert cast("dict[str, Json]", gone["reward"])["loot"] == [SWORD]


def test_more_of_an_item_changes_what_is_said_about_it() -> None:
    position = do(READY, "award", loot=[SWORD])
    position = do(position, "award", loot=[{"name": "sword", "equipped": False, "properties": {"weight": 4}}])
    held = cast("list[dict[str, Json]]", granted(call("get_character", position=position))["inventory"])[-1]
    assert (held["quantity"], held["equipped"]) == (2, False)
    assert cast("dict[str, Json]", held["properties"])["weight"] == 4


@pytest.mark.parametrize(
    ("properties", "reason"),
    [
        (
            {"lore": "x" * 40},
            "the property 'lore' of an item is a number, true, false or a text of at most 39",
        ),
        ({"x" * 40: 1}, "of an item is a number, true, false or a text of at most 39 characters"),
        ({"lore": ["a"]}, "the property 'lore' of an item is a number, true, false or a text"),
        ({"serial": 10**30}, "the property 'serial' of an item is a number, true, false or a text"),
        ({str(number): number for number in range(7)}, "an item has at most 6 properties besides its note"),
    ],
)
def test_properties_that_cannot_be_kept_are_refused(properties: dict[str, Json], reason: str) -> None:
    said: dict[str, Json] = {"loot": [{"name": "Sword", "properties": properties}]}
    assert reason in refused(call("award", said))


def test_turns_of_older_engines_kept_only_a_note() -> None:
    told = cast("list[Json]", granted(call("award", {"loot": [SWORD]}, position=OLDER))["inventory"])
    assert told[-1] == {"name": "Sword", "quantity": 1, "properties": {"note": "an heirloom"}}
