"""News as server-sent events: resumed at any point, coalesced, and never waited for."""

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any

import pytest

from talewright.faces.http import missed_news, news_feed, sse_frames
from talewright.faces.http.json_answers import encode
from talewright.faces.http.missed_news import CatchUp
from talewright.faces.http.news_feed import NewsFeed, NewsFeeds
from talewright.faces.http.sse_frames import COMMENT, RETRY, FrameLog, write_frame
from talewright.play.campaign_view import Viewer
from talewright.play.news import LIVE, DeltaNews, News, NewsKind
from talewright.play.serving.session_pool import SessionPool
from talewright.play.session import FollowingSession
from talewright.play.sessions.news_watch import NewsWatch
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.providers.scripted import by
from talewright.turn.turn_context import Teller
from tests.play.making import compiled, make_lobby
from tests.play.tellers import Hesitant, cards, teller

GAME = "mist_harbor"
TOLD = cards("Lian counts the coins, twice, and slides the sheet across the bar without a word.")


@dataclass
class Reader:
    """What a client makes of its frames."""

    numbers: list[int] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    text: str = ""

    def read(self, data: bytes) -> bool:
        """Take frames; whether a turn was committed."""
        ended = False
        for frame in data.decode().split("\n\n"):
            lines = dict(line.partition(": ")[::2] for line in frame.splitlines() if not line.startswith(":"))
            if "data" not in lines:
                continue
            news: dict[str, Any] = json.loads(lines["data"])
            assert (int(lines["id"]), lines["event"]) == (news["number"], news["kind"])
            self.numbers.append(news["number"])
            self.kinds.append(news["kind"])
            match news["kind"]:
                case NewsKind.NARRATION_DELTA:
                    self.text += news["data"]["text"]
                case NewsKind.NARRATION_RESET:
                    self.text = news["data"]["text"]
                case NewsKind.TURN_ACCEPTED:
                    self.text = ""
                case NewsKind.TURN_COMMITTED:
                    ended = True
                case _:
                    pass
        return ended


@dataclass
class Desk:
    """A campaign that is told by a script, and the feeds of its news."""

    lobby: StoreLobby
    pool: SessionPool = field(init=False)
    feeds: NewsFeeds = field(init=False)
    name: str = ""

    def __post_init__(self) -> None:
        self.pool = SessionPool(self.lobby)
        self.feeds = NewsFeeds(self.pool)

    async def begin(self) -> None:
        """Begin the campaign."""
        session = await self.lobby.begin(GAME, "en")
        self.name = (await session.view()).campaign
        await self.pool.adopt(self.name, session)

    def stream(self, after: int = -1, *, every: bool = False) -> AsyncGenerator[bytes, None]:
        """A stream of the news."""
        return self.feeds.stream(self.name, Viewer.PLAYER, after, every=every)

    async def say(self, text: str) -> None:
        """Take a turn."""
        async with self.pool.use(self.name, Viewer.PLAYER) as session:
            await session.say(text)

    async def close(self) -> None:
        """End everything."""
        await self.feeds.close()
        await self.pool.close()


async def set_up(*lines: str) -> Desk:
    """A campaign after its opening."""
    desk = Desk(make_lobby(compiled(GAME), teller=teller(*lines, cut=by(7))))
    await desk.begin()
    return desk


async def read_turn(stream: AsyncGenerator[bytes, None], reader: Reader) -> None:
    """Read until a turn is committed."""
    async for data in stream:
        if reader.read(data):
            return


async def start(stream: AsyncGenerator[bytes, None], *, anew: bool = False) -> None:
    """Read what comes before the news; a new stream also says from where it can be resumed."""
    assert await anext(stream) == RETRY
    if anew:
        assert (await anext(stream)).startswith(b"id: ")


@pytest.mark.parametrize("every", [True, False])
def test_a_turn_is_told_in_order(*, every: bool) -> None:
    async def main() -> None:
        desk, reader = await set_up(TOLD), Reader()
        async with aclosing(desk.stream(0, every=every)) as stream:
            await start(stream)
            await read_turn(stream, reader)
            telling = asyncio.create_task(desk.say("I pay"))
            await read_turn(stream, reader)
            await telling
        assert reader.numbers == sorted(set(reader.numbers))
        assert "Lian counts the coins" in reader.text
        deltas = reader.kinds.count(NewsKind.NARRATION_DELTA)
        assert deltas > 8 if every else deltas <= 4
        await desk.close()

    asyncio.run(main())


