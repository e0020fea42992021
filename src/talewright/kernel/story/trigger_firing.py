"""Trigger firing: fires triggers, including those that other triggers make true, and handles `once`.

Each fires at most once a turn, by priority and then id; `GameLimits.cascade_max` limits the length of a
chain.
"""

import heapq

from talewright.kernel.judging.moves import ENGINE, Op, Update
from talewright.kernel.judging.rulings import Refused
from talewright.kernel.judging.state_updates import judge_update
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.state_paths import pointer
from talewright.kernel.story.triggers import Event, Trigger

CASCADE_STOPPED = "cascade_stopped"
"""The event recorded when a cascade is cut off."""


def run_triggers(table: WorkingState) -> None:
    """Fire triggers until no new condition holds."""
    triggers = table.game.triggers
    depth: dict[int, int] = {}
    queue: list[tuple[int, str, int]] = []

    def enqueue(numbers: set[int], level: int) -> None:
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
        before = set(table.triggers)
        _fire(table, triggers[number])
        table.refresh()
        enqueue(table.triggers - before, depth[number] + 1)


def _fire(table: WorkingState, trigger: Trigger) -> None:
    cause = f"trigger:{trigger.id}"
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
