"""Scenario writer: a world at one moment as a scenario, for an author or for its player.

The player's version has only what play has shown: known places, people they have met, and what they know
themselves. It has none of the author's ids, since an id may give something away.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from talewright.common.json_values import Json
from talewright.kernel.story.game_texts import Texts
from talewright.systems.world.authored.authored_world import WHOLE, AuthoredPerson, AuthoredPlace
from talewright.systems.world.authored.field_checks import MINUTES_OF_DAY
from talewright.systems.world.authored.world_files import PLAYER, RELATION_MAX
from talewright.systems.world.people.knowledge import KnowledgeEntry, knowledge_of, word_fact
from talewright.systems.world.people.whereabouts import find_person, list_visible
from talewright.systems.world.places.routes import list_known
from talewright.systems.world.slots import TOLD
from talewright.systems.world.time_words import tell_time
from talewright.systems.world.words.phrases import WorldPhrases
from talewright.systems.world.world_state import WorldState

CUT_MARK = "…"
"""The end of a description that was too long for `game.yaml`; the introduction then has all of it."""


def write_scenario(
    state: WorldState, texts: Texts, words: WorldPhrases, *, spoilers: bool
) -> dict[str, Json]:
    """The scenario of a world as it is now."""
    view = _View(state, spoilers=spoilers)
    hour, minute = divmod(state.world.minute_at(state.tick) % MINUTES_OF_DAY, 60)
    people = [view.write_person(person) for person in view.people.values()]
    return {
        "title": texts.find("title"),
        "description": _describe(texts),
        "initialNarrativeTime": tell_time(state, words),
        "initialClock": f"{hour:02}:{minute:02}",
        "locations": [view.write_place(place) for place in view.places.values()],
        "characters": [view.write_player(), *people],
        "playerStartingLocation": view.names[state.at],
    }


def _describe(texts: Texts) -> str:
    """What the game is about, in words that players may read."""
    short, intro = texts.find("description"), texts.find("intro")
    if short.endswith(CUT_MARK) and intro.startswith(short.removesuffix(CUT_MARK).rstrip()):
        return intro
    return short or intro


@dataclass
class _View:
    """What one reader may know of a world."""

    state: WorldState
    spoilers: bool
    places: Mapping[str, AuthoredPlace] = field(init=False)
    people: Mapping[str, AuthoredPerson] = field(init=False)
    names: Mapping[str, str] = field(init=False)
    """The places by id. Other records refer to a place by its name, so no two may have the same."""

    here: frozenset[str] = field(init=False)
    _person_ids: Mapping[str, str] = field(init=False)
    _fact_ids: dict[str, str] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        state = self.state
        self.here = frozenset(person.id for person in list_visible(state))
        self.places = state.places
        self.people = state.people
        if not self.spoilers:
            met = {*state.part("met"), *self.here}
            self.places = {place.id: place for place in list_known(state)}
            self.people = {name: person for name, person in state.people.items() if name in met}
        self.names = _tell_apart(self.places.values())
        self._person_ids = {name: f"person_{number}" for number, name in enumerate(self.people, 1)}

    def write_place(self, place: AuthoredPlace) -> dict[str, Json]:
        """A location with the ways to others that the reader knows."""
        seen = self.spoilers or place.id == self.state.at or place.id in self.state.part("visited")
        ways = {way.to: way.ticks for way in place.exits if way.to in self.places and way.to != place.id}
        exits: list[Json] = [
            {"to": self.names[to], **({"ticks": ticks} if ticks and seen else {})}
            for to, ticks in ways.items()
        ]
        written: dict[str, Json] = {
            "name": self.names[place.id],
            "description": place.description if seen else "",
            "exits": exits,
        }
        if self.spoilers:
            hidden = place.hidden and place.id not in self.state.part("visited")
            written |= {"aliases": list(place.also), "isHidden": hidden}
        return written

    def write_player(self) -> dict[str, Json]:
        """The player's own character."""
        player = self.state.world.rules.player
        written: dict[str, Json] = {
            "id": PLAYER,
            "name": player.name,
            "description": player.description,
            "isPlayer": True,
            "isDiscovered": True,
            "initialLocationName": self.names[self.state.at],
            "encounterChance": 1,
            "goals": player.goals,
            "knowledge": list(self._write_knowledge(PLAYER)),
            "relationships": [],
        }
        return {**written, "aliases": list(player.also)} if player.also else written

    def write_person(self, person: AuthoredPerson) -> dict[str, Json]:
        """A character, with their thoughts if the reader may know them."""
        written: dict[str, Json] = {
            "id": self._person_id(person.id),
            "name": person.name,
            "description": person.description,
            "isPlayer": False,
        }
        if not self.spoilers:
            # The player cannot know where people are who are not here. A hidden person may be known by name
            # only, because the narration named them.
            here = person.id in self.here
            return written | {
                "description": "" if person.hidden and not here else person.description,
                "isDiscovered": True,
                "initialLocationName": self.names[self.state.at] if here else "",
                "encounterChance": 1,
            }
        return written | {
            "isDiscovered": self.state.is_discovered(person),
            "initialLocationName": self.names[find_person(self.state, person, self.state.tick)],
            "encounterChance": person.encounter_chance / WHOLE,
            "goals": person.goals,
            "knowledge": list(self._write_knowledge(person.id)),
            "relationships": list(self._write_relationships(person)),
            "aliases": list(person.also),
        }

    def _write_knowledge(self, person: str) -> Iterator[Json]:
        for entry in knowledge_of(self.state, person).values():
            fact = self.state.fact(entry.fact)
            text = word_fact(fact, entry.twist) if fact is not None else ""
            if fact is None or not text:
                continue
            written: dict[str, Json] = {
                "id": self._fact_id(entry),
                "content": text,
                "acquiredAt": entry.at,
                "source": entry.source,
            }
            if entry.source == TOLD and (entry.by == PLAYER or entry.by in self.people):
                written["sourceCharacterId"] = self._person_id(entry.by)
            if fact.topic:
                written["topic"] = fact.topic
            if self.spoilers and fact.trust > -RELATION_MAX:
                written["trust"] = fact.trust / RELATION_MAX
            yield written

    def _write_relationships(self, person: AuthoredPerson) -> Iterator[Json]:
        changed = self.state.part("relations").get(person.id)
        others = {**person.relationships, **(changed if isinstance(changed, Mapping) else {})}
        for other in others:
            if other == PLAYER or other in self.people:
                feeling = self.state.relation(person.id, other) / RELATION_MAX
                yield {"characterId": other, "sentiment": feeling}

    def _person_id(self, person: str) -> str:
        if self.spoilers or person == PLAYER:
            return person
        return self._person_ids[person]

    def _fact_id(self, entry: KnowledgeEntry) -> str:
        if self.spoilers:
            return entry.fact
        return self._fact_ids.setdefault(entry.fact, f"fact_{len(self._fact_ids) + 1}")


def _tell_apart(places: Iterable[AuthoredPlace]) -> dict[str, str]:
    """A name for each place, with a number if another place has the same."""
    names: dict[str, str] = {}
    used: set[str] = set()
    for place in places:
        name, number = place.name, 1
        while name.casefold() in used:
            number += 1
            name = f"{place.name} ({number})"
        used.add(name.casefold())
        names[place.id] = name
    return names
