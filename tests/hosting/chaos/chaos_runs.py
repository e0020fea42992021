"""Chaos runs: so many turns by so many players while something is killed again and again, then the verdict.

Nothing acknowledged is lost or doubled, every campaign verifies, every turn that was hit goes on in time, and
no crash costs more than one repeated ask.
"""

import asyncio
from collections import Counter
from collections.abc import Coroutine, Mapping
from contextlib import AsyncExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import monotonic

from talewright.bootstrap import open_game_library
from talewright.chronicle.records import Commit
from talewright.play.verify.campaign_verification import verify
from talewright.play.verify.receipts import find_secret
from talewright.stores.postgres.postgres_store import connect
from talewright.stores.postgres.sealing import parse_keys
from talewright.stores.postgres.shards import single_database
from tests.hosting.chaos.chaos_faults import WRECKERS, Fault, Wreak, Wrecker
from tests.hosting.chaos.chaos_host import (
    MODEL_KEY,
    ChaosHost,
    HostProcess,
    chaos_host,
    find_places,
)
from tests.hosting.chaos.chaos_players import ChaosPlayer, PlayerNotes
from tests.hosting.chaos.chaos_provider import ChaosProvider, serve_provider
from tests.hosting.chaos.chaos_versions import swap_versions

ALL_WRECKERS = {**WRECKERS, "chaos_versions": swap_versions}
RECOVERY_SECONDS_MAX = 30.0
NEWS_SECONDS_MAX = 30.0
"""How long after its commit a turn may be missing in the news."""

ROLL_PLAYERS = 8
"""Turns at the same time, so that every worker has some."""

ROLL_PIECE_SECONDS = 0.25
"""Turns of some seconds, so that a kill hits them."""

ROLL_TRIES_MAX = 5
LATE_SECONDS = 10.0
"""How long after the last fault of a turn its asks may still be repeated: a dead worker is noticed late."""


@dataclass(frozen=True)
class ChaosPlan:
    """One run."""

    name: str
    """A kind of fault."""

    turns: int
    players: int
    seed: int
    pace: float = 1.0
    at_once: int = 12
    """Turns that run at the same time."""

    watching: int = 5
    """Every so many players watch the news."""

    calls_roll: bool = True
    """Whether each worker has to take over turns at the end."""

    spread_seconds: float = 0.0
    """Over how much time the turns of a player are spread, about."""


