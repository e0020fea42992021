"""Dissecting: what the model was given, what it said, what the rules made of it, and what it cost."""

import asyncio
from collections.abc import Mapping
from dataclasses import replace

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.kernel.memory_rules import MemoryRules
from talewright.llm.model_fit import fit_to_speed
from talewright.llm.profiles import Prices, Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Usage
from talewright.play.campaign_view import Viewer
from talewright.play.history.turn_inspection import (
    InspectedCut,
    InspectedRuling,
    InspectedTurn,
    ToolUse,
    take_apart,
)
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.inputs.player_inputs import Choose, Input, Opening, Say
from talewright.turn.turn_context import Teller
from tests.turn.making import Bench, altered, bridge, calls, cards, ferry, lay_bench, update

PROFILE = Profile("scripted", context_tokens=64_000, prices=Prices(1.0, 10.0, 0.5))


async def take(bench: Bench, given: Input, operation: str, *script: str | ScriptedReply) -> Commit:
    """A turn that stands."""
    telling = bench.with_road(teller=Teller(Scripted(script, profile=PROFILE)))
    await telling.commit(given, operation)
    return await bench.head()


async def dissect(bench: Bench, commit: Commit | None = None, profile: Profile = PROFILE) -> InspectedTurn:
    made = commit or await bench.head()
    anatomy = await take_apart(bench.book, bench.library, made, Viewer.AUTHOR, lambda name: profile)
    assert anatomy is not None
    return anatomy


def test_only_those_who_see_everything_are_given_one() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        head = await bench.head()
        for viewer in (Viewer.PLAYER, Viewer.MASTER):
            assert await take_apart(bench.book, bench.library, head, viewer, lambda name: PROFILE) is None
        operator = await take_apart(bench.book, bench.library, head, Viewer.OPERATOR, lambda name: PROFILE)
        assert operator is not None

    asyncio.run(run())


def test_a_turn_that_scenes_told_has_rulings_and_no_prompt() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        anatomy = await dissect(bench)
        assert (anatomy.version, anatomy.commit, anatomy.told) == (1, (await bench.head()).id, "scenes")
        assert (anatomy.prompt, anatomy.unbuilt, anatomy.cuts, anatomy.asks) == (None, "", (), ())
        assert (anatomy.cost.dollars, anatomy.broken) == (0.0, None)
        root = (await bench.book.back((await bench.head()).id, 9))[-1]
        assert (await dissect(bench, root)).rulings == ()

    asyncio.run(run())


def test_the_prompt_by_its_parts_with_lore_and_where_it_is_new() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        await take(bench, Say("I wave"), "op-1", cards("Hm."))
        await take(bench, Say("I wait"), "op-2", cards("Hm."))
        given = (await dissect(bench)).prompt
        assert given is not None
        assert (given.before, given.differs) == (2, False)
        rows = {row.name: row for row in given.inspection.rows}
        assert rows["role"].weight is None
        assert rows["state"].weight == 10
        assert "I wait" in rows["asked"].text
        assert given.inspection.tokens == sum(row.tokens for row in rows.values())
        difference = given.inspection.difference
        assert difference is not None
        assert (difference.part, difference.kept) == ("turn 2", True)
        # What the model could read then stands in the record, whatever is known of it today.
        small = replace(PROFILE, context_tokens=3_000)
        other = (await dissect(bench, profile=small)).prompt
        assert other is not None
        assert not other.differs

    asyncio.run(run())


def test_asks_with_raw_replies_flaws_and_repairs() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        wrong, right = update("dec", "coinz", 1), update("dec", "coins", 1)
        first = replace(cards("He nods.", wrong), usage=Usage(900, 50, 300))
        await take(bench, Say("I pay"), "op-1", first, replace(cards("", right), usage=Usage(1000, 20, 800)))
        anatomy = await dissect(bench)
        tell, repair = anatomy.asks
        assert (tell.purpose, tell.model, tell.stop, tell.reply) == ("tell", "scripted", "end", first.text)
        assert (tell.usage, tell.flaws, tell.updates_only) == (Usage(900, 50, 300), (), False)
        assert len(tell.mends) == 1
        assert tell.mends[0].startswith("coinz: ")
        assert (repair.purpose, repair.mends, repair.updates_only) == ("repair", (), True)
        assert anatomy.rulings[-1] == InspectedRuling(
            "granted", "dec coins 1", "because", "", ("coins 5 -> 4",)
        )
        cost = anatomy.cost
        assert (cost.uncached_tokens, cost.cached_tokens, cost.output_tokens) == (800, 1100, 70)
        assert cost.dollars is not None
        assert abs(cost.dollars - (800 + 1100 * 0.5 + 70 * 10) / 1e6) < 1e-12

    asyncio.run(run())


def test_rounds_with_their_calls_and_what_was_refused() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge())
        await take(bench, Opening(), "op-0", "He waits.")
        script = (calls("", ("pay", {"coins": 99}), ("pay", {"coins": 1})), "Done.")
        await take(bench, Say("I pay"), "op-1", *script)
        anatomy = await dissect(bench)
        first, second = anatomy.asks[0].tools
        assert (first.name, first.arguments, first.refused) == ("pay", '{"coins": 99}', True)
        assert first.result.startswith('{"error": ')
        assert isinstance(second, ToolUse)
        assert (second.refused, second.result.startswith('{"result": ')) == (False, True)
        refused = next(one for one in anatomy.rulings if one.ruling == "refused")
        assert (refused.move, refused.grade != "", refused.reason != "") == ('pay {"coins": 99}', True, True)
        granted = next(one for one in anatomy.rulings if one.ruling == "granted")
        assert granted.changes != ()

    asyncio.run(run())


