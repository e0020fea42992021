"""Quotas: how they are set, and how a process counts."""

import asyncio
from contextlib import AsyncExitStack

import pytest

from talewright.errors import SettingsError
from talewright.play.serving.owner_quotas import (
    HOST_QUOTAS,
    LOCAL_QUOTAS,
    MemoryQuotaCounts,
    MemoryRateLimit,
    OwnerQuotas,
    RateLimitedError,
    TooManyStreamsError,
    read_quotas,
)


class Clock:
    """Seconds that pass when a test says so."""

    now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_setting_changes_what_it_names() -> None:
    assert read_quotas("", HOST_QUOTAS) == HOST_QUOTAS
    told = read_quotas("campaigns=20, bytes=none requests=5", HOST_QUOTAS)
    assert (told.campaigns, told.bytes, told.requests) == (20, None, 5)
    assert told.streams == HOST_QUOTAS.streams


@pytest.mark.parametrize(
    "text",
    [
        "campaigns",
        "campaigns=",
        "campaigns=0",
        "campaigns=-1",
        "campaigns=x",
        "games=3",
        "=",
        "bytes=1" + "0" * 30,
    ],
)
def test_a_setting_that_says_nothing_is_refused(text: str) -> None:
    with pytest.raises(SettingsError) as caught:
        read_quotas(text, LOCAL_QUOTAS)
    assert "TALEWRIGHT_QUOTAS" in caught.value.message
    assert "bad_tokens" in caught.value.hint


def test_so_many_in_a_minute() -> None:
    async def run() -> None:
        clock = Clock()
        limit = MemoryRateLimit(6, clock)
        assert [await limit.take() for _ in range(6)] == [0.0] * 6
        assert await limit.take() == pytest.approx(10)
        clock.now += 10
        assert await limit.take() == 0.0
        assert await limit.take() == pytest.approx(10)
        clock.now += 1_000
        assert [await limit.take() for _ in range(6)] == [0.0] * 6
        assert await limit.take() > 0

    asyncio.run(run())


def test_requests_and_imports_are_counted_apart() -> None:
    async def run() -> None:
        counts = MemoryQuotaCounts(OwnerQuotas(requests=2, imports=1), Clock()).count_owner("ann")
        await counts.count_import()
        with pytest.raises(RateLimitedError) as caught:
            await counts.count_import()
        assert caught.value.retry_after == 60
        for _ in range(2):
            await counts.count_request()
        with pytest.raises(RateLimitedError):
            await counts.count_request()

    asyncio.run(run())


def test_whoever_waits_as_long_as_told_is_not_refused_again() -> None:
    async def run() -> None:
        clock = Clock()
        counts = MemoryQuotaCounts(OwnerQuotas(requests=7), clock).count_owner("ann")
        for _ in range(7):
            await counts.count_request()
        with pytest.raises(RateLimitedError) as caught:
            await counts.count_request()
        clock.now += caught.value.retry_after
        await counts.count_request()

    asyncio.run(run())


def test_a_stream_that_ends_makes_room() -> None:
    async def run() -> None:
        made = MemoryQuotaCounts(OwnerQuotas(streams=2))
        counts = made.count_owner("ann")
        async with AsyncExitStack() as held:
            for _ in range(2):
                await held.enter_async_context(counts.hold_stream())
            with pytest.raises(TooManyStreamsError):
                async with counts.hold_stream():
                    pass
            async with made.count_owner("bob").hold_stream():
                pass
        with pytest.raises(ZeroDivisionError):
            async with counts.hold_stream():
                raise ZeroDivisionError
        async with counts.hold_stream(), counts.hold_stream():
            pass

    asyncio.run(run())


def test_nothing_is_limited_without_a_quota() -> None:
    async def run() -> None:
        none = OwnerQuotas(None, None, None, None, None, None)
        made = MemoryQuotaCounts(none)
        counts = made.count_owner("ann")
        for _ in range(100):
            await counts.count_request()
            await counts.count_import()
        async with AsyncExitStack() as held:
            for _ in range(100):
                await held.enter_async_context(counts.hold_stream())
        assert made.count_bad_tokens("203.0.113.7") is None
        assert not none.storage.are_set

    asyncio.run(run())


def test_an_owner_sends_two_files_at_once() -> None:
    async def run() -> None:
        counts = MemoryQuotaCounts(OwnerQuotas(imports=4), Clock()).count_owner("ann")
        arrived = asyncio.Event()

        async def receive() -> bytes:
            await arrived.wait()
            return b"file"

        waiting = [asyncio.create_task(counts.receive_file(receive)) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(RateLimitedError, match="too many files at once") as caught:
            await counts.receive_file(receive)
        assert caught.value.retry_after == 5
        arrived.set()
        assert await asyncio.gather(*waiting) == [b"file"] * 2
        # The one that was refused does not count as an import.
        for _ in range(2):
            assert await counts.receive_file(receive) == b"file"
        with pytest.raises(RateLimitedError, match="imported too much"):
            await counts.receive_file(receive)

    asyncio.run(run())
