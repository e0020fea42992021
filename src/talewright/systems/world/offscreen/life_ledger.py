"""The life ledger: what changes during one absence, and how much more may change.

It only keeps count; who meets whom and which plans succeed is decided elsewhere.
"""

from collections.abc import Mapping, Sequence

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Update
from talewright.systems.world.authored.authored_world import HOURS_OF_DAY, AuthoredPerson
from talewright.systems.world.authored.world_files import RELATION_MAX
from talewright.systems.world.people.knowledge import KnowledgeEntry, knowledge_of
from talewright.systems.world.people.whereabouts import list_visitors, locate
from talewright.systems.world.slots import EVENTS_MAX
from talewright.systems.world.world_state import Stay, WorldState, put, put_inner

CHANGES_MAX = 120
"""The most net changes by agendas in one absence ..."""

CHANGES_MIN = 24
TICKS_PER_CHANGE = 8
"""... and in a short one: the minimum, plus one more for this many ticks."""


@frozen
class OffscreenEvent:
    """An event off-screen. It is derived again when needed, and not stored."""

    tick: int
    place: str
    who: tuple[str, ...]
    fact: str
    """The fact passed on, or the event of an agenda."""

    agenda: bool = False


class LifeLedger:
    """The changes of one absence."""

    def __init__(self, state: WorldState, until: int) -> None:
        self.state = state
        self.world = state.world
        self.people = state.people
        self.stays: dict[str, Stay] = dict(state.stays)
        self.learned: dict[str, dict[str, KnowledgeEntry]] = {}
        self.news: list[tuple[str, str, int]] = []
        """Who has learned which fact at which tick, until it is processed."""

        self.relations: dict[str, dict[str, int]] = {}
        self.seen: list[tuple[int, str]] = []
        """Events that the player saw: tick and fact."""

        self.events: list[OffscreenEvent] = []
        self.changes_left = min(CHANGES_MAX, CHANGES_MIN + (until - state.count("lived")) // TICKS_PER_CHANGE)
        self._known: dict[str, dict[str, KnowledgeEntry]] = {}
        self._visitors: dict[tuple[str, int], Sequence[str]] = {}

    def find(self, person: AuthoredPerson, tick: int) -> str:
        """Where a person is."""
        return locate(self.world, self.stays, person, tick)

    def visitors(self, place: str, tick: int) -> Sequence[str]:
        """Who may be at a place in the hour of a tick."""
        key = (place, self.world.minute_at(tick) // 60 % HOURS_OF_DAY)
        found = self._visitors.get(key)
        if found is None:
            found = self._visitors[key] = list_visitors(self.state, self.stays, place, tick)
        return found

    def move(self, person: str, place: str) -> None:
        """A person goes somewhere and stays there."""
        self.stays[person] = Stay(place)
        self._visitors.clear()
        self.changes_left -= 1

    def knowledge(self, person: str) -> dict[str, KnowledgeEntry]:
        """What a person knows by now."""
        found = self._known.get(person)
        if found is None:
            found = self._known[person] = knowledge_of(self.state, person)
        return found

    def learn(self, person: str, entry: KnowledgeEntry) -> bool:
        """A person learns a fact; returns whether it is new."""
        known = self.knowledge(person)
        if entry.fact in known:
            return False
        known[entry.fact] = entry
        self.learned.setdefault(person, {})[entry.fact] = entry
        self.news.append((person, entry.fact, entry.at))
        return True

    def relation(self, one: str, other: str) -> int:
        """What one person feels for another by now."""
        felt = self.relations.get(one, {}).get(other)
        return self.state.relation(one, other) if felt is None else felt

    def relate(self, one: str, other: str, change: int) -> None:
        """A person likes another more, or less."""
        felt = self.relation(one, other) + change
        self.relations.setdefault(one, {})[other] = max(-RELATION_MAX, min(RELATION_MAX, felt))
        self.changes_left -= 1

    def changed_stays(self) -> dict[str, Stay]:
        """The new stays."""
        before = self.state.stays
        return {name: stay for name, stay in self.stays.items() if before.get(name) != stay}

    def updates(self) -> list[Update]:
        """The net changes of people."""
        learned: dict[str, Mapping[str, Json]] = {
            person: {fact: entry.to_json() for fact, entry in entries.items()}
            for person, entries in self.learned.items()
        }
        relations: dict[str, Mapping[str, Json]] = {who: dict(felt) for who, felt in self.relations.items()}
        stays = self.changed_stays()
        return [
            *put_inner(self.state, "knowledge", learned),
            *put_inner(self.state, "relations", relations),
            *(put("stays", name, value={"at": stay.at, "until": stay.until}) for name, stay in stays.items()),
            *note_events(self.state, self.seen),
        ]


def note_events(state: WorldState, seen: Sequence[tuple[int, str]]) -> list[Update]:
    """The update that adds what the player has witnessed, by tick and fact; the oldest are forgotten."""
    if not seen:
        return []
    rows = state.own["events"]
    assert isinstance(rows, list)
    added: list[Json] = [{"tick": tick, "fact": fact} for tick, fact in seen]
    return [put("events", value=[*rows, *added][-EVENTS_MAX:])]
