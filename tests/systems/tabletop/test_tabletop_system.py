"""The plug-in: with and without a rulebook, in two languages, its panels, notes, phases and ticks."""

import re
from dataclasses import replace
from typing import cast

from talewright.common.json_values import Json
from talewright.contract.dialect import AnswerGround
from talewright.contract.tools.dialect import ToolsDialect
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import Call
from talewright.kernel.panel_parts import Meter, Rolled, Table, TurnOrder
from talewright.kernel.state.state import Position, advance, begin
from talewright.kernel.system import NO_TICK, Denial, Sight
from talewright.kernel.system.system_parts import check_system, check_tools
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import CallPart, Stop, StopReason
from talewright.turn.turn_progress import DrawPurpose, purpose_of_call
from tests.kernel.making import Scripted
from tests.systems.tabletop.making import (
    GAME,
    NOBODY,
    NOBODY_GAME,
    READY,
    ROWAN,
    TABLETOP,
    call,
    do,
    end_turn,
    game_with,
    granted,
    read,
    sight,
    write,
)
from tests.systems.tabletop.rulebook_snapshots import BOOKS

CHINESE_BOOK = """\
# 规则
## 骰子
掷 1d20 加调整值，对抗难度。
## 属性
- 力量（STR）
- 敏捷（DEX）
- 体质（CON）
- 智力（INT）
- 感知（WIS）
- 魅力（CHA）

取值范围：8-18
## 技能
- 运动（力量）
- 潜行（敏捷）
- 调查（智力）
- 察觉（感知）
- 说服（魅力）
## 敌人模板
### 地精
- 生命值：7
- 护甲等级：15
- 攻击：弯刀 +4（1d6+2）
### 史莱姆
- 生命值：22
- 护甲等级：8
- 攻击：伪足 +3（1d6+1）
- 奖励：50 经验，酸液
### 狼
- 生命值：11
- 护甲等级：13
- 攻击：撕咬 +4（2d4+2）
- 奖励：25 经验，狼皮
"""
CHINESE_ROWAN = """\
# 罗文
- 生命值：12
- 护甲等级：14
- 攻击：长弓 +5（1d8+3），匕首 +5（1d4+3）
- 物品：绳子，3 支火把，2 瓶治疗药水（恢复 2d4+2）
"""
BOTH = game_with(**{"System.zh-CN.md": CHINESE_BOOK, "Character.zh-CN.md": CHINESE_ROWAN})
FIGHT_FACES = [15, 3, 18, 9, 10, 3]
GOBLINS: Json = [{"template": "Goblin", "count": 3}]


def start(game_position: Position = READY) -> Position:
    return do(game_position, "start_fight", faces=FIGHT_FACES, enemies=GOBLINS)


def test_without_a_rulebook_a_game_is_pure_narrative() -> None:
    empty = Sight({}, 1)
    assert TABLETOP.slots({}) == {}
    assert TABLETOP.tools({}, "en") == ()
    assert TABLETOP.phase(empty) is None
    assert (TABLETOP.notes(empty), TABLETOP.choices(empty), TABLETOP.panels(empty)) == ((), (), ())
    assert TABLETOP.tick(empty, Scripted()) == NO_TICK
    assert TABLETOP.argument_values("attack", empty) == {}
    assert isinstance(TABLETOP.judge(Call("roll_dice"), empty, Scripted(), {}), Denial)
    assert isinstance(TABLETOP.judge(Call("fly"), sight(READY), Scripted(), {}), Denial)


def test_every_rulebook_makes_slots_and_tools() -> None:
    check_system(TABLETOP)
    for path in BOOKS.values():
        files = {"System.md": path.read_text("utf-8")}
        assert TABLETOP.slots(files)
        check_tools(TABLETOP, files, ("en", "zh-CN"))


def test_authors_are_held_to_the_skills_and_attributes_of_the_rulebook() -> None:
    tools = {tool.name: tool for tool in GAME.tools_in("en")}
    skills = "'enum': ['Athletics', 'Stealth', 'Investigation', 'Perception', 'Persuasion']"
    attributes = "'enum': ['STR', 'DEX', 'CON', 'INT', 'WIS', 'CHA']"
    for name in ("skill_check", "take_turn"):
        assert skills in str(tools[name].authored)
        assert attributes in str(tools[name].authored)
        assert skills not in str(tools[name].parameters), "a storyteller may name others"
        assert attributes not in str(tools[name].parameters), "or write them out"
        assert "One of Athletics, Stealth, Investigation" in str(tools[name].parameters)
    assert "'enum': ['Goblin', 'Slime', 'Wolf']" in str(tools["start_fight"].parameters)


