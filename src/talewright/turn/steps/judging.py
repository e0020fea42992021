"""Judging: checks the moves of an answer against the working state, with errands and decisions.

The kernel decides; this step only fetches the answers it waits for.
"""

import json
from collections.abc import Mapping, Sequence
from functools import partial

from talewright.common.frozen_values import frozen
from talewright.common.json_schema import fits, read_schema
from talewright.common.json_values import Json
from talewright.common.quote_search import QuoteTally
from talewright.common.work_meter import LoopLeftError
from talewright.contract.text.leak_guard import LEAK, NAMED
from talewright.crashpoints import around
from talewright.kernel.judging.move_resolution import JudgedStep, judge, keep_waiting_call
from talewright.kernel.judging.moves import PLAYER, Call, Move
from talewright.kernel.judging.rulings import Decision, Errand, Grade, Granted, Refused, Ruling, Waiting
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import ToolWork
from talewright.turn.background.asides import run_errand
from talewright.turn.hidden_texts import list_changed, list_exposed, list_named, list_values
from talewright.turn.records.commit_body import CALL, split_rolls
from talewright.turn.steps.asking import AnswerGuard, Asker
from talewright.turn.turn_context import Road, Teller, work_aside
from talewright.turn.turn_progress import OpenedChance, TurnProgress, purpose_of_moves
from talewright.turn.turn_signals import DiceRolled

NO_ANSWER = "nobody could answer what this needs to know; go on without it"
"""Reason of a call whose errand failed."""

ALL_DRAWN = (
    "what was to fall in this turn has fallen; name the same again or nothing, and tell what came of it"
)
"""Reason of a call that would draw although the moves were judged before."""


@frozen
class JudgedMoves:
    """The result of judging the moves of an answer."""

    rulings: tuple[Ruling, ...]
    mends: tuple[Refused, ...] = ()
    """If there are any, nothing of the answer has taken effect."""

    opened: tuple[Decision, ...] = ()
    """Decisions that the player must answer now."""


def _ask_for(errand: Errand) -> str:
    """Return the reason of a call that waits for an answer its caller can give."""
    schema = json.dumps(errand.answer_schema, ensure_ascii=False, sort_keys=True)
    return (
        f"make the call again with the answer to {errand.id!r}: {errand.question} "
        f"The answer must fit this JSON Schema: {schema}"
    )


def note_rolled(working: TurnProgress, rulings: Sequence[Ruling]) -> None:
    """Record the results of dice that a system rolled on its own."""
    for ruling in rulings:
        if isinstance(ruling, Granted) and isinstance(ruling.move, Call):
            tool = ruling.move.tool
            if working.game.work[tool] is ToolWork.ROLLING:
                working.rolls.append({"kind": CALL, "tool": tool, "result": ruling.result})


def report_rolls(road: Road, working: TurnProgress) -> None:
    """Report new rolls to the listener, before the words they decide."""
    for recorded in working.rolls[working.reported_rolls :]:
        for roll in split_rolls(recorded):
            road.listener(DiceRolled(roll, working.game_digest))
    working.reported_rolls = len(working.rolls)


def _refuse_all(moves: Sequence[Move], reason: str) -> tuple[Ruling, ...]:
    return tuple(Refused(move, Grade.MEND, reason) for move in moves)


