"""Ends of operations: a result waits for its news, and for nothing else."""

import asyncio

import pytest

from talewright.play import operation_ends
from talewright.play.news import CommittedNews, DegradedNews, DeltaNews, FailedNews, News, NewsEvent
from talewright.play.operation_ends import ENDS_KEPT_MAX, OperationEnds
from talewright.play.session import InputResult, ResultKind

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
    monkeypatch.setattr(operation_ends, "END_SECONDS_MAX", 0)
    ends = OperationEnds()
    for turn in range(ENDS_KEPT_MAX + 1):
        ends.hear(News(turn, CommittedNews(turn, "c"), "main", "op" if turn == 0 else f"op{turn}"))
    asyncio.run(ends.wait_for(RESULT))
