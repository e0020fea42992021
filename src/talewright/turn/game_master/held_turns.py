"""Held turns: how an open turn of a game master is stored and claimed, and how it ends without a commit.

A campaign has one. Whatever was seen in it is recorded before it is removed. `master_turn` narrates it.
"""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import cast

from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.record_codec import RecordForm, from_form, to_form
from talewright.chronicle.record_fold import expected_head
from talewright.chronicle.records import Accepted, Aside, AttemptVerdict
from talewright.chronicle.store import OpenTurnMovedError
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.turn.game_master.judged_turn import judge_rounds
from talewright.turn.game_master.master_rounds import (
    OutsideRound,
    read_round,
    write_round,
)
from talewright.turn.game_master.open_turn_lease import (
    ABANDONED,
    LeaseError,
    is_abandoned,
    is_expired,
    is_held,
    lease_end,
)
from talewright.turn.records.turn_attempts import AttemptLedger, settle_try
from talewright.turn.steps.beginning import (
    Turn,
    bind_road,
    read_beginning,
    recall_turn,
    write_beginning,
)
from talewright.turn.steps.recalling import SEEN, find_root
from talewright.turn.turn_context import Road, TurnKey
from talewright.turn.turn_outcomes import OutcomeReason
from talewright.turn.turn_progress import SeenDraws, write_seen
from talewright.turn.turn_signals import TurnFailed


@frozen
class TurnHandle:
    """Identifies an open turn, whichever process serves the next call."""

    branch: str
    operation_id: str
    holder: str
    """Random: only the game master who started the turn knows it."""


@frozen
class HeldTurn:
    """An open turn, parsed."""

    lease: OpenTurn
    turn: Turn
    rounds: tuple[OutsideRound, ...]

    @property
    def is_told(self) -> bool:
        """Whether the last round was submitted, and only the commit is missing."""
        return bool(self.rounds) and self.rounds[-1].final

    @property
    def untold(self) -> "HeldTurn":
        """The turn without its narration."""
        return replace(self, rounds=self.rounds[:-1]) if self.is_told else self


CAMPAIGN_TURN = ""
"""The name under which a campaign stores which branch has the open turn; no branch has this name."""


def name_turn(lease: OpenTurn) -> TurnHandle:
    """Return the handle of an open turn."""
    return TurnHandle(lease.branch, lease.operation_id, lease.holder)


async def hold_turn(road: Road, handle: TurnHandle, *, or_abandoned: bool = False) -> HeldTurn:
    """Return the open turn of a handle; raises LeaseError if it is not open, or belongs to someone else."""
    lease = await road.book.open_turn(handle.branch)
    if lease is None or (lease.operation_id, lease.holder) != (handle.operation_id, handle.holder):
        raise LeaseError("this turn is not open", "Begin the turn again; its input is kept.")
    if is_abandoned(lease) and not or_abandoned:
        raise LeaseError("the turn was abandoned", "Begin the turn again; its input is kept.")
    if is_expired(lease, road.now()):
        raise LeaseError("the turn was left open too long", "Begin the turn again; its input is kept.")
    return read_held(road, lease)


def write_held(road: Road, lease: OpenTurn, turn: Turn, rounds: Sequence[OutsideRound]) -> OpenTurn:
    """Return an open turn as stored, with its lease renewed."""
    body: dict[str, Json] = {
        "head": expected_head(turn.accepted),
        "accepted": to_form(turn.accepted),
        "try": turn.key.try_number,
        "beginning": write_beginning(turn.beginning),
        "rounds": [write_round(one) for one in rounds],
    }
    return replace(lease, until=lease_end(road.now(), road.limits.lease_seconds_max), body=body)


def read_held(road: Road, lease: OpenTurn) -> HeldTurn:
    """Return an open turn as it was stored."""
    body = lease.body
    accepted = from_form(dict(cast(RecordForm, body["accepted"])))
    assert isinstance(accepted, Accepted)
    beginning = read_beginning(body["beginning"])
    key = TurnKey(road.book.campaign, accepted.operation_id, cast(int, body["try"]))
    rounds = tuple(read_round(raw) for raw in cast(Sequence[Json], body["rounds"]))
    return HeldTurn(lease, Turn(key, accepted, beginning), rounds)


def begin_ledger(held: HeldTurn) -> AttemptLedger:
    """Return an empty record of the attempt of an open turn."""
    beginning = held.turn.beginning
    return AttemptLedger(attempt_id=beginning.attempt_id, at=beginning.at)


async def claim_campaign(road: Road, branch: str) -> OpenTurn:
    """Make this the branch of the campaign's open turn; return the claim.

    A campaign has one open turn: with two of them, a game master could look at the same check twice. An open
    turn of another branch is settled if it has expired or another turn came first; otherwise LeaseError.
    The claim is written again once the turn is stored: whoever saw no open turn before that comes too late.
    """
    claim = await road.book.open_turn(CAMPAIGN_TURN)
    if claim is not None and claim.holder == branch:
        return claim
    if claim is not None:
        lease = await road.book.open_turn(claim.holder)
        if lease is not None:
            held = read_held(road, lease)
            if is_held(lease, (await road.book.look(claim.holder)).head, road.now()):
                raise refuse_second(lease)
            lease = await settle_expired(road, held)
            await drop_turn(road, claim.holder, lease.revision)
    return await write_claim(
        road, OpenTurn(CAMPAIGN_TURN, "", branch, road.now(), 0 if claim is None else claim.revision, {})
    )


