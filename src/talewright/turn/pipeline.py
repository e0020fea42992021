"""The pipeline: the order of the steps from one input to one commit, and how failures are handled.

The order is defined here and nowhere else. Whatever goes wrong, the state is unchanged and the input is kept.
"""

import asyncio
from dataclasses import astuple
from datetime import datetime

from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.record_fold import expected_head
from talewright.chronicle.records import Accepted, AttemptVerdict
from talewright.chronicle.store import Acceptance, DamagedError, HeadMovedError, UnsavedError
from talewright.crashpoints import around
from talewright.errors import TalewrightError
from talewright.turn.inputs.player_inputs import Deed, Input, Say, from_json, to_json
from talewright.turn.memory.story_memory import remember
from talewright.turn.records.commit_body import MODEL, SCENES
from talewright.turn.records.turn_attempts import AttemptLedger, degrade, fail, give_way, refuse, settle_try
from talewright.turn.spending import sum_totals
from talewright.turn.steps.asking import UntoldError
from talewright.turn.steps.beginning import Turn, begin_turn, bind_road, recall_turn
from talewright.turn.steps.committing import MadeTurn, commit, make_commit
from talewright.turn.steps.recalling import Recalled
from talewright.turn.steps.telling import Try
from talewright.turn.turn_context import Road
from talewright.turn.turn_key import TurnKey
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, Outcome, OutcomeReason, Unspent
from talewright.turn.turn_signals import Activity, Doing, NarrationReset, TurnAccepted, TurnCommitted

STOPPED = "stopped by the player"
"""The message with which a turn's task is cancelled when the player stops it."""


async def take_turn(
    road: Road, branch: str, given: Input, operation_id: str, base: str = "", replaces: str = ""
) -> Outcome:
    """Take one turn. The same operation id gives the same outcome; after a failure, a new attempt.

    `replaces` is the head that the turn replaces; until then the branch stays there.
    """
    with around("receive"):
        unfit = find_unfit(road, given)
    if unfit is not None:
        return unfit
    ledger = AttemptLedger()
    accepted: Accepted | None = None
    try:
        with around("look up key"):
            wish = Accepted(operation_id, branch, base, to_json(given), road.now(), replaces)
        acceptance = await road.book.accept(wish)
        if acceptance.commit is not None:
            return Committed(acceptance.commit, repeated=True)
        accepted = acceptance.accepted
        with around("acknowledge"):
            road.listener(TurnAccepted(accepted))
        if acceptance.head != expected_head(accepted):
            raise HeadMovedError(acceptance.head)
        lease = acceptance.open_turn
        if lease is not None and is_held(lease, acceptance.head, road.now()):
            return await refuse(road, accepted, ledger, Unspent(OutcomeReason.TURN_OPEN))
        return await _go(road, acceptance, ledger)
    except asyncio.CancelledError as error:
        # If the player did not stop the turn, the session or its process is ending: the input waits to be
        # resumed.
        verdict = AttemptVerdict.CANCELLED if STOPPED in error.args else AttemptVerdict.INTERRUPTED
        await settle_try(road, accepted, ledger, verdict, OutcomeReason.CANCELLED)
        raise
    except HeadMovedError as error:
        moved = Failed(OutcomeReason.MOVED, head=error.head)
        return await fail(road, accepted, ledger, moved, AttemptVerdict.LOST)
    except DamagedError as error:
        return await fail(road, accepted, ledger, Failed(OutcomeReason.READ_ONLY, error.message))
    except UnsavedError as error:
        # A full disk may still have room for the small record of this attempt; the input waits either way.
        unsaved = Failed(OutcomeReason.UNSAVED, error.message)
        return await fail(road, accepted, ledger, unsaved, AttemptVerdict.INTERRUPTED)
    except TalewrightError as error:
        return await fail(road, accepted, ledger, Failed(OutcomeReason.ERROR, error.message))
    except Exception as error:
        # Any other error ends here: the record says what it was, and the player learns that nothing is lost.
        broken = Failed(OutcomeReason.ERROR, f"{type(error).__name__}: {error}")
        return await fail(road, accepted, ledger, broken)


