"""The master's turn: an external game master narrates it, call by call, and the engine keeps the state."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import cast

from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.record_codec import RecordForm, from_form, to_form
from talewright.chronicle.record_fold import expected_head
from talewright.chronicle.records import Accepted, Aside, AttemptVerdict
from talewright.chronicle.store import Acceptance, HeadMovedError, OpenTurnMovedError
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.common.work_meter import TooMuchWorkError
from talewright.contract.text.answer_json import strip_controls
from talewright.crashpoints import around
from talewright.kernel.judging.rulings import Decision, Flaw
from talewright.kernel.story.game_texts import Texts
from talewright.llm.requests import ToolResult
from talewright.prompt.past_turns_part import disarm
from talewright.turn.game_master.judged_turn import JudgedTurn, begin_judging, judge_rounds
from talewright.turn.game_master.master_brief import (
    QUOTES_HIDDEN,
    BriefSection,
    MasterBrief,
    brief_master,
    choose_texts,
    quotes_hidden,
    write_situation,
)
from talewright.turn.game_master.master_rounds import (
    OutsideRound,
    UnfitHandInError,
    clean_call,
    clean_document,
    find_refused,
    find_unread,
    measure_round,
    read_round,
    write_round,
)
from talewright.turn.game_master.open_turn_lease import (
    ABANDONED,
    HOLDER_LENGTH_MAX,
    MASTER_OPERATION_LENGTH_MAX,
    LeaseError,
    is_abandoned,
    is_expired,
    is_held,
    lease_end,
)
from talewright.turn.inputs.player_inputs import Input, from_json, to_json
from talewright.turn.records.turn_attempts import AttemptLedger, refuse, settle_try
from talewright.turn.spending import SpendingSum
from talewright.turn.steps.beginning import (
    Turn,
    begin_turn,
    bind_road,
    find_unfit,
    read_beginning,
    recall_turn,
    write_beginning,
)
from talewright.turn.steps.committing import commit
from talewright.turn.steps.recalling import SEEN, find_root, find_seen
from talewright.turn.turn_context import Road, TurnKey
from talewright.turn.turn_outcomes import Committed, OutcomeReason, Unspent
from talewright.turn.turn_progress import SeenDraws, write_seen
from talewright.turn.turn_signals import TurnAccepted, TurnCommitted, TurnFailed


@frozen
class TurnHandle:
    """Identifies an open turn, whichever process serves the next call."""

    branch: str
    operation_id: str
    holder: str
    """Random: only the game master who started the turn knows it."""


@frozen
class OpenedTurn:
    """A turn that waits for its narration."""

    handle: TurnHandle
    said: str
    """The player's input in words."""

    results: tuple[Json, ...] = ()
    """Results so far: rolls, results of calls that had waited for the player."""

    rounds: int = 0
    """How many rounds have been submitted already."""

    situation: tuple[BriefSection, ...] = ()
    """Where the input, and the rounds, have led."""

    decisions: tuple[Decision, ...] = ()
    """Cards that the turn has opened so far, in the game's words."""


@frozen
class StandingTurn:
    """The open turn of a campaign."""

    handle: TurnHandle
    head: str
    """The commit it continues."""

    given: Input
    rounds: int
    until: str
    """When its lease ends, as ISO 8601 in UTC."""

    is_told: bool
    """Whether its narration is stored, and only the commit is missing."""


@frozen
class RoundResult:
    """The result of a round that did not end the turn."""

    results: tuple[ToolResult, ...] = ()
    flaws: tuple[Flaw, ...] = ()
    """What is wrong with it; if anything is, the round has no effect and can be submitted again."""

    changed: str = ""
    """What is different after it, in the words that a model reads."""


@frozen
class _Held:
    """An open turn, parsed."""

    lease: OpenTurn
    turn: Turn
    rounds: tuple[OutsideRound, ...]

    @property
    def is_told(self) -> bool:
        """Whether the last round was submitted, and only the commit is missing."""
        return bool(self.rounds) and self.rounds[-1].final

    @property
    def untold(self) -> "_Held":
        """The turn without its narration."""
        return replace(self, rounds=self.rounds[:-1]) if self.is_told else self


