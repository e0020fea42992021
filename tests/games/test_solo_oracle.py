"""Solo's oracle without a model: five answers of the highest die, each with its word and its effects."""

import random
from collections import Counter

import pytest

from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.story.scene_rules import current_scene, offered
from talewright.kernel.story.scenes import Ladder, Rung
from talewright.systems.spiral.oracle import DEFAULT_ORACLE, OracleEffect
from tests.games.test_solo import GAME, STARTS, TEXTS, check_turn, choices, root, started
from tests.games.walking import Rigged, options
from tests.kernel.scene_walk import Played, play

SIDES = 6
SENTENCE_WORDS_MAX = 25
WALKS = 150
WALK_TURNS_MAX = 30
THRESHOLDS = (6, 4, 3, 2, None)
FACES = (6, 5, 3, 2, 1)
"""For each rung a face that reaches it."""

CHINESE = ("是，而且……", "是，但是……", "否，不过……", "否……", "否，而且……")
GLITCHES, CONDITIONS = "player.glitch_tags", "player.conditions"
FLUSH = Update(Op.SET, GLITCHES, [])
LADDERS = {name: choice.check for name, choice in choices() if isinstance(choice.check, Ladder)}
CHECKS = [name for name, choice in choices() if choice.check is not None]


def pushed(rung: Rung, path: str) -> list[str]:
    return [
        str(update.value) for update in rung.result.updates if (update.op, update.path) == (Op.PUSH, path)
    ]


def test_every_check_is_the_highest_of_a_few_dice_and_has_five_results() -> None:
    assert len(CHECKS) >= 40
    assert list(LADDERS) == CHECKS
    for name, ladder in LADDERS.items():
        assert ladder.roll in ("d6", "2d6kh1", "3d6kh1"), name
        assert tuple(rung.at_least for rung in ladder.rungs) == THRESHOLDS, name
        assert [rung.success for rung in ladder.rungs] == [True, True, False, False, False], name


@pytest.mark.parametrize("name", LADDERS)
def test_a_result_has_the_word_and_the_effects_that_the_oracle_gives_it(name: str) -> None:
    for face, rung, chinese in zip(FACES, LADDERS[name].rungs, CHINESE, strict=True):
        answer = DEFAULT_ORACLE.read(face)
        assert TEXTS["en"].get(rung.word) == answer.word
        assert TEXTS["zh-CN"].get(rung.word) == chinese
        assert len(pushed(rung, GLITCHES)) == (OracleEffect.ADD_GLITCH in answer.effects)
        assert len(pushed(rung, CONDITIONS)) == (OracleEffect.CONDITION in answer.effects)
        if OracleEffect.REMOVE_GLITCH not in answer.effects:
            assert (FLUSH in rung.result.updates) is (OracleEffect.FLUSH in answer.effects)


@pytest.mark.parametrize("name", LADDERS)
def test_what_a_result_leaves_behind_has_a_chinese_name(name: str) -> None:
    texts = TEXTS["zh-CN"]
    for rung in LADDERS[name].rungs:
        for path in (GLITCHES, CONDITIONS, "scene.positive_tags"):
            for tag in pushed(rung, path):
                assert texts.value(path, tag) != tag, f"{path}: {tag}"


@pytest.mark.parametrize("name", LADDERS)
def test_the_best_and_the_third_answer_are_told_in_one_breath(name: str) -> None:
    best, _, third, *_ = LADDERS[name].rungs
    for rung in (best, third):
        assert 1 <= len(TEXTS["en"].get(rung.result.text).split()) <= SENTENCE_WORDS_MAX
        assert TEXTS["zh-CN"].find(rung.result.text)
        assert TEXTS["zh-CN"].get(rung.result.text) != TEXTS["en"].get(rung.result.text)


def try_rungs(turn: Played, reached: Counter[tuple[str, int]]) -> None:
    """Take every result that can be had here and has not been seen."""
    scene = current_scene(GAME, turn.position)
    for choice in offered(scene, turn.position) if scene is not None else ():
        if not isinstance(choice.check, Ladder):
            continue
        name = f"scene.{scene.id}.{choice.id}" if scene is not None else ""
        for number, face in enumerate(FACES):
            if (name, number) not in reached:
                after = play(GAME, turn.position, choice.id, Rigged(face / SIDES))
                assert after.roll is not None
                assert choice.check.reached(after.roll.total) is choice.check.rungs[number]
                check_turn(after)
                reached[name, number] += 1


@pytest.mark.slow
def test_every_result_of_every_check_is_reached_in_play() -> None:
    wanted = {(name, number) for name in LADDERS for number in range(len(FACES))}
    reached: Counter[tuple[str, int]] = Counter()
    for start in STARTS:
        for seed in range(WALKS):
            if all(result in reached for result in wanted if result[0].startswith(f"scene.{STARTS[start]}")):
                break
            print(f"{start}, seed {seed}")
            choose = random.Random(seed)
            turn = started(start)
            for _ in range(WALK_TURNS_MAX):
                try_rungs(turn, reached)
                found = options(GAME, turn.position)
                if not found:
                    break
                turn = play(
                    GAME, turn.position, choose.choice(found), Rigged(choose.randint(1, SIDES) / SIDES)
                )
    assert wanted - set(reached) == set()


def test_a_six_costs_nothing_and_takes_the_one_glitch_away() -> None:
    clean = play(GAME, started("frontier").position, "drag", Rigged(True))
    assert root(clean.position, "player")["glitch_tags"] == []
    wet = play(GAME, started("frontier").position, "drag", Rigged(4 / SIDES))
    at_hole = play(GAME, wet.position, "foot", Rigged(True))
    assert root(at_hole.position, "player")["glitch_tags"] == ["boots full of water"]
    dry = play(GAME, at_hole.position, "pin_2", Rigged(True))
    assert root(dry.position, "player")["glitch_tags"] == []


@pytest.mark.parametrize(
    ("face", "glitches", "conditions"),
    [
        (5, ["boots full of water", "chain left in the hole"], []),
        (3, ["boots full of water"], []),
        (2, [], []),
        (1, [], ["wrenched shoulder"]),
    ],
)
def test_a_lower_die_does_what_the_oracle_says(face: int, glitches: list[str], conditions: list[str]) -> None:
    wet = play(GAME, started("frontier").position, "drag", Rigged(4 / SIDES))
    at_hole = play(GAME, wet.position, "foot", Rigged(True))
    player = root(play(GAME, at_hole.position, "pin_2", Rigged(face / SIDES)).position, "player")
    assert (player["glitch_tags"], player["conditions"]) == (glitches, conditions)
