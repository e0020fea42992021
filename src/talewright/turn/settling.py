"""Settling: what is written down of a try that did not become a commit, and what is said about it.

The state is not touched here. A try whose turn has become part of the story has nothing left to settle.
"""

from talewright.chronicle.records import Accepted, AttemptVerdict, Commit
from talewright.chronicle.store import ChronicleError
from talewright.turn.asking import Ledger
from talewright.turn.committing import make_attempt
from talewright.turn.outcomes import Committed, Degraded, Failed, Reason, Unspent
from talewright.turn.road import Road
from talewright.turn.signals import TurnCommitted, TurnDegraded, TurnFailed


async def refuse(road: Road, accepted: Accepted, ledger: Ledger, unspent: Unspent) -> Unspent:
    """No turn is spent on the input."""
    await _write_down(road, accepted, ledger, AttemptVerdict.UNSPENT, unspent.reason, unspent.detail)
    road.listener(TurnFailed(unspent.reason.value))
    return unspent


async def degrade(road: Road, accepted: Accepted, ledger: Ledger, degraded: Degraded) -> Degraded:
    """Nobody could tell the turn."""
    await _write_down(road, accepted, ledger, AttemptVerdict.DEGRADED, degraded.reason, degraded.detail)
    road.listener(TurnDegraded(degraded.reason.value, degraded.trouble))
    return degraded


async def fail(
    road: Road,
    accepted: Accepted | None,
    ledger: Ledger,
    failed: Failed,
    verdict: AttemptVerdict = AttemptVerdict.FAILED,
) -> Failed | Committed:
    """The turn broke off, unless it was safe already: what is part of the story cannot fail any more."""
    done = await settle_try(road, accepted, ledger, verdict, failed.reason, failed.detail)
    if done is not None:
        road.listener(TurnCommitted(done))
        return Committed(done, repeated=done.id != ledger.made)
    road.listener(TurnFailed(failed.reason.value))
    return failed


async def settle_try(
    road: Road,
    accepted: Accepted | None,
    ledger: Ledger,
    verdict: AttemptVerdict,
    reason: Reason,
    detail: str = "",
) -> Commit | None:
    """Write down a try that broke off; the commit of its operation, where there is one all the same."""
    if accepted is None:
        return None
    try:
        done = (await road.book.find(accepted.operation_id)).commit
    except ChronicleError:
        done = None
    if done is None:
        await _write_down(road, accepted, ledger, verdict, reason, detail)
    elif done.id != ledger.made:
        await give_way(road, accepted, ledger)
    return done


async def give_way(road: Road, accepted: Accepted, ledger: Ledger) -> None:
    """Another try of the same operation came first: what this one has cost is written down."""
    if ledger.exchanges:
        await _write_down(road, accepted, ledger, AttemptVerdict.LOST, Reason.MOVED)


async def _write_down(
    road: Road, accepted: Accepted, ledger: Ledger, verdict: AttemptVerdict, reason: Reason, detail: str = ""
) -> None:
    """Record a try; a book that takes nothing more cannot be told so."""
    try:
        await road.book.add(make_attempt(road, accepted, verdict, ledger, reason.value, detail))
    except ChronicleError:
        return
