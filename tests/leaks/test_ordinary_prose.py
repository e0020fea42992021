"""Ordinary prose: passages of the shipped games against what the games hide, and hardly any is stopped."""

import random

import pytest

from talewright.contract.text.leak_guard import LeakGuard
from tests.plays.stage import load_edition
from tests.sweep.ordinary_replies import FULL_COUNT, GAMES, find_alarm, guard_reply, list_public, run

SEED = 15
PASSAGES = 2_000
STOPPED_MAX = 1


@pytest.mark.slow
def test_ordinary_prose_is_let_through() -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    languages = [(name, language) for name in GAMES for language in load_edition(f"games/{name}").texts]
    veils = {place: guard_reply(*place, []) for place in languages}
    every = {(*place, text) for place in languages for text in list_public(*place) if len(text) > 20}
    stopped = []
    for own, language, text in chance.sample(sorted(every), PASSAGES):
        # Against another game, in which it is not public.
        name = chance.choice([name for name in GAMES if name != own])
        guard = LeakGuard(veils[name, language])
        told = guard.feed(text) + guard.finish()
        if guard.leaked:
            stopped.append((name, own, text[len(told) :][:80]))
        else:
            assert told == text
    print(stopped)
    assert len(stopped) <= STOPPED_MAX, stopped


@pytest.mark.parametrize("name", GAMES)
def test_all_that_is_public_in_a_game_may_be_quoted_there(name: str) -> None:
    for language in load_edition(f"games/{name}").texts:
        veil, passages = guard_reply(name, language, []), list_public(name, language)
        assert len(passages) > 50
        assert [text for text in passages if veil.covers([text])] == []


def test_the_same_guards_stop_what_the_games_hide() -> None:
    for name in GAMES:
        edition = load_edition(f"games/{name}")
        for language, texts in edition.texts.items():
            veil = guard_reply(name, language, [])
            secrets = [texts.find(f"npc.{person.id}.secret") for person in edition.game.people]
            # What a scene says in the same words is public, and what is very short is not guarded.
            guarded = [text for text in secrets if veil.covers([text])]
            assert len(guarded) >= len([text for text in secrets if text]) - 2, secrets


@pytest.mark.slow
def test_ordinary_replies_are_let_through_after_others() -> None:
    print(f"seed {SEED}")
    assert run(FULL_COUNT // 100, SEED) == FULL_COUNT // 100


def test_the_guards_of_ordinary_replies_stop_what_is_hidden() -> None:
    secret = "It was she who opened the door to the grey raincoat."
    veil = guard_reply("mist_harbor", "en", [f"Rain. {secret[:20]}", f"Fog. {secret[20:40]}"])
    assert find_alarm(veil, f"Well! {secret}", 7) == secret
    assert find_alarm(veil, f"And: {secret[30:]}", 7)
    assert not find_alarm(guard_reply("mist_harbor", "en", []), f"And: {secret[34:]}", 7)
