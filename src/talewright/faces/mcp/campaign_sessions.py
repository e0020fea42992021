"""Campaign sessions: which campaigns a server may open, and the sessions that are open in this process.

A session is only a cache: every call follows the branch that moved last, whoever moved it. The role is that
of the server and never changes.
"""

import asyncio
import hashlib
import hmac
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from talewright.common.frozen_values import frozen
from talewright.common.safe_text import clean_line
from talewright.errors import TalewrightError
from talewright.play.campaign_view import View, Viewer
from talewright.play.error_codes import code_of
from talewright.play.lobby import CampaignInfo, ServingLobby
from talewright.play.session import FollowingSession, wait_for_opening

SESSIONS_MAX = 16
"""Campaigns that are kept open; the one that was used longest ago is closed first."""

HOLDER_DIGITS = 32

_STALE = frozenset({"campaign_unknown", "campaign_refused", "record_unreadable", "read_only", "unsaved"})
"""Errors after which a session is opened again."""


class ForeignCampaignError(TalewrightError):
    """The server does not serve this campaign."""


@frozen
class ServedGame:
    """What a server serves."""

    lobby: ServingLobby
    role: Viewer
    game: str
    key: bytes
    """Shared by all processes that serve the same campaigns; proves who began a turn."""

    campaign: str = ""
    """The only campaign; empty for all of the game, and new ones."""

    language: str = ""
    rulebook: str = ""
    """What the systems report of the rules; empty if they report nothing."""

    def holder(self, campaign: str, operation_id: str) -> str:
        """The name under which a turn is held: whoever began it may continue it, in any process."""
        words = f"{self.role}\0{campaign}\0{operation_id}".encode(errors="surrogatepass")
        return hmac.new(self.key, words, hashlib.sha256).hexdigest()[:HOLDER_DIGITS]


@dataclass
class _Open:
    session: FollowingSession
    users: int = 0


class CampaignSessions:
    """The campaigns of one server."""

    def __init__(self, served: ServedGame) -> None:
        self.served = served
        self._open: dict[str, _Open] = {}
        self._opening = asyncio.Lock()

    async def list(self) -> tuple[CampaignInfo, ...]:
        """The campaigns that can be named in a call, the last played first."""
        served = self.served
        return tuple(
            one
            for one in await served.lobby.campaigns()
            if one.game == served.game and served.campaign in ("", one.name)
        )

    async def start(self, operation_id: str, language: str) -> View:
        """Start a campaign, or open the one that this operation has started; returns its view."""
        served = self.served
        session = await served.lobby.begin(
            served.game, language or served.language, role=served.role, operation_id=operation_id
        )
        await wait_for_opening(session)
        view = await session.view()
        async with self._opening:
            if view.campaign in self._open:
                await session.close()
            else:
                self._open[view.campaign] = _Open(session)
        return view

    @asynccontextmanager
    async def use(self, campaign: str) -> AsyncIterator[FollowingSession]:
        """The session of a campaign, on the branch that moved last."""
        async with self._opening:
            held = self._open.pop(campaign, None) or _Open(await self._open_session(campaign))
            self._open[campaign] = held
            held.users += 1
            await self._close_surplus()
        try:
            await held.session.follow()
            yield held.session
        except TalewrightError as error:
            if code_of(error) in _STALE and self._open.get(campaign) is held:
                del self._open[campaign]
            raise
        finally:
            held.users -= 1
            if not held.users and self._open.get(campaign) is not held:
                await held.session.close()

    async def close(self) -> None:
        """Close every session; the campaigns are safe."""
        while self._open:
            await self._open.popitem()[1].session.close()

    async def _open_session(self, campaign: str) -> FollowingSession:
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
        return await served.lobby.open(campaign, role=served.role)

    async def _close_surplus(self) -> None:
        idle = [name for name, held in self._open.items() if not held.users]
        for name in idle[: max(len(self._open) - SESSIONS_MAX, 0)]:
            await self._open.pop(name).session.close()
