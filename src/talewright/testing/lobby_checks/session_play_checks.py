"""Checks of played turns: their events come, and end, with the turn, whatever it leads to.

They also check that `async with` closes a session.
"""

import asyncio

from talewright.play.campaign_view import Viewer
from talewright.play.input_results import InputResult, ResultKind
from talewright.play.news import CommittedNews, News, NewsKind
from talewright.play.played_turn import END_SECONDS_MAX, PlayedTurn
from talewright.play.session_roles import RoleError
from talewright.testing.expectations import expect, expect_equal, expect_raises
from talewright.testing.lobby_checks.lobby_fixtures import (
    NEWS_SECONDS_MAX,
    LobbyFactories,
    begin_campaign,
)
from talewright.testing.lobby_checks.session_news_checks import read_text


async def _read(turn: PlayedTurn) -> list[News]:
    """All events of a turn; it must end by itself."""
    async with asyncio.timeout(NEWS_SECONDS_MAX):
        return [news async for news in turn]


async def check_played_turn(ground: LobbyFactories) -> None:
    """A played turn streams its events from beginning to end, and then has its result."""
    async with begin_campaign(ground) as begun:
        session = begun.session
        for _ in range(2):
            before = await session.view()
            turn = session.play(session.choose(before.choices[0].id))
            heard = await _read(turn)
            view = await session.view()
            assert view.turn is not None
            expect_equal("the result", turn.result.kind, ResultKind.COMMITTED)
            expect_equal("the commit of the result", turn.result.commit, view.head)
            expect_equal("it begins", heard[0].kind, NewsKind.TURN_ACCEPTED)
            expect_equal("it ends", heard[-1].event, CommittedNews(view.version, view.head))
            expect_equal("its words", read_text(heard), view.turn.narration)
            expect_equal("reading on", await anext(turn, None), None)


async def check_played_unspent(ground: LobbyFactories) -> None:
    """Inputs that take no turn end at once, with the result that awaiting them gives."""
    async with begin_campaign(ground) as begun:
        session = begun.session
        before = await session.view()
        for played, awaited in (
            (session.play("  "), session.say("  ")),
            (session.play(session.choose("no-such-choice")), session.choose("no-such-choice")),
        ):
            began = asyncio.get_running_loop().time()
            await _read(played)
            if not played.result.operation_id:
                waited = asyncio.get_running_loop().time() - began
                expect(waited < END_SECONDS_MAX, "it waited for events that are not sent")
            expected: InputResult = await awaited
            expect_equal("the kind", played.result.kind, expected.kind)
            expect_equal("the reason", played.result.reason, expected.reason)
            expect_equal("the message", played.result.message, expected.message)
        expect_equal("the state", (await session.view()).head, before.head)


async def check_played_error(ground: LobbyFactories) -> None:
    """An error of the call is raised where its events are read."""
    async with begin_campaign(ground) as begun:
        master = await begun.reopen(Viewer.MASTER)
        turn = master.play("I am not allowed to speak.")
        await expect_raises(RoleError, "a turn of a role that does not play", _read(turn))
        await master.close()


async def check_played_opening(ground: LobbyFactories) -> None:
    """An opening can be played like a turn; without one, or after it, there is nothing to stream."""
    lobby = await ground.make()
    async with await lobby.begin(ground.game, "en") as session:
        turn = session.play(session.opening)
        await _read(turn)
        view = await session.view()
        expect(view.turn is not None, "the opening is not over")
        expect_equal("its commit", turn.result.commit, view.head)
        expect_equal("an opening that is over", await _read(session.play(session.opening)), [])
        expect_equal("no opening", await _read(session.play(None)), [])


async def check_leaving(ground: LobbyFactories) -> None:
    """Whoever stops reading does not stop the turn."""
    async with begin_campaign(ground) as begun:
        session = begun.session
        before = await session.view()
        turn = session.play(session.choose(before.choices[0].id))
        async for news in turn:
            expect_equal("the first event", news.kind, NewsKind.TURN_ACCEPTED)
            break
        # An input waits for the turn that is running.
        await session.choose("no-such-choice")
        expect_equal("the turn", (await session.view()).version, before.version + 1)


async def check_context(ground: LobbyFactories) -> None:
    """`async with` closes a session, also after an error, and the campaign is safe."""
    lobby = await ground.make()
    async with await lobby.begin(ground.game, "en") as session:
        await _read(session.play(session.opening))
        before = await session.view()
        watch = session.watch()
    async with asyncio.timeout(NEWS_SECONDS_MAX):
        while await anext(watch, None) is not None:
            pass

    async def fail() -> None:
        async with await (await ground.reopen()).open(before.campaign):
            raise LookupError

    await expect_raises(LookupError, "an error in the block", fail())
    async with await (await ground.reopen()).open(before.campaign) as again:
        expect_equal("opened again", await again.view(), before)
