"""Afterwards: what is done once a turn is safe: pages for the reader, errands of the systems.

It runs behind the player's back, in the order of the turns, and never makes a turn fail.
"""

import asyncio

from talewright.errors import TalewrightError
from talewright.turn.condensing import condense
from talewright.turn.projecting import project
from talewright.turn.road import Road


class Afterwards:
    """The work that follows the turns of one session, one after the other."""

    def __init__(self, road: Road) -> None:
        self._road = road
        self._newest: asyncio.Task[None] | None = None

    def follow(self, branch: str) -> None:
        """Begin what follows a turn, after everything that was begun before."""
        self._newest = asyncio.create_task(self._work(branch, self._newest))

    async def rest(self) -> None:
        """Wait until all of it is done."""
        while self._newest is not None:
            newest = self._newest
            await newest
            if self._newest is newest:
                self._newest = None

    async def _work(self, branch: str, before: "asyncio.Task[None] | None") -> None:
        if before is not None:
            await before
        try:
            await project(self._road, branch)
            await condense(self._road, branch)
        except TalewrightError:
            # The turn is safe; what could not be written now is made anew after the next one.
            return
