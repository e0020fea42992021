"""The examples of the documents that the engine was built from: answers, characters, checks, tools, numbers.

Each document is named by its subject. Field names, numbers, formats and tool signatures are the documents',
the words our own.
"""

import json
from collections.abc import Mapping
from typing import cast

import pytest

from talewright.common.json_values import Json
from talewright.contract.cards.dialect import CardsDialect
from talewright.contract.dialect import AnswerGround, ModelAnswer
from talewright.kernel.judging.move_resolution import judge, settle
from talewright.kernel.judging.moves import MODEL
from talewright.kernel.state.state import begin
from talewright.llm.reply_chunks import Stop, StopReason, Text
from talewright.systems.tabletop.reports.rulebook_report import report_json
from talewright.systems.tabletop.rulebook import FILE, read_rulebook
from talewright.systems.world.authored.authored_world import SimulationDepth, SimulationRules
from talewright.systems.world.offscreen.simulation_depth import depth_of
from talewright.systems.world.places.place_resolution import CONFIDENCE_MIN
from talewright.systems.world.world_system import World
from tests.games.test_seed_harbor import harbor
from tests.kernel.making import Scripted
from tests.systems.spiral import making as solo
from tests.systems.tabletop import making as tabletop
from tests.systems.tabletop.rulebook_snapshots import BOOKS

ANSWER: Mapping[str, Json] = {
    "narrative_markdown": "Lian slides a copied sheet across the bar.\n\nSomeone used the service tunnel.",
    "choices": [
        {"id": "ask", "label": "Ask who paid", "hint": "A clue.", "risk": "medium", "tags": ["talk"]},
        {"id": "go", "label": "Go to the plant", "hint": "Fast.", "risk": "high", "tags": ["travel", "risk"]},
        {"id": "bribe", "label": "Bribe the barman", "hint": "Costs.", "risk": "low", "tags": ["resource"]},
        {"id": "wait", "label": "Lie low", "hint": "Safe.", "risk": "low", "tags": ["stealth"]},
    ],
    "state_updates": [
        {"op": "inc", "path": "clues", "value": 1, "reason": "the sheet"},
        {"op": "push", "path": "truth_map", "value": "Someone used the tunnel.", "reason": "noted"},
        {"op": "set", "path": "flags.met_lian", "value": True, "reason": "met"},
        {"op": "inc", "path": "time.minute", "value": 10, "reason": "talking"},
    ],
    "new_facts": ["There is a service tunnel.", "Someone entered half an hour before."],
    "events": [{"type": "info", "message": "You have the sheet."}],
    "end": {"is_game_over": False, "ending_id": "", "reason": ""},
}
"""The first answer of the document on the story engine with cards."""


def read_answer(answer: Mapping[str, Json]) -> ModelAnswer:
    game = harbor()
    reader = CardsDialect().reader(AnswerGround(game, begin(game)))
    reader.feed(Text(json.dumps(answer)))
    reader.feed(Stop(StopReason.END))
    return reader.finish()


def test_the_game_with_cards_takes_its_first_answer() -> None:
    answer = read_answer(ANSWER)
    assert answer.flaws == ()
    assert [choice.id for choice in answer.choices] == ["ask", "go", "bribe", "wait"]
    assert len(answer.facts) == 2
    game = harbor()
    judged = judge(game, begin(game), answer.moves, MODEL, Scripted())
    settled = settle(game, judged.position, Scripted()).position.state
    assert settled.read(("clues",)) == 1
    assert settled.read(("time",)) == {"day": 1, "hour": 20, "minute": 20}
    assert settled.read(("flags", "met_lian")) is True


HERO: dict[str, Json] = {
    "name": "Kira Halfmoon",
    "concept": "A tracker on the wrong side of the river",
    "inherent_tags": ["keen tracker", "father's longbow", "wilderness hardened"],
}
"""The hero of the document on the solo engine."""


def test_the_hero_of_the_solo_engine_begins_as_its_schema_says() -> None:
    position = solo.FIRST
    document = position.state.document
    assert document["meta"] == {
        "setup_complete": False,
        "genre": "",
        "day": 1,
        "segment": 1,
        "segments_per_day": 4,
        "segment_labels": ["Morning", "Afternoon", "Evening", "Night"],
    }
    said: dict[str, dict[str, Json]] = {"set_genre": {"genre": "sword and sorcery"}, "set_character": HERO}
    for tool, arguments in said.items():
        step = solo.call(tool, arguments, position=position)
        solo.granted(step)
        position = step.position
    assert position.state.document["player"] == {
        **HERO,
        "glitch_tags": [],
        "conditions": [],
        "resist": {"current": 2, "max": 2},
    }


