"""Ordinary prose: passages of the shipped games against what the games hide, and hardly any is stopped."""

import random
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest

from talewright.contract.dialect import AnswerGround
from talewright.contract.dialect_table import DIALECTS
from talewright.contract.text.leak_guard import HiddenTexts, LeakGuard
from talewright.kernel.judging.move_resolution import allowed_tools
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.state import begin
from talewright.kernel.story.game_texts import Texts
from talewright.turn.hidden_texts import gather_hidden_texts
from talewright.turn.steps.briefing import make_frame
from talewright.turn.steps.recalling import Recalled
from talewright.turn.steps.telling import OUTSIDE_TELLER
from tests.plays.stage import load_edition
from tests.turn.test_hidden_texts import past

SEED = 15
PASSAGES = 2_000
STOPPED_MAX = 1
GAMES = tuple(sorted(path.parent.name for path in Path("games").glob("*/game.yaml")))


@cache
def nothing_told() -> Recalled:
    return replace(past(), past=())


def list_passages() -> Iterator[tuple[str, str, str]]:
    """Game, language and text of every paragraph that a player may come to read."""
    for name in GAMES:
        for language, texts in load_edition(f"games/{name}").texts.items():
            for key, text in texts.entries.items():
                if key.split(".")[0] in ("scene", "ending", "finale", "intro", "trigger"):
                    yield from ((name, language, part) for part in text.split("\n\n") if len(part) > 20)


def guard_game(name: str, texts: Texts) -> HiddenTexts:
    """What the storyteller of a game that has just begun must not quote, with the whole of its prompt."""
    game = load_edition(f"games/{name}").game
    position, dialect = begin(game), DIALECTS[game.contract]
    tools = allowed_tools(WorkingState(game, position))
    ground = AnswerGround(game, position, texts.language, tools=tools)
    frame = make_frame(dialect, ground, texts, OUTSIDE_TELLER)
    return gather_hidden_texts(dialect, ground, texts, nothing_told(), "", frame.frozen, frame.tools)


@pytest.mark.slow
def test_ordinary_prose_is_let_through() -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    passages = chance.sample(sorted(set(list_passages())), PASSAGES)
    veils = {
        (name, language): guard_game(name, texts)
        for name in GAMES
        for language, texts in load_edition(f"games/{name}").texts.items()
    }
    stopped = []
    for own, language, text in passages:
        # Against its own game, in which it is public, and against another, in which it is not.
        other = chance.choice([name for name in GAMES if name != own])
        for name in (own, other):
            guard = LeakGuard(veils[name, language])
            told = guard.feed(text) + guard.finish()
            if guard.leaked:
                stopped.append((name, own, text[len(told) :][:80]))
            else:
                assert told == text
    print(stopped)
    assert len(stopped) <= STOPPED_MAX, stopped


def test_the_same_guards_stop_what_the_games_hide() -> None:
    for name in GAMES:
        edition = load_edition(f"games/{name}")
        for texts in edition.texts.values():
            veil = guard_game(name, texts)
            secrets = [texts.find(f"npc.{person.id}.secret") for person in edition.game.people]
            # What a scene says in the same words is public, and what is very short is not guarded.
            guarded = [text for text in secrets if veil.covers([text])]
            assert len(guarded) >= len([text for text in secrets if text]) - 2, secrets
