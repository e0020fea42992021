"""The lock of a campaign: nobody who waits is passed over for ever, whoever dies or gives up meanwhile."""

import asyncio
import itertools
import os
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from talewright.chronicle.store import UnsavedError
from talewright.stores.folder.file_lock import LOCK_SECONDS_MAX, PATIENCE_SECONDS, FileLock
from talewright.stores.folder.log.record_index import BATCH_FRAMES
from tests.stores.sessions import CAMPAIGN, QUICK, begin, make_try, make_turn, make_wish, open_store


def impatient() -> Callable[[], float]:
    """A clock by which whoever waits has lost patience at the first try, and never gives up."""
    return itertools.chain([0.0], itertools.repeat(PATIENCE_SECONDS)).__next__


async def wait_in_turnstile(path: Path) -> tuple[FileLock, asyncio.Task[None]]:
    """One who waits for a lock that another has, and is the next."""
    waiter = FileLock(QUICK, path, clock=impatient())
    waiting = asyncio.create_task(waiter.take())
    await asyncio.sleep(0)
    return waiter, waiting


def test_whoever_waited_long_is_the_next(tmp_path: Path) -> None:
    async def scene() -> None:
        holder, third = FileLock(QUICK, tmp_path / "lock"), FileLock(QUICK, tmp_path / "lock")
        assert holder.try_to_take()
        waiter, waiting = await wait_in_turnstile(tmp_path / "lock")
        holder.free()
        assert not third.try_to_take()
        assert not holder.try_to_take()
        await waiting
        assert not third.try_to_take()
        waiter.free()
        assert third.try_to_take()
        for lock in (holder, waiter, third):
            lock.close()

    asyncio.run(scene())


def test_whoever_has_patience_lets_others_go_first(tmp_path: Path) -> None:
    async def scene() -> None:
        holder = FileLock(QUICK, tmp_path / "lock")
        waiter = FileLock(QUICK, tmp_path / "lock", clock=lambda: 0.0)
        assert holder.try_to_take()
        waiting = asyncio.create_task(waiter.take())
        await asyncio.sleep(0)
        holder.free()
        assert holder.try_to_take()
        holder.free()
        await waiting
        assert not holder.try_to_take()
        waiter.close()
        holder.close()

    asyncio.run(scene())


def test_whoever_is_cancelled_opens_the_turnstile(tmp_path: Path) -> None:
    async def scene() -> None:
        holder = FileLock(QUICK, tmp_path / "lock")
        assert holder.try_to_take()
        waiter, waiting = await wait_in_turnstile(tmp_path / "lock")
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        holder.free()
        assert holder.try_to_take()
        holder.free()
        assert waiter.try_to_take()
        waiter.close()
        holder.close()

    asyncio.run(scene())


@pytest.mark.process
def test_whoever_dies_opens_the_turnstile(tmp_path: Path) -> None:
    holder = FileLock(QUICK, tmp_path / "lock")
    assert holder.try_to_take()
    child = os.fork()
    if child == 0:

        async def die() -> None:
            await wait_in_turnstile(tmp_path / "lock")
            os.kill(os.getpid(), signal.SIGKILL)

        asyncio.run(die())
        os._exit(0)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL
    holder.free()
    assert holder.try_to_take()
    holder.close()


def test_whoever_is_stopped_in_the_turnstile_does_not_keep_all_out(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    stopped = FileLock(QUICK, tmp_path / "lock.turnstile")
    assert stopped.try_to_take()
    times = iter([0.0, LOCK_SECONDS_MAX / 2 - 0.1, LOCK_SECONDS_MAX / 2])
    waiter = FileLock(QUICK, path, clock=lambda: next(times))
    assert not waiter.try_to_take()
    waiter.take_blocking()
    assert list(times) == []
    waiter.close()
    stopped.close()


def test_tasks_of_one_lock_come_in_their_order(tmp_path: Path) -> None:
    async def scene() -> None:
        holder, shared = FileLock(QUICK, tmp_path / "lock"), FileLock(QUICK, tmp_path / "lock")
        assert holder.try_to_take()
        order: list[int] = []

        async def come(place: int) -> None:
            assert not shared.try_to_take()
            await shared.take()
            order.append(place)
            shared.free()

        tasks = [asyncio.create_task(come(place)) for place in range(5)]
        await asyncio.sleep(0)
        tasks[2].cancel()
        holder.free()
        await asyncio.gather(*tasks, return_exceptions=True)
        assert order == [0, 1, 3, 4]
        assert shared.try_to_take()
        shared.close()
        holder.close()

    asyncio.run(scene())


def test_whoever_waits_for_a_lock_that_is_closed_is_told(tmp_path: Path) -> None:
    async def scene() -> None:
        holder = FileLock(QUICK, tmp_path / "lock")
        assert holder.try_to_take()
        waiter, first = await wait_in_turnstile(tmp_path / "lock")
        second = asyncio.create_task(waiter.take())
        await asyncio.sleep(0)
        waiter.close()
        waiter.close()
        for waiting in (first, second):
            with pytest.raises(UnsavedError, match="closed while an operation was waiting") as refusal:
                await waiting
            assert refusal.value.hint == "Reopen it."
        holder.free()
        assert holder.try_to_take()
        holder.close()

    asyncio.run(scene())


def test_a_lock_without_its_turnstile_is_none(tmp_path: Path) -> None:
    (tmp_path / "lock.turnstile").mkdir()
    before = len(os.listdir("/proc/self/fd"))
    with pytest.raises(OSError, match="is a folder"):
        FileLock(QUICK, tmp_path / "lock")
    assert len(os.listdir("/proc/self/fd")) == before


def test_what_one_process_told_the_index_no_other_tells_it_again(tmp_path: Path) -> None:
    async def scene() -> None:
        one, other = await begin(open_store(tmp_path)), await begin(open_store(tmp_path))
        index = tmp_path / CAMPAIGN / "index.bin"
        for turn in range(1, BATCH_FRAMES):
            await one.accept(make_wish(turn))
            await one.commit(make_turn(turn), make_try(turn))
        size = index.stat().st_size
        assert size > 0
        assert (await other.branches()) == {"main": f"c{BATCH_FRAMES - 1}"}
        assert index.stat().st_size == size
        for turn in (1, BATCH_FRAMES // 2, BATCH_FRAMES - 1):
            trail = await other.find(f"o{turn}")
            assert trail.accepted == make_wish(turn)
            assert trail.commit == make_turn(turn).with_sequence(turn)
            assert trail.attempts == (make_try(turn),)
        await other.accept(make_wish(BATCH_FRAMES))
        await other.commit(make_turn(BATCH_FRAMES), make_try(BATCH_FRAMES))
        await other.close()
        assert (await one.read(f"c{BATCH_FRAMES}")).sequence == BATCH_FRAMES
        await one.close()

    asyncio.run(scene())
