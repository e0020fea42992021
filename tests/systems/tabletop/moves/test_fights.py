"""Fights that carry on by themselves: the player's turn, that of everybody else, and the end."""

from dataclasses import replace
from typing import cast

import pytest

from talewright.common.json_values import Json
from talewright.kernel.state.state import Position, begin
from talewright.systems.tabletop.words.chinese import CHINESE
from talewright.systems.tabletop.words.english import ENGLISH
from talewright.systems.tabletop.words.phrases import TabletopPhrases
from tests.systems.tabletop.making import (
    GAME,
    READY,
    TABLETOP,
    call,
    do,
    game_with,
    granted,
    older_slots,
    read,
    refused,
    sight,
    write,
)

GOBLINS: dict[str, Json] = {"enemies": [{"template": "Goblin", "count": 3}]}
FIGHT = do(READY, "start_fight", faces=[15, 3, 18, 9, 10, 3], enemies=GOBLINS["enemies"])
"""Goblin 2 was faster than Rowan and has hit her for 5; the order is Goblin 2, Rowan, Goblin 3, Goblin 1."""


def order_of(position: Position = FIGHT) -> list[str]:
    entries = read(position, "tabletop.combat.initiativeOrder")
    assert isinstance(entries, list)
    return [str(entry["name"]) for entry in entries if isinstance(entry, dict)]


def test_faster_enemies_act_before_the_player() -> None:
    assert order_of() == ["Goblin 2", "Rowan", "Goblin 3", "Goblin 1"]
    assert read(FIGHT, "tabletop.combat.currentIndex") == 1
    assert read(FIGHT, "tabletop.character.hp.current") == 7
    assert read(FIGHT, "tabletop.combat.active") is True


def test_after_the_players_turn_everybody_else_acts() -> None:
    said: dict[str, Json] = {"action": "attack", "target": "goblin 2"}
    step = call("take_turn", said, position=FIGHT, faces=[14, 4, 1, 2])
    told = granted(step)
    assert (told["outcome"], told["damage"], told["fight"], told["round"]) == ("success", 7, "goes_on", 2)
    assert [event.text for event in step.events] == [
        "Goblin 2 looks the wrong way for a moment, and you hit (Longbow): 7 damage.",
        "Goblin 2 goes down.",
        "Goblin 3 comes at you (Scimitar), and you are no longer there.",
        "You see it in time, and Goblin 1 misses (Scimitar).",
    ]
    # The one who is down is skipped, and stays until the fight is over.
    assert order_of(step.position) == order_of()
    assert read(step.position, "tabletop.combat.currentIndex") == 1


def test_a_fight_is_won_when_the_last_enemy_falls_and_brings_rewards() -> None:
    position = do(FIGHT, "take_turn", faces=[14, 4, 1, 2], action="attack", target="Goblin 2")
    position = do(position, "take_turn", faces=[14, 4, 2], action="attack", target="Goblin 3")
    step = call("take_turn", {"action": "attack"}, position=position, faces=[20, 1, 5])
    assert granted(step)["fight"] == "won"
    assert [event.type for event in step.events] == [
        "tabletop:hit",
        "tabletop:fallen",
        "tabletop:fight_won",
        "tabletop:gained",
    ]
    assert step.events[0].text == "You hit Goblin 1 where it hurts most (Longbow): 7 damage."
    assert read(step.position, "tabletop.character.xp") == 75
    assert read(step.position, "tabletop.npcs") == {}
    assert read(step.position, "tabletop.combat.outcome") == "won"
    assert read(step.position, "tabletop.combat.initiativeOrder") == []


def test_a_fight_is_lost_when_the_player_falls() -> None:
    weak = write(FIGHT, {"tabletop.character.hp.current": 1})
    step = call("take_turn", {"action": "defend"}, position=weak, faces=[20, 19, 4])
    assert granted(step)["fight"] == "lost"
    assert read(step.position, "tabletop.character.hp.current") == 0
    assert read(step.position, "tabletop.npcs") == {}, "numbered goblins are left behind"
    assert TABLETOP.choices(sight(step.position)) == ()
    reason = refused(call("start_fight", GOBLINS, position=step.position))
    assert reason == "start_fight: Rowan is down, with no hit points left"


