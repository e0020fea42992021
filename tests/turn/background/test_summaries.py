"""Summaries: asked for after a turn where a cut is due, and taken up by the next one with the cut."""

import asyncio
from typing import Any

from talewright.chronicle.records import MAIN, Aside
from talewright.common.json_values import Json
from talewright.kernel.memory_rules import MemoryRules
from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.requests import SystemMessage, UserMessage
from talewright.llm.token_estimate import estimate_tokens
from talewright.prompt.memory_summary import SUMMARY_ANSWER_TOKENS_MAX, SUMMARY_TOKENS_MAX
from talewright.prompt.words.english import ENGLISH
from talewright.providers.scripted import Script, Scripted, ScriptedReply
from talewright.turn.background.asides import condense
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.turn_context import Teller
from talewright.turn.turn_signals import BackgroundDone
from tests.turn.doubles import Keeping
from tests.turn.making import NOW, Bench, altered, cards, ferry, lay_bench, plain

LONG = "".join(
    f"He looks at the water and says nothing of it; after {n} breaths he says something. " for n in range(4)
)
SMALL = MemoryRules(summary_every_turns=4, keep_turns=2, window_tokens=3_000, cut_to_tokens=600)
PROFILE = Profile("scripted", context_tokens=64_000)


async def play(turns: int) -> Bench:
    """So many turns after the opening, with nothing done after any of them."""
    bench = await lay_bench(altered(ferry(), memory=SMALL), opened=True)
    bench = telling(bench, [cards(f"{number}. {LONG}") for number in range(turns)])
    for number in range(turns):
        await bench.commit(Say(f"Words {number}"), f"op-{number}")
    bench.signals.clear()
    return bench


def telling(bench: Bench, script: Script, cheap: Script | None = None) -> Bench:
    spare = None if cheap is None else Scripted(cheap)
    return bench.with_road(teller=Teller(Scripted(script, profile=PROFILE), spare))


async def asides(bench: Bench) -> list[Any]:
    return [record for record in await bench.records() if isinstance(record, Aside)]


def test_nothing_is_summed_up_before_it_is_due() -> None:
    async def run() -> None:
        bench = await play(2)
        assert await condense(telling(bench, []).road, MAIN) == 0
        assert await asides(bench) == []

    asyncio.run(run())


def test_what_is_due_is_summed_up_by_the_cheap_model() -> None:
    async def run() -> None:
        bench = await play(5)
        asking = telling(bench, [], [" They met\x07 at the ferry. "])
        runner = Keeping()
        assert await condense(asking.with_road(runner=runner).road, MAIN) == 1
        assert runner.ran == ["begin summary 1", "summary 1 1"]
        assert bench.signals == [BackgroundDone("summary", MAIN, (await bench.head()).operation_id)]
        assert asking.road.teller is not None
        assert isinstance(asking.road.teller.cheap, Scripted)
        (request,) = asking.road.teller.cheap.requests
        assert request.max_output_tokens == SUMMARY_ANSWER_TOKENS_MAX
        assert (request.tools, request.answer_schema) == ((), None)
        rules, asked = request.messages
        assert isinstance(rules, SystemMessage)
        assert isinstance(asked, UserMessage)
        (aside,) = await asides(bench)
        upto = aside.body["upto"]
        assert (aside.commit, aside.at) == ((await bench.head()).id, NOW)
        assert {name: aside.body[name] for name in ("kind", "text", "from", "asks")} == {
            "kind": "summary",
            "text": "They met at the ferry.",
            "from": 1,
            "asks": 1,
        }
        assert 2 <= upto <= 4
        # The turns that are to go, in the player's and the teller's words, and no more.
        assert asked.text.startswith(f"{ENGLISH.summary_turns}\n\n")
        assert f"The player: Words {upto - 2}\n{upto - 2}. He looks" in asked.text
        assert f"Words {upto - 1}" not in asked.text
        # Asked again before the next turn, it is not asked again.
        assert await condense(asking.road, MAIN) == 0

    asyncio.run(run())


