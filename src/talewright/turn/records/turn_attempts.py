"""Attempts at a turn: what each one asked and cost, its record, and how a failed one ends.

The state is not touched here. An attempt whose turn was committed has nothing left to settle.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import cast

from talewright.chronicle.records import Accepted, Attempt, AttemptVerdict, Commit
from talewright.chronicle.store import (
    ChronicleError,
    ClosedCampaignError,
    DamagedError,
    HeadMovedError,
    NewerFormatError,
    UnsavedError,
)
from talewright.common.json_values import Json
from talewright.common.work_meter import TooMuchWorkError
from talewright.errors import TalewrightError
from talewright.llm.profiles import Profile
from talewright.llm.reply_chunks import Usage
from talewright.llm.requests import Request
from talewright.llm.token_estimate import estimate_usage
from talewright.turn.records.commit_body import read_reply, read_usage, write_usage
from talewright.turn.spending import Spending, read_spendings, spend, write_spendings
from talewright.turn.turn_context import Road
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, Outcome, OutcomeReason, Unspent
from talewright.turn.turn_progress import SeenDraws
from talewright.turn.turn_signals import TurnCommitted, TurnDegraded, TurnFailed

SECONDS_DIGITS = 2
"""Decimal places of the recorded duration of requests."""


@dataclass(slots=True)
class AttemptLedger:
    """The requests and cost of one attempt at a turn."""

    exchanges: list[dict[str, Json]] = field(default_factory=list)
    usage: Usage = field(default_factory=Usage)
    asks: int = 0
    steps: int = 0
    """Requests that were sent, plus those that the budget refused."""

    made: str = ""
    """The id of the commit that carries the cost, once it is built."""

    attempt_id: str = ""
    """The id of the attempt's record, once it has started."""

    at: str = ""
    """When it started."""

    spent: list[Spending] = field(default_factory=list)
    """The usage by model, with its price."""

    requests: list[Request] = field(default_factory=list)
    """The requests, in order; not stored."""

    refused: dict[int, str] = field(default_factory=dict)
    """The steps in which the budget refused a request, and why."""

    seconds: float = 0.0
    """How long the requests took."""

    looks: tuple[SeenDraws, ...] = ()
    """What a game master has seen in it, even if it was stopped; not stored here."""

    def enter(
        self, purpose: str, request: Request, profile: Profile, result: Mapping[str, Json]
    ) -> dict[str, Json]:
        """Add a request and its cost, from the result of its step; returns what is stored of it."""
        reply = cast(Mapping[str, Json], result["reply"])
        metered = read_spendings(result) if "spent" in result else None
        usage = read_usage(reply.get("usage"))
        if usage is None and metered is not None:
            usage = sum((one.usage for one in metered), Usage())
        elif usage is None:
            # The provider reported no usage: the record must still show that something was spent.
            usage = estimate_usage(request, read_reply(reply))
        # A fallback may have answered instead of the model that was asked first.
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
            # The provider is not metered.
            self.spent.append(spend(usage, profile))
        self.asks += 1
        self.usage += usage
        self.seconds += cast(float, result.get("seconds", 0.0))
        self.exchanges.append(exchange)
        self.requests.append(request)
        return exchange


AHEAD = "ahead"
"""The kind of attempts that only let a model read ahead: `{kind, usage, asks, spent, reason}`."""


def is_ahead(attempt: Attempt) -> bool:
    """Whether an attempt only let a model read ahead."""
    return attempt.body.get("kind") == AHEAD


def make_attempt(
    name: str,
    at: str,
    about: Accepted | Commit,
    verdict: AttemptVerdict,
    ledger: AttemptLedger,
    reason: str = "",
    detail: str = "",
) -> Attempt:
    """The record of one attempt. The replies of a committed turn are in the commit."""
    body = write_cost(ledger)
    seconds = round(ledger.seconds, SECONDS_DIGITS)
    if seconds:
        body["seconds"] = seconds
    if ledger.exchanges and verdict is not AttemptVerdict.COMMITTED:
        body["exchanges"] = list(ledger.exchanges)
    if reason:
        body["reason"] = reason
    if detail:
        body["detail"] = detail
    base = about.base if isinstance(about, Accepted) else about.parent
    return Attempt(name, about.operation_id, about.branch, base, at, verdict, body)


