"""News over Redis: numbers agree and rise on every node."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest

from talewright.chronicle.records import Accepted, Commit
from talewright.hosting.news import campaign_listeners
from talewright.hosting.news.campaign_listeners import LINGER_SECONDS, StreamChannel
from talewright.hosting.news.event_numbers import (
    CLOCK_SECONDS,
    OVERLAP_SECONDS,
    clock_index,
    number_entry,
    number_live,
    recent_index,
)
from talewright.hosting.news.redis_stream_reader import EPOCH_KEY, RedisNews, name_stream
from talewright.play.campaign_news import CommitRecorded, NumberedSignal, SignalsLost, SignalStream
from talewright.play.news import LIVE, STRIDE
from talewright.turn.turn_signals import (
    Activity,
    Doing,
    NarrationDelta,
    NarrationReset,
    Signal,
    TurnAccepted,
    TurnCommitted,
    TurnFailed,
)
from talewright_testkit.servers.redis_server import RedisServer
from tests.hosting.gated_port import gate

COMMIT = Commit("c", "p", "main", 1, "op", "2026-01-01T00:00:00Z", "g", "s", sequence=7)
ACCEPTED = TurnAccepted(Accepted("op", "main", "p", {"kind": "say"}, "2026-01-01T00:00:00Z"), "main", "op")
PLACE = "owner/campaign"


def test_numbers_follow_the_ids_and_the_clock() -> None:
    assert number_entry("7-0") == 7 * STRIDE
    assert number_entry("7-12") == 7 * STRIDE + LIVE + 12
    assert number_entry("7-999999999") == 8 * STRIDE - 1
    assert clock_index(CLOCK_SECONDS - 1) + 2 * 60 * 20 < STRIDE - LIVE
    assert clock_index(10.5) > clock_index(10)


async def take(stream: SignalStream, count: int) -> list[NumberedSignal]:
    """The next signals of a listener."""
    return [await asyncio.wait_for(anext(stream), 20) for _ in range(count)]


@asynccontextmanager
async def open_news(url: str, count: int) -> AsyncIterator[list[RedisNews]]:
    """The news of some processes, closed also if the test fails; otherwise a later one would fail too."""
    opened = [RedisNews(url) for _ in range(count)]
    try:
        yield opened
    finally:
        for news in opened:
            await news.close()


def run(work: Callable[[], Awaitable[None]]) -> None:
    """Run an asynchronous test."""

    async def limited() -> None:
        await asyncio.wait_for(work(), 60)

    asyncio.run(limited())


def delta(text: str) -> NarrationDelta:
    """A piece of the turn."""
    return NarrationDelta(text, "main", "op")


def test_two_nodes_hear_the_same_numbers_and_resume_for_each_other(redis_url: str) -> None:
    async def work() -> None:
        async with open_news(redis_url, 3) as (worker, one, two):
            told = worker.channel(PLACE, 6)
            first = one.channel(PLACE, 6).subscribe()
            told.publish(ACCEPTED)
            told.publish(Activity(Doing.READING, branch="main", operation_id="op"))
            told.publish(delta("a"))
            told.publish(delta("b"))
            heard = await take(first, 3)
            assert [item.signal for item in heard][2] == delta("ab")
            # The other node knows what came after any of them.
            for position, item in enumerate(heard):
                later = two.channel(PLACE, 6).subscribe(item.number)
                assert await take(later, 2 - position) == heard[position + 1 :]
                later.close()
            told.publish(TurnCommitted(COMMIT, "main", "op"))
            told.publish(TurnCommitted(COMMIT, "main", "op"))
            told.publish(delta("late"))
            told.publish(TurnFailed("error", "", "main", "next"))
            rest = await take(first, 2)
            assert rest[0] == NumberedSignal(7 * STRIDE, CommitRecorded(7, "main", "op"))
            assert isinstance(rest[1].signal, TurnFailed)
            assert rest[1].number > rest[0].number

    run(work)


def test_a_turn_that_another_worker_begins_anew_is_told_anew(redis_url: str) -> None:
    async def work() -> None:
        async with open_news(redis_url, 3) as (node, dead, alive):
            stream = node.channel(PLACE, 6).subscribe()
            node.channel(PLACE, 6).publish(ACCEPTED)
            await take(stream, 1)
            dead.channel(PLACE, 6).publish(ACCEPTED)
            dead.channel(PLACE, 6).publish(delta("half a"))
            assert [item.signal for item in await take(stream, 1)] == [delta("half a")]
            alive.channel(PLACE, 6).publish(ACCEPTED)
            void = NarrationReset("", voids_rolls=True, branch="main", operation_id="op")
            assert [item.signal for item in await take(stream, 1)] == [void]

    run(work)


def test_after_redis_forgot_everything_the_whole_text_comes_again(
    redis_url: str, redis_server: RedisServer
) -> None:
    async def work() -> None:
        async with open_news(redis_url, 3) as (worker, node, late):
            told = worker.channel(PLACE, 6)
            stream = node.channel(PLACE, 6).subscribe()
            told.publish(ACCEPTED)
            told.publish(delta("one "))
            before = await take(stream, 2)
            redis_server.flush()
            for text in ("two ", "three "):
                told.publish(delta(text))
                after = await take(stream, 1)
            # First the stream begins again, then it gets what it misses.
            numbers = [item.number for item in before + after]
            assert numbers == sorted(set(numbers))
            text = ""
            listener = late.channel(PLACE, 6).subscribe()
            told.publish(delta("four"))
            while not text.endswith("four"):
                signal = (await take(listener, 1))[0].signal
                if isinstance(signal, NarrationReset):
                    text = signal.text
                elif isinstance(signal, NarrationDelta):
                    text += signal.text
            assert text == "one two three four"

    run(work)


def test_a_redis_that_forgot_the_script_gets_it_again(redis_url: str, redis_server: RedisServer) -> None:
    async def work() -> None:
        async with open_news(redis_url, 2) as (worker, node):
            stream = node.channel(PLACE, 6).subscribe()
            for text in ("one", "two"):
                redis_server.send("SCRIPT FLUSH")
                worker.channel(PLACE, 6).publish(delta(text))
                assert [item.signal for item in await take(stream, 1)] == [delta(text)]

    run(work)


def test_a_listener_who_comes_back_soon_interrupts_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    async def work() -> None:
        clock, woken = [100.0], list[float]()
        monkeypatch.setattr(campaign_listeners, "monotonic", lambda: clock[0])
        channel = StreamChannel("key", 6, lambda channel, signal, sequence: None)
        channel.woken = lambda: woken.append(clock[0])
        assert not channel.is_watched
        channel.subscribe().close()
        for seconds in (LINGER_SECONDS - 1, LINGER_SECONDS - 1, LINGER_SECONDS + 1):
            clock[0] += seconds
            assert channel.is_watched == (seconds < LINGER_SECONDS)
            channel.subscribe().close()
        assert woken == [100.0, clock[0]]

    run(work)


def test_a_removed_campaign_leaves_no_news(redis_url: str, redis_server: RedisServer) -> None:
    async def work() -> None:
        async with open_news(redis_url, 1) as (news,):
            news.channel(PLACE, 6).publish(ACCEPTED)
            stream = news.channel(PLACE, 6).subscribe()
            await take(stream, 1)
            assert redis_server.send(f"EXISTS {name_stream(PLACE)}") == ":1"
            await news.forget(PLACE)
            assert redis_server.send(f"EXISTS {name_stream(PLACE)}") == ":0"

    run(work)


def test_a_commit_that_redis_did_not_take_is_sent_again(redis_url: str, redis_server: RedisServer) -> None:
    async def work() -> None:
        async with (
            gate(redis_server.port) as gated,
            open_news(redis_url, 1) as (node,),
            open_news(f"redis://127.0.0.1:{gated.port}/0", 1) as (worker,),
        ):
            stream = node.channel(PLACE, 6).subscribe()
            worker.channel(PLACE, 6).publish(ACCEPTED)
            await take(stream, 1)
            gated.shut()
            # The node notices nothing: only the worker is cut off, and only for this one message.
            worker.channel(PLACE, 6).publish(TurnCommitted(COMMIT, "main", "op"))
            await asyncio.wait_for(gated.refused.wait(), 20)
            gated.open()
            heard = [item.signal for item in await take(stream, 1)]
            assert heard == [CommitRecorded(7, "main", "op")]

    run(work)


def test_a_redis_that_forgot_everything_is_noticed(redis_url: str, redis_server: RedisServer) -> None:
    async def work() -> None:
        async with open_news(redis_url, 1) as (node,):
            stream = node.channel(PLACE, 6).subscribe()
            while redis_server.send(f"EXISTS {EPOCH_KEY}") != ":1":
                await asyncio.sleep(0.01)
            redis_server.flush()
            assert [item.signal for item in await take(stream, 1)] == [SignalsLost()]

    run(work)


def test_a_commit_published_twice_does_not_repeat_the_text_of_another_turn(redis_url: str) -> None:
    async def work() -> None:
        async with open_news(redis_url, 2) as (worker, node):
            told, stream = worker.channel(PLACE, 6), node.channel(PLACE, 6).subscribe()
            other = NarrationDelta("elsewhere", "side", "other")
            committed = TurnCommitted(COMMIT, "main", "op")
            said: list[Signal] = [other, committed, committed, other]
            for signal in said:
                told.publish(signal)
                await asyncio.sleep(0)
            signals = [item.signal for item in await take(stream, 3)]
            assert signals == [other, CommitRecorded(7, "main", "op"), other]

    run(work)


def test_a_listener_hears_a_commit_that_its_channel_read_from_the_record_before_the_news() -> None:
    channel = StreamChannel("stream", 6, lambda *_: None)
    channel.advance(7)
    stream = channel.subscribe()
    recorded = NumberedSignal(7 * STRIDE, CommitRecorded(7, "main", "op"))
    older = NumberedSignal(6 * STRIDE, CommitRecorded(6, "main", "before"))
    channel.load([older, recorded])
    stream.close()

    async def read() -> list[NumberedSignal]:
        return [item async for item in stream]

    assert asyncio.run(read()) == [recorded]


def test_where_the_clock_begins_anew_nothing_recent_is_taken_for_old() -> None:
    for seconds in (CLOCK_SECONDS + OVERLAP_SECONDS - 0.1, 3 * CLOCK_SECONDS + 0.1):
        for said in (seconds - OVERLAP_SECONDS + 0.05, seconds):
            assert number_live(6, clock_index(said)) >= number_live(6, recent_index(seconds))
    assert recent_index(CLOCK_SECONDS / 2) == clock_index(CLOCK_SECONDS / 2 - OVERLAP_SECONDS)


def test_closing_ends_a_reader_that_swallows_the_first_cancel(redis_url: str) -> None:
    """As a client of Redis does that is cancelled while it connects."""

    async def read_stubbornly() -> None:
        while True:
            try:
                await asyncio.sleep(3_600)
            except asyncio.CancelledError:
                break
        await asyncio.sleep(3_600)

    async def work() -> None:
        async with open_news(redis_url, 1) as (news,):
            news._reading = asyncio.create_task(read_stubbornly())
            await asyncio.sleep(0)

    run(work)


def fail_once(call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    """A call that fails the first time in a way that nobody expects of it."""
    failures = iter([AttributeError("a fault of the client")])

    async def wrapped(*values: Any) -> Any:
        for failure in failures:
            raise failure
        return await call(*values)

    return wrapped


def test_a_reader_and_a_sender_outlive_what_nobody_expects(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work() -> None:
        async with open_news(redis_url, 2) as (one, other):
            monkeypatch.setattr(one, "_read", fail_once(one._read))
            monkeypatch.setattr(other._writer, "_write", fail_once(other._writer._write))
            listener = one.channel(PLACE, 6).subscribe()
            assert isinstance((await take(listener, 1))[0].signal, SignalsLost)
            sending = other.channel(PLACE, 6)
            sending.publish(ACCEPTED)
            sending.publish(TurnCommitted(COMMIT, "main", "op"))
            while not isinstance((await take(listener, 1))[0].signal, CommitRecorded):
                pass

    run(work)


def test_listeners_of_a_process_hear_its_commits_without_redis() -> None:
    async def work() -> None:
        sent: list[Signal] = []
        channel = StreamChannel("key", 6, lambda channel, signal, sequence: sent.append(signal))
        channel.load([])
        listener = channel.subscribe()
        channel.publish(TurnCommitted(COMMIT, "main", "op"))
        (heard,) = await take(listener, 1)
        assert heard == NumberedSignal(7 * STRIDE, CommitRecorded(7, "main", "op"))
        assert len(sent) == 1
        # What the stream says of it afterwards is not repeated.
        channel.append(NumberedSignal(6 * STRIDE + LIVE + 1, delta("late")))
        channel.append(NumberedSignal(7 * STRIDE, CommitRecorded(7, "main", "op")))
        channel.append(NumberedSignal(7 * STRIDE + LIVE + 1, TurnFailed("error", "", "main", "next")))
        assert isinstance((await take(listener, 1))[0].signal, TurnFailed)

    run(work)


def test_a_new_campaign_with_the_name_of_a_removed_one_has_a_channel_of_its_own() -> None:
    async def run() -> None:
        news = RedisNews("redis://127.0.0.1:1")
        old = news.channel(PLACE, 5, "old")
        old.position = "5-0"
        assert news.channel(PLACE, 5, "old") is old
        new = news.channel(PLACE, 0, "new")
        # The entries of the new stream come before the position of the old one.
        assert (new.sequence, new.position) == (0, "0-0")
        await news.close()

    asyncio.run(run())
