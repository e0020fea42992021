"""Books in PostgreSQL: several processes, kill -9 of the server, cancelled callers, and damaged rows."""

import asyncio
import os
import random
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from talewright.chronicle.record_order_checks import inspect_records
from talewright.chronicle.records import (
    MAIN,
    Aside,
    AttemptVerdict,
    Commit,
    Json,
    PointerKind,
    Pointing,
    Record,
)
from talewright.chronicle.store import BlobKind, CampaignBook, DamagedError, HeadMovedError, UnsavedError
from talewright.stores.postgres.connection_retry import LostWriteError
from talewright.stores.postgres.postgres_book import PostgresBook
from talewright.stores.postgres.postgres_store import PostgresStore, connect
from talewright.stores.postgres.shards import single_database
from talewright.testing.store_checks.bounded_checks import bind_all
from talewright.testing.store_checks.store_fixtures import (
    make_aside,
    make_attempt,
    make_founding,
    make_input,
    make_turn,
    moment,
)
from talewright_testkit.servers.postgres_server import PostgresServer, running_postgres
from tests.stores.postgres.stores import KEYS, FreshStores, run_with

ROOT = Path(__file__).parents[3]
TURNS = 25


async def read_all(book: CampaignBook) -> list[Record]:
    """All records, after checking that they fit together and with their chain."""
    records = [record async for record in book.records()]
    assert inspect_records(records) == ()
    assert await book.chain() == bind_all(records)
    return records


def test_two_processes_commit_to_one_campaign(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        book = await store.found(make_founding("harbor"))
        command = [sys.executable, "-m", "tests.stores.postgres.committer", stores.url, "harbor"]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT / "src"), str(ROOT)])}
        processes = [
            await asyncio.create_subprocess_exec(
                *command, name, str(TURNS), cwd=ROOT, env=environment, stdout=subprocess.PIPE
            )
            for name in ("one", "two")
        ]
        told = [(await process.communicate())[0].decode().split() for process in processes]
        assert [process.returncode for process in processes] == [0, 0]
        commits = [record for record in await read_all(book) if isinstance(record, Commit)]
        assert [commit.sequence for commit in commits] == list(range(2 * TURNS + 1))
        acknowledged = [one for each in told for one in each]
        assert sorted(acknowledged) == sorted(commit.id for commit in commits[1:])
        assert all(commit.parent == before.id for before, commit in pairwise(commits))

    run_with(postgres_server, check)


async def take_turns(book: CampaignBook, name: str, turns: int, acknowledged: list[str]) -> None:
    """Take turns, as a worker that repeats a turn whose outcome it does not know."""
    for number in range(turns):
        head = await book.read((await book.look(MAIN)).head)
        turn = make_turn(head, f"{name} {number}")
        while True:
            try:
                await book.accept(make_input(turn))
                acknowledged.append((await book.commit(turn, make_attempt(turn))).id)
                break
            except UnsavedError:
                continue


@pytest.mark.process
def test_a_killed_server_loses_no_acknowledged_turn() -> None:
    seed = 22
    print("seed", seed)
    chance = random.Random(seed)

    async def check(server: PostgresServer) -> None:
        name = server.create_database()
        store = await connect(single_database(server.url(name)), KEYS)
        names = [f"c{number}" for number in range(6)]
        books = [await store.found(make_founding(one)) for one in names]
        acknowledged: dict[str, list[str]] = {one: [] for one in names}
        work = [
            asyncio.ensure_future(take_turns(book, book.campaign, 30, acknowledged[book.campaign]))
            for book in books
        ]
        for _ in range(3):
            marks = sum(map(len, acknowledged.values())) + chance.randrange(5, 20)
            while sum(map(len, acknowledged.values())) < marks and not all(one.done() for one in work):
                await asyncio.sleep(0)
            await asyncio.to_thread(server.restart)
        await asyncio.gather(*work)
        for book in books:
            commits = [one for one in await read_all(book) if isinstance(one, Commit)]
            assert [commit.id for commit in commits[1:]] == acknowledged[book.campaign]
        await store.close()

    with running_postgres() as server:
        asyncio.run(check(server))


