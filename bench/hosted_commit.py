"""The commit of a turn in PostgreSQL, against pgbench with the same statement and rows of the same size.

What is written has the size of a real turn, sealed. Both sides write to campaigns of their own, one for each
connection, on one server with its default settings: every commit waits for the disk. pgbench has two threads,
and we have two processes, as two nodes would. Rounds are interleaved, each with the other one first. On our
side, encoding, compressing, sealing and hashing are counted; pgbench sends what is ready. After every round,
every turn of both sides must be there.

A third side says how far Python can come at all: the same statement through asyncpg alone, prepared once for
each connection, with bytes that are ready, in as many processes. It took 0.12 ms of processor a turn, and we
took 0.7, when the machine was quiet. What lies between is ours. Of a commit of 5.4 KB, at the best of many
runs: 0.1 ms encode it to JSON, 0.04 compress it, 0.02 seal and hash it. The rest is spread over planning,
numbering and the tasks that a cancelled caller cannot stop. The server needs the same two cores.
"""

import asyncio
import os
import re
import statistics
import subprocess
import sys
import tempfile
from dataclasses import replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any
from uuid import UUID

import asyncpg

from bench.ack import Turn, play_turn
from bench.figures import at_least, report
from talewright.chronicle.save_format import SaveFormat
from talewright.chronicle.store import Founding
from talewright.stores.postgres import statements
from talewright.stores.postgres.postgres_book import PostgresBook
from talewright.stores.postgres.postgres_store import PostgresStore, connect
from talewright.stores.postgres.sealing import parse_keys
from talewright.stores.postgres.shards import single_database
from talewright_testkit.servers.postgres_server import (
    DURABLE,
    PostgresServer,
    find_postgres_program,
    running_postgres,
)

CONNECTIONS = (2, 8)
"""Connections on each side: with few, the disk and the round trip decide; with many, the processors do."""

PROCESSES = 2
"""Processes of ours, and threads of pgbench."""

ROUNDS = 5
SECONDS = 3
"""How long each side writes in a round."""

WARM_UP = 10
"""Turns of each connection before that, so that its statements are prepared."""

TURNS_MAX = 20_000
"""Turns that are made in advance; no connection takes as many in a round."""

RATIO_MIN = 0.6
KEYS = parse_keys("k1:" + "A" * 43 + "=")
CAMPAIGN = "('00000000-0000-4000-8000-' || lpad(:client_id::text, 12, '0'))::uuid"
"""The campaign of a connection of pgbench."""


def write_script(line: bytes, attempt: bytes) -> str:
    """The same statement for pgbench: what changes from turn to turn is counted by its own variables."""
    mark, chain = "'\\x6b313a00112233445566778899aabbccddeeff'::bytea", f"'\\x{'00' * 32}'::bytea"
    commit, before, operation = "('c' || :s)", "('c' || (:s - 1))", "('o' || :s)"
    values = [CAMPAIGN, "'bench'", ":n", "2", ":s", chain, "'main'", "'{}'", mark, "'2026'", before, commit]
    values += ["null::int", mark, f"array[{operation}]"]
    values += [":n", "'commit'", commit, operation, before, ":s", chain, f"'\\x{line.hex()}'"]
    values += ["(:n + 1)", "'attempt'", "('a' || :s)", operation, "null", "null", chain]
    values += [f"'\\x{attempt.hex()}'"]
    statement = re.sub(r"\$(\d+)", lambda found: values[int(found[1]) - 1], statements.COMMIT)
    return f"{' '.join(statement.split())};\n\\set n :n + 2\n\\set s :s + 1\n"


def found_rows(server: PostgresServer, database: str, clients: int) -> None:
    """The campaigns of pgbench."""
    columns = "id, owner, name, shard, about, secret, format, records, sequence, chain, newest, spent, mark"
    for client in range(clients):
        key = f"'00000000-0000-4000-8000-{client:012}'"
        values = f"{key}, 'bench', 'pgbench{client}', 0, '{{}}', '', 2, 1, 0, '', 'main', '{{}}', '', ''"
        server.query(f"insert into campaigns ({columns}, at) values ({values})", database)
        server.query(f"insert into branches values ({key}, 'main', 'c0', null, '')", database)