async def begin_outside(
    road: Road, branch: str, given: Input, operation_id: str, base: str = "", holder: str = ""
) -> OpenedTurn | Committed | Unspent:
    """Open a turn for an outside game master; for a finished operation id, return its outcome again.

    With a holder, an open turn of the same operation is continued. Raises HeadMovedError if another turn came
    first, as does finishing it, LeaseError if someone else is narrating a turn, and TooMuchWorkError if the
    rules take too long.
    """
    unfit = find_unfit(road, given)
    if unfit is not None:
        return unfit
    _check_names(operation_id, holder)
    # Checked before it is accepted, because every watcher hears of accepted inputs.
    if await quotes_hidden(road, branch, given):
        return Unspent(OutcomeReason.NOT_ALLOWED, QUOTES_HIDDEN)
    acceptance = await road.book.accept(Accepted(operation_id, branch, base, to_json(given), road.now()))
    if acceptance.commit is not None:
        return Committed(acceptance.commit, repeated=True)
    accepted = acceptance.accepted
    lease = acceptance.open_turn
    if acceptance.head != expected_head(accepted):
        if lease is not None and lease.operation_id == operation_id:
            await _abandon(road, _read_lease(road, lease), AttemptVerdict.LOST, OutcomeReason.MOVED)
        else:
            await _lose(road, accepted)
        raise HeadMovedError(acceptance.head)
    if lease is not None and is_held(lease, acceptance.head, road.now()):
        if lease.operation_id != operation_id or lease.holder != holder:
            raise _refuse_second(lease)
        return await _resume(road, _read_lease(road, lease))
    claim = await _claim_campaign(road, branch)
    if lease is not None:
        lease = await _settle_expired(road, _read_lease(road, lease), operation_id)
    road.listener(TurnAccepted(accepted))
    return await _open(road, acceptance, 0 if lease is None else lease.revision, holder, claim)


async def brief_now(road: Road, branch: str, since: int = -1) -> MasterBrief:
    """Return what a narrator would be given now; within an open turn, after its rounds so far.

    Changes since a version are marked.
    """
    lease = await road.book.open_turn(branch)
    if lease is None or not is_held(lease, (await road.book.look(branch)).head, road.now()):
        return await brief_master(road, branch, since)
    held = _read_lease(road, lease)
    road = bind_road(road, held.turn)
    judged = await _judge_stored(road, held.untold)
    road.folds.keep_judged(judged)
    return await brief_master(road, branch, since, judged.attempt)


_CAMPAIGN = ""
"""The name under which a campaign stores which branch has the open turn; no branch has this name."""


async def find_open_turn(road: Road, branch: str) -> StandingTurn | None:
    """Return the open turn of a campaign, whichever branch it is on and whoever holds it."""
    claim = await road.book.open_turn(_CAMPAIGN)
    for name in dict.fromkeys((branch, branch if claim is None else claim.holder)):
        lease = await road.book.open_turn(name)
        if lease is not None and is_held(lease, (await road.book.look(name)).head, road.now()):
            held = _read_lease(road, lease)
            accepted = held.turn.accepted
            return StandingTurn(
                _name(lease),
                expected_head(accepted),
                from_json(accepted.input),
                len(held.rounds),
                lease.until,
                held.is_told,
            )
    return None


async def end_open_turn(road: Road, standing: StandingTurn) -> Committed | None:
    """End an open turn, whoever holds it: abandon it, or commit it if it has its narration."""
    try:
        await give_up(road, standing.handle)
    except LeaseError:
        # If it cannot be committed, it has ended, too.
        with suppress(LeaseError, HeadMovedError, OpenTurnMovedError, TooMuchWorkError):
            done = await finish(road, standing.handle, OutsideRound())
            return done if isinstance(done, Committed) else None
    return None


def _refuse_second(lease: OpenTurn) -> LeaseError:
    return LeaseError(
        "someone else is narrating a turn of this campaign",
        f"Wait until it is finished, or until {lease.until}.",
    )


def _refuse_told() -> LeaseError:
    return LeaseError("the turn has been told", "Call finish again; the first narration is kept.")


