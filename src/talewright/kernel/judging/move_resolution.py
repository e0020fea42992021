"""Move resolution: judges moves into rulings and the next position; system calls, open decisions, ticks.

An answer is all or nothing: while one of its moves must be fixed or waits, none of it happens. Updates
granted by a system must fit the slots like all others. For a call that waits for the player, the state stores
only the call; judging it again creates its card.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import ENGINE, MASTER, REASON, Call, End, Move, Op, Update
from talewright.kernel.judging.rulings import Errand, Grade, Granted, Refused, Ruling, Waiting
from talewright.kernel.judging.state_updates import judge_update
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import Position, canonical
from talewright.kernel.state.state_paths import pointer
from talewright.kernel.story.endings import Route
from talewright.kernel.story.story_rules import declare_end, end_if_due, judge_end, run_triggers
from talewright.kernel.story.triggers import Event
from talewright.kernel.system import NOTHING_HEARD, Denial, Grant, Heard, Phase, System, Tick, Wait

SAY_WHY = "say why in `reason`; the player reads it"
"""Why a change that a game master makes on its own authority is refused without a reason."""


def judge_call(
    table: WorkingState, call: Call, chance: Chance, answers: Mapping[str, Json], cause: str = ""
) -> Ruling:
    """Ask the system that owns the tool, and apply what it grants; `cause` says who calls."""
    allowed = allowed_tools(table)
    if call.tool not in allowed:
        return Refused(call, Grade.MEND, f"{call.tool!r} cannot be called now; there is {_list(allowed)}")
    own = cause == MASTER and call.tool in table.game.own_tools
    if own and not str(call.arguments.get(REASON) or "").strip():
        return Refused(call, Grade.MEND, f"{call.tool}: {SAY_WHY}")
    system = table.game.tools[call.tool]
    answer = system.judge(call, table.sight(system), chance, answers)
    match answer:
        case Grant():
            return _grant(table, call, system, _label_own(call, system, answer) if own else answer, own=own)
        case Denial(reason, grade):
            return Refused(call, grade, reason)
        case Wait(need):
            return Waiting(call, need)
        case _:
            assert_never(answer)


def allowed_tools(table: WorkingState) -> tuple[str, ...]:
    """The tools that may be called now: a phase restricts the tools of its own system."""
    phases = {system.name: system.phase(table.sight(system)) for system in table.game.parts.phases}
    owners = table.game.tools.items()
    return tuple(tool for tool, system in owners if _is_allowed(tool, phases.get(system.name)))


def _is_allowed(tool: str, phase: Phase | None) -> bool:
    return phase is None or phase.tools is None or tool in phase.tools


def current_phases(table: WorkingState) -> tuple[Phase, ...]:
    """The active phases of all systems."""
    found = (system.phase(table.sight(system)) for system in table.game.parts.phases)
    return tuple(phase for phase in found if phase is not None)


def cause_of(system: System) -> str:
    """The cause recorded for a system's changes."""
    return f"system:{system.name}"


def own_cause(system: System) -> str:
    """The cause recorded for what a game master changes with a system's tool on its own authority."""
    return f"{MASTER}:{system.name}"


def _label_own(call: Call, system: System, grant: Grant) -> Grant:
    """A grant whose changes and events say that a game master made them, and why."""
    reason = str(call.arguments.get(REASON, ""))
    return replace(
        grant,
        updates=tuple(replace(update, reason=update.reason or reason) for update in grant.updates),
        events=tuple(replace(event, cause=own_cause(system)) for event in grant.events),
    )


def _grant(
    table: WorkingState, call: Call, system: System, grant: Grant, *, own: bool = False
) -> Granted | Refused:
    mark = table.mark()
    for update in grant.updates:
        ruling = judge_update(table, update, own_cause(system) if own else cause_of(system))
        if isinstance(ruling, Refused):
            table.back(mark)
            return Refused(call, Grade.MEND, ruling.reason)
    table.events.extend(grant.events)
    return Granted(call, tuple(table.changes[mark[1] :]), grant.result)


