"""What turns cost in PostgreSQL: around the 5,000th turn against the 200th, and over all plays.

Both campaigns stand equally far behind their last snapshot, and each turn is taken by a book that was just
opened, as on a node that has never seen the campaign. Counted are the statements, the rows that the server
touched, the bytes between us and the server, and the bytes of its write-ahead log. Then all plays are played
on PostgreSQL, and the writes and the bytes of every turn are counted.
"""

import asyncio
import statistics
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

from bench.figures import Figure, at_most, report
from talewright.chronicle.records import MAIN, Attempt, Record
from talewright.chronicle.save_format import SaveFormat
from talewright.chronicle.store import Store
from talewright.play.transfer.campaign_transfer import found_transferred, read_for_transfer
from talewright.stores.folder.folder_store import FolderStore
from talewright.stores.postgres.postgres_store import PostgresStore, connect
from talewright.stores.postgres.sealing import parse_keys
from talewright.stores.postgres.shards import single_database
from talewright.turn.inputs.player_inputs import Choose
from talewright.turn.pipeline import take_turn
from talewright.turn.steps.recalling import SNAPSHOT_EVERY
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed
from talewright_testkit.servers.postgres_server import FAST, PostgresServer, running_postgres
from tests.play.history.campaigns import offers_of
from tests.play.history.long_campaigns import SEED, Unpacking, write_campaign
from tests.plays.scripts import Play, read_plays
from tests.plays.stage import Stage

SHORT = 200
LONG = 5_000 + (SHORT - 5_000) % SNAPSHOT_EVERY
"""At least 5,000, and as far behind a snapshot as the short one."""

BLOCKS = 4
BLOCK = SNAPSHOT_EVERY
"""Turns between two looks at the counters of the server: exactly one of them stores a snapshot."""

RATIO_MAX = 1.05
WRITES_MAX = 12
LOG_MEDIAN_MAX, LOG_P99_MAX = 8 * 1024, 32 * 1024
KEYS = parse_keys("k1:" + "A" * 43 + "=")
STEADY = {**FAST, "autovacuum": "off", "checkpoint_timeout": "1h", "max_wal_size": "8GB"}
"""Nothing but our turns writes."""

ROWS = (
    "select sum(n_tup_ins + n_tup_upd + n_tup_del + coalesce(idx_tup_fetch, 0) + seq_tup_read)::bigint"
    " from pg_stat_user_tables"
)
NAMES = count()


