"""The memory store: the suite of every store, and what only this one does."""

import asyncio
import random
from collections.abc import Iterator

import pytest

from talewright.chronicle.readable_pages import PageProjection
from talewright.chronicle.record_order_checks import inspect_records
from talewright.chronicle.records import MAIN, AttemptVerdict, Commit, PointerKind, Pointing
from talewright.chronicle.store import BlobKind, CampaignBook, HeadMovedError, Store
from talewright.crashpoints import set_hook
from talewright.stores.memory_store import MemoryBook, MemoryStore
from talewright.testing.store_checks.store_fixtures import (
    StoreFactories,
    make_aside,
    make_attempt,
    make_founding,
    make_input,
    make_turn,
)
from talewright.testing.store_suite import STORE_CHECKS, check_store

SEED = 20260101
STEPS = 400


async def make() -> Store:
    """A new store."""
    return MemoryStore()


@pytest.mark.parametrize("name", STORE_CHECKS)
def test_suite(name: str) -> None:
    asyncio.run(STORE_CHECKS[name](StoreFactories(make)))


def test_suite_in_one() -> None:
    asyncio.run(check_store(make))


def test_what_is_kept_is_a_copy() -> None:
    async def run() -> None:
        book = await MemoryStore().found(make_founding("harbor"))
        body = {"narration": "as it was"}
        turn = make_turn(make_founding("harbor").root, "first", body=body)
        await book.commit(turn, make_attempt(turn))
        game = {"slots": [1]}
        await book.keep(BlobKind.GAME, "g", game)
        body["narration"] = "something else"
        game["slots"].append(2)
        assert (await book.read(turn.id)).body == {"narration": "as it was"}
        assert await book.kept(BlobKind.GAME, "g") == {"slots": [1]}

    asyncio.run(run())


def test_the_last_projection_is_remembered() -> None:
    async def run() -> None:
        store = MemoryStore()
        book = await store.found(make_founding("harbor"))
        assert isinstance(book, MemoryBook)
        assert book.projection is None
        for heading in ("first", "last"):
            await book.project(PageProjection("c", heading, {"state.json": heading}))
        again = await store.open("harbor")
        assert isinstance(again, MemoryBook)
        assert again.projection == PageProjection("c", "last", {"state.json": "last"})

    asyncio.run(run())


def test_listings_tell_the_time_of_the_last_record() -> None:
    async def run() -> None:
        store = MemoryStore()
        book = await store.found(make_founding("harbor", seconds=5))
        assert (await store.campaigns())[0].at == "2026-01-01T00:00:05Z"
        root = make_founding("harbor").root
        await book.point(Pointing(PointerKind.MARK, "quick", root.id, "2026-01-02T00:00:00Z"))
        assert (await store.campaigns())[0].at == "2026-01-02T00:00:00Z"

    asyncio.run(run())


@pytest.fixture(name="heard")
def listen() -> Iterator[list[str]]:
    """The crash points that were passed."""
    heard: list[str] = []
    set_hook(heard.append)
    yield heard
    set_hook(None)


def test_crash_points(heard: list[str]) -> None:
    async def run() -> None:
        book = await MemoryStore().found(make_founding("harbor"))
        turn = make_turn(make_founding("harbor").root, "first")
        for _ in range(2):
            await book.accept(make_input(turn))
            await book.commit(turn, make_attempt(turn))
        await book.add(make_attempt(turn, AttemptVerdict.FAILED))
        await book.add(make_aside(turn, "aside"))

    asyncio.run(run())
    points = ("write accepted", "write", "write aside")
    assert heard == [f"{when} {point}" for point in points for when in ("before", "after")]


def test_a_random_walk_keeps_every_invariant() -> None:
    print("seed", SEED)
    asyncio.run(walk(random.Random(SEED)))


async def walk(chance: random.Random) -> None:
    """Inputs, turns, undoings, forks and marks, some of them refused; the records always agree."""
    book = await MemoryStore().found(make_founding("harbor"))
    commits = [make_founding("harbor").root]
    refused = 0
    for step in range(STEPS):
        branches = await book.branches()
        name = chance.choice(sorted(branches))
        parent = await book.read(branches[name]) if chance.random() < 0.8 else chance.choice(commits)
        try:
            await take_step(chance, book, parent, name, f"step {step}")
        except HeadMovedError:
            refused += 1
        if step % 20 == 0:
            commits = [record async for record in book.records() if isinstance(record, Commit)]
    records = [record async for record in book.records()]
    commits = [record for record in records if isinstance(record, Commit)]
    assert inspect_records(records) == ()
    assert STEPS / 20 < refused < STEPS / 2
    assert len(await book.branches()) > 3
    assert (await book.look()).sequence == len(commits) - 1 > STEPS / 10


async def take_step(
    chance: random.Random, book: CampaignBook, parent: Commit, branch: str, name: str
) -> None:
    """Do one thing to a book."""
    turn = make_turn(parent, name, branch=branch)
    match chance.randrange(6):
        case 0 | 1:
            await book.accept(make_input(turn))
            await book.commit(turn, make_attempt(turn))
        case 2:
            await book.accept(make_input(turn))
            await book.add(
                make_attempt(turn, chance.choice((AttemptVerdict.FAILED, AttemptVerdict.CANCELLED)))
            )
        case 3:
            target = (await book.back(parent.id, 3))[-1]
            head = (await book.look(branch)).head
            await book.point(Pointing(PointerKind.BRANCH, branch, target.id, turn.at), head)
        case 4:
            await book.point(Pointing(PointerKind.BRANCH, chance.choice((MAIN, name)), parent.id, turn.at))
        case _:
            await book.add(make_aside(parent, name))
            await book.point(Pointing(PointerKind.MARK, "quick", parent.id, turn.at))
