"""Agendas: plans of people that advance automatically, when they start, and when they succeed.

How long an agenda takes follows from the world's seed and its start, so that nothing is stored while it runs.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from talewright.common.json_values import Json
from talewright.common.work_meter import count_work
from talewright.systems.world.authored.authored_world import WHOLE, AuthoredWorld, PersonAgenda
from talewright.systems.world.offscreen.seeded_chance import SeededChance
from talewright.systems.world.world_state import WorldState

TRIES_MAX = 1_000
"""Tries of one step; even an agenda with a tiny chance ends at some time."""

TRY_STEPS = 3
"""Steps of work for one try."""

NEVER = -1
"""The tick of something that has not happened."""


@dataclass(slots=True)
class AgendaProgress:
    """When an agenda started and when it ended."""

    started: int = NEVER
    done: int = NEVER
    stopped: bool = False
    """Whether it ended without success."""


def read_progress(state: WorldState, agenda: PersonAgenda) -> AgendaProgress:
    """The progress of an agenda; one without prerequisites starts with the game."""
    row = state.part("agendas").get(agenda.id)
    if not isinstance(row, Mapping):
        return AgendaProgress(NEVER if agenda.after or agenda.knows else 0)
    started, done = row["started"], row["done"]
    assert isinstance(started, int)
    assert isinstance(done, int)
    return AgendaProgress(started, done, row["stopped"] is True)


def write_progress(progress: AgendaProgress, *, due: bool) -> dict[str, Json]:
    """The progress of an agenda as it is stored."""
    return {"started": progress.started, "done": progress.done, "stopped": progress.stopped, "due": due}


def is_running(progress: AgendaProgress) -> bool:
    """Whether an agenda is running."""
    return progress.started != NEVER and progress.done == NEVER


def has_succeeded(progress: AgendaProgress) -> bool:
    """Whether an agenda ended with its outcome."""
    return progress.done != NEVER and not progress.stopped


def finish_tick(world: AuthoredWorld, agenda: PersonAgenda, seed: int, started: int) -> int:
    """The tick at which a running agenda succeeds."""
    step = world.ticks_in(agenda.every_minutes)
    if agenda.chance >= WHOLE:
        return started + step * agenda.segments
    chance = SeededChance(seed, f"agenda {agenda.id} {started}")
    tries = 0
    for _ in range(agenda.segments):
        needed = next((count for count in range(1, TRIES_MAX) if chance.happens(agenda.chance)), TRIES_MAX)
        count_work(needed * TRY_STEPS)
        tries += needed
    return started + step * tries


_KEPT_MAX = 16
_kept: dict[tuple[int, int], tuple[AuthoredWorld, tuple[tuple[int, str], ...], int]] = {}
"""When agendas that start with the game end, and the steps of work to find out, by the identity of their
world and the seed. The world is kept with them, since an identity may be reused.
"""


def list_first_ends(world: AuthoredWorld, seed: int) -> tuple[tuple[int, str], ...]:
    """When the agendas that start with the game succeed, the first one first."""
    key = (id(world), seed)
    found = _kept.get(key)
    if found is not None and found[0] is world:
        # A turn takes as many steps as where they are not kept.
        count_work(found[2])
        return found[1]
    if len(_kept) >= _KEPT_MAX:
        _kept.clear()
    first = (one for one in world.agendas.values() if not one.after and not one.knows)
    ends = tuple(sorted((finish_tick(world, one, seed, 0), one.id) for one in first))
    _kept[key] = (world, ends, sum(_count_tries(world, name, end) for end, name in ends) * TRY_STEPS)
    return ends


def _count_tries(world: AuthoredWorld, name: str, ends: int) -> int:
    agenda = world.agendas[name]
    return 0 if agenda.chance >= WHOLE else ends // world.ticks_in(agenda.every_minutes)


def clock_of(state: WorldState, agenda: PersonAgenda, tick: int | None = None) -> int:
    """How many segments of an agenda are filled now, or were filled at an earlier tick."""
    progress = read_progress(state, agenda)
    if progress.started == NEVER:
        return 0
    if progress.done != NEVER:
        return 0 if progress.stopped else agenda.segments
    passed = max(0, (state.tick if tick is None else tick) - progress.started)
    if passed < state.world.ticks_in(agenda.every_minutes):
        # Not even one segment can be filled yet, however the chances fall.
        return 0
    ends = finish_tick(state.world, agenda, state.count("seed"), progress.started)
    return min(agenda.segments - 1, agenda.segments * passed // max(1, ends - progress.started))


def list_due(state: WorldState) -> Iterator[PersonAgenda]:
    """The agendas that succeeded but whose changes to the game's own variables are still to be made."""
    for name, row in state.part("agendas").items():
        agenda = state.world.agendas.get(name)
        if agenda is not None and isinstance(row, Mapping) and row["due"] is True:
            yield agenda
