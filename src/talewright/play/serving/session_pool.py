"""The session pool: sessions that a server keeps open between requests, one for each campaign and role.

A session is only a cache: every use follows the branch that moved last, whoever moved it. If another process
has removed its campaign, the name is opened again: it may belong to a new campaign. The pool decides nothing
about who may open a campaign.
"""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from itertools import count
from typing import TypeAlias

from talewright.errors import TalewrightError
from talewright.play.campaign_view import Viewer
from talewright.play.error_codes import code_of
from talewright.play.lobby import ServingLobby
from talewright.play.session import FollowingSession

SESSIONS_MAX = 16
"""How many sessions are kept open; the least recently used one is closed first, but never one in use."""

_STALE = frozenset({"campaign_unknown", "campaign_refused", "record_unreadable", "read_only", "unsaved"})
"""Errors after which a session is opened again."""

_REMOVED, _UNSAVED = "campaign_unknown", "unsaved"
"""The errors of a session whose campaign was removed: when it is used, and when it writes."""


SessionKey: TypeAlias = tuple[str, Viewer]
"""Campaign and role."""


@dataclass
class _Open:
    session: FollowingSession
    number: int
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
        self._open: dict[SessionKey, _Open] = {}
        self._numbers = count(1)
        self._openings: dict[SessionKey, asyncio.Task[None]] = {}
        self._wanted: Counter[SessionKey] = Counter()
        """How many requests are waiting for a session; it is not closed before they get it."""

        self._closings: set[asyncio.Task[None]] = set()

    def has(self, campaign: str, role: Viewer) -> bool:
        """Whether a session of a campaign and role is open here."""
        return (campaign, role) in self._open

    def number_of(self, campaign: str, role: Viewer) -> int:
        """The number of the open session; 0 if there is none.

        Whoever remembers something under a campaign's name remembers this number too: a session of another
        campaign with the same name has another number.
        """
        held = self._open.get((campaign, role))
        return 0 if held is None else held.number

    async def adopt(self, campaign: str, session: FollowingSession) -> FollowingSession:
        """Keep a session that was opened elsewhere; returns the session kept for its campaign and role."""
        key = (campaign, session.role)
        known = self._open.get(key)
        if known is not None:
            # It may belong to a removed campaign that had this name.
            with suppress(TalewrightError):
                async with self._using(key, known):
                    await known.session.follow()
        held = self._open.setdefault(key, _Open(session, next(self._numbers)))
        if held.session is not session:
            await session.close()
        return held.session

    @asynccontextmanager
    async def use(self, campaign: str, role: Viewer) -> AsyncIterator[FollowingSession]:
        """The session of a campaign, on the branch that moved last."""
        key = (campaign, role)
        while True:
            known = self._open.get(key)
            held = await self._find(key)
            async with self._using(key, held):
                try:
                    await held.session.follow()
                except TalewrightError as error:
                    if held is known and code_of(error) == _REMOVED:
                        self._discard(key, held)
                        continue
                    raise
                yield held.session
                return

    @asynccontextmanager
    async def _using(self, key: SessionKey, held: _Open) -> AsyncIterator[None]:
        """Keep a session open meanwhile; after an error that makes it stale, it is not used again."""
        held.users += 1
        self._close_surplus()
        try:
            yield
        except TalewrightError as error:
            if code_of(error) in _STALE:
                self._discard(key, held)
            if code_of(error) == _UNSAVED:
                await _check_exists(held.session)
            raise
        finally:
            held.users -= 1
            if not held.users and self._open.get(key) is not held:
                await held.session.close()

    def _discard(self, key: SessionKey, held: _Open) -> None:
        if self._open.get(key) is held:
            del self._open[key]

    async def retire(self, campaign: str) -> None:
        """Reopen the sessions of a campaign at their next use; those in use stay open until released."""
        for held in self._pop_all(campaign):
            if not held.users:
                await held.session.close()

    async def drop(self, campaign: str) -> None:
        """Close every session of a campaign, even those in use."""
        for held in self._pop_all(campaign):
            await held.session.close()

    async def close(self) -> None:
        """Close every session; the campaigns are safe."""
        while self._open:
            await self._open.popitem()[1].session.close()
        if self._closings:
            await asyncio.wait(self._closings)

    async def _find(self, key: SessionKey) -> _Open:
        """The session of a campaign and role; requests that arrive meanwhile wait for the same opening."""
        self._wanted[key] += 1
        try:
            return await self._wait_for(key)
        finally:
            self._wanted[key] -= 1
            if not self._wanted[key]:
                del self._wanted[key]

    async def _wait_for(self, key: SessionKey) -> _Open:
        while (held := self._open.pop(key, None)) is None:
            opening = self._openings.get(key)
            if opening is None:
                opening = self._openings[key] = asyncio.create_task(self._open_session(key))
            # A client that goes away must not stop the opening for the others.
            await asyncio.shield(opening)
        # The most recently used one is closed last.
        self._open[key] = held
        return held

    async def _open_session(self, key: SessionKey) -> None:
        try:
            self._open[key] = _Open(await self.lobby.open(*key), next(self._numbers))
        finally:
            # Not in a done callback: awaiting a finished task does not yield to the event loop, so a request
            # that found it here would loop forever and the callback would never run.
            del self._openings[key]

    def _pop_all(self, campaign: str) -> list[_Open]:
        return [self._open.pop(key) for key in tuple(self._open) if key[0] == campaign]

    def _close_surplus(self) -> None:
        """Close the least recently used sessions, without waiting for their background work."""
        idle = [key for key, held in self._open.items() if held.is_idle and key not in self._wanted]
        for key in idle[: max(len(self._open) - SESSIONS_MAX, 0)]:
            closing = asyncio.create_task(self._open.pop(key).session.close())
            self._closings.add(closing)
            closing.add_done_callback(self._closings.discard)


async def _check_exists(session: FollowingSession) -> None:
    """Raise the error for a campaign that does not exist, if that is why nothing could be written."""
    try:
        await session.follow()
    except TalewrightError as error:
        if code_of(error) == _REMOVED:
            raise
