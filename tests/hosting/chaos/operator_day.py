"""The operator's day: a host from its first start to its restored backup, by the commands of the pages.

It is brought up, upgraded and rolled back; it gets another sealing key, loses PostgreSQL for a minute and an
owner for good; it is backed up, restored on a fresh server with the newer version, and verified. Owners play
throughout. After each step, nothing is lost, doubled or waiting, and every process is ready, with its
recovery.
"""

import asyncio
import threading
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from dataclasses import dataclass
from http import HTTPStatus
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic

from talewright.chronicle.records import Commit
from talewright.hosting.news.redis_stream_reader import name_stream
from talewright.stores.postgres.postgres_store import connect
from talewright.stores.postgres.sealing import parse_keys
from talewright.stores.postgres.shards import single_database
from talewright_testkit.servers.postgres_server import running_postgres
from talewright_testkit.servers.redis_server import running_redis
from tests.hosting.chaos.chaos_host import THIS, HostProcess, Version
from tests.hosting.chaos.chaos_players import ChaosPlayer, TakenTurn
from tests.hosting.chaos.chaos_provider import ChaosProvider, serve_provider, tell_story
from tests.hosting.chaos.chaos_runs import ChaosPlan, ChaosRun
from tests.hosting.chaos.chaos_versions import copy_later_version, unpack_old_version
from tests.hosting.chaos.operated_host import DATABASE, OperatedHost, read_readiness

OUTAGE_SECONDS = 60.0
NOTICE_SECONDS_MAX = 60.0
PAUSE_SECONDS = 4.0
"""How long players think, on average."""

FIRST_COMMITS = 2
"""The root and the opening come before the turns of a player."""

LEAVING = "canary-label"
"""What the operator calls the owner who leaves."""


@dataclass(frozen=True)
class DayPlan:
    """How large the day is."""

    turns: int
    seed: int
    pace: float = 1.0
    """Multiplies the outage and all pauses; small in short days."""

    nodes: int = 2
    workers: int = 2
    campaigns: int = 2
    """Of each owner who stays."""

    is_whole: bool = True
    """Whether the host also changes its version and its key, and loses an owner. It then begins with an older
    version from the history of this repository, and ends with a later one.
    """

    calls_roll: bool = True
    """Whether each worker has to take over turns at the end."""


