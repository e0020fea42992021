"""Simulation prompts: what a model reads of a scene is what those in it know, in both languages."""

import random
from dataclasses import replace
from typing import Any

import pytest

from talewright.kernel.story.game_texts import Texts
from talewright.systems.world.authored.world_files import FACTS
from talewright.systems.world.offscreen.simulated_scenes import find_scene
from talewright.systems.world.offscreen.simulation_prompt import ask_simulation
from talewright.systems.world.people.knowledge import knowledge_of, voice_prompt
from talewright.systems.world.time_words import world_phrases_in
from tests.sweep.minds import CANARY, alter
from tests.systems.world.making import WORLD, Play
from tests.systems.world.offscreen.told_life import FILES, ask, person, start
from tests.systems.world.random_worlds import (
    Deed,
    Files,
    answer_life,
    carry_out,
    make_deeds,
    make_files,
    make_world_game,
)

DIG = {"id": "dig", "goal": "dig a hole", "segments": 8, "every_hours": 1}
WORLDS = 12

FULL = """\
You are simulating a conversation between Ada, Bea at Inn. Nobody else takes part. Each of them knows only \
what is listed for them:
- Ada: A smith.
  Ada wants: sleep.
  Knows: [news] The bridge fell.
  Feelings from -100 to 100: Bea 95.
- Bea: A nurse.
Place: Inn. It smokes.
Time: morning, about 9:15
Unresolved: Ada wants to dig a hole."""


def asked(ticks: int, **changed: Any) -> str:
    play = start(**changed)
    play.wait(ticks)
    return ask(play).question


def test_a_conversation_is_asked_for_with_the_exchanges_of_the_original_design() -> None:
    people = [person("ada", agendas=[DIG]), person("bea"), person("cid")]
    question = asked(15, people=people)
    assert question.startswith(FULL)
    assert "about 7 exchanges" in question
    # Next door, and where they belong; hidden places and those far off are not offered.
    assert "to one of: Yard." in question
    assert "about 8 exchanges" in asked(400, people=people)


def test_what_somebody_would_keep_from_one_of_them_is_not_there() -> None:
    assert "Ada broke it" not in asked(30)
    fond = [person("ada", relationships={"bea": 99}), person("bea"), person("cid")]
    assert "[secret] Ada broke it" in asked(30, people=fond)
    # Somebody else stands by.
    crowd = [*fond[:2], person("cid", at="inn")]
    assert "Ada broke it" not in asked(30, people=crowd)
    both = [person("ada"), person("bea", knows=["secret"])]
    assert "[secret] Ada broke it" in asked(30, people=both)


def test_nobody_talks_about_people_to_their_faces() -> None:
    facts = [{**row, "about": ["bea"]} if row["id"] == "news" else row for row in FILES[FACTS]]
    assert "[news]" in asked(30)
    assert "[news]" not in asked(30, facts=facts)
    knowing = [person("ada"), person("bea", knows=["news"]), person("cid")]
    assert "[news]" not in asked(30, facts=facts, people=knowing)
    assert "[news]" in asked(30, facts=facts, people=[person("ada"), person("cid", at="inn")])


def test_a_summary_is_asked_for_in_one_or_two_sentences() -> None:
    question = asked(15)
    assert question.startswith("Summarise what likely happened between Ada, Bea at Inn in 75 minutes.")
    assert "one or two sentences" in question
    assert "dialogue" not in question


def test_the_scenario_is_described_and_only_those_there_are_to_be_named() -> None:
    play = start()
    play.wait(30)
    texts = Texts("en", {"description": "A bridge fell.\nNobody  knows why."})
    (errand,) = WORLD.errands(replace(play.sight, texts=texts), ())
    assert "\nScenario: A bridge fell. Nobody knows why.\nPlace: Inn." in errand.question
    assert "who witnessed it; name nobody else." in errand.question
    assert "Scenario" not in ask(play).question
    assert "Name nobody else." in asked(15)


def test_somebody_alone_is_voiced_by_their_own_knowledge_alone() -> None:
    play = start(people=[person("ada"), person("cid", agendas=[DIG])])
    play.wait(30)
    question, state = ask(play).question, play.state
    assert question.startswith(voice_prompt(state, state.people["cid"], world_phrases_in("en")))
    assert "Ada" not in question
    assert question.endswith(
        "Cid was alone here for 150 minutes. Say in one or two sentences what Cid did, in the third person, "
        "and name nobody else. Be specific and concise, and invent nothing drastic."
    )


def test_it_is_asked_in_chinese() -> None:
    play = start(people=[person("ada", agendas=[DIG]), person("bea")])
    play.wait(15)
    scene = find_scene(play.state)
    assert scene is not None
    question = ask_simulation(play.state, scene, world_phrases_in("zh-CN")).question
    assert question.startswith("请模拟Ada、Bea在Inn的一次谈话。")
    assert "尚未了结：Ada想要dig a hole。" in question
    assert "大约 7 个来回" in question


def test_nothing_says_where_the_player_is() -> None:
    plays = [start() for _ in range(2)]
    for play, place in zip(plays, ("yard", "far"), strict=True):
        if place != "far":
            play.go(place)
        play.wait(45 - play.state.tick)
    assert [play.state.at for play in plays] == ["yard", "far"]
    assert ask(plays[0]).question == ask(plays[1]).question


def questions(
    files: Files, deeds: list[Deed], secret: bytes
) -> tuple[list[tuple[str, tuple[str, ...]]], Play]:
    """What is asked after each deed, and about whom."""
    play = Play(make_world_game(files), seed=secret)
    found = []
    for number, deed in enumerate(deeds):
        carry_out(play, deed)
        scene = find_scene(play.state)
        if scene is not None:
            found.append((ask_simulation(play.state, scene, world_phrases_in("en")).question, scene.people))
            answer_life(play, random.Random(number))
    return found, play


@pytest.mark.slow
def test_a_fact_that_nobody_there_can_know_changes_nothing_that_is_asked() -> None:
    same = heard = 0
    for number in range(WORLDS):
        chance = random.Random(f"questions {number}")
        files = make_files(chance)
        deeds = make_deeds(chance, files, 15)
        secret = chance.randbytes(8)
        before, play = questions(files, deeds, secret)
        for name in [*play.state.world.facts, *play.state.part("facts")]:
            fact = play.state.fact(name)
            if fact is None or not fact.text:
                continue
            after, other = questions(*alter(files, deeds, name, fact.text), secret)
            assert [people for _, people in before] == [people for _, people in after], f"world {number}"
            for (plain, people), (altered, _) in zip(before, after, strict=True):
                if any(name in knowledge_of(other.state, one) for one in people):
                    heard += CANARY in altered
                else:
                    assert plain == altered, f"world {number}, {name}"
                    assert CANARY not in altered
                    same += 1
    assert same > 100
    assert heard > 20