def test_a_call_that_waits_for_the_player() -> None:
    async def run() -> None:
        bench = await lay_bench(bridge(), ["He waits."], opened=True)
        await take(bench, Say("I gamble"), "op-2", calls("", ("gamble", {})))
        (waiting,) = (one for one in (await dissect(bench)).rulings if one.ruling == "waiting")
        assert (waiting.move, waiting.reason) == ("gamble {}", "waits for gamble")

    asyncio.run(run())


def test_an_end_that_was_refused() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        head = await bench.head()
        ruling: Json = {
            "ruling": "refused",
            "grade": "drop",
            "reason": "not yet",
            "move": {"end": "drowned", "reason": "the sea"},
        }
        anatomy = await dissect(bench, replace(head, body={**head.body, "rulings": [ruling]}))
        assert anatomy.rulings == (InspectedRuling("refused", "end drowned", "not yet", "drop"),)

    asyncio.run(run())


def test_trouble_before_the_scenes_told_it() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        busy = ScriptedReply("half", error=ProviderError(Trouble.BUSY, "later"))
        await take(bench, Choose("haggle"), "op-1", "nonsense", busy)
        anatomy = await dissect(bench)
        assert (anatomy.told, [ask.trouble for ask in anatomy.asks]) == ("scenes", ["", "busy: later"])
        assert anatomy.asks[0].flaws == anatomy.asks[0].mends
        assert anatomy.prompt is not None
        assert (anatomy.prompt.differs, anatomy.cuts) == (False, ())

    asyncio.run(run())


def test_cuts_of_the_window_of_sections_and_of_what_is_frozen() -> None:
    async def run() -> None:
        memory = MemoryRules(summary_every_turns=4, keep_turns=2, window_tokens=1_800, cut_to_tokens=600)
        bench = await lay_bench(altered(ferry(), memory=memory), opened=True)
        long = "".join(
            f"He looks at the water, says nothing, and after {n} breaths something after all. "
            for n in range(5)
        )
        found = None
        for number in range(12):
            await take(bench, Say(f"Words {number}"), f"op-{number}", cards(long))
            anatomy = await dissect(bench)
            assert anatomy.prompt is not None
            difference = anatomy.prompt.inspection.difference
            assert difference is None or difference.kept is not bool(anatomy.cuts)
            found = found or next(iter(anatomy.cuts), None)
        assert found is not None
        assert (found.name, found.tokens) == ("window", None)
        assert found.why.startswith("turns 1 to ")
        assert found.why.endswith(" were condensed by the engine")
        # A cut as a later version might write it, and one of a section.
        head = await bench.head()
        cuts: list[Json] = [{"cut": "frozen", "why": "model"}, {"cut": "near", "tokens": 60}]
        body = {**head.body, "cuts": cuts}
        anatomy = await dissect(bench, replace(head, body=body))
        assert anatomy.cuts == (InspectedCut("frozen", None, "model"), InspectedCut("near", 60))

    asyncio.run(run())


def test_a_prefix_that_the_provider_read_again() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        await take(bench, Say("I wave"), "op-1", replace(cards("Hm."), usage=Usage(9000, 50, 8000)))
        assert (await dissect(bench)).broken is None
        await bench.with_road(teller=None).commit(Say("Haggle"), "op-2")
        await take(bench, Say("I wait"), "op-3", replace(cards("Hm."), usage=Usage(9000, 50, 100)))
        broken = (await dissect(bench)).broken
        assert broken is not None
        assert (broken.tokens, broken.why) == (7900, "the provider did not cache it")

    asyncio.run(run())


def test_a_prompt_that_cannot_be_made_anew_leaves_the_rest() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        head = await take(bench, Say("I wave"), "op", cards("Hm."))
        body: Mapping[str, Json] = {**head.body, "input": {"kind": "choose", "choice": "fly"}}
        anatomy = await dissect(bench, replace(head, body=body))
        assert anatomy.prompt is None
        assert anatomy.unbuilt.startswith("the input of turn 2 is not valid")
        assert len(anatomy.asks) == 1

    asyncio.run(run())


def test_what_was_decided_for_a_slow_model_and_why() -> None:
    async def run() -> None:
        slow = replace(PROFILE, read_tokens_per_second=150.0, write_tokens_per_second=14.0)
        bench = await lay_bench(ferry(), opened=True)
        assert (await dissect(bench)).fit == ()
        answer = '{"narrative_markdown": "Hm.", "choices": ["Go", "Stay", "Wait"], "state_updates": []}'
        telling = bench.with_road(teller=Teller(Scripted([answer], profile=fit_to_speed(slow))))
        await telling.commit(Say("I wave"), "op-1")
        told = (await dissect(bench, profile=slow)).fit
        assert "prompts have at most 2100 tokens: it reads 150 a second" in told
        # A model that is not set up any more still tells what was decided.
        assert "prompts have at most 2100 tokens" in (await dissect(bench)).fit

    asyncio.run(run())
