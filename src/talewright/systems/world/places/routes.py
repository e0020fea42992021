"""Routes: which places can be reached, and how long the shortest way takes.

It looks at exits only; whether the player knows of a place is asked separately.
"""

from collections.abc import Mapping
from heapq import heappop, heappush

from talewright.systems.world.authored.authored_world import AuthoredPlace
from talewright.systems.world.world_state import WorldState


def travel_ticks(state: WorldState, start: str, goal: str) -> int:
    """How many ticks the way takes; as many as any move if no exits lead there."""
    usual = state.world.rules.move_ticks
    return shortest(state.places, start, goal, usual) or usual


def shortest(places: Mapping[str, AuthoredPlace], start: str, goal: str, usual: int) -> int | None:
    """The length of the shortest way; None if there is none."""
    queue = [(0, start)]
    done: set[str] = set()
    while queue:
        ticks, here = heappop(queue)
        if here == goal:
            return ticks
        if here in done or here not in places:
            continue
        done.add(here)
        for way in places[here].exits:
            if way.to not in done:
                heappush(queue, (ticks + (way.ticks or usual), way.to))
    return None


def list_exits(state: WorldState) -> list[AuthoredPlace]:
    """The places that can be reached from here and that the player may know about."""
    known = state.part("visited")
    ways = dict.fromkeys(way.to for way in state.places[state.at].exits if way.to != state.at)
    reached = [state.places[name] for name in ways if name in state.places]
    return [place for place in reached if not place.hidden or place.id in known]


def list_known(state: WorldState) -> list[AuthoredPlace]:
    """The places the player knows: those visited, and those that can be seen from them."""
    places = state.places
    known = {*state.part("visited"), state.at}
    near = {way.to for name in known if name in places for way in places[name].exits}
    known |= {name for name in near if name in places and not places[name].hidden}
    return [place for name, place in places.items() if name in known]
