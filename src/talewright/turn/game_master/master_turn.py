"""The master's turn: an external game master narrates it, call by call, and the engine keeps the state."""

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace
from typing import cast

from talewright.chronicle.open_turns import OpenTurn
from talewright.chronicle.record_fold import expected_head
from talewright.chronicle.records import Accepted, AttemptVerdict
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
from talewright.turn.game_master.held_turns import (
    CAMPAIGN_TURN,
    HeldTurn,
    TurnHandle,
    abandon_turn,
    begin_ledger,
    claim_campaign,
    close_turn,
    close_unfinished,
    drop_turn,
    end_without_commit,
    hold_turn,
    lose_turn,
    name_turn,
    read_held,
    refuse_second,
    refuse_told,
    settle_expired,
    write_claim,
    write_held,
)
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
)
from talewright.turn.game_master.open_turn_lease import (
    HOLDER_LENGTH_MAX,
    MASTER_OPERATION_LENGTH_MAX,
    LeaseError,
    is_abandoned,
    is_held,
)
from talewright.turn.inputs.player_inputs import Input, from_json, to_json
from talewright.turn.records.turn_attempts import AttemptLedger, refuse
from talewright.turn.spending import SpendingSum
from talewright.turn.steps.beginning import (
    begin_turn,
    bind_road,
    find_unfit,
    recall_turn,
)
from talewright.turn.steps.committing import commit
from talewright.turn.steps.recalling import find_seen
from talewright.turn.turn_context import Road, TurnKey
from talewright.turn.turn_outcomes import Committed, OutcomeReason, Unspent
from talewright.turn.turn_signals import TurnAccepted, TurnCommitted


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
            await abandon_turn(road, read_held(road, lease), AttemptVerdict.LOST, OutcomeReason.MOVED)
        else:
            await lose_turn(road, accepted)
        raise HeadMovedError(acceptance.head)
    if lease is not None and is_held(lease, acceptance.head, road.now()):
        if lease.operation_id != operation_id or lease.holder != holder:
            raise refuse_second(lease)
        return await _resume(road, read_held(road, lease))
    claim = await claim_campaign(road, branch)
    if lease is not None:
        lease = await settle_expired(road, read_held(road, lease), operation_id)
    road.listener(TurnAccepted(accepted))
    return await _open(road, acceptance, 0 if lease is None else lease.revision, holder, claim)


async def brief_now(road: Road, branch: str, since: int = -1) -> MasterBrief:
    """Return what a narrator would be given now; within an open turn, after its rounds so far.

    Changes since a version are marked.
    """
    lease = await road.book.open_turn(branch)
    if lease is None or not is_held(lease, (await road.book.look(branch)).head, road.now()):
        return await brief_master(road, branch, since)
    held = read_held(road, lease)
    road = bind_road(road, held.turn)
    judged = await _judge_stored(road, held.untold)
    road.folds.keep_judged(judged)
    return await brief_master(road, branch, since, judged.attempt)


async def find_open_turn(road: Road, branch: str) -> StandingTurn | None:
    """Return the open turn of a campaign, whichever branch it is on and whoever holds it."""
    claim = await road.book.open_turn(CAMPAIGN_TURN)
    for name in dict.fromkeys((branch, branch if claim is None else claim.holder)):
        lease = await road.book.open_turn(name)
        if lease is not None and is_held(lease, (await road.book.look(name)).head, road.now()):
            held = read_held(road, lease)
            accepted = held.turn.accepted
            return StandingTurn(
                name_turn(lease),
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
    held = await hold_turn(road, handle)
    if held.is_told:
        raise refuse_told()
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
                write_held(road, held.lease, held.turn, judged.rounds), held.lease.revision
            )
    except OpenTurnMovedError:
        # If the turn is no longer open, say so.
        await hold_turn(road, handle)
        raise
    road.folds.keep_judged(judged)
    return RoundResult(progress.results, changed=disarm(progress.changed))