def _list(tools: tuple[str, ...]) -> str:
    return ", ".join(tools) or "no tool at all"


REJECTED_UPDATE = "rejected_update"
"""Types of the engine's own events."""


@frozen
class JudgedStep:
    """The result of judging moves on a position."""

    position: Position
    rulings: tuple[Ruling, ...] = ()
    changes: tuple[Change, ...] = ()
    events: tuple[Event, ...] = ()

    @property
    def mends(self) -> tuple[Refused, ...]:
        """The refusals that can be retried; if there are any, nothing has happened."""
        return tuple(r for r in self.rulings if isinstance(r, Refused) and r.grade is Grade.MEND)

    @property
    def waits(self) -> tuple[Waiting, ...]:
        """The moves that wait for an answer; if there are any, nothing has happened."""
        return tuple(r for r in self.rulings if isinstance(r, Waiting))


def judge(
    game: Game,
    position: Position,
    moves: Sequence[Move],
    cause: str,
    chance: Chance,
    answers: Mapping[str, Json] | None = None,
) -> JudgedStep:
    """Judge the moves of one answer against a position."""
    table = WorkingState(game, position)
    if len(moves) > game.limits.moves_max:
        reason = f"an answer has at most {game.limits.moves_max} moves; this one has {len(moves)}"
        return JudgedStep(position, tuple(Refused(move, Grade.MEND, reason) for move in moves))
    rulings = tuple(_judge_move(table, move, cause, chance, answers or {}) for move in moves)
    step = JudgedStep(position, rulings)
    return step if step.mends or step.waits else _close(table, rulings)


def carry_out(game: Game, position: Position, updates: Sequence[Update], cause: str) -> JudgedStep:
    """Apply an author's updates one by one; an update that does not fit is reported and skipped."""
    table = WorkingState(game, position)
    return _close(table, tuple(judge_update(table, update, cause) for update in updates))


def carry_out_call(game: Game, position: Position, call: Call, chance: Chance) -> JudgedStep:
    """Make an author's call to a system; a refused call is reported and skipped."""
    table = WorkingState(game, position)
    ruling = judge_call(table, call, chance, {})
    if isinstance(ruling, Waiting):
        # A scene continues at once: nobody can answer between a choice and its result.
        reason = f"{call.tool!r} waits for an answer, and a trial is decided at once"
        ruling = Refused(call, Grade.MEND, reason)
    return _close(table, (ruling,))


def settle(
    game: Game, position: Position, chance: Chance, events: Sequence[Event] = (), told: Heard = NOTHING_HEARD
) -> JudgedStep:
    """Run what follows automatically after the moves of a turn: ticks, reactions to them, triggers, endings.

    `events` are those of the turn so far, `told` its narration and facts. Rulings may include calls that wait
    for the player, which are already stored.
    """
    table = WorkingState(game, position)
    minutes: dict[str, int] = {}
    for system in game.parts.ticks:
        tick = system.tick(table.sight(system), chance)
        minutes[system.name] = tick.minutes
        _take_tick(table, system, tick, chance)
    events = (*events, *table.events)
    for listener in game.parts.hearing:
        heard = _select(listener, events, minutes, told)
        if heard != NOTHING_HEARD:
            _take_tick(table, listener, listener.hear(heard, table.sight(listener), chance), chance)
    table.refresh()
    run_triggers(table)
    end_if_due(table)
    return _close(table, tuple(table.rulings))


def _select(system: System, events: Sequence[Event], minutes: Mapping[str, int], told: Heard) -> Heard:
    """The events that a system hears: neither its own nor the engine's."""
    unheard = (ENGINE, cause_of(system), own_cause(system))
    others = tuple(event for event in events if event.cause not in unheard)
    passed = sum(count for name, count in minutes.items() if name != system.name)
    return Heard(others, passed, told.narration, told.facts)


