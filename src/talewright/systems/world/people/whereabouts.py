"""Whereabouts: where everybody is at a tick, from schedules, needs and what play has changed.

A schedule is a function of time. Nothing is simulated and nothing is stored for it.
"""

from collections.abc import Iterator, Mapping
from zlib import crc32

from talewright.systems.world.authored.authored_world import AuthoredPerson, AuthoredWorld
from talewright.systems.world.authored.field_checks import MINUTES_OF_DAY
from talewright.systems.world.world_state import Stay, WorldState


def find_person(state: WorldState, person: AuthoredPerson, tick: int) -> str:
    """The place where somebody is."""
    return locate(state.world, state.stays, person, tick)


def locate(world: AuthoredWorld, stays: Mapping[str, Stay], person: AuthoredPerson, tick: int) -> str:
    """The place where somebody is, with these stays."""
    stay = stays.get(person.id)
    if stay is not None and (stay.until == 0 or tick < stay.until):
        return stay.at
    minute = world.minute_at(tick)
    for need in person.needs:
        # People do not all go at the same time.
        shift = crc32(f"{person.id} {need.id}".encode()) % need.every_minutes
        if (minute + shift) % need.every_minutes < need.minutes:
            return need.at
    if person.schedule:
        day, of_day = divmod(minute, MINUTES_OF_DAY)
        for entry in person.schedule:
            if entry.covers(day, of_day):
                return entry.at
    return person.at


def list_present(state: WorldState, place: str, tick: int) -> Iterator[AuthoredPerson]:
    """Everybody at a place but the player, discovered or not, in the author's order."""
    return (person for person in state.people.values() if find_person(state, person, tick) == place)


def list_visible(state: WorldState) -> list[AuthoredPerson]:
    """The people whom the player sees now."""
    return [person for person in list_present(state, state.at, state.tick) if state.is_discovered(person)]


def list_hidden(state: WorldState) -> list[AuthoredPerson]:
    """The people here whom the player has not discovered."""
    return [person for person in list_present(state, state.at, state.tick) if not state.is_discovered(person)]