def is_held(lease: OpenTurn, head: str, now: str) -> bool:
    """Whether an open turn holds its branch: it has not expired, and no turn came in between."""
    return not is_expired(lease, now) and lease.body.get("head") == head


def is_expired(lease: OpenTurn, now: str) -> bool:
    """Whether an open turn has expired."""
    return datetime.fromisoformat(now) > datetime.fromisoformat(lease.until)


def find_unfit(road: Road, given: Input) -> Unspent | None:
    """Return why an input cannot be accepted; None if it can."""
    words = [word for word in astuple(given) if isinstance(word, str)]
    if isinstance(given, Say) and not given.text.strip():
        return Unspent(OutcomeReason.EMPTY)
    if any(len(word) > road.limits.input_length_max for word in words):
        return Unspent(OutcomeReason.TOO_LONG, str(road.limits.input_length_max))
    try:
        "".join(words).encode()
    except UnicodeEncodeError:
        # Lone surrogates mean nothing and cannot be stored.
        return Unspent(OutcomeReason.EMPTY)
    return None


async def _go(road: Road, acceptance: Acceptance, ledger: AttemptLedger) -> Outcome:
    """Take an accepted input to its outcome."""
    accepted = acceptance.accepted
    key = TurnKey(road.book.campaign, accepted.operation_id, acceptance.attempts)
    turn, recalled = await begin_turn(road, key, accepted, sum_totals(acceptance.spent))
    ledger.attempt_id, ledger.at = turn.beginning.attempt_id, turn.beginning.at
    if turn.refusal is not None:
        return await refuse(road, accepted, ledger, turn.refusal)
    road.listener(Activity(Doing.READING))
    road = bind_road(road, turn)
    recalled = recalled or await recall_turn(road, turn)
    made = await make_turn(road, turn, recalled, ledger)
    if isinstance(made, Unspent):
        return await refuse(road, accepted, ledger, made)
    if isinstance(made, Degraded) and made.reason is OutcomeReason.SKIPPED:
        return await fail(road, accepted, ledger, Failed(made.reason), AttemptVerdict.CANCELLED)
    if isinstance(made, Degraded):
        return await degrade(road, accepted, ledger, made)
    done = await commit(road, turn, made, ledger)
    repeated = done.id != made.commit.id
    if repeated:
        await give_way(road, accepted, ledger)
    with around("publish"):
        road.listener(TurnCommitted(done))
    return Committed(done, repeated)


async def make_turn(
    road: Road, turn: Turn, recalled: Recalled, ledger: AttemptLedger
) -> MadeTurn | Unspent | Degraded:
    """Run everything between the start of a turn and its commit: a function of the beginning and the replies.

    `road` must be bound to the turn. Nothing is written.
    """
    given = from_json(turn.accepted.input)
    attempt = Try(road, turn, recalled, ledger, await road.folds.read_secret(road.book))
    deed = attempt.begin(given)
    if isinstance(deed, Unspent):
        return deed
    told = SCENES
    try:
        if attempt.needs_teller():
            await attempt.tell_by_model(deed)
            told = MODEL
        else:
            await attempt.tell_by_scenes(deed)
    except UntoldError as error:
        road.listener(NarrationReset("", voids_rolls=True))
        if not deed.authored:
            return Degraded(error.reason, error.detail, error.trouble)
        # Discard the attempt so far; the scenes narrate the same deed from the start of the turn.
        deed = attempt.begin(given)
        assert isinstance(deed, Deed)
        await attempt.tell_by_scenes(deed)
    road.listener(Activity(Doing.SAVING))
    remember(attempt.working)
    with around("build commit"):
        return make_commit(road, turn, recalled, attempt.working, ledger, said=deed.said, told=told)
