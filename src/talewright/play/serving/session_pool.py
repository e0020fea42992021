"""The session pool: sessions that a server keeps open between requests, one for each campaign and role.

A session is only a cache: every use follows the branch that moved last, whoever moved it. The pool decides
nothing about who may open a campaign.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from talewright.errors import TalewrightError
from talewright.play.campaign_view import Viewer
from talewright.play.error_codes import code_of
from talewright.play.lobby import ServingLobby
from talewright.play.session import FollowingSession

SESSIONS_MAX = 16
"""Sessions that are kept open; the one used longest ago is closed first, but never one in use."""

_STALE = frozenset({"campaign_unknown", "campaign_refused", "record_unreadable", "read_only", "unsaved"})
"""Errors after which a session is opened again."""


@dataclass
class _Open:
    session: FollowingSession
    users: int = 0

    @property
    def is_idle(self) -> bool:
        """Whether it can be closed without stopping anything."""
        opening = self.session.opening
        return not self.users and (opening is None or opening.done())


class SessionPool:
    """The open sessions of one server process."""

    def __init__(self, lobby: ServingLobby) -> None:
        self.lobby = lobby
        self._open: dict[tuple[str, Viewer], _Open] = {}
        self._opening = asyncio.Lock()

    def has(self, campaign: str, role: Viewer) -> bool:
        """Whether a session of a campaign and role is open here."""
        return (campaign, role) in self._open

    async def adopt(self, campaign: str, session: FollowingSession) -> FollowingSession:
        """Keep a session that was opened elsewhere; returns the one that is kept of its campaign and role."""
        async with self._opening:
            held = self._open.setdefault((campaign, session.role), _Open(session))
        if held.session is not session:
            await session.close()
        return held.session

    @asynccontextmanager
    async def use(self, campaign: str, role: Viewer) -> AsyncIterator[FollowingSession]:
        """The session of a campaign, on the branch that moved last."""
        key = (campaign, role)
        async with self._opening:
            held = self._open.pop(key, None) or _Open(await self.lobby.open(campaign, role))
            self._open[key] = held
            held.users += 1
            await self._close_surplus()
        try:
            await held.session.follow()
            yield held.session
        except TalewrightError as error:
            if code_of(error) in _STALE and self._open.get(key) is held:
                del self._open[key]
            raise
        finally:
            held.users -= 1
            if not held.users and self._open.get(key) is not held:
                await held.session.close()

    async def retire(self, campaign: str) -> None:
        """Open the sessions of a campaign anew at their next use; those in use go on until they are not."""
        async with self._opening:
            for key in [key for key in self._open if key[0] == campaign]:
                held = self._open.pop(key)
                if not held.users:
                    await held.session.close()

    async def drop(self, campaign: str) -> None:
        """Close every session of a campaign, also those in use."""
        async with self._opening:
            for key in [key for key in self._open if key[0] == campaign]:
                await self._open.pop(key).session.close()

    async def close(self) -> None:
        """Close every session; the campaigns are safe."""
        while self._open:
            await self._open.popitem()[1].session.close()

    async def _close_surplus(self) -> None:
        idle = [key for key, held in self._open.items() if held.is_idle]
        for key in idle[: max(len(self._open) - SESSIONS_MAX, 0)]:
            await self._open.pop(key).session.close()
