"""Lobby fixtures: how the lobbies under test are made, and a newly started campaign.

Checks use only the ports. The game must be playable with scenes, in English and another language, and its
first turn must offer at least two choices.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.errors import TalewrightError
from talewright.play.campaign_view import View, Viewer
from talewright.play.error_codes import code_of
from talewright.play.lobby import Lobby
from talewright.play.news import News
from talewright.play.session import Session, wait_for_opening
from talewright.testing.expectations import expect_equal, expect_raises

LobbyFactory: TypeAlias = Callable[[], Awaitable[Lobby]]

NEWS_SECONDS_MAX = 20.0
"""How long a check waits for events."""


@frozen
class LobbyFactories:
    """How the lobbies under test are made."""

    make: LobbyFactory
    """A lobby in an empty place."""

    reopen: LobbyFactory
    """Another lobby on the same storage as the last one, as another process or client would open."""

    game: str
    """The id of the game that is played."""


LobbyCheck: TypeAlias = Callable[[LobbyFactories], Coroutine[None, None, None]]
"""Raises AssertionError if a lobby breaks a promise."""


@frozen
class BegunCampaign:
    """A campaign after its opening, and its lobby."""

    factories: LobbyFactories
    lobby: Lobby
    session: Session
    name: str

    async def choose(self, at: int = 0) -> View:
        """Take a turn with one of the choices; returns the view after it."""
        view = await self.session.view()
        result = await self.session.choose(view.choices[at].id)
        after = await self.session.view()
        expect_equal("the commit of a turn", result.commit, after.head)
        return after

    async def reopen(self, role: Viewer = Viewer.PLAYER) -> Session:
        """Another session of the campaign, opened by another lobby."""
        session = await (await self.factories.reopen()).open(self.name, role)
        await wait_for_opening(session)
        return session


async def begin(lobby: Lobby, game: str, language: str = "en", campaign: str = "") -> Session:
    """A session whose opening is over."""
    session = await lobby.begin(game, language, campaign)
    await wait_for_opening(session)
    return session


@asynccontextmanager
async def begin_campaign(ground: LobbyFactories) -> AsyncIterator[BegunCampaign]:
    """A new campaign in an empty place; its session is closed at the end."""
    lobby = await ground.make()
    session = await begin(lobby, ground.game)
    try:
        yield BegunCampaign(ground, lobby, session, (await session.view()).campaign)
    finally:
        await session.close()


async def expect_code(code: str, what: str, call: Awaitable[object]) -> None:
    """Raise AssertionError unless a call fails with a given error code."""
    error = await expect_raises(TalewrightError, what, call)
    expect_equal(f"the code of {what}", code_of(error), code)


async def hear_end(watch: AsyncIterator[News]) -> list[News]:
    """The events up to the end of the next operation."""
    heard: list[News] = []
    async with asyncio.timeout(NEWS_SECONDS_MAX):
        async for news in watch:
            heard.append(news)
            if news.ends_turn:
                return heard
    raise AssertionError("the news ended before the turn")
