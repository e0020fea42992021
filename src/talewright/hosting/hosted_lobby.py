"""The hosted Lobby and Session: one owner's campaigns, on a node that orders turns but never runs them.

Everything except turns works as in the local lobby; all nodes share the store.
"""

from dataclasses import dataclass

from talewright.common.frozen_values import frozen
from talewright.hosting.hosted_turns import HostedTurns
from talewright.hosting.hosting_tables import HostingTables, TurnWish
from talewright.hosting.limits.shared_budgets import SharedBudgets
from talewright.hosting.news.news_channel import StreamChannel
from talewright.hosting.news.redis_news import RedisNews
from talewright.hosting.turn_jobs import name_place
from talewright.hosting.turn_queue import TurnQueue
from talewright.play.playable_games import PinnedGames
from talewright.play.session_roles import SessionRight, check_right
from talewright.play.sessions.news_watch import SessionNews
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.sessions.store_session import StoreSession
from talewright.turn.turn_context import Road


@frozen
class HostedSession(StoreSession):
    """A Session whose turns are run by workers."""

    async def follow(self) -> None:
        """Continue on the branch that moved last; its events continue after the newest commit."""
        await StoreSession.follow(self)
        shared = self.seat.broadcast.shared
        if isinstance(shared, StreamChannel):
            shared.advance((await self.seat.road.book.look()).sequence)

    async def skip(self) -> None:
        """Continue the running turn without the model, whichever node ordered it."""
        check_right(self.role, SessionRight.PLAY)
        assert isinstance(self.seat, HostedTurns)
        await self.seat.wish(TurnWish.SKIP)


@frozen
class HostedSeats:
    """Makes seats in one owner's campaigns; their turns are ordered from workers."""

    owner: str
    queue: TurnQueue
    tables: HostingTables

    def __call__(self, road: Road, games: PinnedGames, broadcast: SessionNews, branch: str) -> HostedTurns:
        """A seat in a campaign."""
        return HostedTurns(road, games, broadcast, branch, self.owner, self.queue, self.tables)


@dataclass(frozen=True, slots=True, kw_only=True)
class HostedLobby(StoreLobby):
    """The lobby of one owner on one node. Its tellers only name the storyteller; they are never called."""

    shared_news: RedisNews
    owner: str
    budgets: SharedBudgets | None = None

    async def remove(self, campaign: str) -> str:
        """Move a campaign to the bin, and forget its events and spending."""
        where = await StoreLobby.remove(self, campaign)
        await self.shared_news.forget(name_place(self.owner, campaign))
        if self.budgets is not None:
            await self.budgets.forget(self.owner, campaign)
        return where


@frozen
class NodeServices:
    """Services that all lobbies of one API node share."""

    queue: TurnQueue
    tables: HostingTables
    news: RedisNews
    budgets: SharedBudgets | None = None
    """None if no model has to be paid for."""

    def host(self, lobby: StoreLobby, owner: str) -> HostedLobby:
        """The lobby of an owner, made from a local lobby with the owner's store, games and tellers."""
        parts = {name: getattr(lobby, name) for name in StoreLobby.__dataclass_fields__}
        hosted = {
            "news": self.news.for_owner(owner),
            "seats": HostedSeats(owner, self.queue, self.tables),
            "sessions": HostedSession,
        }
        return HostedLobby(**{**parts, **hosted}, shared_news=self.news, owner=owner, budgets=self.budgets)

    async def close(self) -> None:
        """Close all connections."""
        await self.news.close()
        await self.queue.close()
        await self.tables.close()