async def _claim_campaign(road: Road, branch: str) -> OpenTurn:
    """Make this the branch of the campaign's open turn; return the claim.

    A campaign has one open turn: with two of them, a game master could look at the same check twice. An open
    turn of another branch is settled if it has expired or another turn came first; otherwise LeaseError.
    The claim is written again once the turn is stored: whoever saw no open turn before that comes too late.
    """
    claim = await road.book.open_turn(_CAMPAIGN)
    if claim is not None and claim.holder == branch:
        return claim
    if claim is not None:
        lease = await road.book.open_turn(claim.holder)
        if lease is not None:
            held = _read_lease(road, lease)
            if is_held(lease, (await road.book.look(claim.holder)).head, road.now()):
                raise _refuse_second(lease)
            lease = await _settle_expired(road, held)
            await _drop(road, claim.holder, lease.revision)
    return await _write_claim(
        road, OpenTurn(_CAMPAIGN, "", branch, road.now(), 0 if claim is None else claim.revision, {})
    )


async def _write_claim(road: Road, claim: OpenTurn) -> OpenTurn:
    try:
        return await road.book.write_open_turn(claim, claim.revision)
    except OpenTurnMovedError:
        raise LeaseError(
            "someone else is narrating a turn of this campaign", "Wait until it is finished."
        ) from None


def _check_names(operation_id: str, holder: str) -> None:
    """Check names chosen outside: events carry the operation id, so it must reveal nothing."""
    named = 0 < len(operation_id) <= MASTER_OPERATION_LENGTH_MAX and len(holder) <= HOLDER_LENGTH_MAX
    if not named or not f"{operation_id}{holder}".isprintable():
        raise LeaseError(
            f"an operation id has 1 to {MASTER_OPERATION_LENGTH_MAX} printable characters, a holder at most "
            f"{HOLDER_LENGTH_MAX}",
            "Choose a shorter one, such as a UUID.",
        )


async def propose(road: Road, handle: TurnHandle, handed_in: OutsideRound) -> RoundResult:
    """Judge calls now; what is granted takes effect when the turn is finished.

    Raises TooMuchWorkError if it takes too long; then the round has no effect. If dice have fallen in the
    turn, the turn has failed, and they count as seen: whether it takes too long may depend on them.
    """
    held = await _hold(road, handle)
    if held.is_told:
        raise _refuse_told()
    if len(held.rounds) >= road.limits.outside_rounds_max:
        raise LeaseError(
            f"a turn takes at most {road.limits.outside_rounds_max} rounds of calls", "Finish the turn."
        )
    one = _make_round(road, handed_in)
    if isinstance(one, Flaw):
        return RoundResult(flaws=(one,))
    _check_length(road, held, one)
    road = bind_road(road, held.turn)
    judged = await _judge_stored(road, held)
    try:
        progress = await judged.add(one)
    except TooMuchWorkError:
        if judged.ledger.looks:
            await _stop(road, held, judged.ledger)
        raise
    if progress.flaws:
        road.folds.keep_judged(judged)
        return RoundResult(flaws=progress.flaws)
    try:
        with around("store round"):
            await road.book.write_open_turn(
                _write_lease(road, held.lease, held.turn, judged.rounds), held.lease.revision
            )
    except OpenTurnMovedError:
        # If the turn is no longer open, say so.
        await _hold(road, handle)
        raise
    road.folds.keep_judged(judged)
    return RoundResult(progress.results, changed=disarm(progress.changed))


async def _judge_stored(road: Road, held: _Held) -> JudgedTurn:
    """Return an open turn with the rounds that are stored judged: as it was kept here, or judged again.

    `road` must be bound to the turn.
    """
    kept = road.folds.take_judged()
    if isinstance(kept, JudgedTurn) and (kept.turn, kept.rounds) == (held.turn, held.rounds):
        return kept
    recalled = await recall_turn(road, held.turn)
    progress, judged = await judge_rounds(road, held.turn, recalled, held.rounds, _ledger_of(held))
    assert isinstance(judged, JudgedTurn), "it was opened"
    assert not progress.flaws, "only rounds without flaws are stored"
    return judged


