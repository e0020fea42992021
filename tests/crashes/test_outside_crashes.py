"""An outside turn that is struck at any point on any store: gone on with or begun again, never half told."""

import asyncio
import shutil
from collections import Counter
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from talewright.chronicle.records import MAIN, Commit
from talewright.chronicle.store import CampaignBook, Store
from talewright.crashpoints import set_hook
from talewright.play.verify.campaign_verification import verify
from talewright.stores.folder.folder_store import FolderStore
from talewright.stores.memory_store import MemoryStore
from talewright.turn.game_master.open_turn_lease import LeaseError
from talewright.turn.inputs.player_inputs import Opening
from talewright.turn.pipeline import take_turn
from talewright.turn.steps.recalling import recall
from talewright.turn.turn_outcomes import Committed
from tests.crashes.worlds import (
    HOLDER,
    LATER,
    OUTSIDE,
    OUTSIDE_OPERATION,
    OUTSIDE_POINT,
    OUTSIDE_WORDS,
    Blow,
    Fate,
    Striker,
    found_in,
    make_road,
    play_outside,
    strike_in,
)
from tests.plays.crashes import Crash
from tests.plays.stage import CAMPAIGN, SECRET
from tests.stores.sqlite_store import SqliteStore

MakeStore = Callable[[], Store]


def in_folder(root: Path) -> MakeStore:
    return lambda: FolderStore(root, git=False)


def in_sqlite(root: Path) -> MakeStore:
    root.mkdir(parents=True, exist_ok=True)
    return lambda: SqliteStore(root / "campaigns.db")


def in_memory(root: Path) -> MakeStore:
    store = MemoryStore()
    return lambda: store


async def open_campaign(make: MakeStore) -> None:
    """A campaign whose opening is told, before anything can strike."""
    store = make()
    await found_in(store)
    book = await store.open(CAMPAIGN)
    opened = await take_turn(make_road(book, ("He waits.",)), MAIN, Opening(), "op-1")
    assert isinstance(opened, Committed)
    await book.close()


@cache
def straight(kind: Callable[[Path], MakeStore], root: Path) -> tuple[str, tuple[tuple[str, int], ...]]:
    """The digest at the end of an outside turn, and every passing of a crash point on its way."""
    striker = Striker("", lambda: None)

    async def main() -> str:
        make = kind(root)
        await open_campaign(make)
        book = await make().open(CAMPAIGN)
        try:
            set_hook(striker)
            return await play_outside(book)
        finally:
            set_hook(None)
            await book.close()

    digest = asyncio.run(main())
    seen: Counter[str] = Counter()
    passings = []
    for point in striker.passed:
        seen[point] += 1
        passings.append((point, seen[point]))
    return digest, tuple(passings)


async def look(book: CampaignBook) -> bool:
    """Nothing of the turn has happened, or all of it; whether it has."""
    commits = [record async for record in book.records() if isinstance(record, Commit)]
    told = [commit for commit in commits if commit.operation_id == OUTSIDE_OPERATION]
    head = (await recall(make_road(book, ()), MAIN)).head
    assert len(told) <= 1
    assert head == (told[0] if told else commits[1])
    if told:
        assert OUTSIDE_WORDS in str(head.body["narration"])
    lease = await book.open_turn(MAIN)
    if lease is not None:
        rounds = lease.body["rounds"]
        assert isinstance(rounds, list)
        assert len(rounds) <= len(OUTSIDE) + 1
    report = await verify(book, secret=SECRET)
    assert report.good, report.violations
    return bool(told)


async def recover(make: MakeStore, digest: str, *, begun_again: bool) -> None:
    """A new life: go on under the same holder, or as somebody else once the lease has run out."""
    book = await make().open(CAMPAIGN)
    done = await look(book)
    lease = await book.open_turn(MAIN)
    if begun_again:
        if lease is not None and not done:
            # The lease of the dead holds as long as it says.
            with pytest.raises(LeaseError):
                await play_outside(book, holder="somebody else")
        assert await play_outside(book, LATER, "somebody else") == digest
    else:
        assert await play_outside(book) == digest
    assert await look(book)
    if not done:
        # What was told is no longer open. Where only the letting go was cut short, it is not live any more.
        assert await book.open_turn(MAIN) is None
    await book.close()


WRITES = ("accepted", "store round", "write", "sync", "move head")
"""Where something is written."""


def choose_fates(passings: tuple[tuple[str, int], ...]) -> list[Fate]:
    """Every passing at which something is written, and the last one of every other point."""
    last = dict(passings)
    return [
        Fate(point, Blow.KILL, time)
        for point, time in passings
        if point.endswith(WRITES) or time == last[point]
    ]


BLOWS = [
    Fate(f"{side} {OUTSIDE_POINT}", blow, time)
    for side in ("before", "after")
    for blow, time in ((Blow.EXCEPTION, 1), (Blow.CANCEL, 2), (Blow.HANG, 3), (Blow.EXCEPTION, 4))
]
"""A turn may end otherwise than by a kill wherever a round is stored."""


def walk(kind: Callable[[Path], MakeStore], root: Path, fates: list[Fate]) -> None:
    """Strike the same campaign again and again."""
    digest, _ = straight(kind, root / "straight")
    asyncio.run(open_campaign(kind(root / "opened")))
    for number, fate in enumerate(fates):
        place = root / str(number)
        shutil.copytree(root / "opened", place)
        make = kind(place)
        strike_in(make, fate, play_outside)
        asyncio.run(recover(make, digest, begun_again=number % 2 == 0))


def test_the_points_of_an_outside_turn(tmp_path: Path) -> None:
    _, passings = straight(in_memory, tmp_path)
    # It is opened, has two rounds and is told.
    assert [time for point, time in passings if point == "before store round"] == [1, 2, 3, 4]
    assert {point for point, _ in passings} >= {"after store round", "before build commit", "after validate"}
    assert ("before write", 1) in straight(in_folder, tmp_path / "folder")[1]


@pytest.mark.process
def test_struck_anywhere_in_a_folder(tmp_path: Path) -> None:
    fates = choose_fates(straight(in_folder, tmp_path / "straight")[1])
    assert len(fates) > 30
    walk(in_folder, tmp_path, [*fates, *BLOWS])


@pytest.mark.process
def test_struck_at_every_round_in_a_database(tmp_path: Path) -> None:
    fates = choose_fates(straight(in_sqlite, tmp_path / "straight")[1])
    kept = [fate for fate in fates if fate.point.endswith((OUTSIDE_POINT, "build commit"))]
    assert len(kept) == 10
    walk(in_sqlite, tmp_path, kept)


def test_struck_anywhere_in_memory(tmp_path: Path) -> None:
    # What is kept in memory outlives no process: here only the road is cut short.
    digest, passings = straight(in_memory, tmp_path)

    async def cut_short(make: MakeStore, point: str, time: int, begun_again: bool) -> None:
        await open_campaign(make)
        book = await make().open(CAMPAIGN)

        def strike() -> None:
            raise Crash(point)

        set_hook(Striker(point, strike, time))
        try:
            with pytest.raises(Crash):
                await play_outside(book, holder=HOLDER)
        finally:
            set_hook(None)
        await recover(make, digest, begun_again=begun_again)

    for number, fate in enumerate(choose_fates(passings)):
        asyncio.run(cut_short(in_memory(tmp_path), fate.point, fate.time, number % 2 == 0))
