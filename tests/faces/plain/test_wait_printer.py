"""Waiting in plain text: a word after 2 seconds, what changes, and Enter to go on without the model."""

import asyncio
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TextIO

import pytest

from talewright.faces.plain.command_loop import PlainFace
from talewright.faces.plain.console import Keyboard
from talewright.faces.plain.plain_words import PlainWords, words_for
from talewright.faces.plain.wait_printer import AGAIN_SECONDS, LOOK_SECONDS, WaitTimer
from talewright.play.news import AcceptedNews, ActivityNews, CommittedNews, DeltaNews, News, NewsEvent
from talewright.play.presentation.wait_progress import PROGRESS_AFTER_SECONDS
from talewright.play.session import InputResult, ResultKind, Stamp
from talewright_testkit.fake_provider.fake_clock import HandClock
from tests.faces.plain.fakes import COMMITTED, OPERATION, FakeSession
from tests.faces.plain.tables import Table

ENGLISH = words_for("en")
CHINESE = words_for("zh-CN")

READING = ActivityNews("reading", "Reading (40% read)", 0.4, 35.4, can_skip=True)
WRITING = ActivityNews("telling", "Writing the story", None, 35.4, can_skip=True)
AGAIN = ActivityNews("mending", "Asking again: the reply was too long")
SKIP = ENGLISH.wait_skip
STOP = ENGLISH.wait_stop