async def finish(road: Road, handle: TurnHandle, handed_in: OutsideRound) -> Committed | RoundResult:
    """Narrate the turn and commit it; with flaws it stays open.

    Of several calls at once, the first to store its narration decides; all of them return the same commit.
    Raises TooMuchWorkError if its rules take too long; then the turn has failed.
    """
    try:
        return await _finish(road, handle, handed_in)
    except OpenTurnMovedError as error:
        # Another call came first. If it has narrated the turn, this one returns the same commit; if it has
        # abandoned the turn, this one says so.
        rival = error.turn
        if rival is not None and (
            rival.operation_id != handle.operation_id
            or not (is_abandoned(rival) or _read_lease(road, rival).is_told)
        ):
            raise
        return await _finish(road, handle, handed_in)


async def _finish(road: Road, handle: TurnHandle, handed_in: OutsideRound) -> Committed | RoundResult:
    try:
        held = await _hold(road, handle)
    except LeaseError:
        done = (await road.book.find(handle.operation_id)).commit
        if done is not None and done.branch == handle.branch:
            return Committed(done, repeated=True)
        raise
    last = None if held.is_told else await _make_last_round(road, handed_in)
    if isinstance(last, Flaw):
        return RoundResult(flaws=(last,))
    if last is not None:
        _check_length(road, held, last)
    road = bind_road(road, held.turn)
    judged = await _judge_stored(road, held)
    try:
        flaws = () if last is None else await _add_last(judged, last)
        if flaws:
            road.folds.keep_judged(judged)
            return RoundResult(flaws=flaws)
        made = await judged.make()
    except TooMuchWorkError:
        await _stop(road, held, judged.ledger)
        raise
    lease = held.lease
    if not held.is_told:
        # The first to write the last round has narrated the turn.
        with around("store round"):
            lease = await road.book.write_open_turn(
                _write_lease(road, held.lease, held.turn, judged.rounds), held.lease.revision
            )
    try:
        done = await commit(road, held.turn, made, judged.ledger)
    except HeadMovedError:
        await _abandon(road, held, AttemptVerdict.LOST, OutcomeReason.MOVED)
        raise
    await _drop(road, handle.branch, lease.revision)
    road.listener(TurnCommitted(done))
    return Committed(done, repeated=held.is_told or done.id != made.commit.id)


async def _add_last(judged: JudgedTurn, last: OutsideRound) -> tuple[Flaw, ...]:
    """Narrate a turn; return what is wrong with it, if anything is, and then nothing has happened."""
    # As with a model: the narrator must know the results of the calls.
    unread = find_unread(judged.recalled.edition.game, last)
    if unread:
        return unread
    restart = judged.restart_point()
    progress = await judged.add(last)
    refused = find_refused(progress)
    if refused:
        restart()
    return progress.flaws or refused


async def give_up(road: Road, handle: TurnHandle) -> None:
    """Give up an open turn; its input no longer waits.

    Raises LeaseError if its narration was submitted first.
    """
    held = await _close_unfinished(road, handle)
    await _abandon(road, held, AttemptVerdict.CANCELLED, OutcomeReason.CANCELLED)
    await _drop(road, handle.branch, held.lease.revision)


async def _close_unfinished(road: Road, handle: TurnHandle) -> _Held:
    """Close an open turn with all the rounds it has by then; raises LeaseError if it has its narration."""
    while True:
        try:
            held = await _hold(road, handle, or_abandoned=True)
        except LeaseError:
            if (await road.book.find(handle.operation_id)).commit is not None:
                raise LeaseError("the turn is finished", "Undo the turn if you do not want it.") from None
            raise
        if held.is_told:
            raise _refuse_told()
        with suppress(OpenTurnMovedError):
            return await _close(road, held)


async def _stop(road: Road, held: _Held, stopped: AttemptLedger) -> None:
    """End a turn whose rules take too long; `stopped` knows what was seen until then."""
    held = await _close(road, held)
    await _abandon(road, held, AttemptVerdict.FAILED, OutcomeReason.TOO_MUCH_WORK, stopped.looks)
    await _drop(road, held.lease.branch, held.lease.revision)


async def _close(road: Road, held: _Held) -> _Held:
    """Mark an open turn as abandoned: from now on, nobody can add to it or finish it.

    That comes before anything is recorded of its end, so that a turn cannot be both abandoned and committed.
    Raises OpenTurnMovedError if someone has added to it.
    """
    if is_abandoned(held.lease):
        return held
    closed = replace(held.lease, body={**held.lease.body, ABANDONED: True})
    return replace(held, lease=await road.book.write_open_turn(closed, held.lease.revision))