async def _judge_stored(road: Road, held: HeldTurn) -> JudgedTurn:
    """Return an open turn with the rounds that are stored judged: as it was kept here, or judged again.

    `road` must be bound to the turn.
    """
    kept = road.folds.take_judged()
    if isinstance(kept, JudgedTurn) and (kept.turn, kept.rounds) == (held.turn, held.rounds):
        return kept
    recalled = await recall_turn(road, held.turn)
    progress, judged = await judge_rounds(road, held.turn, recalled, held.rounds, begin_ledger(held))
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
            or not (is_abandoned(rival) or read_held(road, rival).is_told)
        ):
            raise
        return await _finish(road, handle, handed_in)


async def _finish(road: Road, handle: TurnHandle, handed_in: OutsideRound) -> Committed | RoundResult:
    try:
        held = await hold_turn(road, handle)
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
                write_held(road, held.lease, held.turn, judged.rounds), held.lease.revision
            )
    try:
        done = await commit(road, held.turn, made, judged.ledger)
    except HeadMovedError:
        await abandon_turn(road, held, AttemptVerdict.LOST, OutcomeReason.MOVED)
        raise
    await drop_turn(road, handle.branch, lease.revision)
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
    held = await close_unfinished(road, handle)
    await abandon_turn(road, held, AttemptVerdict.CANCELLED, OutcomeReason.CANCELLED)
    await drop_turn(road, handle.branch, held.lease.revision)


async def _stop(road: Road, held: HeldTurn, stopped: AttemptLedger) -> None:
    """End a turn whose rules take too long; `stopped` knows what was seen until then."""
    held = await close_turn(road, held)
    await abandon_turn(road, held, AttemptVerdict.FAILED, OutcomeReason.TOO_MUCH_WORK, stopped.looks)
    await drop_turn(road, held.lease.branch, held.lease.revision)


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
        await end_without_commit(road, accepted, ledger, AttemptVerdict.FAILED, OutcomeReason.TOO_MUCH_WORK)
        raise
    if isinstance(judged, Unspent):
        return await refuse(road, accepted, ledger, judged)
    empty = OpenTurn(accepted.branch, accepted.operation_id, holder or road.new_id(), "", revision, {})
    with around("store round"):
        lease = await road.book.write_open_turn(write_held(road, empty, turn, ()), revision)
    try:
        await write_claim(road, claim)
    except LeaseError:
        # In the meantime, someone has begun a turn on another branch.
        await drop_turn(road, accepted.branch, lease.revision)
        raise
    return await _describe(road, HeldTurn(lease, turn, ()), judged)


async def _resume(road: Road, held: HeldTurn) -> OpenedTurn:
    """Describe an open turn to a game master who continues it, with all that has been judged in it."""
    judged = await _judge_stored(bind_road(road, held.turn), held.untold)
    return await _describe(road, held, judged)


async def _describe(road: Road, held: HeldTurn, judged: JudgedTurn) -> OpenedTurn:
    """Describe an open turn for its narration, and keep it as far as it was judged."""
    attempt, deed = judged.attempt, judged.deed
    situation = await write_situation(road, attempt, deed)
    texts = choose_texts(road, judged.recalled)
    cards = tuple(_put_in_words(card, texts) for card in attempt.working.decisions)
    road.folds.keep_judged(judged)
    rolls = tuple(attempt.working.rolls)
    return OpenedTurn(name_turn(held.lease), deed.said, rolls, len(held.rounds), situation, cards)


def _put_in_words(card: Decision, texts: Texts) -> Decision:
    options = tuple(replace(option, label=texts.get(option.label)) for option in card.options)
    lines = tuple(texts.get(line) for line in card.lines)
    return replace(card, question=texts.get(card.question), lines=lines, options=options)


def _make_round(road: Road, handed_in: OutsideRound) -> OutsideRound | Flaw:
    """Make a submission fit to be stored; return a flaw if it cannot be."""
    try:
        answers = clean_document(dict(handed_in.answers))
    except UnfitHandInError as error:
        return Flaw(f"the answers cannot be read: {error}")
    calls = tuple(clean_call(call) for call in handed_in.calls)
    text = strip_controls(handed_in.text)[: road.limits.reply_length_max]
    return OutsideRound(calls, cast(Mapping[str, Json], answers), text, handed_in.facts)


def _check_length(road: Road, held: HeldTurn, one: OutsideRound) -> None:
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
