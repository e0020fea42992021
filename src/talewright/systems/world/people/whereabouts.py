"""Whereabouts: where everyone is at a tick, by schedules, needs and changes made in play.

A schedule is a function of time. Nothing is simulated and nothing is stored for it.
"""

from collections.abc import Iterator, Mapping, Sequence

from talewright.common.frozen_values import frozen
from talewright.common.work_meter import count_work
from talewright.systems.world.authored.authored_world import HOURS_OF_DAY, AuthoredPerson, AuthoredWorld
from talewright.systems.world.authored.field_checks import MINUTES_OF_DAY
from talewright.systems.world.world_state import Stay, WorldState

ENTRIES_PER_STEP = 4
"""Entries of a schedule, or stays, that are looked at in one step of work."""


def find_person(state: WorldState, person: AuthoredPerson, tick: int) -> str:
    """Where a person is."""
    return locate(state.world, state.stays, person, tick)


def locate(world: AuthoredWorld, stays: Mapping[str, Stay], person: AuthoredPerson, tick: int) -> str:
    """Where a person is, with these stays."""
    stay = stays.get(person.id)
    if stay is not None and (stay.until == 0 or tick < stay.until):
        return stay.at
    if not person.needs and not person.schedule:
        return person.at
    count_work(1 + (len(person.needs) + len(person.schedule)) // ENTRIES_PER_STEP)
    minute = world.minute_at(tick)
    for need in person.needs:
        if (minute + need.shift) % need.every_minutes < need.minutes:
            return need.at
    day, of_day = divmod(minute, MINUTES_OF_DAY)
    for entry in person.schedule:
        if entry.covers(day, of_day):
            return entry.at
    return person.at


def list_present(state: WorldState, place: str, tick: int) -> Iterator[AuthoredPerson]:
    """Everyone at a place except the player, discovered or not; those who belong there come first."""
    world, stays, people = state.world, state.stays, state.people
    for name in list_visitors(state, stays, place, tick):
        person = people.get(name)
        if person is not None and locate(world, stays, person, tick) == place:
            yield person


def list_visitors(state: WorldState, stays: Mapping[str, Stay], place: str, tick: int) -> Sequence[str]:
    """Everyone who may be at a place in the hour of a tick."""
    hour = state.world.minute_at(tick) // 60 % HOURS_OF_DAY
    rows = state.world.visitors.get(place)
    usual = rows[hour] if rows is not None else ()
    made = state.part("people")
    if not made and not stays:
        return usual
    count_work((len(made) + len(stays)) // ENTRIES_PER_STEP)
    improvised = [name for name in made if state.people[name].at == place]
    staying = [name for name, stay in stays.items() if stay.at == place]
    return tuple(dict.fromkeys((*usual, *improvised, *staying)))


def list_visible(state: WorldState) -> list[AuthoredPerson]:
    """The people whom the player sees now."""
    return [person for person in list_here(state) if state.is_discovered(person)]


def list_hidden(state: WorldState) -> list[AuthoredPerson]:
    """The people here whom the player has not discovered."""
    return [person for person in list_here(state) if not state.is_discovered(person)]


@frozen
class Sighting:
    """Where and when the player last saw a person."""

    person: AuthoredPerson
    at: str
    tick: int


def list_sightings(state: WorldState) -> list[Sighting]:
    """Whom the player saw where, the most recent first, if the person and the place still exist."""
    found = [
        Sighting(state.people[name], str(row["at"]), tick)
        for name, row in state.part("seen").items()
        if name in state.people and isinstance(row, Mapping) and row["at"] in state.places
        if isinstance(tick := row["tick"], int)
    ]
    return sorted(found, key=lambda one: -one.tick)


def list_here(state: WorldState) -> list[AuthoredPerson]:
    """Everyone where the player is, discovered or not."""
    if not state.here:
        state.here.append(list(list_present(state, state.at, state.tick)))
    return state.here[0]
