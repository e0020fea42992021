"""The world's state: the authored world with the changes made in play, for reading.

It writes nothing; moves return updates.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.state.state_paths import pointer
from talewright.kernel.system import Sight
from talewright.systems.world.authored.authored_world import (
    AuthoredPerson,
    AuthoredPlace,
    AuthoredWorld,
    PlaceExit,
    WorldFact,
)
from talewright.systems.world.authored.world_builder import world_of
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.slots import ROOT


@frozen
class Stay:
    """Where a person stays instead of following a schedule."""

    at: str
    until: int = 0
    """The first tick at which it no longer applies; 0 if it lasts until something else happens."""


# No slots: the cached properties need the instance's dict.
@dataclass(frozen=True)
class WorldState:
    """A world at one moment."""

    world: AuthoredWorld
    own: Mapping[str, Json]
    """The world's part of the document."""

    turn: int = 0
    stays_since: Mapping[str, Stay] = field(default_factory=dict)
    """Stays that began in a move that is still being judged."""

    here: list[list[AuthoredPerson]] = field(init=False, default_factory=list, compare=False, repr=False)
    """Who is where the player is, computed on first use: it is needed several times."""

    @property
    def tick(self) -> int:
        """The current tick."""
        return self.count("tick")

    @property
    def at(self) -> str:
        """Where the player is; where the game starts, if the author has since removed that place."""
        at = str(self.own["at"])
        return at if at in self.places else self.world.rules.start_at

    def count(self, name: str) -> int:
        """A number of the state."""
        value = self.own[name]
        assert isinstance(value, int)
        return value

    def part(self, name: str) -> Mapping[str, Json]:
        """An object of the state."""
        value = self.own[name]
        assert isinstance(value, Mapping)
        return value

    @cached_property
    def places(self) -> Mapping[str, AuthoredPlace]:
        """All places, the improvised ones last."""
        made = {name: _read_place(name, row) for name, row in self.part("places").items()}
        if not made:
            return self.world.places
        places = {**self.world.places, **made}
        for place in made.values():
            # An exit that leads there also leads back.
            for way in place.exits:
                known = places.get(way.to)
                if known is not None and all(one.to != place.id for one in known.exits):
                    places[way.to] = _with_exit(known, place.id)
        return places

    @cached_property
    def people(self) -> Mapping[str, AuthoredPerson]:
        """Everyone but the player, the improvised people last."""
        made = {name: self._read_person(name, row) for name, row in self.part("people").items()}
        return {**self.world.people, **made} if made else self.world.people

    @cached_property
    def stays(self) -> Mapping[str, Stay]:
        """Who stays where, as far as these places still exist."""
        found = {name: _read_stay(row) for name, row in self.part("stays").items()}
        kept = {name: stay for name, stay in found.items() if stay.at in self.places}
        return {**kept, **self.stays_since}

    def _read_person(self, name: str, row: Json) -> AuthoredPerson:
        assert isinstance(row, Mapping)
        at = str(row["at"]) if row["at"] in self.places else self.world.rules.start_at
        return AuthoredPerson(name, str(row["name"]), (), str(row["description"]), str(row["goals"]), at)

    def fact(self, name: str) -> WorldFact | None:
        """A fact by its id."""
        noted = self.part("facts").get(name)
        if isinstance(noted, Mapping):
            return WorldFact(name, str(noted["text"]))
        return self.world.facts.get(name)

    def name_of(self, person: str) -> str:
        """The name of a person, or of the player."""
        found = self.world.rules.player if person == PLAYER else self.people.get(person)
        return found.name if found is not None else ""

    def relation(self, one: str, other: str) -> int:
        """What one person feels for another."""
        changed = self.part("relations").get(one)
        value = changed.get(other) if isinstance(changed, Mapping) else None
        if isinstance(value, int):
            return value
        person = self.people.get(one)
        return person.relationships.get(other, 0) if person is not None else 0

    def is_discovered(self, person: AuthoredPerson) -> bool:
        """Whether the player may know about a person who is here."""
        return not person.hidden or person.id in self.part("met")

    def events_since(self, tick: int) -> list[str]:
        """Events that the player saw from a tick on, the newest last."""
        rows = self.own["events"]
        assert isinstance(rows, list)
        facts = [self.fact(row["fact"]) for row in rows if row["tick"] >= tick]
        return [fact.text for fact in facts if fact is not None]


def read_world(sight: Sight) -> WorldState:
    """The world as a system sees it."""
    own = sight.document[ROOT]
    assert isinstance(own, Mapping)
    return WorldState(world_of(sight.files, sight.language), own, sight.turn)


def put(*path: str, value: Json) -> Update:
    """An update that sets a value of the world; a missing key of an open object is added."""
    return Update(Op.SET, pointer((ROOT, *path)), value)


def put_inner(state: WorldState, name: str, rows: Mapping[str, Mapping[str, Json]]) -> list[Update]:
    """Updates that add members to objects within an object, such as facts to the knowledge of people."""
    updates: list[Update] = []
    for outer, members in rows.items():
        if outer not in state.part(name):
            updates.append(put(name, outer, value=dict(members)))
        else:
            updates += [put(name, outer, key, value=value) for key, value in members.items()]
    return updates


def _read_place(name: str, row: Json) -> AuthoredPlace:
    assert isinstance(row, Mapping)
    exits = (PlaceExit(str(row["way"])),) if row["way"] else ()
    return AuthoredPlace(name, str(row["name"]), exits=exits)


def _with_exit(place: AuthoredPlace, to: str) -> AuthoredPlace:
    exits = (*place.exits, PlaceExit(to))
    return AuthoredPlace(place.id, place.name, place.also, place.description, exits, place.hidden)


def _read_stay(row: Json) -> Stay:
    assert isinstance(row, Mapping)
    until = row["until"]
    assert isinstance(until, int)
    return Stay(str(row["at"]), until)