def test_none_is_asked_for_while_one_waits_that_came_too_late_for_a_turn() -> None:
    async def run() -> None:
        bench = await play(5)
        late, before = await bench.book.back((await bench.head()).id, 2)
        body: dict[str, Json] = {"kind": "summary", "text": "They met.", "from": 1, "upto": 3}
        await bench.book.add(Aside("late", before.id, NOW, body))
        asking = telling(bench, [], ["They met again."])
        assert await condense(asking.road, MAIN) == 0
        assert asking.road.teller is not None
        assert isinstance(asking.road.teller.cheap, Scripted)
        assert asking.road.teller.cheap.requests == []
        assert late.version == before.version + 1

    asyncio.run(run())


def test_the_next_turn_takes_it_up_and_goes_on_from_it() -> None:
    async def run() -> None:
        bench = await play(5)
        await condense(telling(bench, [], ["They met."]).road, MAIN)
        (aside,) = await asides(bench)
        first = aside.body["upto"] + 1
        after = telling(bench, [cards("Hm.")])
        body = await after.commit(Say("I wave"), "op")
        assert body.asides == (aside.id,)
        assert body.cuts == ({"cut": "window", "from": 1, "first": first, "by": "model", "aside": aside.id},)
        assert (plain(body.window)["first"], plain(body.window)["cut_at"]) == (first, 7)
        assert await bench.value("_engine.summary") == "They met."
        _, memory, *rest = after.provider.requests[0].messages
        assert memory == SystemMessage(f"{ENGLISH.memory}\n\nThey met.")
        assert rest[0] == UserMessage(f"[PLAYER]\nWords {first - 2}")
        # It is asked for again only once it is due again, with what lies further back.
        assert await condense(telling(bench, [], []).road, MAIN) == 0
        for number in range(4):
            more = telling(bench, [cards(f"{number}. {LONG}")])
            await more.commit(Say(f"More {number}"), f"more-{number}")
        again = telling(bench, ["They met, and went on."])
        assert await condense(again.road, MAIN) == 1
        asked = again.provider.requests[0].messages[1].text
        assert asked.startswith(f"{ENGLISH.summary_before}\nThey met.\n\n{ENGLISH.summary_turns}")

    asyncio.run(run())


def test_a_summary_that_does_not_come_costs_and_is_not_asked_for_twice_at_one_turn() -> None:
    async def run() -> None:
        for script in ([ScriptedReply("half", error=ProviderError(Trouble.BUSY, "later"))], ["  "]):
            bench = await play(5)
            asking = telling(bench, script)
            assert await condense(asking.road, MAIN) == 0
            (aside,) = await asides(bench)
            assert (aside.body["kind"], aside.body["errand"], aside.body["asks"]) == (
                "unanswered",
                "summary",
                1,
            )
            assert bench.signals == []
            assert await condense(telling(bench, ["never asked"]).road, MAIN) == 0
            # It changes nothing; the turn after it is the next chance.
            body = await telling(bench, [cards("Hm.")]).commit(Say("I wave"), "op")
            assert (body.asides, body.cuts) == ((aside.id,), ())
            assert await condense(telling(bench, ["They met."]).road, MAIN) == 1

    asyncio.run(run())


def test_one_that_waits_to_be_taken_up_is_not_asked_for_again() -> None:
    async def run() -> None:
        bench = await play(5)
        head = await bench.head()
        before = (await bench.book.back(head.id, 2))[1]
        waiting: dict[str, Json] = {"kind": "summary", "text": "They met.", "from": 1, "upto": 3}
        await bench.book.add(Aside("a", before.id, NOW, waiting))
        assert await condense(telling(bench, []).road, MAIN) == 0

    asyncio.run(run())


def test_a_summary_of_another_window_comes_too_late() -> None:
    async def run() -> None:
        bench = await play(3)
        head = (await bench.head()).id
        await bench.book.add(Aside("late", head, NOW, {"kind": "summary", "text": "x", "from": 2, "upto": 3}))
        body = await telling(bench, [cards("Hm.")]).commit(Say("I wave"), "op")
        assert (body.asides, body.cuts) == (("late",), ())
        assert await bench.value("_engine.summary") == ""

    asyncio.run(run())


def test_a_summary_is_kept_no_longer_than_it_may_be() -> None:
    async def run() -> None:
        bench = await play(5)
        assert await condense(telling(bench, [], [LONG * 100]).road, MAIN) == 1
        (aside,) = await asides(bench)
        assert estimate_tokens(aside.body["text"]) <= SUMMARY_TOKENS_MAX

    asyncio.run(run())
