"""Telling: what storyteller and player are told of skills, steps and attempts, in both languages."""

from dataclasses import fields, replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.panel_parts import Lines, Meter
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import advance
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.system import NoteAudience, PastTurn, Sight
from talewright.systems.odds.odds_attempts import SLOTS
from talewright.systems.odds.odds_phrases import CHINESE, ENGLISH, OddsPhrases, odds_phrases_in
from talewright.systems.odds.panels import heading_of
from tests.kernel.making import make_game, make_layout
from tests.systems.odds.making import GAME, ODDS, sight, take

FAILED = take(4_201, skill="stealth", difficulty="hard", stakes="the gate")
BLOCKED = take(skill="stealth", difficulty="hopeless")


def test_the_storyteller_knows_skills_steps_and_the_rule() -> None:
    skills, steps, rule = (note.text for note in ODDS.notes(sight()))
    assert skills == "Skills: stealth 14, perception 30, Prayer -3."
    assert steps == "Difficulties: easy 0.2, hard 0.6 (somebody listens), hopeless blocked."
    assert "p = clamp(0.5 + skill/50 - difficulty, 0.05, 0.95)" in rule
    assert {note.ear for note in ODDS.notes(sight())} == {NoteAudience.NARRATOR}


def test_the_result_of_this_turn_stands_and_an_earlier_one_is_past() -> None:
    *_, now = ODDS.notes(sight(FAILED.position))
    assert now.text == (
        "In this turn: stealth 14 against hard: p 0.18, rand 0.42, fail. At stake: the gate. "
        'This stands; tell it so. mechanics: {"skill_used": "stealth", "skill_value": 14, '
        '"difficulty": 0.6, "rand": 0.42, "p": 0.18, "outcome": "fail"}'
    )
    *_, past = ODDS.notes(sight(advance(FAILED.position)))
    assert past.text == "Last attempt: stealth 14 against hard: p 0.18, rand 0.42, fail. At stake: the gate."
    assert past.ear is NoteAudience.EVERYONE
    *_, blocked = ODDS.notes(sight(BLOCKED.position))
    assert "blocked, nothing was drawn." in blocked.text
    assert '"difficulty": null, "rand": null, "p": 0, "outcome": "blocked"' in blocked.text


def test_the_player_sees_skills_and_the_last_attempt() -> None:
    (panel,) = ODDS.panels(sight())
    meters = (Meter("stealth", 14, 50), Meter("perception", 30, 50), Meter("Prayer", -3, 50))
    assert (panel.id, panel.title, panel.parts) == ("odds", "Odds", meters)
    (panel,) = ODDS.panels(sight(FAILED.position))
    line = "stealth 14 against hard: 18% chance, 42 drawn, fail. At stake: the gate."
    assert panel.parts == (*meters, Lines("Last attempt", (line,)))
    (panel,) = ODDS.panels(replace(sight(FAILED.position), language="zh-CN"))
    assert panel.title == "胜算"
    assert panel.parts[-1] == Lines(
        "上一次尝试", ("stealth 14 对 hard：成功率 18%，抽到 42，失败。赌注：the gate。",)
    )
    (panel,) = ODDS.panels(sight(BLOCKED.position))
    assert panel.parts[-1] == Lines(
        "Last attempt", ("stealth 14 against hopeless: blocked, nothing was drawn.",)
    )


def test_the_player_reads_the_words_of_the_author() -> None:
    words = {
        "variable.player.skills.stealth": "潜行",
        "value.odds.last.difficulty.hard": "很难",
        "value.odds.last.stakes.the gate": "那道门",
    }
    texts = Texts("zh-CN", words)
    (panel,) = ODDS.panels(replace(sight(FAILED.position), language="zh-CN", texts=texts))
    assert panel.parts[0] == Meter("潜行", 14, 50)
    line = "潜行 14 对 很难：成功率 18%，抽到 42，失败。赌注：那道门。"
    assert panel.parts[-1] == Lines("上一次尝试", (line,))


def test_a_game_without_skills_has_nothing_to_show() -> None:
    layout = make_layout(SLOTS)
    document = layout.defaults()
    bare = Sight(document, 1)
    assert ODDS.panels(bare) == ()
    assert ODDS.notes(bare)[0].text.startswith("Difficulties: easy 0.2, moderate 0.4")
    assert make_game(layout, systems=[ODDS]).tools == {"attempt": ODDS}


def test_what_is_no_whole_number_is_no_skill() -> None:
    document: dict[str, Json] = {
        **GAME.initial,
        "player": {"skills": {"a": 1, "b": True, "c": 0.5, "d": "x"}},
    }
    (panel,) = ODDS.panels(Sight(document, 1))
    assert panel.parts == (Meter("a", 1, 50),)


def test_a_turn_is_headed_by_what_was_tried_last_in_it() -> None:
    turn = PastTurn(1, "sneak", "You wait.", FAILED.changes)
    assert ODDS.heading(turn, sight()) == "stealth against hard: fail"
    assert heading_of(turn, CHINESE) == "stealth 对 hard：失败"
    second = take(1, position=FAILED.position, skill="perception", difficulty="easy")
    both = PastTurn(1, "sneak", "You wait.", FAILED.changes + second.changes)
    assert ODDS.heading(both, sight()) == "perception against easy: success"
    assert ODDS.heading(PastTurn(1, "wait", "You wait."), sight()) == ""
    assert ODDS.heading(PastTurn(1, "wait", "You wait.", FAILED.changes[1:2]), sight()) == ""
    cleared = Change("replace", "/odds/tried", [], [], "", "import")
    assert ODDS.heading(PastTurn(1, "wait", "You wait.", (cleared,)), sight()) == ""


@pytest.mark.parametrize(
    ("language", "words"), [("zh-CN", CHINESE), ("zh", CHINESE), ("en", ENGLISH), ("fr", ENGLISH)]
)
def test_a_language_has_its_words(language: str, words: OddsPhrases) -> None:
    assert odds_phrases_in(language) is words
    assert ODDS.notes(replace(sight(), language=language))[-1].text == words.rule


def test_both_languages_fill_in_the_same_things() -> None:
    for field in fields(OddsPhrases):
        one, other = getattr(ENGLISH, field.name), getattr(CHINESE, field.name)
        if isinstance(one, str):
            for name in ("skills", "steps", "attempt", "mechanics", "skill", "value", "difficulty", "drawn"):
                assert (f"{{{name}}}" in one) is (f"{{{name}}}" in other), field.name
