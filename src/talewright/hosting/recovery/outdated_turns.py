"""Outdated turns: settles and retries a turn that was started by an engine no worker runs any more.

The cost of its requests is recorded as an interrupted attempt. Its stored steps are not used: another engine
might handle them differently.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from talewright.chronicle.records import Accepted, Attempt, AttemptVerdict
from talewright.common.json_values import Json
from talewright.hosting.durable_runner import RecordedSteps
from talewright.hosting.open_campaign_cache import WorkerParts
from talewright.hosting.recovery.stored_results import find_value
from talewright.hosting.turn_jobs import TurnJob, read_job
from talewright.hosting.turn_queue import TurnQueue
from talewright.llm.reply_chunks import Usage
from talewright.turn.records.commit_body import read_usage
from talewright.turn.records.turn_attempts import AttemptLedger, make_attempt
from talewright.turn.spending import read_spendings
from talewright.turn.turn_context import ASK, BEGIN

OUTDATED = "outdated"
"""The reason recorded for the end of such an attempt."""


async def settle_outdated(
    parts: WorkerParts, queue: TurnQueue, argument: Mapping[str, Json], steps: RecordedSteps
) -> None:
    """Record what a turn has cost so far, and order it again."""
    order = read_job(TurnJob, argument)
    book = await parts.store_of(order.owner).open(order.campaign)
    try:
        trail = await book.find(order.operation_id)
        if trail.commit is not None or trail.accepted is None:
            return
        if len(trail.attempts) <= order.try_number:
            await book.add(make_interrupted(trail.accepted, steps, parts))
        ended = max(len(trail.attempts), order.try_number + 1)
    finally:
        await book.close()
    await queue.order_turn(_try_again(order, ended))


def _try_again(order: TurnJob, ended: int) -> TurnJob:
    return replace(order, try_number=ended)


def make_interrupted(
    accepted: Accepted,
    steps: RecordedSteps,
    parts: WorkerParts,
    verdict: AttemptVerdict = AttemptVerdict.INTERRUPTED,
    reason: str = OUTDATED,
) -> Attempt:
    """The record of an attempt that another process left unfinished, made from its stored steps."""
    values = {name.rpartition("/")[2]: find_value(result) for name, result in steps}
    begun = cast(Mapping[str, Json], values.get(BEGIN) or {})
    ledger = AttemptLedger()
    for name, value in values.items():
        if name.startswith(f"{ASK} ") and isinstance(value, Mapping) and "reply" in value:
            _enter(ledger, value)
    name, at = str(begun.get("attempt_id") or parts.new_id()), str(begun.get("at") or parts.now())
    return make_attempt(name, at, accepted, verdict, ledger, reason)


def _enter(ledger: AttemptLedger, result: Mapping[str, Json]) -> None:
    """Add one request; its content is no longer known, so missing usage is not estimated."""
    reply = cast(Mapping[str, Json], result["reply"])
    spent = read_spendings(result) if "spent" in result else []
    usage = read_usage(reply.get("usage")) or sum((one.usage for one in spent), Usage())
    ledger.exchanges.append({"purpose": OUTDATED, **reply})
    ledger.spent += spent
    ledger.usage += usage
    ledger.asks += 1
