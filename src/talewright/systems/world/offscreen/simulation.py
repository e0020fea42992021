"""The simulation: meetings, gossip, agendas and their consequences while the player is elsewhere.

It asks no model. However long the absence, it looks at a limited number of moments and makes a limited number
of changes. Only the net changes are returned for the state; the events in between can be derived again from
the recorded draw.
"""

from collections.abc import Mapping
from heapq import heappop, heappush
from itertools import takewhile

from talewright.common.frozen_values import frozen
from talewright.common.work_meter import count_work
from talewright.kernel.judging.moves import Update
from talewright.systems.world.authored.authored_world import AuthoredPerson, PersonAgenda
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.offscreen.agendas import (
    NEVER,
    AgendaProgress,
    finish_tick,
    has_succeeded,
    is_running,
    list_first_ends,
    read_progress,
    write_progress,
)
from talewright.systems.world.offscreen.gossip import MOMENTS_MAX, TELLINGS_MAX, MeetingPlaces
from talewright.systems.world.offscreen.life_ledger import LifeLedger, OffscreenEvent
from talewright.systems.world.offscreen.seeded_chance import SeededChance
from talewright.systems.world.people.knowledge import KnowledgeEntry
from talewright.systems.world.slots import INFERRED
from talewright.systems.world.world_state import Stay, WorldState, put

MOMENT_MINUTES = 60
"""How often people in the same place may meet; less often in a long absence."""

WITNESSES_MAX = 6
"""The most people who learn of an event by being there."""


@frozen
class LivedTime:
    """The result of an absence."""

    updates: tuple[Update, ...]
    stays: Mapping[str, Stay]
    events: tuple[OffscreenEvent, ...]
    meetings: int
    """How many meetings there were, with or without gossip."""


