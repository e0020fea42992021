"""Gossip: who meets whom off-screen, and what they pass on, with delay, loss and distortion.

It looks at a few people in each of a limited number of moments, so that a large world costs no more.
"""

from collections.abc import Sequence

from talewright.common.work_meter import count_work
from talewright.systems.world.authored.authored_world import AuthoredPerson
from talewright.systems.world.offscreen.life_ledger import LifeLedger, OffscreenEvent
from talewright.systems.world.offscreen.seeded_chance import SeededChance
from talewright.systems.world.people.knowledge import KnowledgeEntry
from talewright.systems.world.slots import TOLD

MOMENTS_MAX = 96
"""The moments of an absence that are looked at."""

MEETINGS_MAX = 3_000
"""Meetings in one absence."""

TELLINGS_MAX = 160
"""Facts passed on in one absence, spread over the whole of it."""

COMPANY_TRIES = 8
"""Candidates for a place who are checked."""


class MeetingPlaces:
    """The meetings of one absence."""

    def __init__(self, ledger: LifeLedger, chance: SeededChance, player_at: str) -> None:
        self._ledger = ledger
        self._chance = chance
        self._player_at = player_at
        self._people = tuple(ledger.people.values())
        self._rules = ledger.world.rules.gossip
        self._delay = -(-self._rules.delay_minutes // ledger.world.rules.tick_minutes)
        self._tellings_left = 0
        self.count = 0
        """How many meetings there were, with or without gossip."""

    def gather(self, tick: int, tellings: int) -> None:
        """People in the same place meet, except near the player; at most this many more facts may pass."""
        self._tellings_left += tellings
        met: set[str] = set()
        for number in self._pick():
            one = self._people[number]
            if one.id in met:
                continue
            place = self._ledger.find(one, tick)
            other = self._find_company(one, place, tick) if place != self._player_at else None
            if other is not None and other.id not in met:
                met |= {one.id, other.id}
                self._meet(one, other, place, tick)

    def _pick(self) -> Sequence[int]:
        """Whom to look at: everyone in a small world."""
        count, most = len(self._people), MEETINGS_MAX // MOMENTS_MAX
        return range(count) if count <= most else [self._chance.below(count) for _ in range(most)]

    def _find_company(self, one: AuthoredPerson, place: str, tick: int) -> AuthoredPerson | None:
        """Another person who is there; a few are checked, starting anywhere."""
        ledger = self._ledger
        names = ledger.visitors(place, tick)
        start = self._chance.below(len(names))
        for number in range(min(COMPANY_TRIES, len(names))):
            name = names[(start + number) % len(names)]
            other = ledger.people.get(name) if name != one.id else None
            if other is not None and ledger.find(other, tick) == place:
                return other
        return None

    def _meet(self, one: AuthoredPerson, other: AuthoredPerson, place: str, tick: int) -> None:
        """Two people meet, and each may pass on one thing."""
        self.count += 1
        for teller, listener in ((one, other), (other, one)):
            if self._tellings_left > 0 and self._chance.happens(self._rules.chance):
                self._pass_on(teller.id, listener.id, place, tick)

    def _pass_on(self, teller: str, listener: str, place: str, tick: int) -> None:
        ledger, rules = self._ledger, self._rules
        known, liking = ledger.knowledge(listener), ledger.relation(teller, listener)
        count_work(len(ledger.knowledge(teller)))
        fresh = [
            (entry, fact)
            for entry in ledger.knowledge(teller).values()
            if entry.fact not in known
            and (entry.at == 0 or entry.at + self._delay <= tick)
            and (fact := ledger.state.fact(entry.fact)) is not None
            and fact.text
            and liking >= fact.trust
            and teller not in fact.about
            and listener not in fact.about
        ]
        if not fresh or self._chance.happens(rules.loss):
            return
        entry, fact = self._chance.pick(fresh)
        twist = entry.twist
        if fact.twists and self._chance.happens(rules.distortion):
            twist = 1 + self._chance.below(len(fact.twists))
        self._tellings_left -= 1
        ledger.learn(listener, KnowledgeEntry(fact.id, TOLD, teller, tick, twist))
        ledger.events.append(OffscreenEvent(tick, place, (teller, listener), fact.id))
