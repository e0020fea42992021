"""Attempts at a turn: the ledger of a try, its record with its cost, and the end of one that failed.

The state is not touched here. A try whose turn has become part of the story has nothing left to settle.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from talewright.chronicle.records import Accepted, Attempt, AttemptVerdict, Commit
from talewright.chronicle.store import ChronicleError
from talewright.common.json_values import Json
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Usage
from talewright.llm.requests import Request
from talewright.llm.token_estimate import estimate_usage
from talewright.turn.records.commit_body import read_reply, read_usage, write_usage
from talewright.turn.spending import Spending, read_spendings, spend, write_spendings
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, OutcomeReason, Unspent
from talewright.turn.turn_signals import TurnCommitted, TurnDegraded, TurnFailed


@dataclass(slots=True)
class AttemptLedger:
    """What was asked in one try at a turn, and what it cost."""

    exchanges: list[dict[str, Json]] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    asks: int = 0
    steps: int = 0
    """Asks that were made, and those that the budget refused."""

    made: str = ""
    """The id of the commit that carries the cost, once there is one to be written."""

    attempt_id: str = ""
    """The id of the record of this try, once it has begun."""

    at: str = ""
    """When it began."""

    spent: list[Spending] = field(default_factory=list)
    """The usage by model, with its price."""

    requests: list[Request] = field(default_factory=list)
    """What was asked, in order; it is not kept."""

    refused: dict[int, str] = field(default_factory=dict)
    """The steps in which the budget refused an ask, and why."""

    seconds: float = 0.0
    """How long the asks have taken."""

    def enter(
        self, purpose: str, request: Request, profile: Profile, result: Mapping[str, Json]
    ) -> dict[str, Json]:
        """Write down an ask and what it cost, from the result of its step; what is kept of it."""
        reply = cast(Mapping[str, Json], result["reply"])
        metered = read_spendings(result) if "spent" in result else None
        usage = read_usage(reply.get("usage"))
        if usage is None and metered is not None:
            usage = sum((one.usage for one in metered), Usage())
        elif usage is None:
            # The provider did not say: the record must still know that something was spent.
            usage = estimate_usage(request, read_reply(reply))
        # Another model may have answered than the one that was asked first.
        model = metered[-1].model if metered else profile.name
        exchange: dict[str, Json] = {
            "purpose": purpose,
            "model": model,
            **reply,
            "usage": write_usage(usage),
        }
        if metered:
            self.spent += metered
        elif usage != Usage():
            # Nobody counts.
            self.spent.append(spend(usage, profile))
        self.asks += 1
        self.usage += usage
        self.seconds += cast(float, result.get("seconds", 0.0))
        self.exchanges.append(exchange)
        self.requests.append(request)
        return exchange


def make_attempt(
    name: str,
    at: str,
    about: Accepted | Commit,
    verdict: AttemptVerdict,
    ledger: AttemptLedger,
    reason: str = "",
    detail: str = "",
) -> Attempt:
    """The record of one try, under its id. Of a committed turn the replies stand in the commit."""
    body = write_cost(ledger)
    if ledger.exchanges and verdict is not AttemptVerdict.COMMITTED:
        body["exchanges"] = list(ledger.exchanges)
    if reason:
        body["reason"] = reason
    if detail:
        body["detail"] = detail
    base = about.base if isinstance(about, Accepted) else about.parent
    return Attempt(name, about.operation_id, about.branch, base, at, verdict, body)


def write_cost(ledger: AttemptLedger) -> dict[str, Json]:
    """What was spent, as it is kept; nothing where nobody was asked."""
    if not ledger.asks:
        return {}
    cost: dict[str, Json] = {"usage": write_usage(ledger.usage), "asks": ledger.asks}
    if ledger.spent:
        cost["spent"] = write_spendings(ledger.spent)
    return cost


async def refuse(road: Road, accepted: Accepted, ledger: AttemptLedger, unspent: Unspent) -> Unspent:
    """No turn is spent on the input."""
    await _write_down(road, accepted, ledger, AttemptVerdict.UNSPENT, unspent.reason, unspent.detail)
    road.listener(TurnFailed(unspent.reason.value))
    return unspent


async def degrade(road: Road, accepted: Accepted, ledger: AttemptLedger, degraded: Degraded) -> Degraded:
    """Nobody could tell the turn."""
    await _write_down(road, accepted, ledger, AttemptVerdict.DEGRADED, degraded.reason, degraded.detail)
    road.listener(TurnDegraded(degraded.reason.value, degraded.trouble))
    return degraded


async def fail(
    road: Road,
    accepted: Accepted | None,
    ledger: AttemptLedger,
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
    ledger: AttemptLedger,
    verdict: AttemptVerdict,
    reason: OutcomeReason,
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


async def give_way(road: Road, accepted: Accepted, ledger: AttemptLedger) -> None:
    """Another try of the same operation came first: what this one has cost is written down."""
    if ledger.exchanges:
        await _write_down(road, accepted, ledger, AttemptVerdict.LOST, OutcomeReason.MOVED)


async def _write_down(
    road: Road,
    accepted: Accepted,
    ledger: AttemptLedger,
    verdict: AttemptVerdict,
    reason: OutcomeReason,
    detail: str = "",
) -> None:
    """Record a try; a book that takes nothing more cannot be told so."""
    # A try that has begun knows the id of its record, so that two processes do not write it twice.
    name, at = ledger.attempt_id or road.new_id(), ledger.at or road.now()
    try:
        await road.book.add(make_attempt(name, at, accepted, verdict, ledger, reason.value, detail))
    except ChronicleError:
        return