def test_enemies_attack_somebody_on_guard_with_disadvantage() -> None:
    step = call("take_turn", {"action": "defend"}, position=FIGHT, faces=[20, 1, 20, 2, 20, 3])
    rolls = granted(step)["rolls"]
    assert isinstance(rolls, list)
    assert [roll["expression"] for roll in rolls if isinstance(roll, dict)] == ["2d20kl1+4"] * 3
    assert read(step.position, "tabletop.combat.defending") is False, "until the next turn of the player"


def test_a_potion_heals_and_is_used_up() -> None:
    step = call(
        "take_turn", {"action": "use", "item": "Healing Potions"}, position=FIGHT, faces=[2, 1, 1, 2, 3]
    )
    assert granted(step)["healed"] == 5
    assert read(step.position, "tabletop.character.hp.current") == 12
    assert read(step.position, "tabletop.character.inventory.2.quantity") == 1
    reason = refused(call("take_turn", {"action": "use", "item": "rope"}, position=FIGHT))
    assert reason.startswith("take_turn: the rules do not say what rope does")


def test_fleeing_is_a_check() -> None:
    caught = call("take_turn", {"action": "flee"}, position=FIGHT, faces=[2, 1, 2, 3])
    assert (granted(caught)["success"], granted(caught)["fight"]) == (False, "goes_on")
    away = call("take_turn", {"action": "flee"}, position=FIGHT, faces=[9])
    assert granted(away)["fight"] == "fled"
    assert read(away.position, "tabletop.npcs") == {}
    assert read(away.position, "tabletop.combat.outcome") == "fled"


def test_enemies_with_a_name_of_their_own_may_return() -> None:
    position = do(
        READY, "start_fight", faces=[15, 3], enemies=[{"template": "Goblin", "name": "Gruk"}], surprise="none"
    )
    position = do(position, "take_turn", faces=[9], action="flee")
    npcs = read(position, "tabletop.npcs")
    assert isinstance(npcs, dict)
    assert list(npcs) == ["Gruk"]


def test_the_surprised_miss_the_first_round() -> None:
    step = call("start_fight", {**GOBLINS, "surprise": "enemies"}, faces=[1, 18, 19, 20])
    assert granted(step)["current"] == "Rowan"
    assert sum(event.type == "tabletop:surprised" for event in step.events) == 3
    faces = [20, 1, 2, 3, 1, 1, 1, 1, 1, 1]
    late = call("start_fight", {**GOBLINS, "surprise": "player"}, faces=faces)
    assert (granted(late)["current"], granted(late)["round"]) == ("Rowan", 2)


def test_enemies_join_a_fight_that_goes_on() -> None:
    step = call("start_fight", {"enemies": [{"template": "Wolf"}]}, position=FIGHT, faces=[17])
    assert granted(step)["current"] == "Rowan"
    assert order_of(step.position) == ["Goblin 2", "Wolf 1", "Rowan", "Goblin 3", "Goblin 1"]


def test_numbers_go_on_where_others_are() -> None:
    step = call("start_fight", {"enemies": [{"template": "Goblin"}]}, position=FIGHT, faces=[1])
    assert "Goblin 4" in order_of(step.position)


@pytest.mark.parametrize(
    ("tool", "said", "reason"),
    [
        ("take_turn", {"action": "attack", "target": "Goblin 9"}, "there is no target 'Goblin 9'"),
        ("take_turn", {"action": "attack", "target": "Rowan"}, "Rowan is no enemy who stands"),
        (
            "take_turn",
            {"action": "attack", "target": "Goblin 1", "attack": "Axe"},
            "there is no attack 'Axe'",
        ),
        ("take_turn", {"action": "use", "item": "sword"}, "there is no item 'sword'"),
        ("attack", {"attacker": "Goblin 1", "target": "Rowan"}, "it is the turn of Rowan, not of Goblin 1"),
        ("attack", {"target": "Rowan"}, "Rowan does not attack themselves"),
        ("start_fight", {"enemies": [{"template": "Dragon"}]}, "there is no template 'Dragon'"),
        ("start_fight", {"enemies": []}, "`enemies` lists who attacks"),
        ("manage_combat", {"action": "start"}, "a fight goes on already"),
    ],
)
def test_refusals_say_what_would_be_accepted(tool: str, said: dict[str, Json], reason: str) -> None:
    assert reason in refused(call(tool, said, position=FIGHT))


