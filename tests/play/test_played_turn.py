"""Played turns and ends of operations: a result waits for its news, and for nothing else."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace

import pytest

from talewright.errors import TalewrightError
from talewright.play import played_turn
from talewright.play.campaign_view import EndView, View, Viewer
from talewright.play.news import (
    CommittedNews,
    DegradedNews,
    DeltaNews,
    EndedNews,
    FailedNews,
    News,
    NewsEvent,
)
from talewright.play.played_turn import (
    ENDS_KEPT_MAX,
    OperationEnds,
    PlayedTurn,
    StreamedSession,
    TurnSource,
)
from talewright.play.session import InputResult, ResultKind, Stamp

RESULT = InputResult(ResultKind.COMMITTED, operation_id="op")


@pytest.mark.parametrize("end", [CommittedNews(1, "c"), DegradedNews("untold", ""), FailedNews("error", "")])
def test_a_result_waits_for_the_end_of_its_operation(end: NewsEvent) -> None:
    async def main() -> None:
        ends = OperationEnds()
        waiting = asyncio.create_task(ends.wait_for(RESULT))
        await asyncio.sleep(0)
        for news in (News(1, DeltaNews("a"), "main", "op"), News(2, end, "main", "another")):
            ends.hear(news)
            await asyncio.sleep(0)
            await asyncio.sleep(0)
            assert not waiting.done()
        ends.hear(News(3, end, "main", "op"))
        await waiting
        # What was heard before it is waited for is not waited for.
        await ends.wait_for(RESULT)

    asyncio.run(main())


@pytest.mark.parametrize(
    "result",
    [
        InputResult(ResultKind.UNSPENT, "empty"),
        InputResult(ResultKind.COMMITTED, repeated=True, operation_id="op"),
    ],
)
def test_what_has_no_news_waits_for_none(result: InputResult) -> None:
    asyncio.run(asyncio.wait_for(OperationEnds().wait_for(result), 0.5))


def test_nobody_waits_for_news_that_have_ended() -> None:
    async def main() -> None:
        ends = OperationEnds()
        waiting = asyncio.create_task(ends.wait_for(RESULT))
        await asyncio.sleep(0)
        ends.finish()
        await waiting

    asyncio.run(main())


def test_nobody_waits_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played_turn, "END_SECONDS_MAX", 0)
    ends = OperationEnds()
    for turn in range(ENDS_KEPT_MAX + 1):
        ends.hear(News(turn, CommittedNews(turn, "c"), "main", "op" if turn == 0 else f"op{turn}"))
    asyncio.run(ends.wait_for(RESULT))


DONE = CommittedNews(1, "c1")
VIEW = View("road", "test", "Test", "en", Viewer.PLAYER, "main", "c1", 1, None)


class StreamedFake(StreamedSession):
    """A session that sends its news while a turn is taken, and then gives its result."""

    def __init__(self, news: Sequence[NewsEvent], result: InputResult | TalewrightError, view: View = VIEW):
        self.news: asyncio.Queue[News | None] = asyncio.Queue()
        self.told = news
        self.given = result
        self.shown = view
        self.watched = False

    async def view(self) -> View:
        return self.shown

    async def say(self, text: str, stamp: Stamp | None = None) -> InputResult:
        assert self.watched
        for number, event in enumerate(self.told):
            self.news.put_nowait(News(number, event, "main", "op"))
        if isinstance(self.given, TalewrightError):
            raise self.given
        return self.given

    async def watch(self, after: int = -1) -> AsyncIterator[News]:
        while (news := await self.news.get()) is not None:
            yield news

    async def close(self) -> None:
        self.news.put_nowait(None)

    def play(self, turn: TurnSource) -> PlayedTurn:
        self.watched = True
        return super().play(turn)


def read(session: StreamedFake, turn: TurnSource = "I knock.") -> tuple[list[NewsEvent], PlayedTurn]:
    async def main() -> tuple[list[NewsEvent], PlayedTurn]:
        async with asyncio.timeout(20), session:
            played = session.play(turn)
            return [news.event async for news in played], played

    return asyncio.run(main())


ENDS = [
    ([DeltaNews("It opens."), DONE], RESULT),
    ([DegradedNews("untold", "")], InputResult(ResultKind.DEGRADED, "untold", operation_id="op")),
    ([FailedNews("cautioned", "")], InputResult(ResultKind.UNSPENT, "cautioned", operation_id="op")),
    ([FailedNews("error", "")], InputResult(ResultKind.FAILED, "error", operation_id="op")),
    ([], InputResult(ResultKind.UNSPENT, "empty")),
    ([], InputResult(ResultKind.COMMITTED, repeated=True, operation_id="op")),
]


@pytest.mark.parametrize(("news", "result"), ENDS)
def test_a_played_turn_ends_however_it_ends(news: list[NewsEvent], result: InputResult) -> None:
    heard, played = read(StreamedFake(news, result))
    assert heard == news
    assert played.result == result


def test_the_end_of_the_story_belongs_to_its_last_turn() -> None:
    end = EndView("home", "win")
    result = replace(RESULT, commit="c1")
    told: list[NewsEvent] = [DONE, EndedNews(end)]
    assert read(StreamedFake(told, result, replace(VIEW, end=end)))[0] == told


def test_a_turn_that_leads_into_another_ends_with_that_one() -> None:
    async def main() -> None:
        session = StreamedFake([], RESULT)
        for number, operation_id in enumerate(("first", "op", "later")):
            session.news.put_nowait(News(number, DONE, "main", operation_id))
        heard = [news.operation_id async for news in session.play("I enter.")]
        assert heard == ["first", "op"]

    asyncio.run(main())


def test_an_error_is_raised_where_the_events_are_read() -> None:
    with pytest.raises(TalewrightError, match="the disk is full"):
        read(StreamedFake([], TalewrightError("the disk is full")))


def test_events_that_are_lost_are_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(played_turn, "END_SECONDS_MAX", 0.01)
    assert read(StreamedFake([], RESULT))[0] == []


def test_a_closed_session_has_no_more_events() -> None:
    session = StreamedFake([], RESULT)

    async def take() -> InputResult:
        await session.close()
        return RESULT

    heard, played = read(session, take())
    assert (heard, played.result) == ([], RESULT)


def test_no_turn_has_no_events_and_no_result() -> None:
    heard, played = read(StreamedFake([], RESULT), None)
    assert heard == []
    with pytest.raises(TalewrightError, match="no result yet"):
        _ = played.result