async def _open(
    road: Road, acceptance: Acceptance, revision: int, holder: str, claim: OpenTurn
) -> OpenedTurn | Unspent:
    accepted = acceptance.accepted
    key = TurnKey(road.book.campaign, accepted.operation_id, acceptance.attempts)
    turn, _ = await begin_turn(road, key, accepted, SpendingSum())
    turn = replace(turn, beginning=replace(turn.beginning, seen=len(await find_seen(road.book))))
    ledger = AttemptLedger(attempt_id=turn.beginning.attempt_id, at=turn.beginning.at)
    if turn.refusal is not None:
        return await refuse(road, accepted, ledger, turn.refusal)
    bound = bind_road(road, turn)
    try:
        judged = await begin_judging(bound, turn, await recall_turn(bound, turn), ledger)
    except TooMuchWorkError:
        await _end(road, accepted, ledger, AttemptVerdict.FAILED, OutcomeReason.TOO_MUCH_WORK)
        raise
    if isinstance(judged, Unspent):
        return await refuse(road, accepted, ledger, judged)
    empty = OpenTurn(accepted.branch, accepted.operation_id, holder or road.new_id(), "", revision, {})
    with around("store round"):
        lease = await road.book.write_open_turn(_write_lease(road, empty, turn, ()), revision)
    try:
        await _write_claim(road, claim)
    except LeaseError:
        # In the meantime, someone has begun a turn on another branch.
        await _drop(road, accepted.branch, lease.revision)
        raise
    return await _describe(road, _Held(lease, turn, ()), judged)


async def _resume(road: Road, held: _Held) -> OpenedTurn:
    """Describe an open turn to a game master who continues it, with all that has been judged in it."""
    judged = await _judge_stored(bind_road(road, held.turn), held.untold)
    return await _describe(road, held, judged)


async def _describe(road: Road, held: _Held, judged: JudgedTurn) -> OpenedTurn:
    """Describe an open turn for its narration, and keep it as far as it was judged."""
    attempt, deed = judged.attempt, judged.deed
    situation = await write_situation(road, attempt, deed)
    texts = choose_texts(road, judged.recalled)
    cards = tuple(_put_in_words(card, texts) for card in attempt.working.decisions)
    road.folds.keep_judged(judged)
    rolls = tuple(attempt.working.rolls)
    return OpenedTurn(_name(held.lease), deed.said, rolls, len(held.rounds), situation, cards)


def _put_in_words(card: Decision, texts: Texts) -> Decision:
    options = tuple(replace(option, label=texts.get(option.label)) for option in card.options)
    lines = tuple(texts.get(line) for line in card.lines)
    return replace(card, question=texts.get(card.question), lines=lines, options=options)


def _name(lease: OpenTurn) -> TurnHandle:
    return TurnHandle(lease.branch, lease.operation_id, lease.holder)


async def _hold(road: Road, handle: TurnHandle, *, or_abandoned: bool = False) -> _Held:
    """Return the open turn of a handle; raises LeaseError if it is not open, or belongs to someone else."""
    lease = await road.book.open_turn(handle.branch)
    if lease is None or (lease.operation_id, lease.holder) != (handle.operation_id, handle.holder):
        raise LeaseError("this turn is not open", "Begin the turn again; its input is kept.")
    if is_abandoned(lease) and not or_abandoned:
        raise LeaseError("the turn was abandoned", "Begin the turn again; its input is kept.")
    if is_expired(lease, road.now()):
        raise LeaseError("the turn was left open too long", "Begin the turn again; its input is kept.")
    return _read_lease(road, lease)


def _make_round(road: Road, handed_in: OutsideRound) -> OutsideRound | Flaw:
    """Make a submission fit to be stored; return a flaw if it cannot be."""
    try:
        answers = clean_document(dict(handed_in.answers))
    except UnfitHandInError as error:
        return Flaw(f"the answers cannot be read: {error}")
    calls = tuple(clean_call(call) for call in handed_in.calls)
    text = strip_controls(handed_in.text)[: road.limits.reply_length_max]
    return OutsideRound(calls, cast(Mapping[str, Json], answers), text, handed_in.facts)