def test_turns_of_older_engines_read_the_tools_as_they_were() -> None:
    said = '{"skill": "Lockpicking", "attribute": "Dexterity", "difficulty": 15}'
    asked = (CallPart(0, "a", "skill_check", said), Stop(StopReason.CALLS))
    refused = []
    for engine in (4, 5, None):
        ground = AnswerGround(GAME, replace(READY, engine=engine), tools=("skill_check",))
        reader = ToolsDialect().reader(ground)
        for piece in asked:
            reader.feed(piece)
        refused.append([reason for _, reason in reader.finish().refused_calls])
        (spec,) = (
            spec for spec in ToolsDialect().tools(ground, Profile("any")) if spec.name == "skill_check"
        )
        assert ("enum" in str(spec.parameters)) is (engine == 4)
    assert refused[1:] == [[], []]
    assert len(refused[0]) == 1


def test_some_arguments_take_only_a_few_words() -> None:
    values = TABLETOP.argument_values("take_turn", sight(start()))
    assert values == {"target": ("Goblin 2", "Goblin 3", "Goblin 1")}
    assert TABLETOP.argument_values("create_npc", sight(READY)) == {
        "templateName": ("Goblin", "Slime", "Wolf")
    }


def test_calls_mean_the_same_however_they_are_spelled() -> None:
    def identify(tool: str, position: Position, **said: Json) -> DrawPurpose:
        return purpose_of_call(GAME, position, Call(tool, said))

    fight = start()
    hard: dict[str, Json] = {"skill": "Stealth", "difficulty": 15}
    spelled: list[dict[str, Json]] = [{"skill": "STEALTH "}, {"attribute": "dexterity"}, {"npcName": ""}]
    spelled += [{"visible": True}, {"advantage": False}]
    for same in spelled:
        assert identify("skill_check", READY, **{**hard, **same}) == identify("skill_check", READY, **hard), (
            same
        )
    attackers: list[dict[str, Json]] = [{"attacker": "rowan"}, {"attacker": "Player"}]
    attackers += [{"attack": "LONGBOW"}, {"target": "Goblin 2"}]
    for same in attackers:
        said: dict[str, Json] = {"target": "Goblin 1", **same}
        assert identify("attack", fight, **said) == identify("attack", fight, target="Goblin 1"), same
    other = identify("attack", fight, attacker="Goblin 1", target="Rowan")
    assert other.check != identify("attack", fight, target="Goblin 1").check
    assert identify("attack", fight, attacker=" goblin 1", target="Rowan") == other
    strike = identify("take_turn", fight, action="attack")
    assert identify("take_turn", fight, action="attack", attack="longbow", difficulty=3) == strike
    assert identify("take_turn", fight, action="defend").check != strike.check
    dice = identify("roll_dice", READY, expression="2d6 + 1")
    assert identify("roll_dice", READY, expression="2D6+1", context="rain", visible=True) == dice
    hidden = identify("roll_dice", READY, expression="2d6+1", visible=False)
    assert (hidden.check, hidden == dice) == (dice.check, False)


def test_names_are_shown_in_the_readers_language_and_stored_in_one() -> None:
    position = do(begin(BOTH), "start_fight", BOTH, FIGHT_FACES, enemies=GOBLINS)
    seen = sight(position, BOTH, "zh-CN")
    fight, character, rolls = TABLETOP.panels(seen)
    order = next(part for part in fight.parts if isinstance(part, TurnOrder))
    assert (order.label, order.current) == ("行动顺序", 1)
    assert order.names == ("地精乙", "罗文", "地精丙", "地精甲")
    assert character.title == "罗文"
    tables = [part for part in character.parts if isinstance(part, Table)]
    assert tables[0].rows[0] == ("力量", "12", "+1")
    assert tables[1].rows[0] == ("潜行", "+5")
    assert tables[2].rows[0][0] == "长弓"
    assert "伤害，弯刀" in cast(Rolled, rolls.parts[0]).label
    assert TABLETOP.choices(seen)[0].label == "用长弓攻击地精乙"
    assert "轮到罗文" in TABLETOP.notes(seen)[0].text
    assert read(position, "tabletop.combat.initiativeOrder.0.name") == "Goblin 2"
    tools = {tool.name: str(tool.parameters) for tool in BOTH.tools_in("zh-CN")}
    assert "Stealth (潜行)" in tools["skill_check"]
    check_tools(TABLETOP, BOTH.files_of(TABLETOP), ("en", "zh-CN"))


def test_panels_show_a_fight_the_sheet_and_visible_rolls() -> None:
    said: dict[str, Json] = {"target": "npc", "npcName": "Goblin 2", "amount": 3}
    position = call("apply_damage", {**said, "applyConditions": ["prone"]}, position=start()).position
    position = do(position, "roll_dice", faces=[4], expression="d20", visible=False)
    fight, character, rolls = TABLETOP.panels(sight(position))
    assert fight.title == "Fight, round 1"
    order = next(part for part in fight.parts if isinstance(part, TurnOrder))
    assert order.levels[:2] == ((4, 7), (7, 12))
    assert order.notes[0] == "prone"
    assert character.parts[0] == Meter("Hit points", 7, 12)
    assert [cast(Rolled, part).total for part in rolls.parts] == [5, 14, 11, 20, 5, 18]
    assert TABLETOP.panels(sight(NOBODY, NOBODY_GAME)) == ()


