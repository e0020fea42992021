"""Hearing: news taken from a watch and read as a face would, for the tests of `play`."""

import asyncio
from collections.abc import AsyncIterator, Sequence

from talewright.play.news import AcceptedNews, CommittedNews, DeltaNews, News, ResetNews


async def drain(watch: AsyncIterator[News]) -> list[News]:
    """What is there to hear now. Nothing here waits for a disk, so a few rounds of the loop are enough."""
    heard: list[News] = []
    while True:
        listening = asyncio.ensure_future(anext(watch, None))
        for _ in range(20):
            await asyncio.sleep(0)
        news = listening.result() if listening.done() else None
        listening.cancel()
        if news is None:
            return heard
        heard.append(news)


def kinds(heard: Sequence[News]) -> list[str]:
    return [news.kind.value for news in heard]


def narration(heard: Sequence[News]) -> str:
    """The narration as a face that follows the news would show it."""
    text = ""
    for news in heard:
        match news.event:
            case AcceptedNews():
                text = ""
            case DeltaNews(more):
                text += more
            case ResetNews(text):
                pass
            case _:
                pass
    return text


def versions(heard: Sequence[News]) -> list[int]:
    return [news.event.version for news in heard if isinstance(news.event, CommittedNews)]


def committed_story(heard: Sequence[News]) -> list[tuple[int, str, str]]:
    """Version, commit and text of every committed turn, for those who follow operation ids."""
    told: dict[str, str] = {}
    story = []
    for news in heard:
        match news.event:
            case DeltaNews(text):
                told[news.operation_id] = told.get(news.operation_id, "") + text
            case ResetNews(text):
                told[news.operation_id] = text
            case CommittedNews(version, commit):
                story.append((version, commit, told.pop(news.operation_id)))
            case _:
                pass
    return story


async def hear_until(watch: AsyncIterator[News], version: int) -> list[News]:
    """Everything up to the commit of a turn."""
    heard = []
    async for news in watch:
        heard.append(news)
        if isinstance(news.event, CommittedNews) and news.event.version == version:
            return heard
    raise AssertionError(f"turn {version} was never heard of")
