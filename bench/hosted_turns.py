"""Whole turns of a host a second, against bare DBOS with the same steps, payloads and statements.

Our side is a worker and the lobby of an API node, each a process, on PostgreSQL and Redis with their default
settings; the model answers at once, in one piece. The bare side is DBOS and asyncpg alone. It gets a copy of
the database from before, and does what our side has recorded: the same orders, the same statements with the
same values, the same results of steps. After every round both databases must hold the same records. Rounds
are interleaved. In each of them, every campaign takes some turns, one after the other.

What a process uses while there is nothing to do, such as looking for orders 20 times a second, is no cost of
a turn: it is measured on its own, and taken off. Our own processor time is that of our two processes, without
that of the bare ones and without what is done with each chunk of the model before the next is asked for:
showing it, and watching it for hidden texts.
"""

import asyncio
import os
import statistics
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import sleep

from bench.figures import at_least, at_most, report
from bench.hosted.our_side import found_campaigns
from bench.hosted.recorded_turns import count_bytes, load
from bench.hosted.side_process import SideProcess, read_cpu
from talewright_testkit.servers.postgres_server import DURABLE, PostgresServer, running_postgres
from talewright_testkit.servers.redis_server import RedisServer, running_redis
from talewright_testkit.servers.server_process import find_children

CAMPAIGNS = 24
TURNS = 5
"""Turns of each campaign in a round."""

ROUNDS = 6
"""Rounds that are counted, after one that is not."""

IDLE_SECONDS = 5.0
WRITES = ("insert into", "update ", "delete from")
RATIO_MIN = 0.65
OWN_CPU_MS_MAX = 8.0
WRITTEN = (
    "(select coalesce(sum(n_tup_ins + n_tup_upd + n_tup_del), 0) from pg_stat_user_tables where schemaname"
)
RECORDS = "select count(*), md5(string_agg(chain::text, '' order by campaign, number)) from records"


@dataclass
class Servers:
    """What both sides use."""

    postgres: PostgresServer
    redis: RedisServer

    def read(self, database: str) -> dict[str, float]:
        """What the servers have done so far."""
        sent = self.postgres.query(
            f"select pg_current_wal_lsn() - '0/0', xact_commit, {WRITTEN} = 'dbos'), {WRITTEN} = 'public')"
            f" from pg_stat_database where datname = '{database}'",
            database,
        ).split("|")
        backends = [self.postgres.pid, *find_children(self.postgres.pid)]
        return {
            "PostgreSQL ms": sum(read_cpu(pid) for pid in backends) * 1e3,
            "log KB": float(sent[0]) / 1024,
            "transactions": float(sent[1]),
            "rows of DBOS written": float(sent[2]),
            "rows of ours written": float(sent[3]),
            "Redis ms": read_cpu(self.redis.pid) * 1e3,
        }


@dataclass
class Side:
    """The two processes of a side, and what its rounds have cost a turn."""

    name: str
    database: str
    worker: SideProcess
    node: SideProcess
    rates: list[float] = field(default_factory=list)
    costs: list[Mapping[str, float]] = field(default_factory=list)
    idle: dict[str, float] = field(default_factory=dict)
    """What each process uses of a processor while nothing is ordered."""

    def rest(self, folder: Path) -> None:
        """Measure the processes while nothing is ordered."""
        for one in (self.worker, self.node):
            self._ask(one, "begin", folder)
        sleep(IDLE_SECONDS)
        for one in (self.worker, self.node):
            cost = self._ask(one, "cost", folder)
            self.idle[one.role] = cost["cpu"] / cost["seconds"]

    def run(self, servers: Servers, folder: Path) -> None:
        """One round."""
        worker, node = folder / "worker", folder / "node"
        turns = CAMPAIGNS * TURNS
        if self.name == "bare":
            self._ask(self.worker, "run", worker)
            self._ask(self.node, "run", node)
        before = servers.read(self.database)
        for one in (self.worker, self.node):
            self._ask(one, "begin", folder)
        self._ask(self.node, "run", node, TURNS)
        costs = {one.role: self._ask(one, "cost", folder) for one in (self.node, self.worker)}
        after = servers.read(self.database)
        if self.name == "ours":
            self._ask(self.worker, "run", worker)
        self.rates.append(turns / costs[self.node.role]["seconds"])
        seconds = costs[self.node.role]["seconds"]
        own = {}
        for role, cost in costs.items():
            used = cost["cpu"] - self.idle.get(role, 0.0) * seconds
            own[_name(role)] = used * 1e3 / turns
        own["chunks ms"] = costs[self.worker.role]["chunks"] * 1e3 / turns
        self.costs.append({**own, **{one: (after[one] - before[one]) / turns for one in after}})

    def _ask(self, process: SideProcess, word: str, path: Path, turns: int = 0) -> dict[str, float]:
        process.tell(word, path, turns)
        return process.hear()

    def cost(self, what: str) -> float:
        """The median cost of a turn."""
        return statistics.median(one[what] for one in self.costs)

    @property
    def own_ms(self) -> float:
        """Milliseconds of processor of both processes for a turn, without what the model's chunks took."""
        return statistics.median(one["node ms"] + one["worker ms"] - one["chunks ms"] for one in self.costs)

    def show(self) -> None:
        """Print the absolute values."""
        costs = ", ".join(f"{what} {self.cost(what):.2f}" for what in self.costs[0])
        print(
            f"  {self.name}: {statistics.median(self.rates):.1f} turns a second; a turn: {costs}", flush=True
        )


