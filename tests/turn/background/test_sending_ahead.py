"""Sending ahead: the beginning of the next prompt, where it costs nothing, recorded outside any commit."""

import asyncio
from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from talewright.chronicle.record_order_checks import inspect_records
from talewright.chronicle.records import MAIN, Attempt, AttemptVerdict
from talewright.llm.profiles import FREE, CacheKind, CacheRules, Prices, Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Chunk, Usage
from talewright.llm.requests import Request
from talewright.providers.scripted import Scripted, ScriptedReply
from talewright.turn.background.sending_ahead import may_send_ahead, send_ahead
from talewright.turn.game_editions import Edition
from talewright.turn.inputs.player_inputs import Say
from talewright.turn.records.turn_attempts import is_ahead
from talewright.turn.spending import CampaignSpendingTracker, SpendingBudget
from talewright.turn.turn_context import Teller
from talewright.turn.turn_outcomes import Degraded
from tests.turn.making import Bench, bridge, bundle, cards, chapel, ferry, lay_bench
from tests.turn.stories import stand, tower

LOCAL = Profile("local", prices=FREE, cache=CacheRules(CacheKind.AUTOMATIC), context_tokens=64_000)
TRIED = '```json\n{"mechanics": {"skill_used": "perception", "difficulty": 0.2}}\n```'
READ = ScriptedReply("x", usage=Usage(900, 1, 700))
COST = {"input_tokens": 900, "output_tokens": 1, "cached_tokens": 700}


class Waiting(Scripted):
    """A model that reads until it is told to stop."""

    def __init__(self) -> None:
        super().__init__([], profile=LOCAL)
        self.reading = asyncio.Event()

    async def stream(self, request: Request) -> AsyncGenerator[Chunk, None]:
        self.reading.set()
        await asyncio.Event().wait()
        async for chunk in super().stream(request):
            yield chunk


def sending(bench: Bench, ahead: Scripted, *script: ScriptedReply | str, **parts: object) -> Bench:
    teller = Teller(Scripted(script, profile=LOCAL), ahead=ahead, **parts)  # type: ignore[arg-type]
    return bench.with_road(teller=teller)


async def list_ahead(bench: Bench) -> list[Attempt]:
    return [one for one in await bench.records() if isinstance(one, Attempt) and is_ahead(one)]


@pytest.mark.parametrize(
    ("edition", "script"),
    [
        (ferry(), (cards("He nods."), cards("It rains."))),
        (bridge(), ("He nods.", "It rains.")),
        (chapel(), (TRIED, bundle("It drags.", 1), TRIED, bundle("It stops.", 2))),
    ],
    ids=lambda one: one.game.id if isinstance(one, Edition) else "",
)
def test_the_next_request_begins_with_what_was_sent_ahead(
    edition: Edition, script: tuple[ScriptedReply | str, ...]
) -> None:
    async def run() -> None:
        opening = ["He waits."] if edition.game.contract == "tools" else None
        bench = await lay_bench(edition, opening, opened=True)
        ahead = Scripted([READ], profile=LOCAL)
        bench = sending(bench, ahead, *script)
        await bench.commit(Say("I wave"), "op-1")
        standing = await bench.standing()
        assert await send_ahead(bench.road, MAIN)
        assert await bench.standing() == standing
        (sent,) = ahead.requests
        before = len(bench.provider.requests)
        await bench.commit(Say("I wait"), "op-2")
        asked = bench.provider.requests[before]
        assert sent.messages[:-1] == asked.messages[:-1]
        assert asked.messages[-1].text.startswith(f"{sent.messages[-1].text}\n\n")
        assert "[STATE]" in sent.messages[-1].text
        assert "[PLAYER]" not in sent.messages[-1].text
        assert (sent.max_output_tokens, sent.tools, sent.temperature) == (1, asked.tools, asked.temperature)

    asyncio.run(run())


def test_it_is_recorded_as_an_attempt_of_its_own_kind() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        bench = sending(bench, Scripted([READ, READ], profile=LOCAL), cards("He nods."))
        body = await bench.commit(Say("I wave"), "op-1")
        head = await bench.head()
        assert await send_ahead(bench.road, MAIN)
        # Once more, as after going back and forth: what was read before does not stand in the way.
        assert await send_ahead(bench.road, MAIN)
        one, other = await list_ahead(bench)
        assert one.id != other.id
        assert (one.operation_id, one.branch, one.base) == ("op-1", MAIN, head.id)
        assert one.verdict is AttemptVerdict.UNSPENT
        spent = [{"model": "local", **COST, "dollars": 0.0}]
        assert one.body == {"kind": "ahead", "usage": COST, "asks": 1, "spent": spent}
        assert (await bench.head(), len(body.exchanges)) == (head, 1)
        status = await bench.book.look(MAIN)
        assert status.waiting == ()
        assert status.spent.by_model["local"].input_tokens > 1_800
        assert inspect_records(await bench.records()) == ()

    asyncio.run(run())