def test_a_skill_check_of_the_rulebook_document() -> None:
    # `I try to pick the lock`: a Dexterity of 14 gives +2, and 13 + 2 meets DC 15.
    rogue = tabletop.ROWAN.replace("DEX 16", "DEX 14")
    game = tabletop.game_with(character=rogue)
    said: dict[str, Json] = {"skill": "Lockpicking", "difficulty": 15, "attribute": "Dexterity"}
    told = tabletop.granted(tabletop.call("skill_check", said, position=begin(game), game=game, faces=[13]))
    assert (told["skill"], told["attribute"], told["modifier"]) == ("Lockpicking", "DEX", 2)
    assert (told["outcome"], told["difficulty"], told["margin"]) == ("success", 15, 0)
    roll = cast("dict[str, Json]", told["roll"])
    assert (roll["expression"], roll["individualRolls"], roll["modifiers"]) == ("1d20+2", [13], 2)
    assert (roll["total"], roll["visible"], roll["logId"]) == (15, True, "r1")


@pytest.mark.parametrize(
    ("expression", "faces", "total"),
    [
        ("d20", [7], 7),
        ("2d6+3", [4, 2], 9),
        ("4dF", [1, 2, 3, 3], 1),
        ("d100", [55], 55),
        ("1d20-2", [5], 3),
        ("2d6+1d4+5", [4, 2, 3], 14),
        ("3d8", [1, 2, 3], 6),
    ],
)
def test_the_rolls_of_the_rulebook_document(expression: str, faces: list[int], total: int) -> None:
    told = tabletop.granted(tabletop.call("roll_dice", {"expression": expression}, faces=faces))
    assert told["total"] == total


def test_damage_of_the_rulebook_document() -> None:
    position = tabletop.do(tabletop.READY, "create_npc", name="Goblin Scout", templateName="Goblin")
    hit: dict[str, Json] = {"target": "npc", "npcName": "Goblin Scout", "amount": 4, "damageType": "slashing"}
    step = tabletop.call("apply_damage", {**hit, "applyConditions": ["prone"]}, position=position)
    told = tabletop.granted(step)
    assert (told["hp"], told["conditions"]) == ({"current": 3, "max": 7}, ["prone"])
    assert (told["incapacitated"], told["damageType"]) == (False, "slashing")
    fallen = tabletop.granted(tabletop.call("apply_damage", hit, position=step.position))
    assert (fallen["hp"], fallen["incapacitated"]) == ({"current": 0, "max": 7}, True)
    healed = tabletop.granted(tabletop.call("apply_damage", {**hit, "amount": -50}, position=step.position))
    assert healed["hp"] == {"current": 7, "max": 7}
    removed = tabletop.call("remove_npc", {"name": "Goblin Scout", "reason": "defeated"}, position=position)
    assert "25 XP" in str(tabletop.granted(removed)["message"])


def test_the_rulebook_of_the_rulebook_document() -> None:
    book, warnings = read_rulebook({FILE: BOOKS["seed_example"].read_text("utf-8")})
    report = report_json(book, warnings)
    assert warnings == ()
    assert report is not None
    parts = ("hasAttributes", "hasSkills", "hasCombat", "hasNPCTemplates")
    assert [report[part] for part in parts] == [True] * 4
    assert report["diceTypes"] == ["d4", "d6", "d20"]
    wolf = cast("list[dict[str, Json]]", report["npcTemplates"])[2]
    (bite,) = cast("list[dict[str, Json]]", wolf["attacks"])
    assert bite["save"] == {"difficulty": 11, "attribute": "STR", "condition": "prone"}


def test_the_tools_of_the_prompt_document() -> None:
    tools = {tool.name: cast("dict[str, Json]", tool.parameters) for tool in World().tools({}, "en")}
    wanted = {
        "moveToLocation": {"destination": "string", "narrativeTime": "string", "accompaniedBy": "array"},
        "advanceTime": {"narrativeTime": "string", "ticks": "number"},
        "discoverCharacter": {"characterName": "string", "introduction": "string", "goals": "string"},
    }
    for name, members in wanted.items():
        properties = cast("dict[str, dict[str, Json]]", tools[name]["properties"])
        assert {member: properties[member]["type"] for member in members} == members
        assert set(cast("list[str]", tools[name].get("required", []))) <= set(members)


@pytest.mark.parametrize(
    ("ticks", "depth"),
    [(4, "skip"), (5, "skip"), (10, "skip"), (11, "summary"), (20, "summary"), (21, "full")],
)
def test_the_thresholds_of_the_prompt_document(ticks: int, depth: str) -> None:
    assert depth_of(SimulationRules(), ticks, unresolved=False) is SimulationDepth(depth)
    assert CONFIDENCE_MIN == 0.6
