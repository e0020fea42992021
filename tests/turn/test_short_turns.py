"""Turns of a slow model: short prompts, answers held to a grammar, all made again from the record."""

import asyncio
from dataclasses import replace

import pytest

from talewright.kernel.judging.moves import Call
from talewright.kernel.judging.rulings import Grade, Granted, Refused
from talewright.kernel.memory_rules import MemoryRules
from talewright.llm.known_models import find_profile
from talewright.llm.model_fit import fit_to_speed
from talewright.llm.profiles import Profile
from talewright.llm.requests import AssistantMessage, Request
from talewright.llm.token_estimate import estimate_request
from talewright.prompt.prompt_assembly import spell_request
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.background.asides import condense
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import Choose, Opening, Say
from talewright.turn.records.commit_body import MODEL, SCENES, read_body
from talewright.turn.records.prompt_rebuild import rebuild
from talewright.turn.steps.telling import show_ruling, show_shortly
from tests.contract.grammar_samples import GrammarSamples
from tests.turn.making import Bench, altered, bridge, chapel, ferry, lay_bench, play_edition

SEED = 20261117
SLOW = fit_to_speed(
    replace(
        find_profile("small", service="llama_cpp"),
        takes_grammar=True,
        read_tokens_per_second=40.0,
        write_tokens_per_second=14.0,
    )
)
ROUNDS_TOKENS = 300
"""What the second ask of a turn may add to its prompt."""


def write_anything(request: Request) -> ScriptedReply:
    """A model that writes whatever its grammar allows; it is never the same twice."""
    assert request.answer_grammar
    return ScriptedReply(GrammarSamples(request.answer_grammar, SEED + len(request.messages)).draw())


async def play(edition: Edition, profile: Profile, turns: int) -> tuple[Bench, Scripted]:
    provider = Scripted(write_anything, profile=profile)
    bench = await lay_bench(edition, provider=provider)
    await bench.commit(Opening(), "opening")
    for number in range(turns):
        body = await bench.commit(Say(f"I look around, for the {number + 1}. time."), f"op-{number}")
        if body.end is not None:
            break
        assert body.told == MODEL
        assert not any("mend" in exchange for exchange in body.exchanges if isinstance(exchange, dict))
        rebuilt = await rebuild(bench.with_road(teller=None).road, await bench.head(), Profile("small"))
        assert rebuilt is not None
        asked = provider.requests[-len(rebuilt.requests) :]
        assert [spell_request(one) for one in rebuilt.requests] == [spell_request(one) for one in asked]
        assert list(rebuilt.requests) == asked
        assert not rebuilt.differs
    return bench, provider


@pytest.mark.parametrize("game", ["games/lantern_road", "games/chapel_watch"])
def test_every_turn_is_told_within_the_limit(game: str) -> None:
    async def run() -> None:
        _, provider = await play(play_edition(game), SLOW, 8)
        assert SLOW.prompt_tokens_max is not None
        for request in provider.requests:
            told = estimate_request(replace(request, answer_schema=None))
            assert told <= SLOW.prompt_tokens_max + ROUNDS_TOKENS
            assert request.max_output_tokens == SLOW.output_tokens_max

    asyncio.run(run())


@pytest.mark.parametrize("game", ["games/lantern_road", "games/chapel_watch"])
def test_the_author_offers_the_choices_where_a_scene_has_some(game: str) -> None:
    async def run() -> None:
        bench, provider = await play(play_edition(game), SLOW, 2)
        assert not any("choices" in one.answer_grammar for one in provider.requests)
        assert not any("next_actions" in one.answer_grammar for one in provider.requests)
        choices = read_body((await bench.head()).body).choices
        assert {choice.source for choice in choices} == {SCENES}

    asyncio.run(run())


def test_past_turns_are_told_as_prose() -> None:
    async def run() -> None:
        _, provider = await play(ferry(), SLOW, 3)
        past = [one.text for one in provider.requests[-1].messages if isinstance(one, AssistantMessage)]
        assert past
        assert not any("{" in text for text in past)

    asyncio.run(run())


def test_the_second_ask_is_told_only_what_came_of_the_attempt() -> None:
    async def run() -> None:
        provider = Scripted(
            [
                '```json\n{"mechanics": {"skill_used": "perception", "difficulty": "easy"}}\n```',
                'You wait.\n```json\n{"patch": [], "next_actions": ["Wait", "Go"]}\n```',
            ],
            profile=SLOW,
        )
        bench = await lay_bench(chapel(), provider=provider)
        await bench.commit(Opening(), "opening")
        await bench.commit(Say("I listen."), "op")
        told = provider.requests[1].messages[-1].text
        assert '"outcome"' in told
        assert '"changes"' not in told

    asyncio.run(run())


def test_a_ruling_without_a_result_is_told_as_ever() -> None:
    game = chapel().game
    ruling = Refused(Call("attempt", {}, "c1"), Grade.MEND, "no such skill")
    assert show_shortly(game, ruling) == show_ruling(game, ruling)
    granted = Granted(Call("attempt", {}, "c1"), ())
    assert show_shortly(game, granted) == show_ruling(game, granted)


def test_free_prose_has_a_limit_of_its_own() -> None:
    async def run() -> None:
        provider = Scripted(["He waits.", "He nods."], profile=SLOW)
        bench = await lay_bench(bridge(), provider=provider)
        await bench.commit(Opening(), "opening")
        assert provider.requests[0].max_output_tokens == 160
        assert provider.requests[0].answer_grammar == ""

    asyncio.run(run())


def test_a_slow_model_is_not_asked_for_summaries() -> None:
    async def run() -> None:
        edition = altered(
            ferry(), memory=MemoryRules(window_tokens=200, cut_to_tokens=100, summary_every_turns=2)
        )
        bench, provider = await play(edition, SLOW, 4)
        before = len(provider.requests)
        assert await condense(bench.road, "main") == 0
        assert len(provider.requests) == before

    asyncio.run(run())


def test_a_choice_of_the_author_leaves_nothing_to_change_and_words_do() -> None:
    async def run() -> None:
        provider = Scripted(write_anything, profile=SLOW)
        bench = await lay_bench(play_edition("games/lantern_road"), provider=provider)
        body = await bench.commit(Opening(), "opening")
        await bench.commit(Choose(body.choices[0].id), "chosen")
        assert "update ::=" not in provider.requests[-1].answer_grammar
        await bench.commit(Say("I sing to the river."), "said")
        assert "update ::=" in provider.requests[-1].answer_grammar

    asyncio.run(run())


def test_a_slow_model_is_asked_once_about_a_choice_of_the_author() -> None:
    async def run() -> None:
        provider = Scripted(write_anything, profile=SLOW)
        bench = await lay_bench(chapel(), provider=provider)
        body = await bench.commit(Opening(), "opening")
        await bench.commit(Choose(body.choices[0].id), "chosen")
        assert len(provider.requests) == 1
        await bench.commit(Say("I listen at the wall."), "said")
        assert len(provider.requests) == 3

    asyncio.run(run())