def test_a_lost_answer_is_looked_up(postgres_server: PostgresServer) -> None:
    """The write happens and its answer is lost: the caller learns of it, and nothing is written twice."""

    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        founding = make_founding("harbor")
        book = await store.found(founding)
        lose_answers(store)
        turn = make_turn(founding.root, "first")
        answer = await book.accept(make_input(turn))
        assert (answer.head, answer.attempts) == (founding.root.id, 0)
        assert (await book.commit(turn, make_attempt(turn))).sequence == 1
        await book.add(make_aside(turn, "once"))
        await book.point(Pointing(PointerKind.BRANCH, "else", turn.id, moment(9)))
        await book.point(Pointing(PointerKind.MARK, "here", turn.id, moment(9)))
        await book.keep(BlobKind.SNAPSHOT, turn.id, {"a": 1})
        assert len(await read_all(book)) == 7
        assert await book.kept(BlobKind.SNAPSHOT, turn.id) == {"a": 1}
        # Also if somebody else has written in between.
        other = await store.open("harbor")
        second = make_turn(turn, "second")
        await other.commit(second, make_attempt(second))
        await book.point(Pointing(PointerKind.BRANCH, "third", turn.id, moment(9)))
        assert set(await book.branches()) == {MAIN, "else", "third"}
        founded = await store.found(make_founding("elsewhere"))
        assert (await founded.look()).sequence == 0

    run_with(postgres_server, check)


def lose_answers(store: PostgresStore) -> None:
    """Let every write happen and then lose its connection, every second time."""
    for database in store.databases:
        write, transact, calls = database.write, database.transact, [0]

        async def losing(*values, write=write, calls=calls):  # type: ignore[no-untyped-def]
            calls[0] += 1
            found = await write(*values)
            if calls[0] % 2:
                raise LostWriteError
            return found

        async def losing_all(work, transact=transact, calls=calls):  # type: ignore[no-untyped-def]
            calls[0] += 1
            found = await transact(work)
            if calls[0] % 2:
                raise LostWriteError
            return found

        database.write, database.transact = losing, losing_all  # type: ignore[method-assign]


def test_cancelled_callers_leave_nothing_half_done(postgres_server: PostgresServer) -> None:
    """Callers are cancelled at any moment; every connection stays usable, and no answer is another's."""
    seed = 7
    print("seed", seed)
    chance = random.Random(seed)

    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        books = [await store.found(make_founding(f"c{number}")) for number in range(5)]
        roots = {book.campaign: (await book.look()).head for book in books}

        async def ask(number: int) -> None:
            book = books[number % len(books)]
            commit = await book.read(roots[book.campaign])
            assert commit.id == roots[book.campaign]
            await book.add(make_aside(commit, f"{book.campaign} {number}"))
            records = [one async for one in book.records()]
            assert records[0] == commit
            asides = [one for one in records if isinstance(one, Aside)]
            assert all(str(one.body["summary"]).startswith(book.campaign) for one in asides)

        for round_ in range(10):
            tasks = [asyncio.ensure_future(ask(round_ * 40 + number)) for number in range(40)]
            for task in tasks:
                for _ in range(chance.randrange(8)):
                    await asyncio.sleep(0)
                if chance.random() < 0.7:
                    task.cancel()
            for outcome in await asyncio.gather(*tasks, return_exceptions=True):
                assert outcome is None or isinstance(outcome, asyncio.CancelledError), outcome
        for book in books:
            await read_all(book)
        database = store.databases[0]
        assert database.pool.used == 0
        assert 0 < database.pool.idle <= 10

    run_with(postgres_server, check)