def test_outside_of_a_fight_only_a_potion_can_be_used() -> None:
    assert "nobody fights now" in refused(call("take_turn", {"action": "attack"}))
    hurt = write(READY, {"tabletop.character.hp.current": 3})
    assert [choice.id for choice in TABLETOP.choices(sight(hurt))] == ["use-healing-potions"]
    step = call("take_turn", {"action": "use", "item": "healing potions"}, position=hurt, faces=[1, 1])
    assert read(step.position, "tabletop.character.hp.current") == 7


def test_an_attack_of_a_master_follows_the_same_rules() -> None:
    step = call("attack", {"target": "Goblin 3", "advantage": True}, position=FIGHT, faces=[3, 14, 4])
    assert granted(step)["damage"] == 7
    assert granted(step)["current"] == "Rowan", "the turn is passed by manage_combat"
    down = refused(call("attack", {"target": "Goblin 3"}, position=step.position))
    assert down == "attack: Goblin 3 is down, with no hit points left"


def test_allies_fight_enemies() -> None:
    ally = do(READY, "create_npc", name="Bran", templateName="Wolf", isHostile=False)
    ally = do(ally, "create_npc", name="Gruk", templateName="Goblin")
    rows: list[Json] = [{"name": "Rowan", "isPlayer": True}, {"name": "Bran"}, {"name": "Gruk"}]
    fight = do(ally, "manage_combat", faces=[20, 10, 5], action="start", combatants=rows)
    step = call("take_turn", {"action": "defend"}, position=fight, faces=[15, 3, 4])
    assert "Bran gets through to Gruk (Bite): 7 damage." in [event.text for event in step.events]
    assert granted(step)["fight"] == "won"


def test_pbta_lets_only_the_player_roll() -> None:
    game = game_with("pbta", character="")
    stats: dict[str, Json] = {"Bold": 1, "Strong": 2, "Sharp": 0, "Warm": 1, "Strange": -1}
    attacks: list[Json] = [{"name": "Hook", "bonus": 2, "damage": "1d6"}]
    start = do(begin(game), "set_character", game, name="Ines", stats=stats, hp=8, attacks=attacks)
    fight = do(start, "start_fight", game, enemies=[{"template": "Sleepwalker"}])
    assert read(fight, "tabletop.combat.structure") == "narrative"
    cost = call("take_turn", {"action": "attack"}, position=fight, game=game, faces=[3, 3, 5, 6])
    told = granted(cost)
    assert (told["outcome"], told["damage"], told["struckBack"]) == ("partial_success", 4, 6)
    missed = call("take_turn", {"action": "attack"}, position=fight, game=game, faces=[1, 2, 4])
    assert (granted(missed)["success"], granted(missed)["struckBack"]) == (False, 4)
    clean = call("take_turn", {"action": "attack"}, position=fight, game=game, faces=[5, 5, 3])
    assert (granted(clean)["damage"], granted(clean)["struckBack"]) == (2, 0)
    assert granted(clean)["round"] == 2


def test_fate_rolls_for_both_sides_and_the_difference_is_the_damage() -> None:
    game = game_with("fate", character="")
    start = do(begin(game), "set_character", game, name="Ines", skills={"Fight": 3, "Athletics": 2}, hp=3)
    fight = do(start, "start_fight", game, enemies=[{"template": "Cat Burglar"}])
    # Faces 1 to 3 are -1 to +1: the defence is 2, the attack 3 + 2.
    faces = [2, 2, 2, 2, 3, 3, 2, 2]
    step = call("take_turn", {"action": "attack"}, position=fight, game=game, faces=faces)
    assert (granted(step)["damage"], granted(step)["fight"]) == (2, "won")
    assert read(step.position, "tabletop.character.inventory.0.name") == "a map of the vault"


def test_choices_name_every_enemy_who_stands() -> None:
    choices = TABLETOP.choices(sight(FIGHT))
    assert [choice.id for choice in choices] == [
        "attack-goblin-2",
        "attack-goblin-3",
        "attack-goblin-1",
        "attack-goblin-2-dagger",
        "defend",
        "use-healing-potions",
        "flee",
    ]
    chinese = TABLETOP.choices(sight(FIGHT, language="zh-CN"))
    assert [choice.id for choice in chinese] == [choice.id for choice in choices]
    assert chinese[0].label == "用Longbow攻击Goblin 2"