def write_cost(ledger: AttemptLedger) -> dict[str, Json]:
    """The cost as stored; empty if no model was asked."""
    if not ledger.asks:
        return {}
    cost: dict[str, Json] = {"usage": write_usage(ledger.usage), "asks": ledger.asks}
    if ledger.spent:
        cost["spent"] = write_spendings(ledger.spent)
    return cost


async def refuse(road: Road, accepted: Accepted, ledger: AttemptLedger, unspent: Unspent) -> Unspent:
    """End the attempt without a turn for the input."""
    await _write_down(road, accepted, ledger, AttemptVerdict.UNSPENT, unspent.reason, unspent.detail)
    road.listener(TurnFailed(unspent.reason.value))
    return unspent


async def degrade(road: Road, accepted: Accepted, ledger: AttemptLedger, degraded: Degraded) -> Degraded:
    """End the attempt: the turn could not be narrated."""
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
    """End a failed attempt, unless its turn was already saved: a committed turn can no longer fail."""
    done = await settle_try(road, accepted, ledger, verdict, failed.reason, failed.detail)
    if done is not None:
        road.listener(TurnCommitted(done))
        return Committed(done, repeated=done.id != ledger.made)
    road.listener(TurnFailed(failed.reason.value))
    return failed


async def end_unmade(
    road: Road, accepted: Accepted, ledger: AttemptLedger, unmade: Unspent | Degraded
) -> Outcome:
    """End an attempt that made no turn."""
    if isinstance(unmade, Unspent):
        return await refuse(road, accepted, ledger, unmade)
    if unmade.reason is OutcomeReason.SKIPPED:
        return await fail(road, accepted, ledger, Failed(unmade.reason), AttemptVerdict.CANCELLED)
    return await degrade(road, accepted, ledger, unmade)


def describe_failure(error: Exception) -> tuple[Failed, AttemptVerdict]:
    """The outcome of a turn that an error ended, and the verdict on its attempt."""
    match error:
        case HeadMovedError(head=head):
            return Failed(OutcomeReason.MOVED, head=head), AttemptVerdict.LOST
        case NewerFormatError(message=message):
            return Failed(OutcomeReason.NEWER_FORMAT, message), AttemptVerdict.FAILED
        case DamagedError(message=message):
            return Failed(OutcomeReason.READ_ONLY, message), AttemptVerdict.FAILED
        case ClosedCampaignError(message=message):
            return Failed(OutcomeReason.CLOSED, message), AttemptVerdict.FAILED
        case UnsavedError(message=message):
            # A full disk may still have room for the small record of this attempt. The input waits.
            return Failed(OutcomeReason.UNSAVED, message), AttemptVerdict.INTERRUPTED
        case TooMuchWorkError(message=message):
            return Failed(OutcomeReason.TOO_MUCH_WORK, message), AttemptVerdict.FAILED
        case TalewrightError(message=message):
            return Failed(OutcomeReason.ERROR, message), AttemptVerdict.FAILED
        case _:
            # The record says what it was, and the player learns that nothing is lost.
            return Failed(OutcomeReason.ERROR, f"{type(error).__name__}: {error}"), AttemptVerdict.FAILED


async def settle_try(
    road: Road,
    accepted: Accepted | None,
    ledger: AttemptLedger,
    verdict: AttemptVerdict,
    reason: OutcomeReason,
    detail: str = "",
) -> Commit | None:
    """Record a failed attempt; returns the commit of its operation if there is one after all."""
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
    """Another attempt at the same operation came first: record the cost of this one."""
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
    """Record an attempt, if the book still accepts records."""
    # An attempt that has started knows its record's id, so that two processes do not write it twice.
    name, at = ledger.attempt_id or road.new_id(), ledger.at or road.now()
    try:
        await road.book.add(make_attempt(name, at, accepted, verdict, ledger, reason.value, detail))
    except ChronicleError:
        return