def _check_length(road: Road, held: _Held, one: OutsideRound) -> None:
    """Raise LeaseError if an open turn would become too long with another round."""
    length, limit = measure_round(one), road.limits.outside_length_max
    if length and length + sum(map(measure_round, held.rounds)) > limit:
        raise LeaseError(
            f"the calls, answers and facts of a turn have at most {limit:,} characters", "Finish the turn."
        )


async def _make_last_round(road: Road, handed_in: OutsideRound) -> OutsideRound | Flaw:
    one = _make_round(road, handed_in)
    if isinstance(one, Flaw):
        return one
    objection = await road.moderation.read(one.text) if one.text else None
    return replace(one, final=True, objection="" if objection is None else objection.reason)


def _write_lease(road: Road, lease: OpenTurn, turn: Turn, rounds: Sequence[OutsideRound]) -> OpenTurn:
    """Return an open turn as stored, with its lease renewed."""
    body: dict[str, Json] = {
        "head": expected_head(turn.accepted),
        "accepted": to_form(turn.accepted),
        "try": turn.key.try_number,
        "beginning": write_beginning(turn.beginning),
        "rounds": [write_round(one) for one in rounds],
    }
    return replace(lease, until=lease_end(road.now(), road.limits.lease_seconds_max), body=body)


def _read_lease(road: Road, lease: OpenTurn) -> _Held:
    body = lease.body
    accepted = from_form(dict(cast(RecordForm, body["accepted"])))
    assert isinstance(accepted, Accepted)
    beginning = read_beginning(body["beginning"])
    key = TurnKey(road.book.campaign, accepted.operation_id, cast(int, body["try"]))
    rounds = tuple(read_round(raw) for raw in cast(Sequence[Json], body["rounds"]))
    return _Held(lease, Turn(key, accepted, beginning), rounds)


def _ledger_of(held: _Held) -> AttemptLedger:
    beginning = held.turn.beginning
    return AttemptLedger(attempt_id=beginning.attempt_id, at=beginning.at)


async def _settle_expired(road: Road, held: _Held, again: str = "") -> OpenTurn:
    """End a turn that was left open too long: its input no longer waits, unless it is begun `again`.

    Returns it as it is stored now.
    """
    held = await _close(road, held)
    if held.lease.operation_id == again:
        ledger, accepted = _ledger_of(held), held.turn.accepted
        await _note_looks(road, held, ledger)
        if ledger.exchanges:
            await settle_try(road, accepted, ledger, AttemptVerdict.INTERRUPTED, OutcomeReason.TIMED_OUT)
    else:
        await _abandon(road, held, AttemptVerdict.CANCELLED, OutcomeReason.TIMED_OUT)
    return held.lease


async def _abandon(
    road: Road,
    held: _Held,
    verdict: AttemptVerdict,
    reason: OutcomeReason,
    looks: Sequence[SeenDraws] = (),
) -> None:
    """End an open turn without a commit; what its game master has seen stays recorded.

    `looks` are those of a round that was not stored.
    """
    ledger = _ledger_of(held)
    await _note_looks(road, held, ledger, looks)
    await _end(road, held.turn.accepted, ledger, verdict, reason)


async def _note_looks(
    road: Road, held: _Held, ledger: AttemptLedger, looks: Sequence[SeenDraws] = ()
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


async def _drop(road: Road, branch: str, revision: int) -> None:
    # It may be kept as far as it was judged.
    road.folds.take_judged()
    try:
        await road.book.drop_open_turn(branch, revision)
    except OpenTurnMovedError:
        # Another turn was started already.
        return


async def _lose(road: Road, accepted: Accepted) -> None:
    """End a turn because another came first: its input no longer waits."""
    await _end(road, accepted, AttemptLedger(), AttemptVerdict.LOST, OutcomeReason.MOVED)


async def _end(
    road: Road, accepted: Accepted, ledger: AttemptLedger, verdict: AttemptVerdict, reason: OutcomeReason
) -> None:
    """Record that an input led to no turn, and signal it: listeners that saw it start wait for its end."""
    await settle_try(road, accepted, ledger, verdict, reason)
    road.listener(TurnFailed(reason.value, "", accepted.branch, accepted.operation_id))