_FLIP = "{0} = set_byte({0}, 30, get_byte({0}, 30) # 1)"
DAMAGE = {
    "a byte of a record": f"update records set {_FLIP.format('line')} where campaign = $ and number = 3",
    "the chain of a record": f"update records set {_FLIP.format('chain')} where campaign = $ and number = 3",
    "a record is gone": "delete from records where campaign = $ and number = 3",
    "the last record is gone": "delete from records where campaign = $ and number = 10",
    "two records swapped": "update records a set line = b.line, chain = b.chain from records b"
    " where a.campaign = $ and b.campaign = $ and (a.number, b.number) in ((2, 3), (3, 2))",
    "a record of another place": "update records a set line = b.line from records b"
    " where a.campaign = $ and b.campaign = $ and a.number = 2 and b.number = 5",
    "the head of a branch": "update branches set head ="
    " (select id from records where campaign = $ and sequence = 1) where campaign = $",
    "a branch is gone": "delete from branches where campaign = $ and name = 'else'",
    "the mark of a branch": "update branches set mark = mark || 'a' where campaign = $",
    "a mark": "update marks set head = (select id from records where campaign = $ and sequence = 0)"
    " where campaign = $",
    "the totals": "update campaigns set spent = replace(spent, '21', '22') where id = $",
    "the counter": "update campaigns set sequence = sequence + 1 where id = $",
    "the number of records": "update campaigns set records = records - 1 where id = $",
    "the branch that moved last": "update campaigns set newest = 'main' where id = $",
    "a waiting input": "delete from waiting where campaign = $",
}
LISTED = {"the totals", "the counter", "the number of records", "the branch that moved last"}
"""What is seen in the list already."""


async def write_campaign(store: PostgresStore) -> PostgresBook:
    """A campaign with every kind of row."""
    founding = make_founding("harbor")
    book = await store.found(founding)
    head = founding.root
    for number in range(3):
        turn = make_turn(head, f"turn {number}")
        await book.accept(make_input(turn))
        spent: dict[str, Json] = {"spent": [{"model": "quill", "input_tokens": 7, "output_tokens": 1}]}
        head = await book.commit(turn, replace(make_attempt(turn), body=spent))
    await book.accept(make_input(make_turn(head, "waits")))
    await book.add(make_attempt(make_turn(head, "waits"), AttemptVerdict.INTERRUPTED))
    await book.point(Pointing(PointerKind.MARK, "here", head.id, moment(9)))
    await book.point(Pointing(PointerKind.BRANCH, "else", head.id, moment(9)))
    return book


def test_damage_is_found_and_never_returned(postgres_server: PostgresServer) -> None:
    async def read(store: PostgresStore, good: set[str]) -> None:
        async for record in (await store.open("harbor")).records():
            assert repr(record) in good, "what is damaged is returned"

    async def check(stores: FreshStores) -> None:
        operator = await stores.make_alone()
        for what, statement in DAMAGE.items():
            store = operator.for_owner(what)
            book = await write_campaign(store)
            good = {repr(record) for record in await read_all(book)}
            place = f"'{book.campaign_id}'"
            stores.server.query(statement.replace("$", place), stores.name)
            with pytest.raises(DamagedError, match=r"the record of 'harbor' is damaged"):
                await read(store, good)
            (listed,) = await store.campaigns()
            assert listed.damaged == (what in LISTED), what

    run_with(postgres_server, check)


