"""Checks of events: they are numbered, reach every watcher, and can be resumed at any point.

No commit is ever missed.
"""

import asyncio
from collections.abc import Sequence
from contextlib import suppress

from talewright.play.news import CommittedNews, DeltaNews, News, NewsKind, ResetNews
from talewright.testing.expectations import expect, expect_equal
from talewright.testing.lobby_checks.lobby_fixtures import (
    NEWS_SECONDS_MAX,
    LobbyFactories,
    begin_campaign,
    hear_end,
)

GIVEN_UP_SECONDS = 0.01
"""How long a check waits for events that do not come."""


def read_text(heard: Sequence[News]) -> str:
    """The narration of one turn, as a face that follows the events shows it."""
    text = ""
    for news in heard:
        if isinstance(news.event, DeltaNews):
            text += news.event.text
        elif isinstance(news.event, ResetNews):
            text = news.event.text
    return text


def _expect_rising(heard: Sequence[News]) -> None:
    numbers = [news.number for news in heard]
    expect_equal("the numbers of the news rise", numbers, sorted(set(numbers)))


async def check_live(ground: LobbyFactories) -> None:
    """A watcher gets a turn's events from beginning to end, with the whole narration."""
    async with begin_campaign(ground) as begun:
        watch = begun.session.watch()
        before = await begun.session.view()
        result = await begun.session.choose(before.choices[0].id)
        heard = await hear_end(watch)
        view = await begun.session.view()
        assert view.turn is not None
        _expect_rising(heard)
        expect_equal("it begins", heard[0].kind, NewsKind.TURN_ACCEPTED)
        expect_equal("it ends", heard[-1].event, CommittedNews(view.version, view.head))
        expect_equal("its words", read_text(heard), view.turn.narration)
        expect_equal("its operation", {news.operation_id for news in heard}, {result.operation_id})


async def check_every_watcher(ground: LobbyFactories) -> None:
    """Every watcher of every session gets a turn's events, including those of other lobbies."""
    async with begin_campaign(ground) as begun:
        other = await begun.reopen()
        watches = [begun.session.watch(), begun.session.watch(), other.watch()]
        # A session waits for its own watchers, not for those of others.
        await other.choose("no-such-choice")
        view = await begun.choose()
        for watch in watches:
            heard = await hear_end(watch)
            while not isinstance(heard[-1].event, CommittedNews):
                heard = await hear_end(watch)
            expect_equal("the turn", heard[-1].event, CommittedNews(view.version, view.head))


async def check_resuming(ground: LobbyFactories) -> None:
    """A watcher that resumes after any event gets the rest, and the same narration."""
    async with begin_campaign(ground) as begun:
        watch, turns = begun.session.watch(), []
        for _ in range(2):
            view = await begun.choose()
            assert view.turn is not None
            turns.append((await hear_end(watch), view.turn.narration))
        last = turns[-1][0][-1].event
        for heard, narration in turns:
            for at, news in enumerate(heard):
                again = begun.session.watch(news.number)
                rest: list[News] = []
                while not rest or rest[-1].event != last:
                    if news is turns[-1][0][-1]:
                        break
                    rest += await hear_end(again)
                _expect_rising(rest)
                expect(all(one.number > news.number for one in rest), "something is told twice")
                ended = next((i for i, one in enumerate(rest) if one.event == heard[-1].event), None)
                if ended is not None:
                    expect_equal("the words", read_text([*heard[: at + 1], *rest[:ended]]), narration)


async def check_missed(ground: LobbyFactories) -> None:
    """A watcher that was away gets every turn that was committed in the meantime."""
    async with begin_campaign(ground) as begun:
        views = [await begun.session.view(), await begun.choose(), await begun.choose()]
        watch = (await begun.reopen()).watch(0)
        for view in views:
            heard = await hear_end(watch)
            assert view.turn is not None
            expect_equal("a missed turn", heard[-1].event, CommittedNews(view.version, view.head))
            expect_equal("its words", read_text(heard), view.turn.narration)


async def check_cancelled_waiting(ground: LobbyFactories) -> None:
    """Waiting for events can be cancelled without missing any."""
    async with begin_campaign(ground) as begun:
        watch = begun.session.watch()
        for _ in range(3):
            with suppress(TimeoutError):
                await asyncio.wait_for(anext(watch), GIVEN_UP_SECONDS)
                expect(False, "an event, although nothing has happened")
        view = await begun.choose()
        heard = await hear_end(watch)
        expect_equal("it begins", heard[0].kind, NewsKind.TURN_ACCEPTED)
        expect_equal("it ends", heard[-1].event, CommittedNews(view.version, view.head))


async def check_closing(ground: LobbyFactories) -> None:
    """Closing a session ends its events, and the campaign is safe."""
    async with begin_campaign(ground) as begun:
        watch = begun.session.watch()
        waiting = asyncio.ensure_future(anext(watch, None))
        before = await begun.choose()
        async with asyncio.timeout(NEWS_SECONDS_MAX):
            expect(await waiting is not None, "no news of a turn")
            await begun.session.close()
            while await anext(watch, None) is not None:
                pass
            expect_equal("watching it now", await anext(begun.session.watch(), None), None)
        expect_equal("opened again", await (await begun.reopen()).view(), before)
