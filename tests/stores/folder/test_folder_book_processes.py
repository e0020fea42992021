"""Several processes on one campaign, and processes that are killed in the middle of a write."""

import asyncio
import errno
import itertools
import os
import signal
from pathlib import Path

import pytest

from talewright.chronicle.readable_pages import PageProjection
from talewright.chronicle.records import Commit
from talewright.chronicle.store import ChronicleError, Founding, UnsavedError
from talewright.crashpoints import set_hook
from talewright.stores.folder.disk import LAST
from talewright.stores.folder.file_lock import FileLock
from tests.stores.sessions import (
    CAMPAIGN,
    QUICK,
    SECRET,
    Told,
    begin,
    make_root,
    make_try,
    make_turn,
    make_wish,
    open_store,
    play,
    read_all,
)
from tests.sweep.store_concurrency import run

TURNS = 3
POINTS = (
    "write accepted",
    "sync accepted",
    "write",
    "sync",
    "move head",
    "write aside",
    "projections",
    "git",
)
"""The crash points of the folder store."""


@pytest.mark.process
def test_one_commit_follows_each_head() -> None:
    assert run(60, 11, submitters=4) == 60


@pytest.mark.process
@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("point", POINTS)
def test_process_killed_in_the_middle(point: str, when: str, tmp_path: Path) -> None:
    told = tmp_path / "told"
    told.touch()
    child = os.fork()
    if child == 0:
        end_at(f"{when} {point}", passes=2)
        asyncio.run(play_aloud(tmp_path / "place", told))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, "the point was never passed"
    asyncio.run(check_after(tmp_path / "place", told.read_text().splitlines()))


def end_at(point: str, passes: int) -> None:
    """Let this process be killed when it comes to a point for the nth time."""
    seen = [0]

    def hook(name: str) -> None:
        if name == point:
            seen[0] += 1
            if seen[0] == passes:
                os.kill(os.getpid(), signal.SIGKILL)

    set_hook(hook)


async def play_aloud(place: Path, told: Path) -> None:
    """Take turns, and write down at once what was acknowledged."""
    file = os.open(told, os.O_WRONLY | os.O_APPEND)
    store = open_store(place, git=True)
    for number in range(1, TURNS + 1):
        noted = Told()
        book = await play(store, noted, number)
        os.write(file, f"c{number}\n".encode())
        await book.project(PageProjection(f"c{number}", f"Turn {number}", {"state.json": f"{number}\n"}))
        await book.close()


async def check_after(place: Path, commits: list[str]) -> None:
    """Everything acknowledged is there, and the story goes on, for the reader too."""
    book = await begin(open_store(place))
    await Told(commits=commits).check(book)
    await book.close()
    told = Told()
    book = await play(open_store(place, git=True), told, TURNS)
    await book.project(PageProjection(f"c{TURNS}", "The last", {"state.json": "3\n"}))
    assert book.notices == ()
    await told.check(book)
    commits = [record.id for record in await read_all(book) if isinstance(record, Commit)]
    assert commits == [f"c{number}" for number in range(TURNS + 1)]
    await book.close()


def test_two_that_begin_the_same_campaign(tmp_path: Path) -> None:
    async def scene() -> None:
        stores = [open_store(tmp_path) for _ in range(8)]
        foundings = [
            Founding(CAMPAIGN, make_root(f"title {number}"), SECRET, {}) for number in range(len(stores))
        ]
        outcomes = await asyncio.gather(
            *(store.found(founding) for store, founding in zip(stores, foundings, strict=True)),
            return_exceptions=True,
        )
        taken = [outcome for outcome in outcomes if isinstance(outcome, ChronicleError)]
        assert len(taken) == len(stores) - 1
        assert {str(error) for error in taken} == {"a campaign named 'harbor' already exists"}
        assert {path.name for path in tmp_path.iterdir()} - {LAST} == {CAMPAIGN}

    asyncio.run(scene())


def test_founding_where_another_process_was_faster_by_a_hair(tmp_path: Path) -> None:
    class Late(type(QUICK)):  # type: ignore[misc]  # the class of the quick disk
        def move_folder(self, source: Path, target: Path) -> None:
            raise OSError(errno.ENOTEMPTY, "Directory not empty")

    with pytest.raises(ChronicleError, match="already") as refusal:
        asyncio.run(begin(open_store(tmp_path, Late())))
    assert refusal.value.hint == "Choose another name, or open that one."
    assert list(tmp_path.iterdir()) == []


def test_lock_that_is_never_free(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    times = itertools.count(0.0, 3.0)
    holder, waiter = FileLock(QUICK, path), FileLock(QUICK, path, seconds_max=5, clock=lambda: next(times))
    assert holder.try_to_take()
    with pytest.raises(UnsavedError, match="more than 5 seconds") as refusal:
        asyncio.run(waiter.take())
    assert str(path) in refusal.value.hint
    with pytest.raises(UnsavedError):
        waiter.take_blocking()
    holder.free()
    asyncio.run(waiter.take())
    assert not holder.try_to_take()
    waiter.close()
    holder.take_blocking()
    holder.close()


def test_whoever_is_cancelled_while_waiting_holds_nothing(tmp_path: Path) -> None:
    async def scene() -> None:
        book = await begin(open_store(tmp_path))
        other = FileLock(QUICK, tmp_path / CAMPAIGN / "lock")
        assert other.try_to_take()
        waiting = asyncio.create_task(book.accept(make_wish(1)))
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        other.free()
        assert other.try_to_take()
        other.close()
        await book.accept(make_wish(1))
        await book.commit(make_turn(1), make_try(1))
        await book.close()

    asyncio.run(scene())


def test_a_closed_book_says_so(tmp_path: Path) -> None:
    async def scene() -> None:
        book = await begin(open_store(tmp_path))
        await book.close()
        with pytest.raises(ChronicleError, match="was closed"):
            await book.look()
        await book.project(PageProjection("c0", "", {}))

    asyncio.run(scene())
