"""Panels: a map of the known places, the people here or last seen elsewhere, and the player's knowledge.

Only what the player may know is shown.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from talewright.kernel.panel_parts import Chips, Lines, MapPlace, Panel, PanelPart, PlaceMap
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.people.knowledge import knowledge_of, tell_entry
from talewright.systems.world.people.whereabouts import list_sightings, list_visible
from talewright.systems.world.places.routes import list_known
from talewright.systems.world.slots import ROOT
from talewright.systems.world.time_words import tell_ago, tell_time
from talewright.systems.world.words.phrases import WorldPhrases
from talewright.systems.world.world_state import WorldState

PLACES_SHOWN_MAX = 24
"""Places on the map."""

FACTS_SHOWN_MAX = 12
"""Facts in the list, the newest first."""

SIGHTINGS_SHOWN_MAX = 12
"""People last seen elsewhere, the most recent first."""

COLUMNS = 3
"""Columns of the map; with more, names would not fit next to the story."""


def panels_of(state: WorldState, words: WorldPhrases) -> tuple[Panel, ...]:
    """The panels of the player."""
    now = (state.places[state.at].name, tell_time(state, words))
    return (Panel(ROOT, words.elsewhere, tuple(_parts(state, words)), (now,)),)


def _parts(state: WorldState, words: WorldPhrases) -> Iterator[PanelPart]:
    people = list_visible(state)
    if people:
        yield Chips(words.people, tuple(person.name for person in people))
    yield _map(state, words)
    sightings = tuple(_tell_sightings(state, {person.id for person in people}, words))
    if sightings:
        yield Lines(words.last_seen, sightings[:SIGHTINGS_SHOWN_MAX])
    entries = reversed(knowledge_of(state, PLAYER).values())
    facts = tuple(text for entry in entries if (text := tell_entry(state, entry, words)))
    if facts:
        yield Lines(words.known_facts, facts[:FACTS_SHOWN_MAX])


def _tell_sightings(state: WorldState, here: set[str], words: WorldPhrases) -> Iterator[str]:
    for one in list_sightings(state):
        if one.person.id not in here:
            ago = tell_ago(state.world, state.tick - one.tick, words)
            place = state.places[one.at].name
            yield words.last_seen_line.format(name=one.person.name, place=place, ago=ago)


def _map(state: WorldState, words: WorldPhrases) -> PlaceMap:
    known = list_known(state)
    # The player's place stays on the map even if the map is too small for all.
    kept = {place.id for place in sorted(known, key=lambda one: one.id != state.at)[:PLACES_SHOWN_MAX]}
    shown = [place for place in known if place.id in kept]
    numbers = {place.id: number for number, place in enumerate(shown)}
    ways = {
        (min(numbers[place.id], numbers[way.to]), max(numbers[place.id], numbers[way.to]))
        for place in shown
        for way in place.exits
        if way.to in numbers and way.to != place.id
    }
    cells = lay_out(len(shown), ways)
    spots = tuple(MapPlace(place.name, *cells[number]) for number, place in enumerate(shown))
    return PlaceMap(words.map, spots, tuple(sorted(ways)), numbers.get(state.at))


def lay_out(count: int, ways: Iterable[tuple[int, int]]) -> Mapping[int, tuple[int, int]]:
    """A column and a row for each place, by number: close to the places it connects to."""
    near: dict[int, list[int]] = {number: [] for number in range(count)}
    for one, other in sorted(ways):
        near[one].append(other)
        near[other].append(one)
    cells: dict[int, tuple[int, int]] = {}
    free = [(column, row) for row in range(count) for column in range(COLUMNS)]
    for number in _walk(near):
        linked = [cells[other] for other in near[number] if other in cells]
        # The first of each group starts in the middle of the next free row.
        wanted = linked or [(COLUMNS // 2, max((row for _, row in cells.values()), default=-1) + 1)]
        cells[number] = min(free, key=lambda cell: (_distance(cell, wanted), cell[1], cell[0]))
        free.remove(cells[number])
    return cells


def _walk(near: Mapping[int, Sequence[int]]) -> list[int]:
    """All places, each after one that leads to it, if there is one."""
    found: dict[int, None] = {}
    for start in near:
        queue = [start]
        while queue:
            number = queue.pop(0)
            if number not in found:
                found[number] = None
                queue += near[number]
    return list(found)


def _distance(cell: tuple[int, int], others: Iterable[tuple[int, int]]) -> int:
    return sum(abs(cell[0] - other[0]) + abs(cell[1] - other[1]) for other in others)