PRICED = Prices(0.1, 0.4)


@pytest.mark.parametrize(
    "profile",
    [
        replace(LOCAL, prices=PRICED),
        replace(LOCAL, prices=None),
        replace(LOCAL, prices=Prices(0.0, 0.4)),
        replace(LOCAL, prices=Prices(0.0, 0.0, cache_write=0.1)),
        replace(LOCAL, cache=CacheRules(CacheKind.MARKS)),
        replace(LOCAL, cache=CacheRules()),
    ],
)
def test_nothing_is_sent_where_it_might_cost_something_or_be_forgotten(profile: Profile) -> None:
    async def run() -> None:
        ahead = Scripted([READ], profile=profile)
        bench = sending(await lay_bench(ferry(), opened=True), ahead)
        assert not may_send_ahead(profile)
        assert not await send_ahead(bench.road, MAIN)
        assert ahead.requests == []
        assert await list_ahead(bench) == []

    asyncio.run(run())


@pytest.mark.parametrize(
    ("budget", "sent"),
    [
        (SpendingBudget(campaign_tokens=10**9), 0),
        (SpendingBudget(campaign_dollars=1.0, turn_tokens=10**6), 1),
    ],
)
def test_it_never_uses_up_a_limited_number_of_tokens(budget: SpendingBudget, sent: int) -> None:
    async def run() -> None:
        ahead = Scripted([READ], profile=LOCAL)
        tracker = CampaignSpendingTracker(budget)
        bench = sending(await lay_bench(ferry(), opened=True), ahead, spending_tracker=tracker)
        assert await send_ahead(bench.road, MAIN) is bool(sent)
        assert len(ahead.requests) == sent

    asyncio.run(run())


def test_nothing_is_sent_without_a_model_or_once_the_story_is_over() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        assert not await send_ahead(bench.road, MAIN)
        assert not await send_ahead(bench.with_road(teller=Teller(Scripted([], profile=LOCAL))).road, MAIN)
        ahead = Scripted([READ], profile=LOCAL)
        over = await lay_bench(tower(), document=stand(ending="flown").state.document)
        assert not await send_ahead(sending(over, ahead).road, MAIN)
        assert ahead.requests == []

    asyncio.run(run())


def test_an_input_that_could_not_be_told_stays_the_newest_attempt() -> None:
    async def run() -> None:
        ahead = Scripted([READ], profile=LOCAL)
        broken = ScriptedReply("", error=ProviderError(Trouble.BUSY, "later"))
        bench = sending(await lay_bench(ferry(), opened=True), ahead, broken)
        assert isinstance(await bench.take(Say("I sing"), "op-1"), Degraded)
        assert not await send_ahead(bench.road, MAIN)
        newest = (await bench.book.look(MAIN)).newest_attempt
        assert newest is not None
        assert (newest.operation_id, ahead.requests) == ("op-1", [])

    asyncio.run(run())


@pytest.mark.parametrize(
    ("error", "recorded"),
    [
        (ProviderError(Trouble.SLOW, "too slow", usage=Usage(40, 0)), [("slow", 40)]),
        (ProviderError(Trouble.UNREACHABLE, "nobody there", unpaid=True), []),
    ],
)
def test_a_server_that_fails_harms_nothing(error: ProviderError, recorded: list[tuple[str, int]]) -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        bench = sending(bench, Scripted([ScriptedReply("", error=error)], profile=LOCAL))
        assert not await send_ahead(bench.road, MAIN)
        found = await list_ahead(bench)
        usages = [one.body["usage"] for one in found]
        assert [one.body["reason"] for one in found] == [reason for reason, _ in recorded]
        assert [usage["input_tokens"] for usage in usages if isinstance(usage, dict)] == [
            tokens for _, tokens in recorded
        ]

    asyncio.run(run())


def test_cancelled_it_ends_at_once_and_is_recorded() -> None:
    async def run() -> None:
        waiting = Waiting()
        bench = sending(await lay_bench(ferry(), opened=True), waiting)
        task = asyncio.create_task(send_ahead(bench.road, MAIN))
        await waiting.reading.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        (one,) = await list_ahead(bench)
        assert one.body["reason"] == "cancelled"
        usage = one.body["usage"]
        assert isinstance(usage, dict)
        # Nobody says how much was read: all of it is counted.
        assert usage["estimated"]

    asyncio.run(run())