async def write_claim(road: Road, claim: OpenTurn) -> OpenTurn:
    """Write a claim, unless another one came first; then LeaseError."""
    try:
        return await road.book.write_open_turn(claim, claim.revision)
    except OpenTurnMovedError:
        raise LeaseError(
            "someone else is narrating a turn of this campaign", "Wait until it is finished."
        ) from None


def refuse_second(lease: OpenTurn) -> LeaseError:
    """Return the error of whoever comes while another turn is open."""
    return LeaseError(
        "someone else is narrating a turn of this campaign",
        f"Wait until it is finished, or until {lease.until}.",
    )


def refuse_told() -> LeaseError:
    """Return the error of whoever adds to a turn that has its narration."""
    return LeaseError("the turn has been told", "Call finish again; the first narration is kept.")


async def close_unfinished(road: Road, handle: TurnHandle) -> HeldTurn:
    """Close an open turn with all the rounds it has by then; raises LeaseError if it has its narration."""
    while True:
        try:
            held = await hold_turn(road, handle, or_abandoned=True)
        except LeaseError:
            if (await road.book.find(handle.operation_id)).commit is not None:
                raise LeaseError("the turn is finished", "Undo the turn if you do not want it.") from None
            raise
        if held.is_told:
            raise refuse_told()
        with suppress(OpenTurnMovedError):
            return await close_turn(road, held)


async def close_turn(road: Road, held: HeldTurn) -> HeldTurn:
    """Mark an open turn as abandoned: from now on, nobody can add to it or finish it.

    That comes before anything is recorded of its end, so that a turn cannot be both abandoned and committed.
    Raises OpenTurnMovedError if someone has added to it.
    """
    if is_abandoned(held.lease):
        return held
    closed = replace(held.lease, body={**held.lease.body, ABANDONED: True})
    return replace(held, lease=await road.book.write_open_turn(closed, held.lease.revision))


async def settle_expired(road: Road, held: HeldTurn, again: str = "") -> OpenTurn:
    """End a turn that was left open too long: its input no longer waits, unless it is begun `again`.

    Returns it as it is stored now.
    """
    held = await close_turn(road, held)
    if held.lease.operation_id == again:
        ledger, accepted = begin_ledger(held), held.turn.accepted
        await _note_looks(road, held, ledger)
        if ledger.exchanges:
            await settle_try(road, accepted, ledger, AttemptVerdict.INTERRUPTED, OutcomeReason.TIMED_OUT)
    else:
        await abandon_turn(road, held, AttemptVerdict.CANCELLED, OutcomeReason.TIMED_OUT)
    return held.lease


async def abandon_turn(
    road: Road,
    held: HeldTurn,
    verdict: AttemptVerdict,
    reason: OutcomeReason,
    looks: Sequence[SeenDraws] = (),
) -> None:
    """End an open turn without a commit; what its game master has seen stays recorded.

    `looks` are those of a round that was not stored.
    """
    ledger = begin_ledger(held)
    await _note_looks(road, held, ledger, looks)
    await end_without_commit(road, held.turn.accepted, ledger, verdict, reason)


async def _note_looks(
    road: Road, held: HeldTurn, ledger: AttemptLedger, looks: Sequence[SeenDraws] = ()
) -> None:
    """Record what the game master of an open turn has seen, and what it was for.

    It is written before the open turn is removed. Until then that keeps it: every round was stored before
    anything was shown, and every later turn settles it first.
    """
    if (await road.book.find(held.turn.accepted.operation_id)).commit is not None:
        return
    bound = bind_road(road, held.turn)
    recalled = await recall_turn(bound, held.turn)
    seen = AttemptLedger()
    await judge_rounds(bound, held.turn, recalled, held.rounds, seen)
    looks = tuple(dict.fromkeys((*seen.looks, *looks)))
    if not looks:
        return
    ledger.exchanges += seen.exchanges
    new = [one for one in looks if one not in recalled.seen.waiting]
    if not new:
        return
    beginning = held.turn.beginning
    body: dict[str, Json] = {
        "kind": SEEN,
        "base": beginning.head,
        "operation_id": held.turn.accepted.operation_id,
        "checks": [write_seen(one) for one in new],
    }
    # If another turn came first, it may have been abandoned before with fewer rounds.
    name = f"{SEEN}-{beginning.attempt_id}-{len(held.rounds)}"
    await road.book.add(Aside(name, await find_root(road.book), road.now(), body))


async def drop_turn(road: Road, branch: str, revision: int) -> None:
    """Remove an open turn, unless another one has taken its place."""
    # It may be kept as far as it was judged.
    road.folds.take_judged()
    try:
        await road.book.drop_open_turn(branch, revision)
    except OpenTurnMovedError:
        # Another turn was started already.
        return


async def lose_turn(road: Road, accepted: Accepted) -> None:
    """End a turn because another came first: its input no longer waits."""
    await end_without_commit(road, accepted, AttemptLedger(), AttemptVerdict.LOST, OutcomeReason.MOVED)


async def end_without_commit(
    road: Road, accepted: Accepted, ledger: AttemptLedger, verdict: AttemptVerdict, reason: OutcomeReason
) -> None:
    """Record that an input led to no turn, and signal it: listeners that saw it start wait for its end."""
    await settle_try(road, accepted, ledger, verdict, reason)
    road.listener(TurnFailed(reason.value, "", accepted.branch, accepted.operation_id))