def run_pgbench(server: PostgresServer, database: str, script: Path, clients: int) -> float:
    """Run pgbench for one round; its turns per second."""
    server.query("truncate records, branches, campaigns", database)
    found_rows(server, database, clients)
    command = [find_postgres_program("pgbench"), "-n", "-M", "prepared", "-D", "n=1", "-D", "s=1"]
    command += ["-f", str(script), "-c", str(clients), "-j", str(PROCESSES), "-T", str(SECONDS)]
    told = subprocess.run([*command, server.url(database)], capture_output=True, text=True, check=True).stdout
    found = re.search(r"transactions actually processed: (\d+)", told)
    assert found is not None, told
    moved = int(server.query("select sum(sequence) from campaigns", database))
    assert moved >= int(found[1]), "pgbench has moved no heads"
    return int(found[1]) / SECONDS


async def commit_bare(connection: Any, client: int, lines: tuple[bytes, bytes]) -> int:
    """Commit turns through one connection of asyncpg, with bytes that are ready, until the round is over."""
    key, mark, chain = UUID(f"00000000-0000-4000-8000-{client:012}"), b"k1:" + bytes(16), bytes(32)
    prepared = await connection.prepare(statements.COMMIT)
    until, number = perf_counter() + SECONDS, 0
    while perf_counter() < until:
        number += 1
        line, commit, before, operation = number * 2 - 1, f"c{number}", f"c{number - 1}", f"o{number}"
        moved = (key, "bench", line, 2, number, chain, "main", "{}", mark, "2026", before, commit, None, mark)
        first = (line, "commit", commit, operation, before, number, chain, lines[0])
        second = (line + 1, "attempt", f"a{number}", operation, None, None, chain, lines[1])
        rows = await prepared.fetch(*moved, [operation], *first, *second)
        assert rows[0]["moved"] == 1
    return number


class Node:
    """A process of ours that commits turns when it is told to."""

    def __init__(self, url: str, name: str, connections: int) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "bench.hosted_commit", url, name, str(connections)],
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def tell(self, word: str) -> None:
        """Tell it to get `ready` in fresh campaigns, to `go`, to go `bare`, or to `end`."""
        assert self._process.stdin is not None
        print(word, file=self._process.stdin, flush=True)

    def hear(self) -> float:
        """What it answers: its turns per second."""
        assert self._process.stdout is not None
        return float(self._process.stdout.readline())

    def end(self) -> None:
        """Wait for its end."""
        self.tell("end")
        self._process.communicate()


async def run_node(url: str, name: str, connections: str) -> None:
    """Commit turns with the connections of one process, as it is told on standard input."""
    played = await play_turn()
    turns = [played.rename(number) for number in range(TURNS_MAX)]
    store = await connect(single_database(url), KEYS, pool_size=int(connections))
    books: list[PostgresBook] = []
    bare = [await asyncpg.connect(url) for _ in range(int(connections))]
    lines = seal_lines(played)
    while (word := (await asyncio.to_thread(sys.stdin.readline)).strip()) not in ("", "end"):
        if word == "ready":
            books = [await found_book(store, played, f"{name}-{one}") for one in range(int(connections))]
            await asyncio.gather(*(take_turns(book, turns, 0, WARM_UP) for book in books))
            print(0, flush=True)
        elif word == "bare":
            begin, spent = perf_counter(), process_time()
            clients = enumerate(bare, int(name[4:]) * int(connections))
            done = await asyncio.gather(*(commit_bare(one, client, lines) for client, one in clients))
            rate, spent = sum(done) / (perf_counter() - begin), (process_time() - spent) / sum(done)
            print(f"  {name}, asyncpg alone: {spent * 1e3:.2f} ms of processor a turn", file=sys.stderr)
            print(rate, flush=True)
        else:
            begin = perf_counter()
            spent = process_time()
            done = await asyncio.gather(*(take_turns(book, turns, WARM_UP, None) for book in books))
            rate, spent = sum(done) / (perf_counter() - begin), (process_time() - spent) / sum(done)
            print(f"  {name}: {spent * 1e3:.2f} ms of processor a turn", file=sys.stderr)
            assert [(await book.look()).sequence for book in books] == [WARM_UP + one for one in done]
            print(rate, flush=True)
    await store.close()


