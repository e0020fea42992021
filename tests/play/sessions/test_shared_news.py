"""News shared by all sessions of a campaign: in one process, and in two on one folder."""

import asyncio
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest

from talewright.chronicle.store import ChronicleError
from talewright.play.news import LIVE, STRIDE, CommittedNews, DeltaNews, News, NewsKind
from talewright.play.session import ResultKind
from talewright.play.sessions.news_bus import UNDER_WAY_MAX, NewsBus, NewsChannel
from talewright.play.sessions.news_watch import POLL_SECONDS, NewsWatch, SessionNews
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import Scripted, by
from talewright.stores.folder.folder_store import FolderStore
from talewright.turn.turn_context import Teller
from talewright.turn.turn_signals import NarrationDelta, NarrationReset, TurnAccepted
from tests.play.hearing import committed_story, drain, hear_until, kinds, versions
from tests.play.making import make_lobby
from tests.play.scenes import room
from tests.play.sessions.test_news_bus_broadcast import ACCEPTED, channel_of
from tests.play.tellers import Hesitant, cards, teller
from tests.stores.sessions import QUICK

TURNS = 50


def told_turns(count: int) -> Teller:
    lines = [cards(f"Turn {turn} is told piece by piece.") for turn in range(count)]
    return replace(teller(*lines, cut=by(7)), cheap=Scripted(["They talked."] * count))


def test_two_sessions_in_one_process_hear_every_turn_of_both() -> None:
    async def main() -> None:
        lobby = make_lobby(room(), teller=told_turns(TURNS))
        one = await lobby.begin("test", "en")
        two = await lobby.open("test-1")
        ears = [asyncio.create_task(hear_until(each.watch(), TURNS + 1)) for each in (one, two)]
        await asyncio.sleep(0)
        for turn in range(TURNS):
            result = await (one, two)[turn % 2].say(f"Turn {turn}.")
            assert result.kind is ResultKind.COMMITTED
        heard, also_heard = await asyncio.gather(*ears)
        assert heard == also_heard
        assert versions(heard) == list(range(2, TURNS + 2))
        assert [text for _, _, text in committed_story(heard)] == [
            f"Turn {turn} is told piece by piece." for turn in range(TURNS)
        ]
        assert sum(isinstance(news.event, DeltaNews) for news in heard) > 2 * TURNS
        assert all(news.branch == "main" and news.operation_id for news in heard)
        await one.close()
        # The other session goes on listening.
        watch = two.watch()
        await two.choose("m1")
        assert kinds(await drain(watch))[-1] == "turn.degraded"
        await two.close()

    asyncio.run(main())


def folder_lobby(place: Path, seed: int, poll_seconds: float = 0.002) -> StoreLobby:
    store = FolderStore(place, git=False, disk=QUICK)
    return replace(make_lobby(room(), seed=seed), store=store, poll_seconds=poll_seconds)


async def alternate(place: Path, side: int) -> list[News]:
    """Take every other turn, each when the one before it was heard of; everything that was heard."""
    session = await folder_lobby(place, side + 1).open("test-1")
    heard, turns = [], []
    async for news in session.watch(after=0):
        heard.append(news)
        if isinstance(news.event, CommittedNews):
            if news.event.version == TURNS + 1:
                break
            if news.event.version % 2 == side:
                turns.append(asyncio.create_task(session.choose("take" if side else "wait")))
    assert [(await turn).kind for turn in turns] == [ResultKind.COMMITTED] * (TURNS // 2)
    await session.close()
    return heard


@pytest.mark.process
def test_two_processes_on_one_folder_hear_every_turn_of_both(tmp_path: Path) -> None:
    async def begin() -> None:
        await (await folder_lobby(tmp_path, 0).begin("test", "en")).close()

    asyncio.run(begin())
    children = []
    for side in (0, 1):
        child = os.fork()
        if child == 0:
            status = 1
            try:
                heard = asyncio.run(asyncio.wait_for(alternate(tmp_path, side), 60))
                numbers = [news.number for news in heard]
                made = {"story": committed_story(heard), "rises": numbers == sorted(set(numbers))}
                (tmp_path / f"heard-{side}.json").write_text(json.dumps(made))
                status = 0
            finally:
                os._exit(status)
        children.append(child)
    assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0, 0]
    one, two = (json.loads((tmp_path / f"heard-{side}.json").read_text()) for side in (0, 1))
    assert one == two
    assert one["rises"]
    assert [version for version, _, _ in one["story"]] == list(range(1, TURNS + 2))
    assert len({commit for _, commit, _ in one["story"]}) == TURNS + 1