class OperatorDay:
    """The day."""

    def __init__(
        self,
        plan: DayPlan,
        host: OperatedHost,
        provider: ChaosProvider,
        servers: ExitStack,
        first: Version,
        later: Version,
    ) -> None:
        self.plan = plan
        self.host = host
        self.servers = servers
        self.provider = provider
        self.first = first
        self.later = later
        self.steps: dict[str, float] = {}
        """When each step was checked, in seconds from the start."""

        self._turns = 0
        """Turns before the host was restored."""

        self._started = monotonic()
        self._numbers = count()
        self._rng = Random(f"operator {plan.seed}")
        self._tokens: dict[str, str] = {}
        """By owner."""

        self._refused: dict[str, str] = {}
        """Inputs that wait for the later engine, by campaign."""

        self._canaries: tuple[str, ...] = ()
        """What nothing may contain after the purge."""

        self.players: list[ChaosPlayer] = []
        self._run = self._begin_run()

    def _begin_run(self) -> ChaosRun:
        plan = self.plan
        chaos = ChaosPlan("operator_day", plan.turns, 0, plan.seed, plan.pace, calls_roll=plan.calls_roll)
        return ChaosRun(chaos, self.host, self.provider)

    @property
    def _touched(self) -> list[ChaosPlayer]:
        """Ann's campaigns, if the later engine plays them before the host is rolled back."""
        if not self.plan.is_whole:
            return []
        ann = next(iter(self._tokens))
        return [one for one in self.players if one.owner == ann]

    @property
    def _untouched(self) -> list[ChaosPlayer]:
        return [one for one in self.players if one not in self._touched]

    @property
    def turns(self) -> int:
        """How many turns were taken so far."""
        return self._turns + len(self._run.notes.turns)

    async def live(self) -> Mapping[str, object]:
        """All of it; returns figures."""
        await self._bring_up()
        if self.first != THIS:
            await self._leave_old_version()
        if self.plan.is_whole:
            await self._upgrade()
            await self._roll_back()
            await self._change_key()
        await self._lose_postgres()
        if self.plan.is_whole:
            await self._purge_owner()
        acknowledged = await self._back_up()
        await self._restore(acknowledged)
        figures = await self._end()
        return {**figures, "turns": self.turns, "seconds": self.steps}

    # What an operator does.

    async def _bring_up(self) -> None:
        host, run = self.host, self._run

        def bring_up() -> None:
            host.set_up("createdb")
            host.keys = host.make_key("k1")
            if self.first == THIS:
                self._create_role()
            for _ in range(self.plan.workers):
                host.add_process(self.first)
            for _ in range(self.plan.nodes):
                host.add_process(self.first, is_node=True)
            _start_all(host.processes)

        await run.wrecker.strike("host brought up", bring_up)
        owners = {"Ann's table": self.plan.campaigns, "Ben": self.plan.campaigns}
        if self.plan.is_whole:
            owners[LEAVING] = 1
        for label, campaigns in owners.items():
            owner, token = await asyncio.to_thread(host.add_account, label, self.first)
            self._tokens[owner] = token
            for number in range(campaigns):
                name = f"canary-{number}" if label == LEAVING else f"day-{len(self.players)}"
                self.players.append(self._make_player(name, owner))
        for player in self.players:
            await player.begin()
            await player.wait_opened()
            await player.watch()
        async with self._playing(self.players):
            pass
        if self.first == THIS:
            await self._check("brought up")

    async def _leave_old_version(self) -> None:
        """The page has another order for engines that do not pass turns on."""
        strike, workers = self._run.wrecker.strike, self.host.workers
        async with self._playing(self.players):
            await strike("role created", self._create_role)
            for node in self.host.nodes:
                node.settings = {name: one for name, one in node.settings.items() if name != "MODEL_API_KEY"}
            await self._replace_nodes(THIS)
            for worker in workers:
                await strike("old worker stopped", worker.stop)
            workers.clear()
            for _ in range(self.plan.workers):
                worker = self.host.add_process(THIS)
                await strike("worker came", worker.start, worker.wait_working)
        await self._check("left the old version")

    async def _upgrade(self) -> None:
        """Only Ann plays meanwhile."""
        async with self._playing(self._touched):
            await asyncio.to_thread(self.host.administer, "migrate")
            await self._replace_nodes(self.later)
            await self._replace_workers(self.later)
        async with self._playing(self._touched):
            await self._check_workers(self.later)
        await self._check("upgraded")

    async def _roll_back(self) -> None:
        """What the later engine has played waits for it, with the reason; all others play on."""
        await self._replace_workers(THIS)
        async with self._playing(self._untouched):
            await self._replace_nodes(THIS)
            await self._check_workers(THIS)
        for player in self._touched:
            self._refused[player.campaign] = operation = f"{player.campaign}-{next(self._numbers)}"
            assert await player.be_refused(operation) == "newer_format"
        await self._check("rolled back")

    async def _change_key(self) -> None:
        host = self.host
        old, new = host.keys, await asyncio.to_thread(host.make_key, "k2")
        async with self._playing(self._untouched):
            await self._refuse_keys(f"{new},{old}")
            await self._restart_with(f"{old},{new}")
            await self._restart_with(f"{new},{old}")
            told = await asyncio.to_thread(host.administer, "reseal")
            assert "Retired: k1." in told, told
            await self._restart_with(new)
            await self._refuse_keys(old)
        await self._check("changed the key")

    async def _lose_postgres(self) -> None:
        host, wrecker = self.host, self._run.wrecker
        async with self._playing(self._untouched):
            # However short the outage is, everyone notices it: on a busy machine, it lasts until then.
            noticed = threading.Event()

            def come_back() -> None:
                noticed.wait(NOTICE_SECONDS_MAX)
                host.postgres.start()

            losing = asyncio.create_task(
                wrecker.lose("PostgreSQL away", host.postgres.kill, come_back, OUTAGE_SECONDS)
            )
            for process in host.processes:
                while (await asyncio.to_thread(read_readiness, process))["state"] != "unready":
                    assert not losing.done(), f"{process.words} did not notice"
                    await asyncio.sleep(0.1)
            noticed.set()
            await losing
        await self._check("lost PostgreSQL")

    async def _purge_owner(self) -> None:
        host = self.host
        *staying, leaving = self.players
        owner = leaving.owner
        (stored,) = await asyncio.to_thread(host.read_json, "campaigns --owner", ID=owner)
        canaries = (owner, stored["id"], stored["name"], LEAVING)
        before = await asyncio.to_thread(host.dump)
        assert all(one in before for one in canaries)
        await asyncio.to_thread(host.administer, "owner export", ID=owner)
        assert stored["id"] in (host.folder / "ann" / "owner.json").read_text("utf-8")
        self.players = self._run.players = staying
        async with self._playing(self._untouched):
            doomed = asyncio.create_task(leaving.take_doomed(f"{leaving.campaign}-doomed"))
            await asyncio.sleep(self._rng.uniform(0, 0.3))
            await self._run.wrecker.strike("owner purged", lambda: host.administer("owner purge", ID=owner))
            await doomed
            await leaving.wait_gone(HTTPStatus.UNAUTHORIZED)
        await leaving.close()
        self._canaries = canaries
        self._find_canaries(await asyncio.to_thread(host.dump))
        assert host.redis.send(f"EXISTS {name_stream(f'{owner}/{leaving.campaign}')}") == ":0"
        await self._check("purged an owner")

    async def _back_up(self) -> Mapping[str, frozenset[str]]:
        """Returns what was acknowledged to each player before."""
        async with self._playing(self._untouched):
            acknowledged = {
                one.campaign: frozenset(turn.operation for turn in one.taken.values() if turn.commit)
                for one in self.players
            }
            await asyncio.to_thread(self.host.back_up)
        # These turns are lost.
        async with self._playing(self._untouched):
            pass
        self._find_canaries(await asyncio.to_thread(self.host.read_backup))
        await self._check("backed up")
        return acknowledged

    async def _restore(self, acknowledged: Mapping[str, frozenset[str]]) -> None:
        """On a fresh server, and with the later version: what it has played before continues."""
        host = self.host
        for process in host.processes:
            assert await asyncio.to_thread(process.stop) == 0, host.log[-2000:]
        await asyncio.to_thread(host.postgres.kill)
        for player in self.players:
            await player.close()
        self._turns, self._run = self.turns, self._begin_run()
        host.postgres = await asyncio.to_thread(self.servers.enter_context, running_postgres())
        host.database_url = host.postgres.url(DATABASE)
        told = await asyncio.to_thread(host.restore, self.later)
        kept = [await self._read_kept(player, acknowledged[player.campaign]) for player in self.players]
        for player, turns in zip(self.players, kept, strict=True):
            proven = len(turns) + FIRST_COMMITS
            assert f"/{player.campaign}: {proven} of {proven} turns are proven" in told, (proven, told)
        for process in host.processes:
            process.version = self.later
        await self._run.wrecker.strike("host restored", lambda: _start_all(host.processes))
        before, self.players = self.players, []
        for player, turns in zip(before, kept, strict=True):
            again = self._make_player(player.campaign, player.owner)
            self.players.append(again)
            again.taken = turns
            missing = [one for one in player.taken if one not in turns]
            continuing = [one for one in missing if await again.knows(one)]
            for operation in continuing:
                await again.take(operation)
            again.told = {one: tell_story(one) for one in again.taken}
            await again.watch()
            # What came after the dump is lost, and sent again.
            for operation in [one for one in missing if one not in continuing]:
                self.provider.forget(operation)
                await again.take(operation)
            if player.campaign in self._refused:
                await again.take(self._refused[player.campaign])
        await self._check("restored")

    async def _end(self) -> Mapping[str, object]:
        while self.turns < self.plan.turns:
            async with self._playing(self.players):
                pass
        if self.plan.calls_roll:
            await self._run.call_roll()
        figures = await self._check("played on")
        await self._check_workers(self.later)
        await asyncio.to_thread(self.host.administer, "turns")
        self._find_canaries(await asyncio.to_thread(self.host.dump))
        return figures

    # How an operator does it.

    def _create_role(self) -> None:
        self.host.set_up('psql "$DATABASE_URL" --command "create role')
        self.host.set_up("talewright admin migrate --role")
        self.host.has_role = True

    async def _replace_nodes(self, version: Version) -> None:
        for node in self.host.nodes:
            await self._restart(node, version)

    async def _replace_workers(self, version: Version) -> None:
        """New ones are started before the old ones are stopped."""
        strike, host = self._run.wrecker.strike, self.host
        old = list(host.workers)
        new = [host.add_process(version) for _ in old]
        for worker in new:
            await strike("worker came", worker.start, worker.wait_working)
        for worker in old:
            await strike("worker stopped", worker.stop)
            assert await asyncio.to_thread(worker.wait_ended) == 0, host.log[-2000:]
            host.workers.remove(worker)

    async def _restart_with(self, keys: str) -> None:
        self.host.keys = keys
        for process in self.host.processes:
            await self._restart(process, process.version)

    async def _restart(self, process: HostProcess, version: Version) -> None:
        def restart() -> None:
            assert process.stop() == 0, self.host.log[-2000:]
            process.version = version
            _start_all([process])

        await self._run.wrecker.strike(f"{'node' if process.port else 'worker'} restarted", restart)

    async def _refuse_keys(self, keys: str) -> None:
        """A worker with these keys does not start."""
        host = self.host
        usual, host.keys = host.keys, keys
        worker = HostProcess(host)
        await asyncio.to_thread(worker.start)
        host.keys = usual
        assert await asyncio.to_thread(worker.wait_ended) == 2, host.log[-2000:]

    # What players do, and what is checked.

    def _make_player(self, campaign: str, owner: str) -> ChaosPlayer:
        urls = [node.url for node in self.host.nodes]
        seed, notes = f"{self.plan.seed} {campaign}", self._run.notes
        player = ChaosPlayer(campaign, urls, notes, seed, self._tokens[owner], owner)
        self._run.players.append(player)
        return player

    @asynccontextmanager
    async def _playing(self, players: Sequence[ChaosPlayer]) -> AsyncIterator[None]:
        """Players take turns meanwhile, at least one each; at the end, each finishes its turn."""
        leaving = asyncio.Event()

        async def play(player: ChaosPlayer) -> None:
            while True:
                await player.take(f"{player.campaign}-{next(self._numbers)}")
                with suppress(TimeoutError):
                    pause = self._rng.uniform(0, 2 * PAUSE_SECONDS * self.plan.pace)
                    await asyncio.wait_for(leaving.wait(), pause)
                if leaving.is_set():
                    return

        async with asyncio.TaskGroup() as group:
            for player in players:
                group.create_task(play(player))
            yield
            leaving.set()

    async def _check(self, step: str) -> Mapping[str, object]:
        """Nothing is lost, doubled or waiting, and every process is ready."""
        figures = await self._run.check()
        await asyncio.to_thread(self.host.wait_until_ready)
        self.steps[step] = round(monotonic() - self._started, 1)
        print(f"operator_day: {step}, {self.turns} turns, {self.steps[step]:.0f} s", flush=True)
        return figures

    async def _check_workers(self, version: Version) -> None:
        listed = (await asyncio.to_thread(self.host.read_json, "workers"))["workers"]
        running = [one["engine"] for one in listed if one["alive"]]
        assert running == [str(version.engine)] * self.plan.workers, listed

    async def _read_kept(self, player: ChaosPlayer, acknowledged: frozenset[str]) -> dict[str, TakenTurn]:
        """The turns of a player that are in the restored database; what came before the dump is all there."""
        store = await connect(single_database(self.host.database_url), parse_keys(self.host.keys))
        try:
            book = await store.for_owner(player.owner).open(player.campaign)
            commits = [one async for one in book.records() if isinstance(one, Commit)]
            await book.close()
        finally:
            await store.close()
        made = {one.operation_id: one.id for one in commits}
        kept = {one: turn for one, turn in player.taken.items() if made.get(one) == turn.commit}
        assert acknowledged <= kept.keys(), f"{player.campaign} has lost {acknowledged - kept.keys()}"
        assert len(commits) == len(kept) + FIRST_COMMITS, [one.operation_id for one in commits]
        return kept

    def _find_canaries(self, text: str) -> None:
        found = [one for one in self._canaries if one in text]
        assert not found, f"{found} of the purged owner is still there"


def _start_all(processes: Sequence[HostProcess]) -> None:
    for process in processes:
        process.start()
    for process in processes:
        if process.port:
            process.wait_ready()
        else:
            process.wait_working()


def live_day(plan: DayPlan, folder: Path) -> Mapping[str, object]:
    """A day on servers of its own; returns its figures."""
    old = unpack_old_version(folder / "old") if plan.is_whole else None
    later = copy_later_version(folder / "later") if plan.is_whole else THIS

    async def work() -> Mapping[str, object]:
        async with serve_provider() as provider, AsyncExitStack() as stack:
            servers = ExitStack()
            stack.push_async_callback(asyncio.to_thread, servers.close)
            postgres = await asyncio.to_thread(servers.enter_context, running_postgres())
            redis = await asyncio.to_thread(servers.enter_context, running_redis())
            host = OperatedHost(folder / "home", postgres, redis, provider.url)
            day = OperatorDay(plan, host, provider, servers, old or THIS, later)
            try:
                return await day.live()
            finally:
                for process in host.processes:
                    process.kill()
                for player in day.players:
                    await player.close()

    return asyncio.run(work())