@pytest.mark.parametrize("words", [ENGLISH, CHINESE])
def test_every_wording_of_a_blow_names_the_other_and_the_damage(words: TabletopPhrases) -> None:
    facts = {"attacker": "A#", "target": "T#", "attack": "W#", "damage": "7#"}
    for wordings in (words.hit, words.critical_hit, words.miss, words.strikes_back):
        for wording in wordings.by_player:
            assert "T#" in wording.format(**facts)
        for wording in wordings.on_player:
            assert "A#" in wording.format(**facts)
        for wording in (*wordings.by_player, *wordings.on_player, *wordings.of_others):
            told = wording.format(**facts)
            assert ("7#" in told) is (wordings is not words.miss)
            assert ("W#" in told) is (wordings is not words.strikes_back)


def test_the_surprised_who_come_after_the_player_miss_the_first_round_too() -> None:
    step = call("start_fight", {**GOBLINS, "surprise": "enemies"}, faces=[20, 1, 2, 3])
    assert granted(step)["current"] == "Rowan"
    assert read(step.position, "tabletop.combat.surprised") == ["Goblin 3", "Goblin 2", "Goblin 1"]
    after = call("take_turn", {"action": "defend"}, position=step.position)
    told = granted(after)
    assert (told["current"], told["round"], "rolls" in told) == ("Rowan", 2, False)
    assert sum(event.type == "tabletop:surprised" for event in after.events) == 3
    assert read(after.position, "tabletop.combat.surprised") == []
    late = granted(call("take_turn", {"action": "defend"}, position=after.position, faces=[1] * 6))
    assert len(cast("list[Json]", late["rolls"])) == 3, "in the second round they act"


def test_a_game_master_cannot_let_the_surprised_act() -> None:
    position = do(READY, "start_fight", faces=[20, 1, 2, 3], enemies=GOBLINS["enemies"], surprise="enemies")
    step = call("manage_combat", {"action": "next_turn"}, position=position)
    assert (granted(step)["current"], granted(step)["round"]) == ("Rowan", 2)
    waiting = write(position, {"tabletop.combat.currentIndex": 1})
    reason = refused(call("attack", {"attacker": "Goblin 3", "target": "Rowan"}, position=waiting))
    assert reason == "attack: Goblin 3 is surprised and does not act in the first round"


def test_a_campaign_with_an_older_game_fights_as_before() -> None:
    game = older_slots(GAME)
    step = call(
        "start_fight",
        {**GOBLINS, "surprise": "enemies"},
        position=begin(game),
        game=game,
        faces=[20, 1, 2, 3],
    )
    granted(step)
    after = call("take_turn", {"action": "defend"}, position=step.position, game=game, faces=[1] * 6)
    assert len(cast("list[Json]", granted(after)["rolls"])) == 3
    npcs = read(after.position, "tabletop.npcs")
    assert isinstance(npcs, dict)
    assert not any("id" in cast("dict[str, Json]", npc) for npc in npcs.values())


WOLF = do(READY, "start_fight", faces=[1, 20, 1], enemies=[{"template": "Wolf"}])
"""The wolf came first, and missed."""


def test_a_save_in_a_stat_block_becomes_a_condition() -> None:
    # It hits for 2d4+2; then strength against DC 11.
    step = call("take_turn", {"action": "defend"}, position=WOLF, faces=[15, 15, 1, 1, 3])
    assert read(step.position, "tabletop.character.conditions") == ["prone"]
    assert read(step.position, "tabletop.character.hp.current") == 8
    rolls = cast("list[dict[str, Json]]", granted(step)["rolls"])
    assert rolls[-1]["text"] == "Rowan, Strength: 1d20 (3) + 1 = 4"
    assert (rolls[-1]["needed"], rolls[-1]["success"]) == (11, False)
    assert "Rowan" not in str(granted(step)["message"]), "the player is addressed"
    assert any(event.type == "tabletop:condition" for event in step.events)


def test_a_save_that_succeeds_has_no_effect() -> None:
    step = call("take_turn", {"action": "defend"}, position=WOLF, faces=[15, 15, 1, 1, 10])
    assert read(step.position, "tabletop.character.conditions") == []


def test_a_miss_asks_for_no_save() -> None:
    step = call("take_turn", {"action": "defend"}, position=WOLF, faces=[15, 2])
    assert len(cast("list[Json]", granted(step)["rolls"])) == 1


def test_turns_of_older_engines_have_no_saves() -> None:
    older = replace(WOLF, engine=4)
    step = call("take_turn", {"action": "defend"}, position=older, faces=[15, 15, 1, 1])
    assert read(step.position, "tabletop.character.conditions") == []
