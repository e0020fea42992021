"""Rebuilding: what was asked in a turn, made anew from the record, byte for byte."""

import asyncio
from dataclasses import replace

import pytest

from talewright.chronicle.records import MAIN
from talewright.common.json_values import Json
from talewright.kernel.game import ChanceRules, FateKind
from talewright.kernel.memory_rules import MemoryRules
from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.requests import Request
from talewright.prompt.prompt_assembly import spell_request
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.background.asides import condense
from talewright.turn.fold_cache import FoldCache
from talewright.turn.inputs.player_inputs import AnswerDecision, Choose, Input, Opening, Say
from talewright.turn.memory.past_turns import TRIMMED_SINCE_ENGINE, drop_choices
from talewright.turn.records.prompt_rebuild import NotRebuiltError, look_into, rebuild
from talewright.turn.turn_context import Teller
from tests.turn.making import (
    Bench,
    altered,
    bridge,
    bundle,
    calls,
    cards,
    chapel,
    ferry,
    lay_bench,
    update,
)
from tests.turn.mastering import begin_master

PROFILE = Profile("scripted", context_tokens=64_000)
TRIED = '```json\n{"mechanics": {"skill_used": "perception", "difficulty": 0.2}}\n```'


async def take(
    bench: Bench, given: Input, operation: str, *script: str | ScriptedReply, temperature: float | None = None
) -> list[Request]:
    """A turn that stands; what was asked in it."""
    provider = Scripted(script, profile=PROFILE)
    telling = bench.with_road(teller=Teller(provider, temperature=temperature))
    await telling.commit(given, operation)
    return provider.requests


async def check(bench: Bench, asked: list[Request]) -> None:
    """The newest turn can be rebuilt."""
    rebuilt = await rebuild(bench.with_road(teller=None).road, await bench.head(), PROFILE)
    assert rebuilt is not None
    assert [spell_request(request) for request in rebuilt.requests] == [spell_request(r) for r in asked]
    assert list(rebuilt.requests) == asked
    assert rebuilt.briefing.prompt.messages[:-1] == asked[0].messages[:-1]
    assert not rebuilt.differs


def test_rounds_repairs_and_errands() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        await check(bench, await take(bench, Opening(), "op-0", "He waits."))
        asked = await take(
            bench,
            Say("I pay"),
            "op-1",
            "It is free.",
            calls("", ("pay", {"coins": 99}), ("ask_keeper", {})),
            '"Old Marn"',
            calls("", ("pay", {"coins": 1})),
            "Done.",
            temperature=0.3,
        )
        assert len(asked) == 5
        await check(bench, asked)

    asyncio.run(run())


def test_a_decision_and_its_answer() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits."], opened=True)
        await check(bench, await take(bench, Say("I gamble"), "op-2", calls("", ("gamble", {}))))
        await check(bench, await take(bench, AnswerDecision("gamble", "roll"), "op-3", "It falls."))

    asyncio.run(run())


def test_moves_first_with_odds() -> None:
    async def run() -> None:
        bench = await lay_bench(chapel(), opened=True)
        await check(bench, await take(bench, Say("I listen"), "op-1", TRIED, bundle("It drags.", 1)))
        chinese = bench.with_road(language="zh-CN")
        await check(bench, await take(chinese, Say("再听"), "op-2", "{", TRIED, bundle("It drags.", 2)))

    asyncio.run(run())


def test_dice_that_are_fresh_fall_as_they_fell() -> None:
    async def run() -> None:
        edition = altered(ferry(), chance=ChanceRules(FateKind.FRESH))
        bench = await lay_bench(edition, opened=True)
        await check(bench, await take(bench, Choose("haggle"), "op-1", cards("Hm.")))

    asyncio.run(run())