def test_the_log_is_looked_at_often_enough() -> None:
    assert POLL_SECONDS <= 0.25


def test_a_watcher_that_reconnects_after_every_event_reads_the_same_story() -> None:
    async def main() -> None:
        lobby = make_lobby(room(), teller=told_turns(10))
        session = await lobby.begin("test", "en")
        whole = asyncio.create_task(hear_until(session.watch(after=0), 11))

        async def come_and_go() -> list[News]:
            heard: list[News] = []
            while versions(heard)[-1:] != [11]:
                after = heard[-1].number if heard else 0
                heard.append(await anext(session.watch(after=after)))
            return heard

        coming = asyncio.create_task(come_and_go())
        for turn in range(10):
            await session.say(f"Turn {turn}.")
        heard, all_heard = await coming, await whole
        assert committed_story(heard) == committed_story(all_heard)
        assert len(committed_story(heard)) == 11
        assert [news.number for news in heard] == sorted({news.number for news in heard})
        await session.close()

    asyncio.run(main())


def test_who_comes_back_in_mid_turn_and_has_heard_all_of_it_is_not_told_it_again() -> None:
    async def main() -> None:
        slow = Hesitant([cards("It echoes in the dark.")], cut=by(30))
        session = await make_lobby(room(), teller=Teller(slow)).begin("test", "en")
        saying = asyncio.create_task(session.say("I sing."))
        await slow.reached.wait()
        (operation_id,) = channel_of(session).under_way
        session.seat.broadcast.hear(NarrationDelta("It", "main", operation_id))
        first = await drain(session.watch())
        assert kinds(first) == ["narration.reset"]
        assert await drain(session.watch(after=first[-1].number)) == []
        session.seat.broadcast.hear(NarrationDelta(" is", "main", operation_id))
        (again,) = await drain(session.watch(after=first[-1].number))
        assert again.kind is NewsKind.NARRATION_RESET
        slow.let_on.set()
        await saying
        await session.close()

    asyncio.run(main())


async def hear_of_other_process(session: StoreSession, other: StoreSession) -> list[News]:
    watch = session.watch()
    hearing = asyncio.create_task(hear_until(watch, 3))
    await asyncio.sleep(0)
    await other.choose("wait")
    await other.choose("take")
    return await hearing


def test_turns_of_another_process_are_heard_though_nobody_plays_here(tmp_path: Path) -> None:
    async def main() -> None:
        session = await folder_lobby(tmp_path, 0, 0).begin("test", "en")
        # A lobby with a bus of its own is as far away as another process.
        other = await folder_lobby(tmp_path, 1).open("test-1")
        heard = await hear_of_other_process(session, other)
        assert versions(heard) == [2, 3]
        assert NewsKind.TURN_ACCEPTED not in {news.kind for news in heard}
        await other.close()
        await session.close()

    asyncio.run(main())


def test_a_book_that_cannot_be_read_is_looked_at_again(tmp_path: Path) -> None:
    async def main() -> None:
        session = await folder_lobby(tmp_path, 0, 0).begin("test", "en")
        other = await folder_lobby(tmp_path, 1).open("test-1")
        book, look = session.seat.road.book, session.seat.road.book.look
        failures = iter([ChronicleError("the disk sleeps")] * 3)

        async def fail() -> object:
            for error in failures:
                raise error
            return await look()

        book.look = fail  # type: ignore[method-assign,assignment]
        assert versions(await hear_of_other_process(session, other)) == [2, 3]
        await other.close()
        await session.close()

    asyncio.run(main())


