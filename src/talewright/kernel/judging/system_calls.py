"""System calls: a system's own moves, ruled on by the system; which tools the phases allow now.

A system's word is not enough: what it grants must fit the slots like any update.
"""

from collections.abc import Mapping
from typing import assert_never

from talewright.common.json_values import Json
from talewright.kernel.chance import Chance
from talewright.kernel.judging.moves_and_rulings import Call, Grade, Granted, Refused, Ruling, Waiting
from talewright.kernel.judging.state_updates import judge_update
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.system import Denial, Grant, Phase, System, Wait


def judge_call(table: WorkingState, call: Call, chance: Chance, answers: Mapping[str, Json]) -> Ruling:
    """Ask the system whose tool it is, and apply what it grants."""
    allowed = allowed_tools(table)
    if call.tool not in allowed:
        return Refused(call, Grade.MEND, f"{call.tool!r} cannot be called now; there is {_list(allowed)}")
    system = table.game.tools[call.tool]
    answer = system.judge(call, table.sight(system), chance, answers)
    match answer:
        case Grant():
            return _grant(table, call, system, answer)
        case Denial(reason, grade):
            return Refused(call, grade, reason)
        case Wait(need):
            return Waiting(call, need)
        case _:
            assert_never(answer)


def allowed_tools(table: WorkingState) -> tuple[str, ...]:
    """The tools that may be called now: a phase narrows down those of its own system."""
    phases = {system.name: system.phase(table.sight(system)) for system in table.game.systems}
    return tuple(tool for tool, system in table.game.tools.items() if _is_allowed(tool, phases[system.name]))


def _is_allowed(tool: str, phase: Phase | None) -> bool:
    return phase is None or phase.tools is None or tool in phase.tools


def current_phases(table: WorkingState) -> tuple[Phase, ...]:
    """The phases of all systems that are in one."""
    found = (system.phase(table.sight(system)) for system in table.game.systems)
    return tuple(phase for phase in found if phase is not None)


def cause_of(system: System) -> str:
    """How a system signs its changes."""
    return f"system:{system.name}"


def _grant(table: WorkingState, call: Call, system: System, grant: Grant) -> Granted | Refused:
    mark = table.mark()
    for update in grant.updates:
        ruling = judge_update(table, update, cause_of(system))
        if isinstance(ruling, Refused):
            table.back(mark)
            return Refused(call, Grade.MEND, ruling.reason)
    table.events.extend(grant.events)
    return Granted(call, tuple(table.changes[mark[1] :]), grant.result)


def _list(tools: tuple[str, ...]) -> str:
    return ", ".join(tools) or "no tool at all"