@pytest.mark.parametrize("every", [True, False])
def test_a_stream_cut_after_every_event_misses_nothing(*, every: bool) -> None:
    async def main() -> None:
        desk, whole, cut = await set_up(TOLD), Reader(), Reader()
        watching = desk.stream(0, every=True)
        await start(watching)
        await read_turn(watching, whole)
        after = whole.numbers[-1]

        async def read_in_pieces() -> None:
            last = after
            while True:
                async with aclosing(desk.stream(last, every=every)) as stream:
                    await start(stream)
                    ended = cut.read(await anext(stream))
                last = cut.numbers[-1]
                if ended:
                    return

        reading = asyncio.create_task(read_in_pieces())
        telling = asyncio.create_task(desk.say("I pay"))
        await read_turn(watching, whole)
        await asyncio.gather(reading, telling)
        assert cut.text == whole.text
        assert cut.numbers == sorted(set(cut.numbers))
        assert cut.kinds[-1] == NewsKind.TURN_COMMITTED
        await watching.aclose()
        await desk.close()

    asyncio.run(main())


def test_who_comes_in_the_midst_of_a_turn_gets_its_text_so_far() -> None:
    async def main() -> None:
        provider = Hesitant([TOLD], cut=by(60))
        desk = Desk(make_lobby(compiled(GAME), teller=Teller(provider)))
        await desk.begin()
        telling = asyncio.create_task(desk.say("I pay"))
        await provider.reached.wait()
        early, reader = desk.stream(), Reader()
        await start(early, anew=True)
        reader.read(await anext(early))
        assert reader.kinds == [NewsKind.NARRATION_RESET]
        assert reader.text.startswith("Lian counts")
        provider.let_on.set()
        await read_turn(early, reader)
        await telling
        assert reader.text.endswith("without a word.")
        await early.aclose()
        await desk.close()

    asyncio.run(main())


def test_a_slow_reader_is_caught_up_and_holds_nobody_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(FrameLog.__init__, "__defaults__", (4,))

    async def main() -> None:
        desk, slow, fast = await set_up(TOLD, TOLD), Reader(), Reader()
        asleep, awake = desk.stream(0, every=True), desk.stream(0, every=True)
        await start(asleep)
        await start(awake)
        slow.read(await anext(asleep))
        await read_turn(awake, fast)
        for said in ("I pay", "I pay again"):
            telling = asyncio.create_task(desk.say(said))
            await read_turn(awake, fast)
            await telling
        while slow.numbers[-1] < fast.numbers[-1]:
            slow.read(await anext(asleep))
        assert slow.text == fast.text
        assert slow.kinds.count(NewsKind.TURN_COMMITTED) == fast.kinds.count(NewsKind.TURN_COMMITTED) == 3
        await asleep.aclose()
        await awake.aclose()
        await desk.close()

    asyncio.run(main())


