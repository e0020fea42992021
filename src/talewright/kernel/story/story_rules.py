"""Story rules: which triggers fire at the end of a turn, which ending follows, and when a finale opens.

A trigger may make others true. Each fires at most once a turn, by priority and then id;
`GameLimits.cascade_max` limits the length of a chain. `move_resolution` handles the routes of an open finale.
"""

import heapq
from collections.abc import Iterable

from talewright.common.work_meter import count_work
from talewright.kernel.judging.moves import ENGINE, End, Op, Update
from talewright.kernel.judging.rulings import Grade, Granted, Refused
from talewright.kernel.judging.state_updates import judge_update
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state_paths import pointer
from talewright.kernel.story.endings import Ending, Outcome
from talewright.kernel.story.triggers import Event, Trigger

CASCADE_STOPPED = "cascade_stopped"
"""The event recorded when a cascade is cut off."""

FIRING_STEPS = 10
"""Steps of work to fire a trigger, apart from its effects and the conditions that read them."""


def run_triggers(table: WorkingState) -> None:
    """Fire triggers until no new condition holds."""
    triggers = table.game.triggers
    depth: dict[int, int] = {}
    queue: list[tuple[int, str, int]] = []

    def enqueue(numbers: Iterable[int], level: int) -> None:
        for number in numbers:
            if number not in depth and not _is_spent(table, triggers[number]):
                depth[number] = level
                heapq.heappush(queue, (triggers[number].priority, triggers[number].id, number))

    table.look_again(table.game.watch.triggers.by_turn, table.game.watch.endings.by_turn)
    enqueue(table.triggers, 1)
    while queue:
        _, name, number = heapq.heappop(queue)
        if number not in table.triggers:
            # Another trigger has made its condition false again; it may still become true later.
            del depth[number]
            continue
        if depth[number] > table.game.limits.cascade_max:
            table.events.append(Event(CASCADE_STOPPED, name, f"trigger:{name}"))
            return
        table.risen.clear()
        _fire(table, triggers[number])
        table.refresh()
        enqueue(table.risen, depth[number] + 1)


def _fire(table: WorkingState, trigger: Trigger) -> None:
    cause = f"trigger:{trigger.id}"
    count_work(FIRING_STEPS)
    for effect in trigger.effects:
        ruling = judge_update(table, effect, cause)
        if isinstance(ruling, Refused):
            table.rulings.append(ruling)
    table.events.extend(trigger.events)
    if trigger.once:
        mark = Update(Op.SET, pointer((ENGINE_ROOT, "once", trigger.id)), True)
        judge_update(table, mark, ENGINE)


def _is_spent(table: WorkingState, trigger: Trigger) -> bool:
    if not trigger.once:
        return False
    return table.draft.peek((ENGINE_ROOT, "once", trigger.id)) is True


GAME_OVER = "game_over"
FINALE = "finale"

OPEN_FINALE = pointer((ENGINE_ROOT, "finale"))
"""Where the state stores which finale is open."""


def judge_end(table: WorkingState, move: End) -> Granted | Refused:
    game = table.game
    kinds = {ending.id: ending.kind for ending in game.endings if not ending.finale}
    if game.model_may_end:
        kinds |= {route.ending: route.kind for ending in game.endings for route in ending.finale}
    if move.ending not in kinds:
        return Refused(move, Grade.DROP, f"there is no ending {move.ending!r}; there is {', '.join(kinds)}")
    holds = any(
        ending.id == move.ending and ending.when.holds(table.document, table.turn) for ending in game.endings
    )
    if not holds and not game.model_may_end:
        return Refused(move, Grade.DROP, f"the condition of the ending {move.ending!r} does not hold")
    return Granted(move, declare_end(table, move.ending, kinds[move.ending]))


def declare_end(table: WorkingState, ending: str, kind: Outcome) -> tuple[Change, ...]:
    """Record that the game is over."""
    before = len(table.changes)
    table.replace((ENGINE_ROOT, "ending"), ending, "", ENGINE)
    table.replace((ENGINE_ROOT, "outcome"), kind.value, "", ENGINE)
    table.events.append(Event(GAME_OVER, f"ending.{ending}", ENGINE))
    return tuple(table.changes[before:])


def end_if_due(table: WorkingState) -> None:
    """End the game with the first ending that holds, or open its finale."""
    if table.draft.peek((ENGINE_ROOT, "ending")):
        return
    for number in sorted(table.endings):
        ending = table.game.endings[number]
        if not ending.finale:
            declare_end(table, ending.id, ending.kind)
            return
        if not table.draft.peek((ENGINE_ROOT, "finale")):
            _open_finale(table, ending)
            return


def _open_finale(table: WorkingState, ending: Ending) -> None:
    table.replace((ENGINE_ROOT, "finale"), ending.id, "", ENGINE)
    table.events.append(Event(FINALE, f"finale.{ending.id}", ENGINE))
