"""The simulation: meetings, gossip, agendas and their consequences while the player is elsewhere.

It asks no model. However long the absence, it looks at a limited number of moments and makes a limited number
of changes. Only the net changes are returned for the state; what happened in between can be derived again
from the recorded draw.
"""

from collections.abc import Mapping, Sequence
from heapq import heapify, heappop, heappush

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.judging.moves_and_rulings import Update
from talewright.systems.world.authored.authored_world import AuthoredPerson, PersonAgenda
from talewright.systems.world.authored.world_files import PLAYER, RELATION_MAX
from talewright.systems.world.offscreen.agendas import (
    NEVER,
    AgendaProgress,
    finish_tick,
    has_succeeded,
    is_running,
    read_progress,
    write_progress,
)
from talewright.systems.world.offscreen.seeded_chance import SeededChance
from talewright.systems.world.people.knowledge import KnowledgeEntry, knowledge_of
from talewright.systems.world.people.whereabouts import locate
from talewright.systems.world.slots import EVENTS_MAX, INFERRED, TOLD
from talewright.systems.world.world_state import Stay, WorldState, put, put_inner

MOMENT_MINUTES = 60
"""How often people who are in the same place may meet ..."""

MOMENTS_MAX = 96
"""... and how many moments of an absence are looked at. A long absence has them further apart."""

MEETINGS_MAX = 3_000
"""Meetings in one absence."""

CHANGES_MAX = 280
"""Net changes in one absence; life is uneventful once they are used up."""

WITNESSES_MAX = 8
"""People who learn of an event because they were there."""

CROWD = 4
"""How many people in one place make room for another meeting."""


@frozen
class OffscreenEvent:
    """Something that happened off-screen. It is derived again when it is needed, and not stored."""

    tick: int
    place: str
    who: tuple[str, ...]
    fact: str
    """What was passed on, or the event of an agenda."""

    agenda: bool = False


@frozen
class LivedTime:
    """What came of an absence."""

    updates: tuple[Update, ...]
    stays: Mapping[str, Stay]
    events: tuple[OffscreenEvent, ...]
    meetings: int
    """How many meetings there were, with or without gossip."""


