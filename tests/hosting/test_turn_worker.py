"""The turn worker: takes what is ordered, and grants what players wish while it runs.

Background work is done for the commit that its order names.
"""

import asyncio
from typing import Any, cast

import pytest

from talewright.chronicle.records import MAIN
from talewright.chronicle.store import CampaignBook
from talewright.hosting import turn_worker
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.turn_jobs import BackgroundJob
from talewright.hosting.turn_queue import TurnQueue
from talewright.hosting.turn_worker import TurnWorker
from talewright.play.session import ResultKind, Stamp
from talewright.play.sessions.news_bus import NewsBus
from talewright.turn.inputs.player_inputs import Choose, Opening, Say
from talewright.turn.turn_context import Road, Teller
from tests.hosting.memory_host import MemoryHost
from tests.play.scenes import room
from tests.play.tellers import Hesitant, cards, teller
from tests.turn.making import bridge, lay_bench


@pytest.fixture(autouse=True)
def soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let wishes be heard soon."""
    monkeypatch.setattr(turn_worker, "WISH_SECONDS", 0.005)


def test_an_ordered_turn_is_narrated_and_leaves_nothing_running(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        host = MemoryHost(monkeypatch, room(), teller(cards("You wait.")))
        async with asyncio.timeout(20), await host.lobby.begin("test", "en") as session:
            assert (await session.say("I wait.")).kind is ResultKind.COMMITTED
            view = await session.view()
            assert view.turn is not None
            assert (view.version, view.turn.narration) == (2, "You wait.")
            await host.queue.finish()
            assert not host.worker.running
            assert [one.is_open for one in host.queue.states.values()] == [False, False]
            # Neither a summary nor an errand is due.
            assert host.queue.background == []

    asyncio.run(run())


@pytest.mark.parametrize(
    ("wish", "kind", "version"),
    [("cancel", ResultKind.FAILED, 1), ("skip", ResultKind.COMMITTED, 2)],
)
def test_a_player_can_stop_a_turn_or_continue_it_without_the_model(
    monkeypatch: pytest.MonkeyPatch, wish: str, kind: ResultKind, version: int
) -> None:
    async def run() -> None:
        storyteller = Hesitant([cards("The model's words.")])
        host = MemoryHost(monkeypatch, room(), Teller(storyteller))
        async with asyncio.timeout(20), await host.lobby.begin("test", "en") as session:
            turn = asyncio.create_task(session.choose("wait"))
            await storyteller.reached.wait()
            await (session.cancel() if wish == "cancel" else session.skip())
            assert (await turn).kind is kind
            view = await session.view()
            assert view.version == version
            assert view.turn is not None
            assert "model" not in view.turn.narration
            await host.queue.finish()
            assert not host.worker.running

    asyncio.run(run())


class OneCampaign:
    """A store with one book."""

    def __init__(self, book: CampaignBook) -> None:
        self._book = book

    async def open(self, campaign: str) -> CampaignBook:
        return self._book


def test_background_work_is_done_for_the_commit_of_its_order(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[tuple[str, str]] = []

    async def condense(road: Road, branch: str, commit: str = "") -> int:
        done.append((branch, commit))
        return 0

    async def run() -> None:
        bench, bus = await lay_bench(bridge(), ["He waits.", "He nods."]), NewsBus()
        await bench.commit(Opening(), "opening")
        first = (await bench.head()).id
        await bench.commit(Say("I wait."), "later")
        parts = WorkerParts(
            store_of=lambda owner: cast(Any, OneCampaign(bench.book)),
            news_of=lambda owner: bus,
            editions=bench.road.editions,
            now=bench.road.now,
            new_id=bench.road.new_id,
        )
        queue = cast(TurnQueue, type("Queue", (), {"read_steps": None})())
        worker = TurnWorker(parts, queue, cast(HostingTables, None), "me")
        order = BackgroundJob("ann", bench.book.campaign, MAIN, first)
        assert await worker.condense(order.workflow, order.to_json()) == 0
        assert done == [(MAIN, first)]

    monkeypatch.setattr(turn_worker, "condense", condense)
    asyncio.run(run())


def test_a_worker_narrates_a_new_campaign_with_the_name_of_a_removed_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def run() -> None:
        host = MemoryHost(monkeypatch, room(), teller(cards("You wait."), cards("You rest.")))
        async with asyncio.timeout(20):
            async with await host.lobby.begin("test", "en", "tale") as old:
                assert (await old.say("I wait.")).kind is ResultKind.COMMITTED
            await host.queue.finish()
            await host.lobby.remove("tale")
            async with await host.lobby.begin("test", "en", "tale") as new:
                assert (await new.say("I rest.")).kind is ResultKind.COMMITTED
                view = await new.view()
            assert view.turn is not None
            assert (view.version, view.turn.narration) == (2, "You rest.")
            await host.queue.finish()

    asyncio.run(run())


def test_a_turn_of_a_removed_campaign_is_not_taken_in_a_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        host = MemoryHost(monkeypatch, room())
        async with asyncio.timeout(20):
            async with await host.lobby.begin("test", "en", "tale"):
                host.queue.worker, before = None, len(host.queue.ordered)
                taking = asyncio.create_task(host.turns[0].run(MAIN, Choose("wait"), Stamp("late")))
                while len(host.queue.ordered) == before:
                    await asyncio.sleep(0)
                taking.cancel()
            await host.lobby.remove("tale")
            host.queue.worker = host.worker
            async with await host.lobby.begin("test", "en", "tale") as new:
                order = host.queue.ordered[before]
                result = cast(Any, await host.worker.take(order.workflow, order.to_json()))
                assert (result["kind"], result["reason"]) == ("failed", "cancelled")
                assert (await new.view()).version == 1

    asyncio.run(run())