def _name(role: str) -> str:
    return role.partition("_")[2] + " ms"


def show_turn(folder: Path) -> None:
    """Print what both sides do in a turn."""
    orders, workflows = load(folder / "node"), load(folder / "worker")
    turn = next(iter(orders.values()))[-1]
    parts = workflows[turn.workflow]
    assert len(workflows) == CAMPAIGNS * TURNS, "something else was ordered too"
    steps = ", ".join(one.step.rpartition("/")[2] for one in parts if one.step)
    print(f"  steps: {steps}; {count_bytes(parts)} bytes of results, sealed")
    by_node, by_worker = [*turn.before, *turn.after], [sql for one in parts for sql in one.sql]
    for who, sent in (("node", by_node), ("worker", by_worker)):
        writes = sum(any(word in statement for word in WRITES) for statement, _ in sent)
        print(f"  statements of ours in a turn, by the {who}: {len(sent)}, of them {writes} writes")


def measure(servers: Servers, folder: Path) -> tuple[Side, Side]:
    """Interleaved rounds of both sides."""
    names = [servers.postgres.create_database()]
    asyncio.run(found_campaigns(servers.postgres.url(names[0]), CAMPAIGNS))
    names.append(servers.postgres.create_database(names[0]))
    sides = []
    for name, database in zip(("ours", "bare"), names, strict=True):
        place = servers.postgres.url(database), servers.redis.url, CAMPAIGNS
        sides.append(
            Side(name, database, SideProcess(f"{name}_worker", *place), SideProcess(f"{name}_node", *place))
        )
    try:
        for number in range(ROUNDS + 1):
            for side in sides:
                side.run(servers, folder)
            held = {servers.postgres.query(RECORDS, side.database) for side in sides}
            assert len(held) == 1, "the two sides have not written the same"
            if number == 0:
                for side in sides:
                    side.rest(folder)
            print(f"  round {number}: {', '.join(f'{side.name} {side.rates[-1]:.1f}' for side in sides)}")
    finally:
        for side in sides:
            side.worker.end()
            side.node.end()
    for side in sides:
        idle = ", ".join(f"{role} {share * 1e3:.0f}" for role, share in side.idle.items())
        print(f"  ms of processor in a second without turns: {idle}")
        del side.rates[0], side.costs[0]
        side.show()
    return sides[0], sides[1]


def main() -> int:
    """Measure and print."""
    print(
        f"  load of the machine: {os.getloadavg()[0]:.1f}; {CAMPAIGNS} campaigns, {TURNS} turns each a round"
    )
    with (
        running_postgres(DURABLE) as postgres,
        running_redis() as redis,
        tempfile.TemporaryDirectory() as folder,
    ):
        ours, bare = measure(Servers(postgres, redis), Path(folder))
        show_turn(Path(folder))
    ratio = statistics.median(one / other for one, other in zip(ours.rates, bare.rates, strict=True))
    return report(
        [
            at_least("hosted_turns_vs_dbos", ratio, RATIO_MIN),
            at_most("hosted_own_cpu_ms", ours.own_ms - bare.own_ms, OWN_CPU_MS_MAX),
        ]
    )


if __name__ == "__main__":
    raise SystemExit(main())
