"""Stray inputs: accepted inputs that wait although no queue holds their turn; their turns are ordered again.

A node may die between accepting an input and ordering its turn, and a turn may end because its campaign could
not be written. Whatever the reason, an accepted input is never left waiting for its player to send it again.
"""

import logging
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, cast

from talewright.chronicle.records import CLOSING_VERDICTS
from talewright.chronicle.store import ChronicleError, StoreAwayError
from talewright.common.json_values import Json
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.turn_jobs import TURNS, TurnJob
from talewright.stores.postgres.postgres_store import WaitingInput

if TYPE_CHECKING:
    from talewright.hosting.turn_queue import TurnQueue

STRAY_SECONDS = 10.0
"""How long an input waits before it is missed: a node needs a moment to order its turn."""

RETAKES_MAX = 3
"""How often one worker orders the turn of an input again. If its workflow ends without a trace each time, the
operator must look at it.
"""


_LOG = logging.getLogger(__name__)


class StrayInputs:
    """Finds stray inputs and orders their turns; only the leading worker does."""

    def __init__(self, parts: WorkerParts, queue: "TurnQueue") -> None:
        self._parts = parts
        self._queue = queue
        self._retakes: dict[str, int] = {}
        """By workflow, how often it was ordered again here."""

    async def retake(self) -> None:
        """Look once."""
        waiting = await self._parts.list_waiting(STRAY_SECONDS)
        strays = await find_strays(self._queue, waiting) if waiting else []
        retaken = 0
        for one in strays:
            try:
                retaken += await self._retake(one)
            except StoreAwayError:
                raise
            except ChronicleError:
                # The campaign was removed a moment ago, or is damaged; the others still wait.
                _LOG.warning("an input cannot be queued again", exc_info=True)
        self._parts.observer.strays_seen(len(strays) - retaken)
        if retaken:
            _LOG.warning("%d accepted inputs were in no queue and are queued again", retaken)
            self._parts.observer.inputs_retaken(retaken)

    async def _retake(self, one: WaitingInput) -> bool:
        """Order the turn of an input; returns whether that was done."""
        book = await self._parts.store_of(one.owner).open(one.campaign)
        try:
            trail = await book.find(one.operation_id)
        finally:
            await book.close()
        ended = any(attempt.verdict in CLOSING_VERDICTS for attempt in trail.attempts)
        if trail.accepted is None or trail.commit is not None or ended:
            return False
        job = TurnJob(one.owner, one.campaign, one.operation_id, trail.accepted.base, len(trail.attempts))
        known = await self._queue.find([job.workflow])
        if known and known[0].is_open:
            return False
        if self._retakes.get(job.workflow, 0) >= RETAKES_MAX:
            return False
        self._retakes[job.workflow] = self._retakes.get(job.workflow, 0) + 1
        await (self._queue.order_again(job) if known else self._queue.order_turn(job))
        return True


async def find_strays(queue: "TurnQueue", waiting: Sequence[WaitingInput]) -> list[WaitingInput]:
    """Those of some waiting inputs whose turns are in no queue."""
    found = await queue.list_open()
    jobs = [cast(Mapping[str, Json], one.argument) for one in found if one.queue == TURNS]
    queued = {(job.get("owner"), job.get("campaign"), job.get("operation_id")) for job in jobs}
    return [one for one in waiting if (one.owner, one.campaign, one.operation_id) not in queued]