@dataclass
class Traffic:
    """What went between us and one database."""

    statements: int = 0
    bytes: int = 0

    def listen(self, store: PostgresStore) -> None:
        """Count from now on."""
        database = store.databases[0]
        for name in ("fetch", "write"):
            setattr(database, name, self._wrap(getattr(database, name)))

    def _wrap(self, call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def counting(statement: str, *values: object) -> Any:
            rows = await call(statement, *values)
            self.statements += 1
            self.bytes += weigh(values) + sum(weigh(tuple(row.values())) for row in rows)
            return rows

        return counting


def weigh(values: Sequence[object]) -> int:
    """About as many bytes as values have on the wire."""
    total = 0
    for value in values:
        if isinstance(value, bytes | str):
            total += len(value)
        elif isinstance(value, list | tuple):
            total += weigh(value)
        else:
            total += 8
    return total


@dataclass
class LongPlay:
    """One of the two campaigns, and what its turns have cost, block by block."""

    server: PostgresServer
    database: str
    turns: int
    costs: dict[str, list[float]] = field(default_factory=dict)

    async def move_in(self, folder: Path) -> None:
        """Write the campaign to a folder, and push it to its own database."""
        await write_campaign(folder, self.name, self.turns)
        moved = await read_for_transfer(FolderStore(folder, git=False), self.name, with_secret=True)
        store = await self._connect()
        await found_transferred(store, self.name, moved)
        await store.close()

    @property
    def name(self) -> str:
        return f"turns-{self.turns}"

    async def run(self) -> None:
        """Take a block of turns."""
        store, traffic = await self._connect(), Traffic()
        await store.campaigns()
        rows, log = self._ask(ROWS), self._ask("select pg_current_wal_lsn() - '0/0'")
        traffic.listen(store)
        for _ in range(BLOCK):
            await self._take_turn(store)
        await store.close()
        found = {
            "statements": traffic.statements,
            "bytes": traffic.bytes,
            "rows": self._ask(ROWS) - rows,
            "log": self._ask("select pg_current_wal_lsn() - '0/0'") - log,
        }
        for what, amount in found.items():
            self.costs.setdefault(what, []).append(amount / BLOCK)

    async def _take_turn(self, store: PostgresStore) -> None:
        book = await store.open(self.name)
        head = await book.read((await book.look(MAIN)).head)
        offers = offers_of(head)
        assert offers, "the story has run dry"
        road = Road(book=book, editions=Unpacking(), now=lambda: "2026-01-01T00:00:00Z", new_id=new_name)
        outcome = await take_turn(road, MAIN, Choose(offers[0].id), new_name())
        assert isinstance(outcome, Committed), outcome
        await book.close()

    async def _connect(self) -> PostgresStore:
        return await connect(single_database(self.server.url(self.database)), KEYS, pool_size=1)

    def _ask(self, query: str) -> int:
        return int(self.server.query(query, self.database))


def new_name() -> str:
    """A new id, as long as real ones."""
    return f"{next(NAMES):032x}"


async def compare_lengths(server: PostgresServer, folder: Path) -> list[Figure]:
    """Blocks of both campaigns, one after the other."""
    plays = [LongPlay(server, server.create_database(), turns) for turns in (SHORT, LONG)]
    for play in plays:
        await play.move_in(folder)
    print(f"  seed {SEED}: {SHORT} and {LONG} turns; {BLOCKS} blocks of {BLOCK} turns each")
    for number in range(BLOCKS):
        for play in plays if number % 2 else reversed(plays):
            await play.run()
    figures = []
    for what in plays[0].costs:
        short, long = (statistics.median(play.costs[what]) for play in plays)
        print(f"  {what} a turn: {short:.1f} after {SHORT} turns, {long:.1f} after {LONG}")
        figures.append(at_most(f"hosted_{what}_5000_vs_200", long / short, RATIO_MAX))
    return figures


@dataclass
class PlayedTurns:
    """The turns of all plays."""

    writes: list[float] = field(default_factory=list)
    """Writes for each try of a turn, one figure a play."""

    sizes: list[int] = field(default_factory=list)
    """Bytes of the records of each turn, as the chain covers them."""

    def take(self, records: list[Record]) -> None:
        """Add the turns of one campaign: records up to the commit of each, its attempt included."""
        size, form = 0, SaveFormat()
        for record in records[1:]:
            size += len(form.write(record))
            if isinstance(record, Attempt) and record.verdict == "committed":
                self.sizes.append(size)
                size = 0


async def play_all(server: PostgresServer) -> PlayedTurns:
    """Every play on PostgreSQL."""
    turns = PlayedTurns()
    database = server.create_database()
    for number, play in enumerate(read_plays()):
        await perform(play, f"owner {number}", server.url(database), turns)
    return turns


async def perform(play: Play, owner: str, url: str, turns: PlayedTurns) -> None:
    """One play, from its beginning to its end."""
    store = await connect(single_database(url), KEYS)

    async def reopen() -> Store:
        return store.for_owner(owner)

    stage = Stage(play, reopen)
    counts = store.databases[0].counts
    before = counts.writes
    await stage.perform()
    records = [record async for record in (await stage.book()).records()]
    tries = sum(isinstance(record, Attempt) for record in records)
    if tries:
        # What follows a turn in the background is counted as well.
        turns.writes.append((counts.writes - before) / tries)
    turns.take(records)
    await store.close()


def main() -> int:
    """Measure and print."""
    with running_postgres(STEADY) as server, tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(compare_lengths(server, Path(folder)))
        turns = asyncio.run(play_all(server))
    sizes = sorted(turns.sizes)
    middle, high = statistics.median(sizes), sizes[int(len(sizes) * 0.99)]
    print(f"  {len(sizes)} turns of all plays: median {middle:.0f} bytes, p99 {high}, most {sizes[-1]}")
    figures += [
        at_most("hosted_writes_a_turn", max(turns.writes), WRITES_MAX),
        at_most("hosted_log_median_bytes", middle, LOG_MEDIAN_MAX),
        at_most("hosted_log_p99_bytes", high, LOG_P99_MAX),
    ]
    return report(figures)


if __name__ == "__main__":
    raise SystemExit(main())
