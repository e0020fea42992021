"""Finishing and abandoning one open turn at once: one of them wins, and the other says so."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

import pytest

from talewright.chronicle.records import AttemptVerdict, Commit, PointerKind, Pointing
from talewright.chronicle.store import CampaignBook, OpenTurnMovedError
from talewright.play.verify.campaign_verification import verify
from talewright.turn.fold_cache import FoldCache
from talewright.turn.game_master.master_turn import give_up
from talewright.turn.game_master.open_turn_lease import LeaseError
from talewright.turn.inputs.player_inputs import Choose
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed
from talewright_testkit.servers.postgres_server import PostgresServer
from tests.stores.postgres.stores import FreshStores, run_with
from tests.turn.making import NOW, Bench, ferry, lay_bench
from tests.turn.mastering import Master, begin_master

Act = Callable[[Master], Awaitable[object]]


class Interrupted:
    """A book on which something else happens before one of its steps."""

    def __init__(self, book: CampaignBook, step: int, meanwhile: Callable[[], Awaitable[None]]) -> None:
        self._book, self._left, self._meanwhile = book, step, meanwhile
        self.happened = False

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._book, name)
        if not asyncio.iscoroutinefunction(found):
            return found

        async def call(*given: Any, **named: Any) -> Any:
            self._left -= 1
            if self._left == -1:
                self.happened = True
                await self._meanwhile()
            return await found(*given, **named)

        return call


async def finish(master: Master) -> object:
    return await master.finish("He wants two coins.")


async def abandon(master: Master) -> object:
    await give_up(master.road, master.opened.handle)
    return None


async def settle(work: Awaitable[object]) -> object:
    """The result; an error that says that the other one was first is a result, too."""
    try:
        return await work
    except LeaseError as error:
        return error


@dataclass
class Table:
    """One campaign on two nodes."""

    bench: Bench
    other: Road

    async def race(self, step: int, slow: Act, fast: Act, *, forgetful: bool) -> bool:
        """While one of them is at a step, the other does all of its work; False if there is no such step.

        Every race is on a branch of its own. With `forgetful`, the slow one remembers nothing of the turn.
        """
        branch, road = f"race-{step}-{slow.__name__}-{forgetful}", self.bench.road
        first = await self.find_opening()
        await road.book.point(Pointing(PointerKind.BRANCH, branch, first, NOW))
        # Its dice fall when the turn begins.
        master = await begin_master(road, branch, Choose("haggle"), f"op-{branch}")
        results: dict[Act, object] = {}

        async def meanwhile() -> None:
            results[fast] = await settle(fast(Master(self.other, master.opened)))

        book = Interrupted(road.book, step, meanwhile)
        slow_road = replace(road, book=book, folds=FoldCache() if forgetful else road.folds)
        results[slow] = await settle(slow(Master(slow_road, master.opened)))
        if not book.happened:
            return False
        await self.check(master, results[finish], results[abandon])
        return True

    async def find_opening(self) -> str:
        commits = [one async for one in self.bench.road.book.records() if isinstance(one, Commit)]
        return commits[1].id

    async def check(self, master: Master, finished: object, abandoned: object) -> None:
        handle, book = master.opened.handle, self.bench.road.book
        trail = await book.find(handle.operation_id)
        verdicts = [one.verdict for one in trail.attempts]
        if isinstance(finished, Committed):
            assert (trail.commit, verdicts) == (finished.commit, [AttemptVerdict.COMMITTED])
            assert isinstance(abandoned, LeaseError)
            assert abandoned.message in ("the turn has been told", "the turn is finished")
        else:
            assert (trail.commit, verdicts) == (None, [AttemptVerdict.CANCELLED])
            assert isinstance(finished, LeaseError)
            assert finished.message in ("the turn was abandoned", "this turn is not open")
            assert abandoned is None
        assert await book.open_turn(handle.branch) is None

    async def verify(self) -> None:
        """Nothing was spoiled, whoever won; a later turn knows what was seen."""
        road = self.bench.road
        await (await begin_master(road, "main", Choose("haggle"), "last")).finish("Two coins.")
        found = await verify(road.book, editions=self.bench.library, secret=await road.book.secret())
        assert found.violations == ()
        assert [turn.verdict.why for turn in found.turns if turn.verdict.why] == []


async def race_all(table: Table) -> None:
    for slow, fast, forgetful in (
        (finish, abandon, True),
        (finish, abandon, False),
        (abandon, finish, True),
        (abandon, finish, False),
    ):
        step = 0
        while await table.race(step, slow, fast, forgetful=forgetful):
            step += 1
        # Whoever remembers the turn reads less.
        assert step > (5 if forgetful else 3)
    await table.verify()


def test_at_every_step_one_of_them_wins() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        await race_all(Table(bench, bench.road))

    asyncio.run(run())


@pytest.mark.process
def test_at_every_step_one_of_them_wins_on_two_nodes(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make()
        bench = await lay_bench(ferry(), opened=True, store=store)
        other = await (await stores.reopen()).open("test")
        await race_all(Table(bench, bench.with_road(book=other, folds=FoldCache()).road))

    run_with(postgres_server, check)


async def add_round(master: Master) -> object:
    return await master.propose(())


@pytest.mark.parametrize("slow", [add_round, abandon])
def test_whoever_comes_after_abandoning_says_so(slow: Act) -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        table, step, messages = Table(bench, bench.road), 0, set[str]()
        while True:
            branch = f"late-{step}"
            await bench.road.book.point(Pointing(PointerKind.BRANCH, branch, await table.find_opening(), NOW))
            master = await begin_master(bench.road, branch, Choose("haggle"), f"op-{branch}")

            async def meanwhile(master: Master = master) -> None:
                await settle(abandon(master))

            book = Interrupted(bench.road.book, step, meanwhile)
            late = await settle(slow(Master(bench.with_road(book=book).road, master.opened)))
            if not book.happened:
                break
            if isinstance(late, LeaseError):
                messages.add(late.message)
            assert await bench.road.book.open_turn(branch) is None
            trail = await bench.road.book.find(master.opened.handle.operation_id)
            assert {one.verdict for one in trail.attempts} == {AttemptVerdict.CANCELLED}
            step += 1
        assert messages
        assert messages <= {"this turn is not open", "the turn was abandoned"}

    asyncio.run(run())


def test_of_two_rounds_at_once_the_later_one_is_refused() -> None:
    async def run() -> None:
        bench = await lay_bench(ferry(), opened=True)
        master = await begin_master(bench.road, "main", Choose("haggle"), "op")

        async def meanwhile() -> None:
            await add_round(master)

        refused = 0
        for step in range(3):
            book = Interrupted(bench.road.book, step, meanwhile)
            with suppress(OpenTurnMovedError):
                await add_round(Master(bench.with_road(book=book).road, master.opened))
                continue
            refused += 1
        assert refused

    asyncio.run(run())