class Judge:
    """Judges the moves of one turn."""

    def __init__(
        self,
        working: TurnProgress,
        guard: AnswerGuard | None = None,
        asker: Asker | None = None,
        teller: Teller | None = None,
        errands_max: int = 0,
    ) -> None:
        """Without a guard, nothing is hidden; without an asker, errands stay unanswered."""
        self._working = working
        self._guard = guard
        self._asker = asker
        self._teller = teller
        self._errands_left = errands_max

    async def judge(
        self,
        moves: Sequence[Move],
        cause: str,
        answers: Mapping[str, Json] | None = None,
        *,
        may_draw: bool = True,
        handed_in: Mapping[str, Json] | None = None,
    ) -> JudgedMoves:
        """Judge moves all or nothing, and apply them to the working state.

        `answers` are the player's. Without `may_draw`, calls that would draw must be repaired. `handed_in`
        are the caller's own answers to errands.
        """
        working = self._working
        known: dict[str, Json] = dict(answers or {})
        held: list[Waiting] = []
        closed: list[Refused] = []
        left = list(moves)
        while True:
            with around("rules"):
                fate, step = await work_aside(partial(self._judge_once, tuple(left), cause, known))
            conflict = "" if cause == PLAYER else working.fortune.find_conflict(fate)
            rulings = _refuse_all(left, conflict) if conflict else self._look_through_all(step, known)
            mends = tuple(r for r in rulings if isinstance(r, Refused) and r.grade is Grade.MEND)
            if mends:
                self._note(mends, False, cause == PLAYER)
                return JudgedMoves(rulings, mends)
            if not step.waits:
                break
            waiting = step.waits[0]
            if isinstance(waiting.need, Decision):
                held.append(waiting)
                left.remove(waiting.move)
            elif not await self._look_up(waiting.need, known, handed_in):
                reason = NO_ANSWER if handed_in is None else _ask_for(waiting.need)
                closed.append(Refused(waiting.move, Grade.DROP, reason))
                left.remove(waiting.move)
        if fate.draws and not may_draw:
            calls = [move for move in left if isinstance(move, Call)]
            return JudgedMoves(step.rulings, tuple(Refused(call, Grade.MEND, ALL_DRAWN) for call in calls))
        working.fortune.keep(fate)
        working.take(step)
        self._cover(step)
        working.rulings += closed
        self._note(step.rulings, bool(fate.draws), cause == PLAYER)
        opened = self._hold(held)
        return JudgedMoves((*step.rulings, *closed, *held), opened=opened)

    def _judge_once(
        self, moves: Sequence[Move], cause: str, known: Mapping[str, Json]
    ) -> tuple[OpenedChance, JudgedStep]:
        working = self._working
        fate = working.fortune.open(partial(purpose_of_moves, working.game, working.position, moves))
        try:
            return fate, judge(working.game, working.position, moves, cause, fate, known)
        except LoopLeftError:
            # It is judged again, in a thread.
            working.fortune.discard(fate)
            raise

    def _note(self, rulings: Sequence[Ruling], drawn: bool, of_player: bool) -> None:
        """Record the results of calls that drew, might have rolled dice, or are the player's."""
        working = self._working
        for ruling in rulings:
            if not isinstance(ruling.move, Call):
                continue
            tool = ruling.move.tool
            if isinstance(ruling, Granted) and (
                drawn or of_player or working.game.work[tool] is ToolWork.ROLLING
            ):
                working.rolls.append({"kind": CALL, "tool": tool, "result": ruling.result})
            elif isinstance(ruling, Refused) and of_player:
                working.rolls.append({"kind": CALL, "tool": tool, "result": {"refused": ruling.reason}})

    def _look_through_all(self, step: JudgedStep, answers: Mapping[str, Json]) -> tuple[Ruling, ...]:
        """Return the rulings of a step; those that would reveal something hidden must be repaired."""
        if self._guard is None:
            # The effects of scenes are the author's own words.
            return step.rulings
        tally, values = self._guard.heard.copy(), list[str]()
        rulings = tuple(self._look_through(one, step.events, answers, tally, values) for one in step.rulings)
        if rulings == step.rulings:
            self._guard.heard = tally
        return rulings

    def _look_through(
        self,
        ruling: Ruling,
        events: Sequence[Event],
        answers: Mapping[str, Json],
        tally: QuoteTally,
        values: list[str],
    ) -> Ruling:
        """`tally` and `values` cover the answer and the rulings before this one."""
        assert self._guard is not None
        game, veil = self._working.game, self._guard.veil
        values += list_values(game, ruling)
        exposed = [[text] for text in list_exposed(game, ruling, events)]
        if any(veil.covers(row, tally) for row in (*exposed, values)):
            return Refused(ruling.move, Grade.MEND, LEAK.message)
        if veil.names(list_named(game, ruling, events, answers)):
            return Refused(ruling.move, Grade.MEND, NAMED.message)
        return ruling

    def _cover(self, step: JudgedStep) -> None:
        """Keep what has just been hidden out of the rest of the turn."""
        if self._guard is None or not step.changes:
            return
        texts = list(list_changed(self._working.game, step.changes))
        hidden = [text for text, closed in texts if closed]
        seen = [text for text, closed in texts if not closed]
        self._guard.veil = self._guard.veil.spread(hidden, seen)

    async def _look_up(
        self, errand: Errand, known: dict[str, Json], handed_in: Mapping[str, Json] | None
    ) -> bool:
        """Get the answer to an errand; return whether its call can be judged again, with or without it."""
        answer = await self._answer(errand, handed_in)
        if answer is None and (not errand.optional or errand.id in known or handed_in is not None):
            return False
        known[errand.id] = answer
        return True

    async def _answer(self, errand: Errand, handed_in: Mapping[str, Json] | None) -> Json:
        """Get the answer to an errand from the caller or from a model; None if there is none."""
        if handed_in is not None:
            # Only errands are looked up here: decisions belong to the player.
            answer = handed_in.get(errand.id)
            return answer if fits(answer, read_schema(errand.answer_schema, strict=False)) else None
        if self._asker is None or self._teller is None or not self._errands_left:
            return None
        self._errands_left -= 1
        return await run_errand(self._asker, self._teller, errand)

    def _hold(self, waiting: Sequence[Waiting]) -> tuple[Decision, ...]:
        """Store the calls that wait for the player, and open their cards."""
        working = self._working
        opened = []
        for ruling in waiting:
            assert isinstance(ruling.need, Decision)
            working.rulings.append(ruling)
            working.take(keep_waiting_call(working.game, working.position, ruling))
            opened.append(ruling.need)
        working.decisions += opened
        return tuple(opened)
