"""Campaign sessions: which campaigns a server may open, and their sessions.

The server's role never changes.
"""

import hashlib
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from talewright.common.frozen_values import frozen
from talewright.common.safe_text import clean_line
from talewright.errors import TalewrightError
from talewright.play.campaign_view import View, Viewer
from talewright.play.lobby import CampaignInfo, ServingLobby
from talewright.play.serving.session_pool import SessionPool
from talewright.play.session import FollowingSession, wait_for_opening

HOLDER_DIGITS = 32


class ForeignCampaignError(TalewrightError):
    """The server does not serve this campaign."""


@frozen
class ServedGame:
    """What a server serves."""

    lobby: ServingLobby
    role: Viewer
    game: str
    key: bytes
    """Shared by all processes that serve the same campaigns; proves who started a turn."""

    campaign: str = ""
    """The only campaign; empty for all of the game, and new ones."""

    language: str = ""
    rulebook: str = ""
    """What the systems report of the rules; empty if they report nothing."""

    def holder(self, campaign: str, operation_id: str) -> str:
        """The name that holds a turn: whoever started it may continue it, in any process."""
        words = f"{self.role}\0{campaign}\0{operation_id}".encode(errors="surrogatepass")
        return hmac.new(self.key, words, hashlib.sha256).hexdigest()[:HOLDER_DIGITS]


class CampaignSessions:
    """The campaigns of one server."""

    def __init__(self, served: ServedGame) -> None:
        self.served = served
        self._pool = SessionPool(served.lobby)
        self._checked: dict[str, int] = {}
        """By campaign, the number of the session that may be used."""

    async def list(self) -> tuple[CampaignInfo, ...]:
        """The campaigns that a call can name, most recently played first."""
        served = self.served
        return tuple(
            one
            for one in await served.lobby.campaigns()
            if one.game == served.game and served.campaign in ("", one.name)
        )

    async def start(self, operation_id: str, language: str) -> View:
        """Start a campaign, or open the one this operation has already started; returns its view."""
        served = self.served
        session = await served.lobby.begin(
            served.game, language or served.language, role=served.role, operation_id=operation_id
        )
        await wait_for_opening(session)
        view = await session.view()
        await self._pool.adopt(view.campaign, session)
        return view

    @asynccontextmanager
    async def use(self, campaign: str) -> AsyncIterator[FollowingSession]:
        """The session of a campaign, on the branch that moved last."""
        role = self.served.role
        if not self._pool.has(campaign, role):
            await self._check(campaign)
        async with self._pool.use(campaign, role) as session:
            number = self._pool.number_of(campaign, role)
            if self._checked.get(campaign) != number:
                # A campaign of another game may have taken the name of a removed one.
                await self._check(campaign)
                self._checked[campaign] = number
            yield session

    async def close(self) -> None:
        """Close every session; the campaigns are safe."""
        await self._pool.close()

    async def _check(self, campaign: str) -> None:
        """Raise ForeignCampaignError if the server does not serve a campaign."""
        served = self.served
        if served.campaign and campaign != served.campaign:
            raise ForeignCampaignError(
                f"this server serves the campaign {served.campaign!r} only", "Name that one in the call."
            )
        known = {one.name: one.game for one in await served.lobby.campaigns()}
        if known.get(campaign, served.game) != served.game:
            raise ForeignCampaignError(
                f"{clean_line(campaign)!r} is a campaign of another game",
                "list_campaigns lists those that this server serves.",
            )
