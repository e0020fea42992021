"""A judged turn: the turn of an external game master after its input and the rounds submitted so far.

It follows from what is stored of the open turn alone. A process keeps the last one in memory, so that a call
costs the same however many came before it; whatever is stored decides, and without a kept one the rounds are
judged again from the start.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from talewright.common.work_meter import limit_work
from talewright.contract.dialect import SuggestedChoice
from talewright.crashpoints import around
from talewright.turn.game_master.master_rounds import (
    OutsideProgress,
    OutsideRound,
    find_round_flaws,
    hear_round,
)
from talewright.turn.inputs.player_inputs import Deed, from_json
from talewright.turn.memory.story_memory import remember
from talewright.turn.records.commit_body import OUTSIDE
from talewright.turn.records.turn_attempts import AttemptLedger
from talewright.turn.steps.beginning import Turn
from talewright.turn.steps.committing import MadeTurn, make_commit
from talewright.turn.steps.recalling import Recalled
from talewright.turn.steps.repairing import TellingContext
from talewright.turn.steps.telling import Try
from talewright.turn.steps.tool_loop import run_calls
from talewright.turn.turn_context import Road, hear_nothing, work_aside
from talewright.turn.turn_outcomes import Unspent


class JudgedTurn:
    """One open turn as far as it was judged."""

    def __init__(
        self, road: Road, turn: Turn, recalled: Recalled, attempt: Try, deed: Deed, ledger: AttemptLedger
    ) -> None:
        """`road` must be bound to the turn."""
        self.turn = turn
        self.recalled = recalled
        self.attempt = attempt
        self.deed = deed
        self.ledger = ledger
        self.rounds: tuple[OutsideRound, ...] = ()
        """The rounds that were judged, all without flaws."""

        self._road = road
        # Rounds may be judged again, so their signals are never sent.
        quiet = replace(road, listener=hear_nothing)
        self._context: TellingContext = replace(attempt.context_outside(), road=quiet)
        self.steps = 0
        """The steps of work so far: a turn has one budget, whoever judges it."""

        self._choices: tuple[SuggestedChoice, ...] = ()
        self._facts: tuple[str, ...] = ()

    async def brief(self, steps: int) -> None:
        """Judge the calls that waited for the player, and write the briefing; `steps` were taken before."""
        try:
            with limit_work(self._road.limits.work_max, steps) as meter:
                await self.attempt.brief(self._context, self.deed)
        finally:
            self.ledger.looks = self.attempt.working.fortune.looks
        self.steps = meter.steps

    async def add(self, one: OutsideRound) -> OutsideProgress:
        """Judge the next round; the final one ends the turn. If it has flaws, nothing has happened.

        Raises TooMuchWorkError if the turn takes too long with it.
        """
        restart = self.restart_point()
        try:
            with limit_work(self._road.limits.work_max, self.steps) as meter:
                progress = await self._judge(one)
        finally:
            self.ledger.looks = self.attempt.working.fortune.looks
        if progress.flaws:
            restart()
            return progress
        self.steps = meter.steps
        self.rounds = (*self.rounds, one)
        return progress

    async def _judge(self, one: OutsideRound) -> OutsideProgress:
        context, working = self._context, self.attempt.working
        heard, fact_flaws = await work_aside(partial(hear_round, context, one))
        flaws = (*fact_flaws, *find_round_flaws(context, one, heard))
        if flaws:
            return OutsideProgress(flaws=flaws)
        self.ledger.exchanges.append(heard.exchange)
        before = working.fortune.judgements_that_drew
        results = await run_calls(context, heard, one.answers)
        drew = working.fortune.judgements_that_drew > before
        context.guard.keep()
        self._choices = heard.answer.choices or self._choices
        self._facts = (*self._facts, *heard.answer.facts)
        changed = ""
        if one.final:
            answer = replace(heard.answer, choices=self._choices, facts=self._facts)
            await self.attempt.conclude(self.deed, answer)
        else:
            assert self.attempt.updates is not None, "it was briefed"
            changed = await self.attempt.updates.tell(context.guard, context.ground(), results)
        return OutsideProgress(tuple(results), drew=drew, changed=changed)

    def restart_point(self) -> Callable[[], None]:
        """Return a function that takes back the rounds that are judged from now on."""
        guard, ledger = self._context.guard, self.ledger
        kept = {name: getattr(self, name) for name in ("rounds", "steps", "_choices", "_facts")}
        guarded = guard.veil, guard.told.copy(), guard.heard.copy()
        exchanges, looks = len(ledger.exchanges), ledger.looks
        take_back = self.attempt.working.restart_point()

        def restart() -> None:
            take_back()
            vars(self).update(kept)
            guard.veil, guard.told, guard.heard = guarded
            del ledger.exchanges[exchanges:]
            ledger.looks = looks

        return restart

    async def make(self) -> MadeTurn:
        """Return the turn as it is committed, after its final round."""
        assert self.rounds[-1].final, "only a narrated turn is committed"
        working, said = self.attempt.working, self.deed.said
        with limit_work(self._road.limits.work_max, self.steps):
            remember(working)
            with around("build commit"):
                road, turn, recalled, ledger = self._road, self.turn, self.recalled, self.ledger
                making = partial(make_commit, road, turn, recalled, working, ledger, said=said, told=OUTSIDE)
                return await work_aside(making)


async def begin_judging(
    road: Road, turn: Turn, recalled: Recalled, ledger: AttemptLedger
) -> JudgedTurn | Unspent:
    """Carry out the player's input and write the briefing, before any round; return why if it has no effect.

    `road` must be bound to the turn.
    """
    attempt = Try(road, turn, recalled, ledger, await road.folds.read_secret(road.book))
    given = from_json(turn.accepted.input)
    with limit_work(road.limits.work_max) as meter:
        deed = await work_aside(partial(attempt.begin, given, told_outside=True))
    if isinstance(deed, Unspent):
        return deed
    judged = JudgedTurn(road, turn, recalled, attempt, deed, ledger)
    await judged.brief(meter.steps)
    return judged


async def judge_rounds(
    road: Road,
    turn: Turn,
    recalled: Recalled,
    rounds: Sequence[OutsideRound],
    ledger: AttemptLedger | None = None,
) -> tuple[OutsideProgress, JudgedTurn | Unspent]:
    """Judge rounds from the start of the turn; only the last may have flaws.

    If a record was forged, its input may have no effect; then return why. `road` must be bound to the turn.
    Nothing is written, and nobody hears of it.
    """
    quiet = replace(road, listener=hear_nothing)
    judged = await begin_judging(quiet, turn, recalled, ledger or AttemptLedger())
    progress = OutsideProgress()
    if isinstance(judged, JudgedTurn):
        for one in rounds:
            progress = await judged.add(one)
            if progress.flaws:
                break
    return progress, judged
