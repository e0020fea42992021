"""Panels: the place, the known places as a map, who is here, and what the player's character knows.

Only what the player may know is shown.
"""

from collections.abc import Iterator

from talewright.kernel.panel_parts import Chips, Lines, MapPlace, Panel, PanelPart, PlaceMap
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.people.knowledge import knowledge_of, tell_entry
from talewright.systems.world.people.whereabouts import list_visible
from talewright.systems.world.places.routes import list_known
from talewright.systems.world.slots import ROOT
from talewright.systems.world.time_words import tell_time
from talewright.systems.world.words.phrases import WorldPhrases
from talewright.systems.world.world_state import WorldState

PLACES_SHOWN_MAX = 24
"""Places on the map."""

FACTS_SHOWN_MAX = 12
"""Facts in the list, the newest first."""

COLUMNS = 4
"""Columns of the map."""


def panels_of(state: WorldState, words: WorldPhrases) -> tuple[Panel, ...]:
    """The panels of the player."""
    return (Panel(ROOT, words.elsewhere, tuple(_parts(state, words))),)


def _parts(state: WorldState, words: WorldPhrases) -> Iterator[PanelPart]:
    place = state.places[state.at]
    yield Lines(place.name, (tell_time(state, words),))
    people = tuple(person.name for person in list_visible(state))
    if people:
        yield Chips(words.people, people)
    yield _map(state, words)
    entries = reversed(knowledge_of(state, PLAYER).values())
    facts = tuple(text for entry in entries if (text := tell_entry(state, entry, words)))
    if facts:
        yield Lines(words.known_facts, facts[:FACTS_SHOWN_MAX])


def _map(state: WorldState, words: WorldPhrases) -> PlaceMap:
    known = list_known(state)
    # The place where the player is stays on a map that is too small for all.
    shown = sorted(known, key=lambda one: one.id != state.at)[:PLACES_SHOWN_MAX]
    numbers = {place.id: number for number, place in enumerate(shown)}
    ways = {
        (min(numbers[place.id], numbers[way.to]), max(numbers[place.id], numbers[way.to]))
        for place in shown
        for way in place.exits
        if way.to in numbers and way.to != place.id
    }
    spots = tuple(
        MapPlace(place.name, number % COLUMNS, number // COLUMNS) for number, place in enumerate(shown)
    )
    return PlaceMap(words.map, spots, tuple(sorted(ways)), numbers.get(state.at))
