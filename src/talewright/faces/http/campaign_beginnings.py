"""Campaign beginnings: starts campaigns, once for each operation id, and keeps their sessions open.

Two requests with one operation id may come at the same time; the second must not open the story again.
"""

import asyncio
from collections import OrderedDict
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.faces.http.turn_operations import OPENING_SECONDS_MAX, TurnOperations
from talewright.play.campaign_view import Viewer
from talewright.play.serving.session_pool import SessionPool

BEGINNINGS_KEPT_MAX = 256
"""How many started campaigns are remembered; the record knows the others too."""


@frozen
class CampaignBeginning:
    """Which campaign to start, and for whom."""

    game: str
    language: str
    name: str
    role: Viewer
    operation_id: str


_Tasks: TypeAlias = "OrderedDict[CampaignBeginning, asyncio.Task[str]]"


class CampaignBeginnings:
    """The campaigns that this process has started."""

    def __init__(self, pool: SessionPool, turns: TurnOperations) -> None:
        self._pool = pool
        self._turns = turns
        self._tasks: _Tasks = OrderedDict()

    async def begin(self, beginning: CampaignBeginning) -> str:
        """Start a campaign, or find the one the same operation has already started; returns its name."""
        if not beginning.operation_id:
            return await self._begin(beginning)
        task = self._tasks.get(beginning)
        if task is None:
            task = self._tasks[beginning] = asyncio.create_task(self._begin(beginning))
            if len(self._tasks) > BEGINNINGS_KEPT_MAX:
                self._tasks.popitem(last=False)
        try:
            # The campaign is started even if the client disconnects.
            return await asyncio.shield(task)
        except BaseException:
            if task.done():
                self._tasks.pop(beginning, None)
            raise

    def forget(self, campaign: str) -> None:
        """Forget a campaign that was removed."""
        for beginning, task in tuple(self._tasks.items()):
            if task.done() and not task.cancelled() and not task.exception() and task.result() == campaign:
                del self._tasks[beginning]

    async def _begin(self, beginning: CampaignBeginning) -> str:
        session = await self._pool.lobby.begin(
            beginning.game,
            beginning.language,
            beginning.name,
            beginning.role,
            operation_id=beginning.operation_id,
        )
        campaign = (await session.view()).campaign
        kept = await self._pool.adopt(campaign, session)
        opening = self._turns.follow_opening(campaign, kept)
        if opening is not None:
            await opening.wait_accepted(OPENING_SECONDS_MAX)
        return campaign