def _take_tick(table: WorkingState, system: System, tick: Tick, chance: Chance) -> None:
    for update in tick.updates:
        table.rulings.append(judge_update(table, update, cause_of(system)))
    table.events.extend(tick.events)
    for call in tick.calls:
        table.rulings.append(_judge_own(table, system, call, chance))


def _judge_own(table: WorkingState, system: System, call: Call, chance: Chance) -> Ruling:
    """Judge a call that a system makes on its own; store it if it waits for the player."""
    if table.game.tools.get(call.tool) is not system:
        return Refused(call, Grade.DROP, f"{call.tool!r} is no tool of the system {system.name!r}")
    ruling = _judge_move(table, call, cause_of(system), chance, {})
    if not isinstance(ruling, Waiting):
        return ruling
    if isinstance(ruling.need, Errand):
        return Refused(call, Grade.MEND, f"{call.tool!r} waits for an answer, and the turn is over")
    kept = judge_update(table, _keep(ruling), ENGINE)
    return Refused(call, Grade.MEND, kept.reason) if isinstance(kept, Refused) else ruling


def conclude(game: Game, position: Position, route: Route, cause: str) -> JudgedStep:
    """Take a route of a finale: apply its updates and end the game with its ending."""
    table = WorkingState(game, position)
    rulings = tuple(judge_update(table, update, cause) for update in route.updates)
    declare_end(table, route.ending, route.kind)
    return _close(table, rulings)


def _judge_move(
    table: WorkingState, move: Move, cause: str, chance: Chance, answers: Mapping[str, Json]
) -> Ruling:
    if table.draft.peek((ENGINE_ROOT, "ending")):
        return Refused(move, Grade.DROP, "the game is over")
    match move:
        case Update():
            if cause == MASTER and not move.reason.strip():
                return Refused(move, Grade.MEND, SAY_WHY)
            return judge_update(table, move, cause)
        case Call():
            return judge_call(table, move, chance, answers, cause)
        case End():
            return judge_end(table, move)
        case _:
            assert_never(move)


def _close(table: WorkingState, rulings: tuple[Ruling, ...]) -> JudgedStep:
    for ruling in rulings:
        if isinstance(ruling, Refused):
            table.events.append(Event(REJECTED_UPDATE, ruling.reason, ENGINE))
    table.refresh()
    return JudgedStep(table.position(), rulings, tuple(table.changes), tuple(table.events))


def keep_waiting_call(game: Game, position: Position, waiting: Waiting) -> JudgedStep:
    """Store a call that waits for an answer."""
    return carry_out(game, position, (_keep(waiting),), ENGINE)


def _keep(waiting: Waiting) -> Update:
    assert isinstance(waiting.move, Call)
    call: dict[str, str] = {
        "tool": waiting.move.tool,
        "arguments": canonical(waiting.move.arguments).decode(),
    }
    return Update(Op.INSERT, _place(waiting.need.id), call)


def drop_waiting_call(game: Game, position: Position, decision: str) -> JudgedStep:
    """Remove a call that has been answered."""
    return carry_out(game, position, (Update(Op.DELETE, _place(decision)),), ENGINE)


def waiting_calls(position: Position) -> dict[str, Call]:
    """The waiting calls, by the id of what they wait for."""
    memory = position.state.document[ENGINE_ROOT]
    assert isinstance(memory, Mapping)
    decisions = memory["decisions"]
    assert isinstance(decisions, Mapping)
    return {name: _call(name, waiting) for name, waiting in decisions.items()}


def _call(name: str, waiting: object) -> Call:
    assert isinstance(waiting, Mapping)
    return Call(waiting["tool"], json.loads(waiting["arguments"]), id=name)


def _place(decision: str) -> str:
    return pointer((ENGINE_ROOT, "decisions", decision))