def test_dice_of_an_imported_turn_are_those_that_were_recorded() -> None:
    async def run() -> None:
        bench = await lay_bench(chapel(), opened=True)
        asked = await take(bench, Say("I listen"), "op-1", TRIED, bundle("It drags.", 1))
        head = await bench.head()
        # The secret from which its dice fell is not here.
        road = bench.with_road(teller=None, folds=FoldCache(b"another")).road
        rebuilt = await rebuild(road, head, PROFILE, imported=True)
        assert rebuilt is not None
        assert list(rebuilt.requests) == asked
        other = await rebuild(road, head, PROFILE)
        assert other is not None
        assert list(other.requests) != asked
        insight = await look_into(road, head, lambda _: PROFILE, imported_through=head.sequence)
        assert insight is not None
        assert list(insight.rebuilt.requests) == asked

    asyncio.run(run())


def test_a_cautioned_input() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        asked = await take(bench, Say("I curse", sure=True), "op-1", cards("Hm."))
        assert "[CARE]" in asked[0].messages[-1].text
        await check(bench, asked)

    asyncio.run(run())


def test_a_turn_that_the_scenes_told_in_the_end() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        busy = ScriptedReply("half", error=ProviderError(Trouble.BUSY, "later"))
        asked = await take(bench, Choose("haggle"), "op-1", "nonsense", busy)
        assert (await bench.recall()).body.told == "scenes"
        await check(bench, asked)

    asyncio.run(run())


def test_long_campaigns_with_cuts_by_model_and_engine() -> None:
    async def run() -> None:
        memory = MemoryRules(summary_every_turns=4, keep_turns=2, window_tokens=1_200, cut_to_tokens=600)
        bench = await lay_bench(altered(ferry(), memory=memory), opened=True)
        long = "".join(
            f"He looks at the water, says nothing, and after {n} breaths something after all. "
            for n in range(5)
        )
        kinds = set()
        turns: list[tuple[str, list[Request]]] = []
        for number in range(24):
            asked = await take(
                bench, Say(f"Words {number}"), f"op-{number}", cards(long, new_facts=[f"fact {number}"])
            )
            turns.append(((await bench.head()).id, asked))
            for cut in (await bench.recall()).body.cuts:
                assert isinstance(cut, dict)
                kinds.add(cut["by"])
            if number > 8:
                spare = Scripted([f"Summary {number}."])
                asking = bench.with_road(teller=Teller(Scripted([], profile=PROFILE), spare))
                await condense(asking.road, MAIN)
        assert kinds == {"model", "engine"}
        for commit, asked in turns:
            rebuilt = await rebuild(bench.road, await bench.book.read(commit), PROFILE)
            assert rebuilt is not None
            assert list(rebuilt.requests) == asked
            assert not rebuilt.differs

    asyncio.run(run())


def test_each_turn_with_the_choices_its_engine_repeated() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        first = cards("He nods.")
        await take(bench, Say("I wave"), "op-1", first)
        await take(bench, Say("I wait"), "op-2", cards("It rains."))
        head = await bench.head()
        shown = []
        for engine in (None, TRIMMED_SINCE_ENGINE - 1, TRIMMED_SINCE_ENGINE):
            body = {**head.body, "engine": engine}
            rebuilt = await rebuild(bench.road, replace(head, body=body), PROFILE)
            assert rebuilt is not None
            (request,) = rebuilt.requests
            shown.append((request.messages[-2].text, "[FORM]" in request.messages[-1].text))
        assert shown == [
            (first.text, False),
            (first.text, False),
            (drop_choices("cards", first.text), True),
        ]

    asyncio.run(run())


def test_each_turn_with_the_game_it_was_played_with() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        old = await take(bench, Opening(), "op-0", "He waits.")
        first = await bench.head()
        bench.library.put(altered(bridge(), "newer", tone="grim"))
        new = await take(
            bench,
            Say("x"),
            "op-1",
            calls("He nods.", ("propose_updates", {"updates": [update("inc", "mood", 1)]})),
        )
        assert "Tone: grim" in new[0].messages[0].text
        bench.library.put(altered(bridge(), "newest", tone="merry"))
        for commit, asked in ((first, old), (await bench.head(), new)):
            rebuilt = await rebuild(bench.road, commit, PROFILE)
            assert rebuilt is not None
            assert list(rebuilt.requests) == asked

    asyncio.run(run())


