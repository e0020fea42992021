"""The backlog: what was committed since, read along the branches or from all records."""

import asyncio

import pytest

from talewright.play.news import LIVE, STRIDE
from talewright.play.sessions.news_watch import read_missed_commits, sequence_before
from tests.play.hearing import drain, narration, versions
from tests.play.making import make_lobby
from tests.play.scenes import room


def test_the_backlog_is_read_from_behind_a_commit_on() -> None:
    async def main() -> None:
        session = await make_lobby(room()).begin("test", "en")
        for choice in ("wait", "take", "wait"):
            await session.choose(choice)
        book = session.seat.road.book
        sequences = [commit.sequence async for commit in read_missed_commits(book, 1)]
        assert sequences == [2, 3, 4]
        assert [commit.sequence async for commit in read_missed_commits(book, 4)] == []
        assert [commit.sequence async for commit in read_missed_commits(book, -2)] == [0, 1, 2, 3, 4]

    asyncio.run(main())


@pytest.mark.parametrize(
    ("number", "sequence"),
    [(0, -1), (LIVE - 1, -1), (LIVE, 0), (STRIDE - 1, 0), (STRIDE, 0), (3 * STRIDE + LIVE, 3)],
)
def test_numbers_say_what_may_be_missing(number: int, sequence: int) -> None:
    assert sequence_before(number) == sequence


def test_a_number_taken_now_is_as_good_as_a_watch_begun_now() -> None:
    async def main() -> None:
        session = await make_lobby(room()).begin("test", "en")
        watch, number = session.watch(), session.newest_number()
        await session.choose("take")
        heard = await drain(watch)
        missed = await drain(session.watch(number))
        assert heard[-1].number == missed[-1].number
        assert narration(heard) == narration(missed) != ""
        assert versions(heard) == versions(missed) == [2]

    asyncio.run(main())