def live(state: WorldState, until: int, player_at: str, seed: int) -> LivedTime:
    """Simulate an absence; the same seed gives the same life."""
    ledger = LifeLedger(state, until)
    plans = RunningAgendas(ledger, until, player_at)
    meetings = MeetingPlaces(ledger, SeededChance(seed, "life"), player_at)
    since = state.count("lived")
    step = max(state.world.ticks_in(MOMENT_MINUTES), -(-(until - since) // MOMENTS_MAX))
    moments = range(since + step, until + 1, step)
    for number, tick in enumerate(moments, 1):
        plans.finish_until(tick)
        share = TELLINGS_MAX * number // len(moments) - TELLINGS_MAX * (number - 1) // len(moments)
        meetings.gather(tick, share)
        plans.take_news()
    plans.finish_until(until)
    updates = (put("lived", value=until), *ledger.updates(), *plans.updates())
    return LivedTime(updates, ledger.changed_stays(), tuple(ledger.events), meetings.count)


class RunningAgendas:
    """The agendas of one absence."""

    def __init__(self, ledger: LifeLedger, until: int, player_at: str) -> None:
        self._ledger = ledger
        self._until = until
        self._player_at = player_at
        self._since = ledger.state.count("lived")
        self._seed = ledger.state.count("seed")
        self._progress: dict[str, AgendaProgress] = {}
        self._changed: dict[str, AgendaProgress] = {}
        changed = ledger.state.part("agendas")
        first = takewhile(lambda one: one[0] <= until, list_first_ends(ledger.world, self._seed))
        # An unchanged one is still running. They are sorted, and so they are a heap.
        self._queue = [one for one in first if one[1] not in changed or is_running(self._look_up(one[1]))]
        count_work(len(self._queue) + len(ledger.world.dormant))
        for agenda in ledger.world.dormant:
            self._start_if_ready(agenda, self._since)
            self._schedule(agenda)

    def finish_until(self, tick: int) -> None:
        """Let the agendas that end by then succeed; overdue ones succeed at once."""
        while self._queue and self._queue[0][0] <= tick and self._ledger.changes_left > 0:
            ends, name = heappop(self._queue)
            self._finish(self._ledger.world.agendas[name], max(ends, self._since))
            self.take_news()

    def take_news(self) -> None:
        """Start the agendas of people who have learned what they needed to know."""
        news, self._ledger.news = self._ledger.news, []
        for person, fact, tick in news if self._ledger.world.dormant else ():
            count_work(len(self._ledger.world.dormant))
            for agenda in self._ledger.world.dormant:
                if agenda.owner == person and fact in agenda.knows:
                    self._start_if_ready(agenda, tick, is_new=True)

    def updates(self) -> list[Update]:
        """The net changes of agendas."""
        updates = []
        for name, progress in self._changed.items():
            outcome = self._ledger.world.agendas[name].outcome
            due = has_succeeded(progress) and bool(outcome.updates)
            updates.append(put("agendas", name, value=write_progress(progress, due=due)))
        return updates

    def _look_up(self, name: str) -> AgendaProgress:
        if name not in self._progress:
            self._progress[name] = read_progress(self._ledger.state, self._ledger.world.agendas[name])
        return self._progress[name]

    def _change(self, name: str, progress: AgendaProgress) -> None:
        self._changed[name] = progress
        self._ledger.changes_left -= 1

    def _start_if_ready(self, agenda: PersonAgenda, tick: int, *, is_new: bool = False) -> None:
        """Start an agenda whose prerequisites hold; a new one is also scheduled."""
        progress = self._look_up(agenda.id)
        if progress.started != NEVER or progress.done != NEVER:
            return
        if not all(has_succeeded(self._look_up(one)) for one in agenda.after):
            return
        known = self._ledger.knowledge(agenda.owner) if agenda.knows else {}
        if not all(name in known for name in agenda.knows):
            return
        # Anything learned between two absences was not known when the first one ended.
        progress.started = max([tick, *(known[name].at for name in agenda.knows)])
        self._change(agenda.id, progress)
        if is_new:
            self._schedule(agenda)

    def _schedule(self, agenda: PersonAgenda) -> None:
        progress = self._look_up(agenda.id)
        if is_running(progress):
            ends = finish_tick(self._ledger.world, agenda, self._seed, progress.started)
            if ends <= self._until:
                heappush(self._queue, (ends, agenda.id))

    def _finish(self, agenda: PersonAgenda, tick: int) -> None:
        """An agenda succeeds, with its consequences."""
        ledger, progress = self._ledger, self._look_up(agenda.id)
        owner = ledger.people.get(agenda.owner)
        if not is_running(progress) or owner is None:
            return
        progress.done = tick
        self._change(agenda.id, progress)
        place = ledger.find(owner, tick)
        fact = ledger.state.fact(agenda.id)
        present = self._witness(agenda, owner, place, tick) if fact is not None and fact.text else []
        ledger.events.append(OffscreenEvent(tick, place, (owner.id, *present), agenda.id, agenda=True))
        outcome = agenda.outcome
        for name, at in outcome.moves.items():
            ledger.move(name, at)
        for other, change in outcome.relations.items():
            ledger.relate(owner.id, other, change)
        for name in outcome.learns:
            ledger.learn(owner.id, KnowledgeEntry(name, INFERRED, agenda.id, tick))
        for name in outcome.stops:
            stopped = self._look_up(name)
            if stopped.done == NEVER:
                stopped.done, stopped.stopped = tick, True
                self._change(name, stopped)
        count_work(len(ledger.world.dormant))
        for follower in ledger.world.dormant:
            if agenda.id in follower.after:
                self._start_if_ready(follower, tick, is_new=True)

    def _witness(self, agenda: PersonAgenda, owner: AuthoredPerson, place: str, tick: int) -> list[str]:
        """Those who are there learn of an event, including the player."""
        ledger, people = self._ledger, self._ledger.people
        visitors = ledger.visitors(place, tick)
        count_work(len(visitors))
        names = [name for name in visitors if name != owner.id and name in people]
        present = [name for name in names if ledger.find(people[name], tick) == place][:WITNESSES_MAX]
        if place == self._player_at:
            present.append(PLAYER)
            ledger.seen.append((tick, agenda.id))
        for person in (owner.id, *present):
            if ledger.learn(person, KnowledgeEntry(agenda.id, at=tick)):
                ledger.changes_left -= 1
        return present
