"""Unresolved threads: plans that have advanced since the last look, or that wait for what others know.

They are computed from agendas and knowledge; no model decides what is unresolved.
"""

from collections.abc import Mapping, Sequence

from talewright.common.frozen_values import frozen
from talewright.systems.world.authored.authored_world import AuthoredWorld, PersonAgenda
from talewright.systems.world.offscreen.agendas import (
    NEVER,
    clock_of,
    has_succeeded,
    is_running,
    read_progress,
)
from talewright.systems.world.people.knowledge import knowledge_of, would_gossip
from talewright.systems.world.world_state import WorldState


@frozen
class PlotThread:
    """Something that is not resolved yet."""

    owner: str
    goal: str
    """What the owner wants, in the author's words; may be empty."""


def group_agendas(world: AuthoredWorld) -> Mapping[str, Sequence[PersonAgenda]]:
    """All agendas by their owners."""
    found: dict[str, list[PersonAgenda]] = {}
    for agenda in world.agendas.values():
        found.setdefault(agenda.owner, []).append(agenda)
    return found


def list_threads(
    state: WorldState, people: Sequence[str], since: int, owned: Mapping[str, Sequence[PersonAgenda]]
) -> list[PlotThread]:
    """The unresolved threads of people who are together, since a tick."""
    return [
        PlotThread(name, agenda.goal)
        for name in people
        for agenda in owned.get(name, ())
        if _has_moved(state, agenda, since) or _can_be_told(state, agenda, people)
    ]


def _has_moved(state: WorldState, agenda: PersonAgenda, since: int) -> bool:
    """Whether a plan is running and has advanced since then."""
    is_going = is_running(read_progress(state, agenda))
    return is_going and clock_of(state, agenda) > clock_of(state, agenda, since)


def _can_be_told(state: WorldState, agenda: PersonAgenda, people: Sequence[str]) -> bool:
    """Whether a plan waits for a fact that someone here knows and would share."""
    progress = read_progress(state, agenda)
    if not agenda.knows or progress.started != NEVER or progress.done != NEVER:
        return False
    before = (state.world.agendas[name] for name in agenda.after)
    if not all(has_succeeded(read_progress(state, one)) for one in before):
        return False
    known = knowledge_of(state, agenda.owner)
    return any(
        name in knowledge_of(state, other) and would_gossip(state, other, agenda.owner, fact)
        for name in agenda.knows
        if name not in known and (fact := state.fact(name)) is not None
        for other in people
        if other != agenda.owner
    )