@pytest.mark.parametrize("frames_max", [3, 256])
def test_streams_that_miss_the_same_are_caught_up_together(
    monkeypatch: pytest.MonkeyPatch, frames_max: int
) -> None:
    """As when a node is lost, and all its streams come to another one."""
    monkeypatch.setattr(missed_news, "FRAMES_MAX", frames_max)
    watched: list[int] = []
    watch = StoreSession.watch

    def count(session: StoreSession, after: int = -1) -> NewsWatch:
        watched.append(after)
        return watch(session, after)

    async def main() -> None:
        desk = await set_up(*[TOLD] * 4)
        for _ in range(3):
            await desk.say("I pay")
        monkeypatch.setattr(StoreSession, "watch", count)
        streams, readers = [desk.stream(0) for _ in range(20)], [Reader() for _ in range(20)]
        # The opening, and three turns.
        for _ in range(4):
            await asyncio.gather(*map(read_turn, streams, readers))
        assert all(reader == readers[0] for reader in readers)
        # One of them goes away, and the others hear on.
        await streams.pop().aclose()
        telling = asyncio.create_task(desk.say("I pay"))
        await asyncio.gather(*map(read_turn, streams, readers))
        await telling
        assert readers[0].numbers == sorted(set(readers[0].numbers))
        assert "Lian counts the coins" in readers[0].text
        assert all(reader == readers[0] for reader in readers[:-1])
        assert len(watched) <= (2 if frames_max > 3 else 2 + len(readers[0].numbers) // frames_max)
        for stream in streams:
            await stream.aclose()
        await desk.close()

    asyncio.run(main())


def test_a_catch_up_that_nobody_reads_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    async def main() -> None:
        desk = await set_up()
        read: list[CatchUp] = []
        catch_up = NewsFeed.catch_up

        def note(feed: NewsFeed, session: FollowingSession, after: int, *, every: bool) -> CatchUp:
            read.append(catch_up(feed, session, after, every=every))
            return read[-1]

        monkeypatch.setattr(NewsFeed, "catch_up", note)
        for number in range(2):
            stream = desk.stream(10**12)
            await start(stream)
            waiting = asyncio.ensure_future(anext(stream))
            while len(read) == number:
                await asyncio.sleep(0)
            waiting.cancel()
            await asyncio.wait([waiting])
            await stream.aclose()
            assert read[number].is_abandoned
        assert read[0] is not read[1]
        await desk.close()

    asyncio.run(main())


def test_a_quiet_stream_gets_comments(monkeypatch: pytest.MonkeyPatch) -> None:
    assert sse_frames.COMMENT_SECONDS == 15
    for module in (news_feed, missed_news):
        monkeypatch.setattr(module, "COMMENT_SECONDS", 0.01)

    async def main() -> None:
        desk = await set_up()
        async with aclosing(desk.stream()) as stream:
            await start(stream, anew=True)
            assert await anext(stream) == COMMENT
            assert await anext(stream) == COMMENT
        await desk.close()

    asyncio.run(main())


def test_streams_end_when_the_server_does() -> None:
    async def main() -> None:
        desk = await set_up()
        stream = desk.stream(0)
        await start(stream)
        reader = Reader()
        await read_turn(stream, reader)
        reading = asyncio.ensure_future(anext(stream, None))
        await asyncio.sleep(0)
        await desk.close()
        assert await reading is None

    asyncio.run(main())


def test_a_catch_up_ends_with_its_feed() -> None:
    async def main() -> None:
        desk, log = await set_up(), FrameLog()
        async with desk.pool.use(desk.name, Viewer.PLAYER) as session:
            missed = missed_news.read_missed(session, log, session.newest_number())
            coming = asyncio.ensure_future(anext(missed, None))
            await asyncio.sleep(0)
            log.ended = True
            log.wake()
            assert await asyncio.wait_for(coming, 10) is None
        await desk.close()

    asyncio.run(main())


def test_deltas_are_coalesced_between_other_news() -> None:
    async def main() -> None:
        feed = NewsFeed()
        for number, text in enumerate("abcd"):
            feed.publish(News(LIVE + number, DeltaNews(text), "main", "one"))
        feed.publish(News(LIVE + 9, DeltaNews("other"), "main", "two"))
        feed.flush()
        taken = feed.coalesced.take(0)
        assert taken is not None
        # The first is sent at once; then they are collected, but never across turns.
        told = [News(LIVE, DeltaNews("a"), "main", "one"), News(LIVE + 3, DeltaNews("bcd"), "main", "one")]
        told.append(News(LIVE + 9, DeltaNews("other"), "main", "two"))
        assert taken[0] == b"".join(write_frame(one) for one in told)
        assert feed.every.end == 5

    asyncio.run(main())


@pytest.mark.parametrize("text", ["The lamp ", '"quoted" \\ and\nbroken', "雾港", "\ud83d", ""])
def test_a_piece_of_narration_is_written_as_the_codec_would(text: str) -> None:
    news = News(LIVE + 1, DeltaNews(text), "main", "operation")
    expected = b"id: %d\nevent: narration.delta\ndata: %s\n\n" % (news.number, encode(news))
    assert write_frame(news) == expected


def test_news_that_nobody_takes_are_not_encoded(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[int] = []

    def write(news: News) -> bytes:
        written.append(news.number)
        return b"%d;" % news.number

    monkeypatch.setattr(sse_frames, "write_frame", write)
    log = FrameLog()
    for number in range(4):
        log.append(News(number, DeltaNews("x")), number)
    assert written == []
    for _ in range(2):
        assert log.take(3) == (b"3;", 4, 3)
        assert log.take(2) == (b"2;3;", 4, 3)
    assert written == [3, 2]
