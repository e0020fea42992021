"""NPCs through the tools: templates with overrides, unique names, changes in words, and rewards."""

import pytest

from talewright.common.json_values import Json
from tests.systems.tabletop.making import READY, call, do, granted, read, refused

GRUK = do(READY, "create_npc", name="Gruk", templateName="goblin")


def test_a_template_brings_everything_it_has() -> None:
    told = granted(call("create_npc", {"name": "Gruk", "templateName": "goblin"}))
    npc = told["npc"]
    assert isinstance(npc, dict)
    assert told["message"] == "Created Gruk from template Goblin"
    assert (npc["templateName"], npc["hp"], npc["ac"]) == ("Goblin", {"current": 7, "max": 7}, 15)
    assert npc["stats"] == {"STR": 8, "DEX": 14, "CON": 10, "INT": 10, "WIS": 8, "CHA": 8}
    assert npc["skills"] == {"Stealth": 6}
    assert npc["attacks"] == [
        {"name": "Scimitar", "bonus": 4, "damage": [{"dice": "1d6+2", "kind": "slashing"}]}
    ]
    assert npc["reward"] == {"xp": 25, "loot": [], "storyFlag": ""}
    assert npc["isHostile"] is True


def test_what_is_given_overrides_the_template() -> None:
    said: dict[str, Json] = {
        "name": "Chief",
        "templateName": "Goblin",
        "hp": {"current": 5, "max": 20},
        "stats": {"Strength": 14},
        "skills": {"Persuasion": 2},
        "ac": 16,
        "attacks": [{"name": "Flail", "bonus": 3, "damage": "1d8+1 bludgeoning"}],
        "reward": {"xp": 100, "loot": ["3 gold rings", {"name": "Crown", "properties": {"note": "tin"}}]},
        "isHostile": False,
        "notes": "Afraid of cats.",
    }
    npc = granted(call("create_npc", said))["npc"]
    assert isinstance(npc, dict)
    assert isinstance(npc["stats"], dict)
    assert (npc["stats"]["STR"], npc["stats"]["DEX"], npc["hp"]) == (14, 14, {"current": 5, "max": 20})
    assert npc["skills"] == {"Stealth": 6, "Persuasion": 2}
    # Loot may be given as texts or as items; items are kept.
    assert npc["reward"] == {
        "xp": 100,
        "loot": [
            {"name": "gold rings", "quantity": 3, "properties": {}},
            {"name": "Crown", "quantity": 1, "properties": {"note": "tin"}},
        ],
        "storyFlag": "",
    }


def test_an_unknown_template_is_a_warning() -> None:
    step = call("create_npc", {"name": "Ash", "templateName": "Dragon", "hp": 99})
    warning = str(granted(step)["warning"])
    assert warning.startswith("there is no template 'Dragon', so Ash has only what you gave; there is Goblin")
    assert read(step.position, "tabletop.npcs.Ash.hp.max") == 99
    assert read(step.position, "tabletop.npcs.Ash.templateName") == ""


@pytest.mark.parametrize("name", ["Gruk", "GRUK", " gruk ", "Rowan", "player"])
def test_names_are_unique(name: str) -> None:
    reason = refused(call("create_npc", {"name": name}, position=GRUK))
    assert "is taken; names are unique. There is Gruk, Rowan, player" in reason


def test_changes_are_told_in_words() -> None:
    updates: Json = {
        "hp": {"current": 3, "max": 7},
        "conditions": ["prone"],
        "stats": {"DEX": 10},
        "inventory": ["2 apples"],
        "notes": "Limps.",
    }
    step = call("update_npc", {"name": "gruk", "updates": updates}, position=GRUK)
    assert granted(step)["changes"] == [
        "HP: 7 → 3",
        "Added condition: prone",
        "stats: DEX 14 → 10",
        "Changed inventory",
        "Changed notes",
    ]
    back: Json = {"hp": 9, "conditions": [], "isHostile": False}
    told = granted(call("update_npc", {"name": "Gruk", "updates": back}, position=step.position))
    assert told["changes"] == [
        "HP: 3 → 9",
        "Maximum HP: 7 → 9",
        "Removed condition: prone",
        "Changed isHostile",
    ]


def test_somebody_who_leaves_returns_what_nobody_claimed() -> None:
    step = call("remove_npc", {"name": "Gruk", "reason": "defeated"}, position=GRUK)
    assert granted(step)["message"] == "Gruk was defeated. Reward, to be given with award: 25 XP"
    assert read(step.position, "tabletop.npcs") == {}
    assert read(step.position, "tabletop.character.xp") == 0


@pytest.mark.parametrize(
    ("tool", "said", "reason"),
    [
        ("create_npc", {"name": ""}, "create_npc needs `name`"),
        ("create_npc", {"name": "x" * 40}, "`name` has at most 39 characters"),
        ("create_npc", {"name": "地" * 20}, "`name` has at most 19 characters"),
        (
            "create_npc",
            {"name": "Ash", "hp": {"current": 9, "max": 5}},
            "`current` is a whole number from 0 to 5",
        ),
        ("create_npc", {"name": "Ash", "stats": {"STR": "high"}}, "`STR` is a whole number"),
        ("create_npc", {"name": "Ash", "attacks": [{"name": "Claw", "damage": "lots"}]}, "has no dice"),
        ("create_npc", {"name": "Ash", "reward": {"loot": [{"quantity": 2}]}}, "which is no item"),
        ("update_npc", {"name": "Gruk", "updates": {}}, "`updates` names what changes"),
        ("update_npc", {"name": "Grug", "updates": {"ac": 3}}, "did you mean Gruk?"),
        ("remove_npc", {"name": "Sniv"}, "there is no NPC 'Sniv'; there is Gruk"),
        ("remove_npc", {"name": "Gruk", "reason": "bored"}, "`reason` is one of defeated, fled"),
    ],
)
def test_refusals(tool: str, said: dict[str, Json], reason: str) -> None:
    assert reason in refused(call(tool, said, position=GRUK))


def test_npcs_have_ids_that_nobody_gets_again() -> None:
    npc = granted(call("create_npc", {"name": "Gruk"}))["npc"]
    assert isinstance(npc, dict)
    assert npc["id"] == "n1"
    position = do(GRUK, "remove_npc", name="Gruk")
    position = do(position, "create_npc", name="Gruk")
    assert read(position, "tabletop.npcs.Gruk.id") == "n2"
    position = do(position, "start_fight", faces=[20, 2, 3], enemies=[{"template": "Goblin", "count": 2}])
    assert [read(position, f"tabletop.npcs.Goblin {number}.id") for number in (1, 2)] == ["n3", "n4"]


@pytest.mark.parametrize(
    ("tool", "said"),
    [
        ("update_npc", {"name": "N1", "updates": {"notes": "Limps."}}),
        ("apply_damage", {"target": "npc", "npcName": "n1", "amount": 1}),
        ("remove_npc", {"name": "n1"}),
        ("attack", {"target": "n1"}),
    ],
)
def test_an_id_stands_for_a_name(tool: str, said: dict[str, Json]) -> None:
    granted(call(tool, said, position=GRUK, faces=[1]))