class ChaosRun:
    """A run on a host that stands."""

    def __init__(self, plan: ChaosPlan, host: ChaosHost, provider: ChaosProvider) -> None:
        self.plan = plan
        self.host = host
        self.provider = provider
        self.notes = PlayerNotes()
        self.rolled = 0
        """Turns that were taken to see whether recovery is alive."""

        self.wrecker = Wrecker(host, Random(f"faults {plan.seed}"), plan.pace)
        urls = [node.url for node in host.nodes]
        self.players = [
            ChaosPlayer(f"{plan.name}-{plan.seed}-{number}", urls, self.notes, f"{plan.seed} {number}")
            for number in range(plan.players)
        ]

    async def play(self, wreak: Wreak) -> None:
        """Take all turns, with faults."""
        free = asyncio.Semaphore(self.plan.at_once)
        async with asyncio.TaskGroup() as group:
            for player in self.players:
                group.create_task(_limited(free, player.begin()))
        # A watcher has to be connected before the first turn, or it may miss it.
        async with asyncio.TaskGroup() as group:
            for player in self.players[:: self.plan.watching]:
                group.create_task(_limited(free, player.watch()))
        share, rest = divmod(self.plan.turns, len(self.players))
        wrecking = asyncio.ensure_future(wreak(self.wrecker))
        try:
            async with asyncio.TaskGroup() as group:
                for number, player in enumerate(self.players):
                    group.create_task(self._take_turns(player, share + (number < rest), free))
        finally:
            wrecking.cancel()
            with suppress(asyncio.CancelledError):
                await wrecking

    async def _take_turns(self, player: ChaosPlayer, turns: int, free: asyncio.Semaphore) -> None:
        rng = Random(f"pauses {player.campaign}")
        for number in range(turns):
            await asyncio.sleep(rng.uniform(0, 2 * self.plan.spread_seconds / turns))
            async with free:
                await player.take(f"{player.campaign}-{number}")

    async def call_roll(self) -> None:
        """Kill each worker in the midst of turns. Only the others can finish them: recovery lives on all."""
        usual, self.provider.piece_seconds = self.provider.piece_seconds, ROLL_PIECE_SECONDS
        try:
            for number, worker in enumerate(self.host.workers):
                for try_number in range(ROLL_TRIES_MAX):
                    if await self._kill_in_turn(worker, f"roll-{number}-{try_number}"):
                        break
                else:
                    raise AssertionError(f"worker {number} took none of the turns")
        finally:
            self.provider.piece_seconds = usual

    async def _kill_in_turn(self, worker: HostProcess, name: str) -> bool:
        """Kill a worker while all take a turn; returns whether one of them was its."""
        self.host.check_running()
        operations = [f"{player.campaign}-{name}" for player in self.players[:ROLL_PLAYERS]]
        self.rolled += len(operations)
        async with asyncio.TaskGroup() as group:
            for player, operation in zip(self.players, operations, strict=False):
                group.create_task(player.take(operation))
            while not all(self.provider.asks.get(operation) for operation in operations):
                await asyncio.sleep(0.05)
            await self.wrecker.strike("worker killed", worker.kill)
        await self.wrecker.strike("worker started", worker.start)
        await asyncio.to_thread(worker.wait_working)
        return any(operation in self.provider.cuts for operation in operations)

    async def check(self) -> Mapping[str, object]:
        """The verdict; raises AssertionError, else returns the figures."""
        assert self.wrecker.faults, "nothing was killed"
        self.host.check_running()
        assert self.provider.keys == {MODEL_KEY}, "the model was asked with another key"
        assert MODEL_KEY not in self.host.log, "the key of the model is in a log"
        await self._check_nothing_waits()
        await self._check_news()
        await self._check_records()
        recovery = max(self._check_recovery(), self._check_cuts())
        repeated = self._check_asks()
        seconds = sorted(turn.ended - turn.started for turn in self.notes.turns)
        return {
            "turns": len(seconds) - self.rolled,
            "faults": dict(Counter(fault.kind for fault in self.wrecker.faults)),
            "recovery_seconds_max": round(recovery, 1),
            "turn_seconds_median": round(seconds[len(seconds) // 2], 2),
            "turn_seconds_max": round(seconds[-1], 1),
            "repeated_asks": repeated,
            "news_cut": self.notes.cuts,
            "troubles": dict(self.notes.troubles),
        }

    async def _check_nothing_waits(self) -> None:
        until = monotonic() + RECOVERY_SECONDS_MAX
        while unfinished := await asyncio.to_thread(self.host.count_unfinished):
            assert monotonic() < until, f"{unfinished} inputs or jobs are unfinished"
            await asyncio.sleep(0.5)

    async def _check_news(self) -> None:
        until = monotonic() + NEWS_SECONDS_MAX
        while told := {one: player.told.get(one) for player in self.players for one in player.find_untold()}:
            assert monotonic() < until, f"the news did not tell, or told otherwise: {told}"
            await asyncio.sleep(0.1)

    async def _check_records(self) -> None:
        """Every campaign verifies, and holds what its player was told, once."""
        store = await connect(single_database(self.host.database_url), parse_keys(self.host.keys))
        library = open_game_library(find_places(self.host.folder))
        try:
            for player in self.players:
                book = await store.for_owner(player.owner).open(player.campaign)
                report = await verify(book, editions=library, secret=await find_secret(book))
                assert report.good, report
                commits = [one async for one in book.records() if isinstance(one, Commit)]
                made = {one.operation_id: one.id for one in commits if one.operation_id in player.taken}
                assert made == {one.operation: one.commit for one in player.taken.values()}, player.campaign
                # The root and the opening come before the turns of the player.
                assert len(commits) == len(made) + 2, [one.operation_id for one in commits]
                await book.close()
                view = await player.read_view()
                assert view["cards"][0]["value"] == len(made) + 1, player.campaign
        finally:
            await store.close()

    def _find_hits(self, started: float, ended: float) -> list[Fault]:
        return [
            fault
            for fault in self.wrecker.faults
            if fault.at <= ended and fault.ended >= started - LATE_SECONDS
        ]

    def _check_recovery(self) -> float:
        """The longest time from the last fault that hit a turn to its end."""
        slowest = 0.0
        for turn in self.notes.turns:
            hits = [fault for fault in self.wrecker.faults if turn.started <= fault.ended <= turn.ended]
            if hits:
                seconds = turn.ended - max(fault.ended for fault in hits)
                assert seconds <= RECOVERY_SECONDS_MAX, f"{turn} went on {seconds:.1f} s after the last fault"
                slowest = max(slowest, seconds)
        return slowest

    def _check_cuts(self) -> float:
        """The longest time from the death of who asked for a turn to the next ask, or the end of the turn."""
        slowest = 0.0
        for turn in self.notes.turns:
            later = [*self.provider.asks.get(turn.operation, ()), turn.ended]
            for cut in self.provider.cuts.get(turn.operation, ()):
                next_ask = min((at for at in later if at > cut), default=cut)
                absences = [one.ended for one in self.wrecker.absences if one.at <= next_ask]
                seconds = next_ask - max([cut, *absences])
                assert seconds <= RECOVERY_SECONDS_MAX, f"{turn} waited {seconds:.1f} s after a cut"
                slowest = max(slowest, seconds)
        return slowest

    def _check_asks(self) -> int:
        """How many asks were repeated; each crash repeats one ask of a turn at most."""
        repeated = 0
        for turn in self.notes.turns:
            asks = len(self.provider.asks.get(turn.operation, ())) - 1
            assert asks >= 0, f"{turn} was never asked for"
            hits = self._find_hits(turn.started, turn.ended)
            assert asks <= len(hits), f"{turn} was asked for {asks + 1} times, with {len(hits)} faults"
            repeated += asks
        return repeated

    async def close(self) -> None:
        """Let the players leave."""
        for player in self.players:
            await player.close()


async def _limited(free: asyncio.Semaphore, work: Coroutine[None, None, None]) -> None:
    async with free:
        await work


async def run_on(plan: ChaosPlan, host: ChaosHost, provider: ChaosProvider) -> Mapping[str, object]:
    """A run on a host that stands; returns its figures."""
    run = ChaosRun(plan, host, provider)
    try:
        await run.play(ALL_WRECKERS[plan.name])
        if plan.calls_roll:
            await run.call_roll()
        return await run.check()
    finally:
        await run.close()


def run_chaos(plan: ChaosPlan, folder: Path) -> Mapping[str, object]:
    """A run on a host of its own; returns its figures."""

    async def work() -> Mapping[str, object]:
        async with serve_provider() as provider, AsyncExitStack() as stack:
            standing = chaos_host(folder, provider.url)
            host = await asyncio.to_thread(standing.__enter__)
            stack.push_async_callback(asyncio.to_thread, standing.__exit__, None, None, None)
            return await run_on(plan, host, provider)

    return asyncio.run(work())