def test_the_narrator_is_told_whose_turn_it_is_and_who_is_down() -> None:
    assert TABLETOP.notes(sight(READY)) == ()
    assert "call set_character" in TABLETOP.notes(sight(NOBODY, NOBODY_GAME))[0].text
    position = do(start(), "apply_damage", target="npc", npcName="Goblin 2", amount=9)
    turn, out = TABLETOP.notes(sight(position))
    assert turn.text == (
        "A fight goes on, round 1. It is the turn of Rowan. The order: Goblin 2, Rowan, Goblin 3, Goblin 1."
    )
    assert out.text == "Out of the fight: Goblin 2."


def leave_alone(position: Position, turns: int, game: Game = GAME) -> Position:
    """Turns in which nobody fights."""
    for _ in range(turns):
        position = advance(end_turn(position, game).position)
    return position


def test_a_fight_left_for_long_is_noticed() -> None:
    position = start()
    assert len(TABLETOP.notes(sight(leave_alone(position, 4)))) == 1
    *_, left = TABLETOP.notes(sight(leave_alone(position, 6)))
    assert left.text.startswith("Nobody has gone on with the fight for 6 turns. Take it up again, or end it")
    assert read(leave_alone(position, 50), "tabletop.combat.active") is True


def test_a_fight_left_for_long_ends_by_itself_where_the_rulebook_says_so() -> None:
    for line in ("A fight that is left for 3 turns ends by itself.", "战斗搁置 3 个回合即告结束。"):
        book = BOOKS["seed_example"].read_text("utf-8").replace("## Combat", f"## Combat\n{line}")
        game = game_with(**{"System.md": book})
        position = do(begin(game), "start_fight", game, FIGHT_FACES, enemies=GOBLINS)
        position = leave_alone(position, 3, game)
        assert read(position, "tabletop.combat.active") is True
        step = end_turn(position, game)
        assert read(step.position, "tabletop.combat.outcome") == "ended"
        assert step.events[0].text == "Nobody goes on with the fight. It is over."


def test_coming_back_to_a_fight_after_long_is_noticed() -> None:
    position = advance(start())
    *_, away = TABLETOP.notes(replace(sight(position), away_minutes=150))
    assert away.text.startswith("The player comes back to this fight after 2 h.")
    assert len(TABLETOP.notes(replace(sight(position), away_minutes=59))) == 1


def test_a_fight_may_end_for_somebody_who_comes_back_too_late() -> None:
    for line in ("Fights left for 2 days end by themselves.", "战斗搁置 48 小时即告结束。"):
        book = BOOKS["seed_example"].read_text("utf-8").replace("## Combat", f"## Combat\n{line}")
        game = game_with(**{"System.md": book})
        position = advance(do(begin(game), "start_fight", game, FIGHT_FACES, enemies=GOBLINS))
        early, late = (replace(position, away_minutes=60 * hours) for hours in (47, 48))
        assert read(end_turn(early, game).position, "tabletop.combat.active") is True
        assert read(end_turn(late, game).position, "tabletop.combat.outcome") == "ended"
        taken_up = do(late, "take_turn", game, [2, 1, 1, 1], action="attack", target="Goblin 1")
        assert read(end_turn(taken_up, game).position, "tabletop.combat.active") is True


def test_a_scene_may_write_hit_points_and_the_turn_puts_them_right() -> None:
    position = write(READY, {"tabletop.character.hp.current": 99})
    assert read(end_turn(position).position, "tabletop.character.hp.current") == 12


def test_a_rulebook_whose_checks_are_unknown_leaves_them_to_the_narrator() -> None:
    game = game_with("percentile_roll_under", character=ROWAN)
    names = [tool.name for tool in game.tools_in("en")]
    assert not {"skill_check", "attack", "take_turn", "start_fight"} & set(names)
    for language in ("en", "zh-CN"):
        phase = TABLETOP.phase(sight(begin(game), game, language))
        assert phase is not None
        named = set(re.findall(r"`([a-z_]+)`", phase.text))
        assert named <= set(names), "the storyteller is told of no tool that is not there"
    position = begin(game)
    rolled = call("roll_dice", {"expression": "d100"}, position=position, game=game, faces=[7])
    assert granted(rolled)["total"] == 7
    position = do(position, "create_npc", game, name="Rat")
    position = do(position, "manage_combat", game, action="start")
    assert read(position, "tabletop.combat.active") is True
    assert TABLETOP.choices(sight(position, game)) == ()
