"""The pipeline: the order of the steps from one input to one commit. Read it from top to bottom.

    take_turn      receive and accept the input
    _take_accepted recall the past, make the turn, commit it, publish it
    make_turn      carry out the input, have it narrated by a model or by scenes, build the commit
    narrate        brief the model, follow the plan, conclude
    get_answer     ask, read, judge; repair until the answer is accepted

The order is defined here and nowhere else; each step is in its own file in `steps`. Whatever goes wrong, the
state is unchanged and the input is kept.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from talewright.chronicle.record_fold import expected_head
from talewright.chronicle.records import Accepted, AttemptVerdict
from talewright.chronicle.store import Acceptance, HeadMovedError
from talewright.common.work_meter import limit_work
from talewright.contract.dialect import AnswerGround, ModelAnswer
from talewright.crashpoints import around
from talewright.kernel.judging.moves import MODEL
from talewright.llm.requests import AssistantMessage, Message, UserMessage
from talewright.prompt.current_turn_part import write_results
from talewright.turn.game_master.open_turn_lease import is_held
from talewright.turn.inputs.player_inputs import Deed, Input, from_json, to_json
from talewright.turn.memory.story_memory import remember
from talewright.turn.records.commit_body import MODEL as TOLD_BY_MODEL
from talewright.turn.records.commit_body import MOVES, SCENES
from talewright.turn.records.turn_attempts import (
    AttemptLedger,
    describe_failure,
    end_unmade,
    fail,
    give_way,
    refuse,
    settle_try,
)
from talewright.turn.spending import sum_totals
from talewright.turn.steps.asking import Asker, UntoldError
from talewright.turn.steps.beginning import Turn, begin_turn, bind_road, find_unfit, recall_turn
from talewright.turn.steps.committing import MadeTurn, commit, make_commit
from talewright.turn.steps.judging import report_rolls
from talewright.turn.steps.recalling import Recalled
from talewright.turn.steps.repairing import (
    RepairConversation,
    TellingContext,
    ToldAnswer,
    cut,
    find_flaws,
    flaw_of,
    join_answers,
    narration_stands,
)
from talewright.turn.steps.telling import MOVES_FIRST, ONE_ASK, TOOL_LOOP, Try, show_ruling, show_shortly
from talewright.turn.steps.tool_loop import Renewal, run_tool_loop
from talewright.turn.turn_context import Road, TurnKey, work_aside
from talewright.turn.turn_outcomes import Committed, Degraded, Outcome, OutcomeReason, Unspent
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
        return await _take_accepted(road, acceptance, ledger)
    except asyncio.CancelledError as error:
        # If the player did not stop the turn, the session or its process is ending: the input waits to be
        # resumed.
        verdict = AttemptVerdict.CANCELLED if STOPPED in error.args else AttemptVerdict.INTERRUPTED
        await settle_try(road, accepted, ledger, verdict, OutcomeReason.CANCELLED)
        raise
    except Exception as error:
        return await fail(road, accepted, ledger, *describe_failure(error))


async def _take_accepted(road: Road, acceptance: Acceptance, ledger: AttemptLedger) -> Outcome:
    """Recall, make the turn, commit and publish it."""
    accepted = acceptance.accepted
    if acceptance.head != expected_head(accepted):
        raise HeadMovedError(acceptance.head)
    lease = acceptance.open_turn
    if lease is not None and is_held(lease, acceptance.head, road.now()):
        return await refuse(road, accepted, ledger, Unspent(OutcomeReason.TURN_OPEN))

    key = TurnKey(road.book.campaign, accepted.operation_id, acceptance.attempts)
    turn, recalled = await begin_turn(road, key, accepted, sum_totals(acceptance.spent))
    ledger.attempt_id, ledger.at = turn.beginning.attempt_id, turn.beginning.at
    if turn.refusal is not None:
        return await refuse(road, accepted, ledger, turn.refusal)
    road.listener(Activity(Doing.READING))
    road = bind_road(road, turn)
    # A runner may have returned a stored beginning; then nothing was recalled yet.
    recalled = recalled or await recall_turn(road, turn)

    made = await make_turn(road, turn, recalled, ledger)
    if isinstance(made, Unspent | Degraded):
        return await end_unmade(road, accepted, ledger, made)

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
    with limit_work(road.limits.work_max):
        return await _make_turn(road, turn, recalled, ledger)


async def _make_turn(
    road: Road, turn: Turn, recalled: Recalled, ledger: AttemptLedger
) -> MadeTurn | Unspent | Degraded:
    given = from_json(turn.accepted.input)
    attempt = Try(road, turn, recalled, ledger, await road.folds.read_secret(road.book))
    deed = await work_aside(partial(attempt.begin, given))
    if isinstance(deed, Unspent):
        return deed
    told = SCENES
    try:
        if await work_aside(attempt.needs_teller):
            await narrate(road, attempt, deed)
            told = TOLD_BY_MODEL
        else:
            await attempt.tell_by_scenes(deed)
    except UntoldError as error:
        road.listener(NarrationReset("", voids_rolls=True))
        if not deed.authored:
            return Degraded(error.reason, error.detail, error.trouble)
        # Discard the attempt so far; the scenes narrate the same deed from the start of the turn.
        deed = await work_aside(partial(attempt.begin, given))
        assert isinstance(deed, Deed)
        await attempt.tell_by_scenes(deed)
    road.listener(Activity(Doing.SAVING))
    remember(attempt.working)
    with around("build commit"):
        making = partial(
            make_commit, road, turn, recalled, attempt.working, ledger, said=deed.said, told=told
        )
        return await work_aside(making)


async def narrate(road: Road, attempt: Try, deed: Deed) -> None:
    """Brief the storyteller, have it narrate the deed by the game's plan, and apply its answer."""
    context, asker = attempt.open_conversation(deed)
    decided = await attempt.brief(context, deed)
    report_rolls(road, attempt.working)
    assert attempt.briefing is not None
    assert attempt.updates is not None
    messages = attempt.briefing.prompt.messages
    answer = await follow(attempt.plan(), context, asker, messages, decided, attempt.updates.tell)
    road.listener(Activity(Doing.UPDATING))
    await attempt.conclude(deed, answer)


