"""The services of an API node: make the lobby of any owner, whose turns are queued for workers.

Everything except turns works as in one process; all nodes share the store.
"""

from dataclasses import replace

from talewright.common.frozen_values import frozen
from talewright.hosting.hosting_tables import HostingTables
from talewright.hosting.limits.shared_budgets import SharedBudgets
from talewright.hosting.news.redis_stream_reader import RedisNews
from talewright.hosting.queued_turns import QueuedTurns
from talewright.hosting.turn_jobs import name_place
from talewright.hosting.turn_queue import TurnQueue
from talewright.play.sessions.news_watch import SessionNews
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.turn.turn_context import Road


@frozen
class NodeServices:
    """Services that all lobbies of one API node share."""

    queue: TurnQueue
    tables: HostingTables
    news: RedisNews
    budgets: SharedBudgets | None = None
    """None if no model has to be paid for."""

    def host(self, lobby: StoreLobby, owner: str) -> StoreLobby:
        """The lobby of an owner on this node, from one with the owner's store, games and tellers.

        The tellers only name the storyteller; they are never called.
        """

        def queue_turns(road: Road, broadcast: SessionNews) -> QueuedTurns:
            return QueuedTurns(road, broadcast, owner, self.queue, self.tables)

        async def forget(campaign: str) -> None:
            await self.news.forget(name_place(owner, campaign))
            if self.budgets is not None:
                await self.budgets.forget(owner, campaign)

        return replace(
            lobby,
            news=self.news.for_owner(owner),
            execution=queue_turns,
            reads_newer=True,
            on_remove=forget,
        )

    async def close(self) -> None:
        """Close all connections."""
        await self.news.close()
        await self.queue.close()
        await self.tables.close()
