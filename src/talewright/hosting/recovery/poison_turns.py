"""Poison turns: gives up a turn that crashes one worker after the other, before it crashes them all.

The turn fails: its input is kept, the player gets a message, and the operator finds it in a list. Turns that
only ran alongside it are retried one at a time, so that they are not blamed for it.
"""

from collections.abc import Mapping

from talewright.chronicle.records import AttemptVerdict
from talewright.common.json_values import Json
from talewright.hosting.durable_runner import RecordedSteps
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.operations.turn_observer import report_turn
from talewright.hosting.recovery.outdated_turns import make_interrupted
from talewright.hosting.turn_jobs import TurnJob, read_job
from talewright.turn.turn_outcomes import Failed, OutcomeReason
from talewright.turn.turn_signals import TurnFailed

COMPANY_CRASHES_MAX = 4
"""How many workers may die running a turn alongside others. After that it runs alone, one such turn at a
time: if workers are killed all the time, several turns may be hit three times together.
"""

CRASHES_MAX = 7
"""How many workers may die running a turn before it is given up."""

CRASHES_KEPT_SECONDS = 7 * 86_400.0
"""How long such turns are listed."""


async def give_up(
    parts: WorkerParts,
    argument: Mapping[str, Json],
    steps: RecordedSteps,
    reason: OutcomeReason = OutcomeReason.CRASHED,
) -> bool:
    """Record that a turn has failed, with its cost; returns False if it was committed after all."""
    order = read_job(TurnJob, argument)
    book = await parts.store_of(order.owner).open(order.campaign)
    try:
        trail = await book.find(order.operation_id)
        if trail.commit is not None:
            return False
        accepted = trail.accepted
        if accepted is None or len(trail.attempts) > order.try_number:
            # Another worker has ended it.
            return True
        await book.add(make_interrupted(accepted, steps, parts, AttemptVerdict.FAILED, reason.value))
        status = await book.look()
        news = parts.news_of(order.owner).campaign(order.campaign, status.sequence, status.campaign_id)
    finally:
        await book.close()
    news.publish(TurnFailed(reason.value, "", accepted.branch, order.operation_id))
    report_turn(parts.observer, order, Failed(reason), accepted.at, parts.now())
    return True