async def take_turns(book: PostgresBook, turns: list[Turn], begin: int, count: int | None) -> int:
    """Commit so many turns, or turn after turn until the round is over; how many there were."""
    until, number = perf_counter() + SECONDS, begin
    while (perf_counter() < until) if count is None else (number < begin + count):
        number += 1
        await book.commit(turns[number].commit, turns[number].attempt)
    return number - begin


async def found_book(store: PostgresStore, played: Turn, name: str) -> PostgresBook:
    """A campaign of ours."""
    root = replace(played.rename(0).commit, parent="", body={"format": 2})
    await store.for_owner("ours").found(Founding(name, root, bytes(32)))
    return await store.for_owner("ours").open(name)


async def make_schema(url: str) -> None:
    """Create the tables."""
    await (await connect(single_database(url), KEYS)).close()


def seal_lines(played: Turn) -> tuple[bytes, bytes]:
    """The two records of a turn, ready to be stored."""
    seal, form = KEYS.seal_for(b"bench"), SaveFormat()
    return seal.seal(form.write(played.commit), "x"), seal.seal(form.write(played.attempt), "x")


def run_bare(server: PostgresServer, database: str, nodes: list[Node], clients: int) -> float:
    """Run asyncpg alone for one round; its turns per second."""
    server.query("truncate records, branches, campaigns", database)
    found_rows(server, database, clients)
    for node in nodes:
        node.tell("bare")
    return sum([node.hear() for node in nodes])


def run_ours(server: PostgresServer, database: str, nodes: list[Node]) -> float:
    """Run our processes for one round; their turns per second."""
    server.query("truncate records, branches, campaigns", database)
    for word in ("ready", "go"):
        for node in nodes:
            node.tell(word)
        rates = [node.hear() for node in nodes]
    return sum(rates)


def measure(server: PostgresServer, script: Path, clients: int) -> float:
    """Rounds of both sides; the median of their ratios."""
    database, ratios, driver = server.create_database(), [], []
    asyncio.run(make_schema(server.url(database)))
    url = server.url(database)
    nodes = [Node(url, f"node{number}", clients // PROCESSES) for number in range(PROCESSES)]
    run_ours(server, database, nodes)
    for number in range(ROUNDS):
        rates: dict[str, float] = {}
        for side in ("ours", "asyncpg", "pgbench") if number % 2 else ("pgbench", "asyncpg", "ours"):
            if side == "pgbench":
                rates[side] = run_pgbench(server, database, script, clients)
            elif side == "asyncpg":
                rates[side] = run_bare(server, database, nodes, clients)
            else:
                rates[side] = run_ours(server, database, nodes)
        ratios.append(rates["ours"] / rates["pgbench"])
        driver.append(rates["asyncpg"] / rates["pgbench"])
        shown = ", ".join(f"{side} {rate:.0f}/s" for side, rate in rates.items())
        print(f"  {clients} connections: {shown}, {ratios[-1]:.2f} of pgbench")
    for node in nodes:
        node.end()
    print(f"  {clients} connections: asyncpg alone reaches {statistics.median(driver):.2f} of pgbench")
    return statistics.median(ratios)


def main() -> int:
    """Measure and print."""
    played = asyncio.run(play_turn())
    lines = seal_lines(played)
    print(f"  a turn of {len(lines[0])} and {len(lines[1])} bytes, sealed")
    with running_postgres(DURABLE) as server, tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "commit.sql"
        script.write_text(write_script(*lines), encoding="utf-8")
        ratios = {clients: measure(server, script, clients) for clients in CONNECTIONS}
    return report([at_least(f"hosted_commit_vs_pgbench_{one}", ratios[one], RATIO_MIN) for one in ratios])


if __name__ == "__main__":
    raise SystemExit(asyncio.run(run_node(*sys.argv[1:])) if sys.argv[1:] else main())