def test_nobody_looks_at_the_log_where_nobody_watches(tmp_path: Path) -> None:
    async def main() -> None:
        session = await folder_lobby(tmp_path, 0, 0).begin("test", "en")
        watch: NewsWatch | None = session.watch()
        assert watch is not None
        assert await drain(watch) == []
        polling = session.seat.broadcast._polling
        assert polling is not None
        assert not polling.done()
        watch = None
        await asyncio.wait([polling], timeout=10)
        assert polling.done()
        await session.close()

    asyncio.run(main())


def test_a_campaign_under_the_name_of_a_removed_one_has_news_of_its_own() -> None:
    bus = NewsBus()
    old = bus.campaign("mist-1", 5)
    assert bus.campaign("mist-1", 5) is old
    assert bus.campaign("mist-1", 7) is old
    assert bus.campaign("mist-1", 0) is not old


def test_turns_that_end_without_a_word_are_forgotten() -> None:
    async def main() -> None:
        lobby = make_lobby(room())
        session = await lobby.begin("test", "en")
        source = session.seat.broadcast
        assert isinstance(source, SessionNews)
        watch = session.watch()
        for turn in range(UNDER_WAY_MAX + 4):
            source.hear(TurnAccepted(ACCEPTED.accepted, "main", f"op{turn}"))
        assert len(await drain(watch)) == UNDER_WAY_MAX + 4
        assert len(watch._heard) == len(channel_of(session).under_way) == UNDER_WAY_MAX

    asyncio.run(main())


@pytest.mark.parametrize("gone", ["closed", "removed"])
def test_the_length_of_a_log_is_known_while_it_is_there(tmp_path: Path, gone: str) -> None:
    async def main() -> None:
        lobby = folder_lobby(tmp_path, 0)
        session = await lobby.begin("test", "en")
        other = await folder_lobby(tmp_path, 1).open("test-1")
        book = await FolderStore(tmp_path, git=False, disk=QUICK).open("test-1")
        before = book.written()
        await other.choose("wait")
        await other.close()
        assert book.written() > before > 0
        await session.close()
        if gone == "closed":
            await book.close()
        else:
            await lobby.remove("test-1")
        assert book.written() == -1

    asyncio.run(main())


def test_a_number_of_an_earlier_process_voids_what_it_told() -> None:
    async def main() -> None:
        channel = NewsChannel(0)
        channel.publish(ACCEPTED)
        after = LIVE + 40
        stream = channel.subscribe(after)
        channel.publish(NarrationDelta("New", "main", ACCEPTED.operation_id))
        items = [await anext(stream) for _ in range(2)]
        assert [item.signal for item in items] == [
            NarrationReset("", voids_rolls=True, branch="main", operation_id=ACCEPTED.operation_id),
            NarrationReset("New", branch="main", operation_id=ACCEPTED.operation_id),
        ]
        assert after < items[0].number < items[1].number
        # Whoever has heard it from this process goes on where it was.
        again = channel.subscribe(items[1].number)
        channel.publish(NarrationDelta(" words", "main", ACCEPTED.operation_id))
        told = (await anext(again)).signal
        assert told == NarrationReset("New words", branch="main", operation_id=ACCEPTED.operation_id)

    asyncio.run(main())


def test_a_commit_of_another_process_counts_at_once_unless_someone_listens() -> None:
    async def work() -> None:
        channel = NewsChannel(3)
        channel.publish(ACCEPTED)
        channel.advance(5)
        channel.advance(4)
        assert channel.sequence == 5
        # The live numbers begin again behind the commit.
        assert channel.claim() == 5 * STRIDE + LIVE
        listener = channel.subscribe()
        # Whoever listens gets the commit from the record, and only then is it known.
        channel.advance(6)
        assert channel.sequence == 5
        listener.close()

    asyncio.run(work())