def test_where_nobody_was_asked_there_is_nothing_to_rebuild() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        assert await rebuild(bench.road, await bench.head(), PROFILE) is None
        other = Profile("other", context_tokens=3_000)
        asked = await take(bench, Say("I wave"), "op", cards("Hm."))
        rebuilt = await rebuild(bench.road, await bench.head(), other)
        # What the model could read stands in the record.
        assert rebuilt is not None
        assert rebuilt.requests[0].messages[0] == asked[0].messages[0]
        assert not rebuilt.differs
        older = await bench.head()
        parts = {name: part for name, part in older.body.items() if name != "circumstances"}
        rebuilt = await rebuild(bench.road, replace(older, body=parts), other)
        # Of older records another model must be named, and what it can read is not what was sent.
        assert rebuilt is not None
        assert rebuilt.requests[0].messages[0] != asked[0].messages[0]
        assert rebuilt.differs

    asyncio.run(run())


def test_a_turn_told_from_outside_was_asked_of_nobody() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        done = await (await begin_master(bench.road, MAIN, Opening(), "op")).finish("He waits.")
        assert done.commit.body["exchanges"]
        assert await rebuild(bench.road, done.commit, PROFILE) is None
        assert await look_into(bench.road, done.commit, Profile) is None

    asyncio.run(run())


def test_a_record_that_ends_too_early() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        asked = await take(bench, Opening(), "op-0", calls("", ("pay", {"coins": 1})), "He waits.")
        head = await bench.head()
        body = {**head.body, "exchanges": list(head.body["exchanges"])[:1]}  # type: ignore[arg-type]
        rebuilt = await rebuild(bench.road, replace(head, body=body), PROFILE)
        assert rebuilt is not None
        assert list(rebuilt.requests) == asked

    asyncio.run(run())


@pytest.mark.parametrize(
    "other", [{"lore": [{"id": "x", "why": "key"}]}, {"cuts": [{"cut": "x"}]}, {"window": {"frozen": "x"}}]
)
def test_a_record_that_speaks_of_another_prompt(other: dict[str, Json]) -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        await take(bench, Say("I wave"), "op", cards("Hm."))
        head = await bench.head()
        rebuilt = await rebuild(bench.road, replace(head, body={**head.body, **other}), PROFILE)
        assert rebuilt is not None
        assert rebuilt.differs

    asyncio.run(run())


def test_an_input_that_does_not_fit_the_record() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        await take(bench, Say("I wave"), "op", cards("Hm."))
        head = await bench.head()
        body = {**head.body, "input": {"kind": "choose", "choice": "fly"}}
        with pytest.raises(NotRebuiltError) as caught:
            await rebuild(bench.road, replace(head, body=body), PROFILE)
        assert (
            caught.value.message
            == "the input of turn 2 is not valid at that point of the story (no_such_choice)"
        )
        assert "talewright verify" in caught.value.hint

    asyncio.run(run())


def test_a_prompt_is_taken_apart_and_set_beside_the_one_before() -> None:
    asked: list[str] = []

    def lookup(name: str) -> Profile:
        asked.append(name)
        return PROFILE

    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        assert await look_into(bench.road, await bench.head(), lookup) is None
        assert asked == []
        await take(bench, Say("I wave"), "op-1", cards("Hm."))
        first = await look_into(bench.road, await bench.head(), lookup)
        assert first is not None
        assert (first.before, first.inspection.difference) == (None, None)
        assert [row.name for row in first.inspection.rows][:3] == ["role", "rules", "parts"]
        assert first.rebuilt.briefing.prompt.messages[0].text.startswith(first.inspection.rows[0].text)
        # A turn that scenes tell in between is passed over.
        await bench.with_road(teller=None).commit(Say("Haggle"), "op-2")
        await take(bench, Say("I wait"), "op-3", cards("Hm."))
        after = await look_into(bench.road, await bench.head(), lookup)
        assert after is not None
        difference = after.inspection.difference
        assert difference is not None
        assert (difference.part, difference.new[:2]) == ("turn 2", ("turn 2", "turn 3"))
        assert (after.before, difference.kept) == (2, True)
        assert set(asked) == {"scripted"}

    asyncio.run(run())