class SlowSession(FakeSession):
    """A session whose turn lasts until the test ends it, and whose news come when the test sends them."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: asyncio.Queue[News] = asyncio.Queue()
        self.done: asyncio.Future[InputResult] = asyncio.get_running_loop().create_future()

    async def watch(self, after: int = -1) -> AsyncIterator[News]:
        while True:
            yield await self.sent.get()

    async def choose(self, choice: str, stamp: Stamp | None = None) -> InputResult:
        self.calls.append(("choose", choice))
        return await self.done

    async def skip(self) -> None:
        await super().skip()
        self.end()

    def send(self, event: NewsEvent) -> None:
        self.sent.put_nowait(News(1, event, "main", OPERATION))

    def end(self, result: InputResult = COMMITTED) -> None:
        self.send(CommittedNews(4, "c2"))
        self.done.set_result(result)


class Play:
    """A face at a slow session, with a clock that is moved by hand."""

    def __init__(self, source: TextIO | None = None, words: PlainWords = ENGLISH) -> None:
        self.clock = HandClock()
        self.session = SlowSession()
        self.desk = Table("1", terminal=True, source=source, words=words)
        self.face = PlainFace(self.session, self.desk, WaitTimer(self.clock.now, self.clock.sleep))

    async def settle(self) -> None:
        for _ in range(30):
            await asyncio.sleep(0)

    async def start(self) -> None:
        self.playing = asyncio.create_task(self.face.play())
        await self.clock.until_someone_sleeps()
        self.session.send(AcceptedNews("Go in"))
        await self.settle()

    async def pass_time(self, seconds: float) -> list[str]:
        """What is written meanwhile."""
        await self.settle()
        before = len(self.desk.out.getvalue())
        for _ in range(round(seconds / LOOK_SECONDS)):
            self.clock.advance(LOOK_SECONDS)
            await self.settle()
        return self.desk.out.getvalue()[before:].split("\n\n")

    async def finish(self) -> None:
        self.session.end()
        await self.playing


def run(
    story: Callable[[Play], Awaitable[None]], source: TextIO | None = None, words: PlainWords = ENGLISH
) -> None:
    async def main() -> None:
        play = Play(source, words)
        await play.start()
        await story(play)

    asyncio.run(main())


def told(written: list[str]) -> list[str]:
    return [block.strip() for block in written if block.strip()]


def test_after_two_seconds_there_is_a_word() -> None:
    async def story(play: Play) -> None:
        play.session.send(READING)
        assert told(await play.pass_time(PROGRESS_AFTER_SECONDS - 2 * LOOK_SECONDS)) == []
        assert told(await play.pass_time(LOOK_SECONDS)) == [
            f"Reading (40% read): 2 s so far, usually about 35 s. {STOP}"
        ]
        # Another line comes with another activity, or after a while.
        play.session.send(WRITING)
        assert told(await play.pass_time(1.75)) == ["Writing the story: 4 s so far, usually about 35 s."]
        assert told(await play.pass_time(AGAIN_SECONDS - LOOK_SECONDS)) == []
        assert told(await play.pass_time(LOOK_SECONDS)) == [
            "Writing the story: 14 s so far, usually about 35 s."
        ]
        play.session.send(AGAIN)
        assert told(await play.pass_time(2.0)) == ["Asking again: the reply was too long: 15 s so far."]
        play.session.send(WRITING)
        assert told(await play.pass_time(20.0))[-1] == ("Writing the story: 27 s so far, usually about 35 s.")
        assert told(await play.pass_time(10.0)) == [
            "Writing the story: 37 s so far, longer than the usual 35 s."
        ]
        await play.finish()

    run(story)


def test_in_chinese_and_before_anything_is_known() -> None:
    async def story(play: Play) -> None:
        assert told(await play.pass_time(2.0)) == [f"稍等：已经 2 秒。{CHINESE.wait_stop}"]
        play.session.send(ActivityNews("reading", "阅读中（已读 40%）", 0.4, 35.0))
        assert told(await play.pass_time(2.0)) == ["阅读中（已读 40%）：已经 4 秒，通常约 35 秒。"]
        await play.finish()

    run(story, words=CHINESE)


def test_nothing_is_said_while_the_story_is_told() -> None:
    async def story(play: Play) -> None:
        play.session.send(WRITING)
        for piece in ("She ", "counts ", "the ", "coins."):
            play.session.send(DeltaNews(piece))
            assert told(await play.pass_time(1.5)) == []
        # Choices and changes are written after the story, and nothing is seen of that.
        assert told(await play.pass_time(0.5)) == [
            f"Writing the story: 6 s so far, usually about 35 s. {STOP}",
        ]
        # What is left of the story is marked as such.
        play.session.send(DeltaNews(" The door closes."))
        await play.pass_time(12.0)
        assert "\n\n…coins. The door\n" in play.desk.out.getvalue()
        assert "\n\nWriting the story: 16 s" in play.desk.out.getvalue()
        await play.finish()
        assert "\n\n…closes.\n" in play.desk.out.getvalue()

    run(story)


@contextmanager
def open_terminal() -> Iterator[tuple[TextIO, int]]:
    """A terminal, and where to press its keys."""
    keys, screen = os.openpty()
    with open(screen, encoding="utf-8") as source:
        yield source, keys
    os.close(keys)


def test_enter_goes_on_without_the_model() -> None:
    with open_terminal() as (source, keys):

        async def story(play: Play) -> None:
            play.session.send(READING)
            # What was pressed before the offer is no answer to it.
            os.write(keys, b"\n")
            (line,) = told(await play.pass_time(2.0))
            assert line == f"Reading (40% read): 2 s so far, usually about 35 s. {SKIP}"
            assert ("skip",) not in play.session.calls
            # Words are kept for the next prompt.
            os.write(keys, b"look around\n")
            await play.settle()
            assert ("skip",) not in play.session.calls
            os.write(keys, b"\n")
            while ("skip",) not in play.session.calls:
                await asyncio.sleep(0)
            while ("say", "look around") not in play.session.calls:
                await asyncio.sleep(0)
            play.playing.cancel()

        os.write(keys, b"1\n")
        run(story, source=source)


def test_where_no_scene_can_tell_it_enter_is_not_offered() -> None:
    with open_terminal() as (source, keys):

        async def story(play: Play) -> None:
            play.session.send(AGAIN)
            (line,) = told(await play.pass_time(2.0))
            assert line.endswith(STOP)
            play.session.end(InputResult(ResultKind.FAILED, "cancelled", "Stopped."))
            await play.settle()
            play.playing.cancel()

        os.write(keys, b"1\n")
        run(story, source=source)


def test_a_terminal_that_goes_away_presses_nothing() -> None:
    async def main(source: TextIO) -> None:
        keyboard = Keyboard(source)
        assert not keyboard.hears_enter
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.01):
                await keyboard.wait_for_enter()

    reading, writing = os.pipe()
    os.close(writing)
    with open(reading, encoding="utf-8") as source:
        asyncio.run(main(source))