def test_a_changed_secret_or_blob_is_not_returned(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        founding = replace(make_founding("harbor"), game={"title": "雾港"})
        book = await store.found(founding)
        await book.keep(BlobKind.SNAPSHOT, founding.root.id, {"a": 1})
        assert await book.kept(BlobKind.GAME, founding.root.game_digest) == {"title": "雾港"}
        for table, column in (("campaigns", "secret"), ("snapshots", "value"), ("games", "value")):
            change = f"set_byte({column}, 20, get_byte({column}, 20) # 4)"
            stores.server.query(f"update {table} set {column} = {change}", stores.name)
        with pytest.raises(DamagedError, match="its secret"):
            await book.secret()
        assert await book.kept(BlobKind.SNAPSHOT, founding.root.id) is None
        assert await book.kept(BlobKind.GAME, founding.root.game_digest) is None

    run_with(postgres_server, check)


def test_a_branch_remembers_the_attempt_that_came_with_its_head(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        founding = make_founding("harbor")
        book = await store.found(founding)
        turn = make_turn(founding.root, "first")
        for verdict in (AttemptVerdict.LOST, AttemptVerdict.COMMITTED):
            attempt = make_attempt(turn, verdict)
            turn = make_turn(await book.commit(turn, attempt), verdict.value)
            remembered = None if verdict is AttemptVerdict.COMMITTED else attempt
            assert (await book.look()).newest_attempt == remembered
            await read_all(book)

    run_with(postgres_server, check)


def test_a_turn_takes_one_statement_a_call(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        founding = make_founding("harbor")
        await store.found(founding)
        counts = store.databases[0].counts
        book = await store.open("harbor")
        head = founding.root
        for number in range(3):
            turn = make_turn(head, f"turn {number}")
            for call in (book.look(), book.accept(make_input(turn)), book.back(head.id, 8)):
                before = counts.statements
                await call
                assert counts.statements == before + 1
            before = counts.statements
            head = await book.commit(turn, make_attempt(turn))
            assert counts.statements == before + 1
            before = counts.statements
            await book.add(make_aside(head, f"aside {number}"))
            assert counts.statements == before + 1
        # Somebody else moves the head: the refusal rests on a fresh look, and the next turn is quick again.
        other = await store.open("harbor")
        moved = make_turn(head, "moved")
        await other.commit(moved, make_attempt(moved))
        with pytest.raises(HeadMovedError):
            await book.commit(make_turn(head, "late"), make_attempt(make_turn(head, "late")))
        before = counts.statements
        await book.accept(make_input(make_turn(moved, "next")))
        assert counts.statements == before + 1

    run_with(postgres_server, check)


def test_a_node_and_a_worker_that_take_turns_send_no_write_in_vain(postgres_server: PostgresServer) -> None:
    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        founding = make_founding("harbor")
        await store.found(founding)
        counts = store.databases[0].counts
        node, worker = await store.open("harbor"), await store.open("harbor")
        head = founding.root
        for number in range(3):
            turn = make_turn(head, f"turn {number}")
            before = counts.statements, counts.writes
            # The node accepts what the worker commits, so each has missed what the other wrote.
            await node.look()
            await node.accept(make_input(turn))
            assert (counts.statements, counts.writes) == (before[0] + 2, before[1] + 1)
            await worker.find(turn.operation_id)
            assert (await worker.accept(make_input(turn))).commit is None
            head = await worker.commit(turn, make_attempt(turn))
            assert (counts.statements, counts.writes) == (before[0] + 5, before[1] + 2)

    run_with(postgres_server, check)


ROWS = (
    "select sum(n_tup_ins + n_tup_upd + n_tup_del + coalesce(idx_tup_fetch, 0) + seq_tup_read)::bigint"
    " from pg_stat_user_tables"
)


@pytest.mark.parametrize("turns", [10, 400])
def test_no_call_touches_more_rows_in_a_longer_campaign(turns: int, postgres_server: PostgresServer) -> None:
    """Also where the planner has no statistics yet."""

    async def check(stores: FreshStores) -> None:
        store = await stores.make_alone()
        founding = make_founding("harbor")
        past: list[Record] = []
        head = founding.root
        for number in range(turns):
            turn = replace(make_turn(head, f"turn {number}"), sequence=number + 1)
            past += [make_input(turn), turn, make_attempt(turn)]
            head = turn
        await store.found(replace(founding, past=tuple(past)))
        await store.close()
        before = int(stores.server.query(ROWS, stores.name))
        store = await stores.reopen()
        book = await store.open("harbor")
        await book.look()
        await book.back(head.id, 8)
        await book.find(head.operation_id)
        await book.asides(frozenset({head.id}))
        await book.chain(5)
        assert [record async for record in book.records(turns)] == past[-1:]
        turn = make_turn(head, "next")
        await book.accept(make_input(turn))
        await book.commit(turn, make_attempt(turn))
        await book.add(make_aside(turn, "aside"))
        await book.point(Pointing(PointerKind.MARK, "here", turn.id, moment(9)))
        await store.campaigns()
        await store.close()
        touched = int(stores.server.query(ROWS, stores.name)) - before
        assert touched < 100, touched

    run_with(postgres_server, check)
