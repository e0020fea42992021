"""Simulated scenes: which people away from the player a model is asked about, and for which time.

At most one scene is chosen after a turn. The same state always gives the same one.
"""

from collections.abc import Sequence
from dataclasses import replace

from talewright.common.frozen_values import frozen
from talewright.systems.world.authored.authored_world import SimulationDepth
from talewright.systems.world.offscreen.seeded_chance import SeededChance
from talewright.systems.world.offscreen.simulation_depth import depth_of, least_ticks, shallower
from talewright.systems.world.offscreen.unresolved_threads import PlotThread, group_agendas, list_threads
from talewright.systems.world.people.whereabouts import find_person
from talewright.systems.world.world_state import WorldState

ERRAND = "life"
"""The first word of the id of an errand about life off-screen."""

PLACES_LOOKED_MAX = 24
"""Places with company, and places with one person, from which a scene is chosen."""

_BETWEEN, _COMMA = ":", ","


@frozen
class SimulatedScene:
    """People in one place over a stretch of time while the player was elsewhere."""

    depth: SimulationDepth
    mark: int
    """Up to when life off-screen was narrated before."""

    since: int
    """When it begins: at that time, or when the player left the place."""

    tick: int
    """When it ends."""

    place: str
    people: tuple[str, ...]

    @property
    def ticks(self) -> int:
        """How long it lasts."""
        return self.tick - self.since

    def to_id(self) -> str:
        """The id of the errand; it contains everything needed to judge the answer."""
        numbers = map(str, (self.mark, self.since, self.tick))
        return _BETWEEN.join((ERRAND, self.depth, *numbers, self.place, _COMMA.join(self.people)))


def read_scene(errand: str, state: WorldState) -> SimulatedScene | None:
    """The scene of an errand, with those people who still exist; None if it is another errand."""
    parts = errand.split(_BETWEEN)
    if len(parts) != 7 or parts[0] != ERRAND or not all(map(str.isdecimal, parts[2:5])):
        return None
    if parts[1] not in tuple(SimulationDepth) or parts[5] not in state.places:
        return None
    mark, since, tick = map(int, parts[2:5])
    people = tuple(name for name in parts[6].split(_COMMA) if name in state.people)
    return SimulatedScene(SimulationDepth(parts[1]), mark, since, tick, parts[5], people) if people else None


def find_scene(state: WorldState) -> SimulatedScene | None:
    """The scene that a model is asked about after this turn; None if there is none."""
    rules, mark = state.world.rules.simulation, state.count("simulated")
    if rules.depth is SimulationDepth.SKIP or state.turn % rules.every_turns:
        return None
    if state.tick - mark < least_ticks(rules):
        return None
    owned = group_agendas(state.world)
    chance = SeededChance(state.count("seed"), f"simulation {state.tick}")
    found: list[tuple[tuple[bool, bool, bool], SimulatedScene, list[PlotThread]]] = []
    for place, people in _list_companies(state, chance):
        left = state.part("left").get(place, 0)
        since = max(mark, left if isinstance(left, int) else 0)
        threads = list_threads(state, people, since, owned)
        depth = depth_of(rules, state.tick - since, unresolved=bool(threads))
        if len(people) == 1:
            # A single person has no conversation, and is skipped unless something is unresolved.
            depth = shallower(depth, SimulationDepth.SUMMARY if threads else SimulationDepth.SKIP)
        if depth is not SimulationDepth.SKIP:
            scene = SimulatedScene(depth, mark, since, state.tick, place, tuple(people))
            found.append(((len(people) == 1, depth is not SimulationDepth.FULL, not threads), scene, threads))
    if not found:
        return None
    best = min(rank for rank, _, _ in found)
    _, scene, threads = chance.pick([one for one in found if one[0] == best])
    return replace(scene, people=_choose_people(scene.people, threads, chance, rules.people))


def _list_companies(state: WorldState, chance: SeededChance) -> list[tuple[str, list[str]]]:
    """Who is together, by place, except where the player is; in a large world, only in some places."""
    found: dict[str, list[str]] = {}
    for person in state.people.values():
        place = find_person(state, person, state.tick)
        if place != state.at:
            found.setdefault(place, []).append(person.id)
    companies = [[one for one in found.items() if (len(one[1]) == 1) is alone] for alone in (False, True)]
    for some in companies:
        while len(some) > PLACES_LOOKED_MAX:
            some.pop(chance.below(len(some)))
    return [*companies[0], *companies[1]]


def _choose_people(
    people: Sequence[str], threads: Sequence[PlotThread], chance: SeededChance, most: int
) -> tuple[str, ...]:
    """Some of many, those with something unresolved first."""
    owners = {thread.owner for thread in threads}
    chosen: list[str] = []
    for group in ([one for one in people if one in owners], [one for one in people if one not in owners]):
        while group and len(chosen) < most:
            chosen.append(group.pop(chance.below(len(group))))
    return tuple(one for one in people if one in chosen)