async def follow(
    plan: str,
    context: TellingContext,
    asker: Asker,
    messages: Sequence[Message],
    decided: bool,
    renew: Renewal,
) -> ModelAnswer:
    """Get the narration from the model; `decided` means that the outcome of the turn is already decided.

    `renew` words what has changed after a round of calls.
    """
    if plan == TOOL_LOOP:
        return await run_tool_loop(context, asker, messages, renew)
    ground = context.ground()
    # A choice whose effects the author wrote proposes nothing; a slow model is not asked about it.
    if plan == MOVES_FIRST and not decided and not (ground.short and ground.settled):
        return await _ask_moves_first(context, asker, messages)
    return (await get_answer(context, asker, messages, ground, "tell", may_draw=plan == ONE_ASK)).answer


async def _ask_moves_first(context: TellingContext, asker: Asker, messages: Sequence[Message]) -> ModelAnswer:
    ground = replace(context.ground(), moves_only=True)
    # The demand is appended to the newest message: some servers reject two user messages in a row.
    wanted = UserMessage(f"{messages[-1].text}\n\n{context.dialect.demand((), ground)}")
    before = len(context.working.rulings)
    first: ToldAnswer = await get_answer(context, asker, [*messages[:-1], wanted], ground, MOVES)
    report_rolls(context.road, context.working)
    show = show_shortly if ground.short else show_ruling
    results = [show(context.working.game, ruling) for ruling in context.working.rulings[before:]]
    if context.working.decisions:
        # The player must answer before anything can be narrated.
        return first.answer
    said: list[Message] = [
        *messages[:-1],
        wanted,
        AssistantMessage(cut(first.raw, context.road)),
        UserMessage(f"{write_results(results)}\n\n{context.dialect.demand((), context.ground())}"),
    ]
    return (await get_answer(context, asker, said, context.ground(), "tell", may_draw=False)).answer


async def get_answer(
    context: TellingContext,
    asker: Asker,
    messages: Sequence[Message],
    ground: AnswerGround,
    purpose: str,
    *,
    may_draw: bool = True,
) -> ToldAnswer:
    """Ask, read and judge until there is an acceptable answer, with at most `repairs_max` repairs."""
    conversation = RepairConversation(context, list(messages))
    kept: ModelAnswer | None = None
    """An earlier answer whose narration is kept while its updates are requested again."""

    objection = ""
    """The moderation's objection to the narration that would be used."""

    while True:
        # Ask; the dialect of the game reads the reply while it arrives.
        request = context.request(conversation.said, ground)
        heard = await asker.ask(context.teller.main, request, ground, purpose, conversation.cause)
        answer = heard.answer if kept is None else join_answers(kept, heard.answer)
        objection = heard.objection if kept is None else objection

        # Judge.
        context.road.listener(Activity(Doing.JUDGING))
        flaws = find_flaws(context, answer, objection, leaked=heard.leaked, final=not ground.moves_only)
        judged = None
        if not flaws:
            judged = await context.judge.judge(answer.moves, MODEL, may_draw=may_draw)
            flaws = tuple(flaw_of(refused) for refused in judged.mends)
        if judged is not None and not flaws:
            if kept is not None:
                # Readers of the record must know that the narration is in an earlier reply.
                heard.exchange["updates_only"] = True
            context.guard.keep()
            return ToldAnswer(answer, heard.raw)

        # Repair.
        kept = answer if narration_stands(answer, flaws, judged is not None) else None
        ground = replace(ground, updates_only=kept is not None)
        conversation.demand_repair(heard, flaws, ground, kept="" if kept is None else kept.prose)
        purpose = "repair"