class OffscreenLife:
    """The life of one absence, from one tick to another."""

    def __init__(self, state: WorldState, until: int, player_at: str, seed: int) -> None:
        self.state = state
        self.until = until
        self.player_at = player_at
        self.chance = SeededChance(seed, "life")
        self.world_seed = state.count("seed")
        self.stays: dict[str, Stay] = dict(state.stays)
        self.known: dict[str, dict[str, KnowledgeEntry]] = {}
        self.learned: dict[str, dict[str, KnowledgeEntry]] = {}
        self.relations: dict[str, dict[str, int]] = {}
        self.progress = {name: read_progress(state, one) for name, one in state.world.agendas.items()}
        self.ended: dict[str, AgendaProgress] = {}
        self.seen: list[tuple[int, str]] = []
        self.events: list[OffscreenEvent] = []
        self.meetings = 0
        self.changes_left = CHANGES_MAX
        self.queue: list[tuple[int, int, str]] = []

    def run(self) -> None:
        """Live from the last tick that was simulated to the end."""
        since = self.state.count("lived")
        for name in self.progress:
            self._start_if_ready(name, since)
            self._schedule(name)
        step = max(self.state.world.ticks_in(MOMENT_MINUTES), -(-(self.until - since) // MOMENTS_MAX))
        moments = range(since + step, self.until + 1, step)
        self.queue += [(tick, 1, "") for tick in moments]
        heapify(self.queue)
        meetings_each = MEETINGS_MAX // MOMENTS_MAX
        while self.queue and self.changes_left > 0:
            tick, _, agenda = heappop(self.queue)
            if agenda:
                self._finish(self.state.world.agendas[agenda], max(tick, since))
            else:
                self._gather(tick, meetings_each)

    def _start_if_ready(self, name: str, tick: int) -> None:
        """Start an agenda whose prerequisites hold."""
        agenda, progress = self.state.world.agendas[name], self.progress[name]
        if progress.started != NEVER or progress.done != NEVER:
            return
        if not all(has_succeeded(self.progress[one]) for one in agenda.after if one in self.progress):
            return
        if agenda.knows and not set(agenda.knows) <= self._knowledge(agenda.owner).keys():
            return
        progress.started = tick
        self.ended[name] = progress
        self.changes_left -= 1

    def _schedule(self, name: str) -> None:
        progress = self.progress[name]
        if is_running(progress):
            ends = finish_tick(
                self.state.world, self.state.world.agendas[name], self.world_seed, progress.started
            )
            if ends <= self.until:
                heappush(self.queue, (ends, 0, name))

    def _finish(self, agenda: PersonAgenda, tick: int) -> None:
        """An agenda succeeds, and has its consequences."""
        progress = self.progress[agenda.id]
        owner = self.state.people.get(agenda.owner)
        if not is_running(progress) or owner is None:
            return
        progress.done = tick
        self.ended[agenda.id] = progress
        self.changes_left -= 1
        place = locate(self.state.world, self.stays, owner, tick)
        outcome = agenda.outcome
        present = [] if not self._is_told(agenda.id) else self._witness(agenda, owner, place, tick)
        self.events.append(OffscreenEvent(tick, place, (owner.id, *present), agenda.id, agenda=True))
        for name, at in outcome.moves.items():
            self.stays[name] = Stay(at)
            self.changes_left -= 1
        for other, change in outcome.relations.items():
            own = self.relations.setdefault(owner.id, {})
            felt = own.get(other, self.state.relation(owner.id, other)) + change
            own[other] = max(-RELATION_MAX, min(RELATION_MAX, felt))
            self.changes_left -= 1
        for fact in outcome.learns:
            self._learn(owner.id, KnowledgeEntry(fact, INFERRED, agenda.id, tick), tick)
        for name in outcome.stops:
            stopped = self.progress[name]
            if stopped.done == NEVER:
                stopped.done, stopped.stopped = tick, True
                self.ended[name] = stopped
        for name, other_agenda in self.state.world.agendas.items():
            if agenda.id in other_agenda.after:
                self._start_if_ready(name, tick)
                self._schedule(name)

    def _is_told(self, fact: str) -> bool:
        found = self.state.fact(fact)
        return found is not None and bool(found.text)

    def _witness(self, agenda: PersonAgenda, owner: AuthoredPerson, place: str, tick: int) -> list[str]:
        """Those who are there learn of an event, the player too."""
        entry = KnowledgeEntry(agenda.id, at=tick)
        self._learn(owner.id, entry, tick)
        present = [
            person.id
            for person in self.state.people.values()
            if person is not owner and locate(self.state.world, self.stays, person, tick) == place
        ][:WITNESSES_MAX]
        if place == self.player_at:
            present.append(PLAYER)
            self.seen.append((tick, agenda.id))
        for person in present:
            self._learn(person, entry, tick)
        return present

    def _gather(self, tick: int, meetings_max: int) -> None:
        """People who are in the same place meet, except where the player is."""
        groups: dict[str, list[AuthoredPerson]] = {}
        for person in self.state.people.values():
            groups.setdefault(locate(self.state.world, self.stays, person, tick), []).append(person)
        crowds = [(at, group) for at, group in groups.items() if len(group) > 1 and at != self.player_at]
        left = meetings_max
        while crowds and left > 0:
            # A random start, so that no place is left out when there are too many.
            at, group = crowds.pop(self.chance.below(len(crowds)))
            for _ in range(min(left, 1 + (len(group) - 2) // CROWD)):
                first = self.chance.below(len(group))
                second = (first + 1 + self.chance.below(len(group) - 1)) % len(group)
                self._meet(group[first], group[second], at, tick)
                left -= 1

    def _meet(self, one: AuthoredPerson, other: AuthoredPerson, place: str, tick: int) -> None:
        """Two people meet, and each may pass on one thing."""
        self.meetings += 1
        for teller, listener in ((one, other), (other, one)):
            knows = self._knowledge(teller.id)
            if knows and self.chance.happens(self.state.world.rules.gossip.chance):
                self._pass_on(teller, listener, knows, place, tick)

    def _pass_on(
        self,
        teller: AuthoredPerson,
        listener: AuthoredPerson,
        knows: Mapping[str, KnowledgeEntry],
        place: str,
        tick: int,
    ) -> None:
        gossip, known = self.state.world.rules.gossip, self._knowledge(listener.id)
        delay = -(-gossip.delay_minutes // self.state.world.rules.tick_minutes)
        liking = self.relations.get(teller.id, {}).get(listener.id)
        liking = self.state.relation(teller.id, listener.id) if liking is None else liking
        fresh = [
            (entry, fact)
            for entry in knows.values()
            if entry.fact not in known
            and (entry.at == 0 or entry.at + delay <= tick)
            and (fact := self.state.fact(entry.fact)) is not None
            and fact.text
            and liking >= fact.trust
        ]
        if not fresh or self.chance.happens(gossip.loss):
            return
        entry, fact = self.chance.pick(fresh)
        twist = entry.twist
        if fact.twists and self.chance.happens(gossip.distortion):
            twist = 1 + self.chance.below(len(fact.twists))
        self._learn(listener.id, KnowledgeEntry(fact.id, TOLD, teller.id, tick, twist), tick)
        self.events.append(OffscreenEvent(tick, place, (teller.id, listener.id), fact.id))

    def _knowledge(self, person: str) -> dict[str, KnowledgeEntry]:
        if person not in self.known:
            self.known[person] = knowledge_of(self.state, person)
        return self.known[person]

    def _learn(self, person: str, entry: KnowledgeEntry, tick: int) -> None:
        if entry.fact in self._knowledge(person):
            return
        self.known[person][entry.fact] = entry
        self.learned.setdefault(person, {})[entry.fact] = entry
        self.changes_left -= 1
        for name, agenda in self.state.world.agendas.items():
            if agenda.owner == person and entry.fact in agenda.knows:
                self._start_if_ready(name, tick)
                self._schedule(name)

    def result(self) -> LivedTime:
        """The net changes."""
        state = self.state
        before = state.stays
        stays = {name: stay for name, stay in self.stays.items() if before.get(name) != stay}
        learned: dict[str, dict[str, Json]] = {
            person: {fact: entry.to_json() for fact, entry in entries.items()}
            for person, entries in self.learned.items()
        }
        updates = [put("lived", value=self.until)]
        updates += put_inner(state, "knowledge", learned)
        updates += put_inner(state, "relations", {who: dict(felt) for who, felt in self.relations.items()})
        updates += [
            put("stays", name, value={"at": stay.at, "until": stay.until}) for name, stay in stays.items()
        ]
        for name, progress in self.ended.items():
            due = has_succeeded(progress) and bool(state.world.agendas[name].outcome.updates)
            updates.append(put("agendas", name, value=write_progress(progress, due=due)))
        updates += note_events(state, self.seen)
        return LivedTime(tuple(updates), stays, tuple(self.events), self.meetings)


def note_events(state: WorldState, seen: Sequence[tuple[int, str]]) -> list[Update]:
    """The update that adds what the player has witnessed, by tick and fact; the oldest are forgotten."""
    if not seen:
        return []
    rows = state.own["events"]
    assert isinstance(rows, list)
    added: list[Json] = [{"tick": tick, "fact": fact} for tick, fact in seen]
    return [put("events", value=[*rows, *added][-EVENTS_MAX:])]


def live(state: WorldState, until: int, player_at: str, seed: int) -> LivedTime:
    """Simulate an absence; the same seed gives the same life."""
    life = OffscreenLife(state, until, player_at, seed)
    life.run()
    return life.result()
