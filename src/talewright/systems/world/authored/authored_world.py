"""The authored world: places, people, facts and rules as the author wrote them, in one language.

It is made from the parsed files and never changes. Changes made in play are in the state.
"""

from collections.abc import Mapping, Sequence
from dataclasses import field
from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.systems.world.authored.field_checks import MINUTES_OF_DAY, WEEKDAYS
from talewright.systems.world.authored.world_files import PLAYER, RELATION_MAX

WHOLE = 10_000
"""Certainty: chances are counted in ten-thousandths."""

HOURS_OF_DAY = 24

START_MINUTE = 8 * 60
"""When a game starts if it does not say so."""


def hours_between(start: int, end: int) -> set[int]:
    """The hours of the day between two minutes; the second one is excluded."""
    return {hour % HOURS_OF_DAY for hour in range(start // 60, -(-end // 60))}


@frozen
class PlaceExit:
    """A way to another place."""

    to: str
    ticks: int = 0
    """How long it takes; 0 means as long as any move."""


@frozen
class AuthoredPlace:
    """A place."""

    id: str
    name: str
    also: tuple[str, ...] = ()
    description: str = ""
    exits: tuple[PlaceExit, ...] = ()
    hidden: bool = False
    """Whether the player must learn about it before it is offered."""


@frozen
class ScheduleEntry:
    """Where a person is at certain hours, in minutes of the day. It may go past midnight."""

    start: int
    end: int
    at: str
    days: tuple[int, ...] = ()
    """Days of the week, Monday being 0; empty means every day."""

    def covers(self, day: int, minute: int) -> bool:
        """Whether it holds on a day, counted from 0, at a minute of that day."""
        if self.start <= self.end:
            return self.start <= minute < self.end and (not self.days or self._is_on(day))
        return (minute >= self.start and self._is_on(day)) or (minute < self.end and self._is_on(day - 1))

    def hours(self) -> set[int]:
        """The hours of the day in which it can hold."""
        end = self.end if self.start <= self.end else self.end + MINUTES_OF_DAY
        return hours_between(self.start, end)

    def fills(self, hour: int) -> bool:
        """Whether it holds during a whole hour of every day."""
        early, late = self.start <= hour * 60, self.end >= hour * 60 + 60
        return not self.days and ((early and late) if self.start <= self.end else (early or late))

    def _is_on(self, day: int) -> bool:
        return not self.days or day % len(WEEKDAYS) in self.days


@frozen
class PersonNeed:
    """A recurring reason for a person to go somewhere."""

    id: str
    at: str
    every_minutes: int
    minutes: int
    shift: int = 0
    """Minutes by which it comes earlier, so that people do not all leave at the same time."""

    def hours(self) -> set[int]:
        """The hours of the day in which it can be felt."""
        if self.every_minutes % MINUTES_OF_DAY and MINUTES_OF_DAY % self.every_minutes:
            return hours_between(0, MINUTES_OF_DAY)
        first = -self.shift % self.every_minutes
        starts = range(first, first + MINUTES_OF_DAY, self.every_minutes)
        return {hour for start in starts for hour in hours_between(start, start + self.minutes)}


@frozen
class AgendaOutcome:
    """What happens when a person's plan succeeds."""

    moves: Mapping[str, str] = field(default_factory=dict)
    """Who goes where and stays there."""

    relations: Mapping[str, int] = field(default_factory=dict)
    """How the owner's feelings for others change."""

    learns: tuple[str, ...] = ()
    """What the owner concludes."""

    stops: tuple[str, ...] = ()
    updates: tuple[Mapping[str, Json], ...] = ()
    """Changes of the game's own variables."""


@frozen
class PersonAgenda:
    """A plan that advances automatically. When it succeeds, its event is a fact with the same id."""

    id: str
    owner: str
    goal: str
    segments: int
    every_minutes: int
    chance: int = WHOLE
    """How likely a step succeeds each time."""

    after: tuple[str, ...] = ()
    """Agendas that must succeed first."""

    knows: tuple[str, ...] = ()
    """Facts the owner must know first."""

    outcome: AgendaOutcome = AgendaOutcome()


@frozen
class AuthoredPerson:
    """A character."""

    id: str
    name: str
    also: tuple[str, ...] = ()
    description: str = ""
    goals: str = ""
    at: str = ""
    """Where the person is by default."""

    hidden: bool = False
    """Whether the player must discover the person first."""

    encounter_chance: int = 0
    """How likely a hidden person is met by chance, on arriving or waiting."""

    knows: tuple[str, ...] = ()
    """Facts they have seen for themselves."""

    heard: Mapping[str, str] = field(default_factory=dict)
    """Facts that someone told them, each with who it was; empty if nobody knows who."""

    inferred: tuple[str, ...] = ()
    """Facts they have worked out."""

    relationships: Mapping[str, int] = field(default_factory=dict)
    schedule: tuple[ScheduleEntry, ...] = ()
    needs: tuple[PersonNeed, ...] = ()


@frozen
class WorldFact:
    """Something that can be known."""

    id: str
    text: str
    twists: tuple[str, ...] = ()
    """What it becomes when it is passed on badly."""

    trust: int = -RELATION_MAX
    """How much a person must like another to pass it on."""

    topic: str = ""
    """What people would ask about."""

    about: tuple[str, ...] = ()
    """Whom it is about: nobody gossips about people to their faces, and they do not pass it on themselves."""


@frozen
class GossipRules:
    """How facts spread between people who meet."""

    chance: int = WHOLE // 2
    delay_minutes: int = 60
    """How long a person knows a fact before passing it on."""

    loss: int = WHOLE // 10
    distortion: int = WHOLE // 10


class SimulationDepth(StrEnum):
    """How much of life off-screen a model narrates."""

    SKIP = "skip"
    SUMMARY = "summary"
    FULL = "full"


@frozen
class SimulationRules:
    """When a model is asked about life off-screen, and how much it narrates."""

    depth: SimulationDepth = SimulationDepth.FULL
    """The greatest depth used."""

    thread_ticks: int = 5
    """From how many ticks on a conversation is narrated if something is unresolved."""

    summary_ticks: int = 11
    """From how many ticks on there is a summary."""

    full_ticks: int = 21
    """From how many ticks on a conversation is narrated."""

    exchanges: int = 8
    """The most exchanges in a conversation; there is one for every two ticks."""

    people: int = 4
    """The most people in a conversation."""

    every_turns: int = 3
    """A model is asked at most once in this many turns."""


@frozen
class WorldRules:
    """The numeric rules of a world."""

    start_at: str = ""
    start_minute: int = START_MINUTE
    narrative_time: str = ""
    player: AuthoredPerson = AuthoredPerson(PLAYER, "")
    """The player's character, with what they know at the start."""

    message_ticks: int = 1
    move_ticks: int = 5
    tick_minutes: int = 5
    prompt_knowledge: int = 3
    prompt_events: int = 5
    new_places: bool = True
    gossip: GossipRules = GossipRules()
    simulation: SimulationRules = SimulationRules()


@frozen
class AuthoredWorld:
    """All of it."""

    places: Mapping[str, AuthoredPlace]
    people: Mapping[str, AuthoredPerson]
    facts: Mapping[str, WorldFact]
    agendas: Mapping[str, PersonAgenda]
    rules: WorldRules
    dormant: tuple[PersonAgenda, ...] = ()
    """The agendas that have prerequisites."""

    visitors: Mapping[str, Sequence[tuple[str, ...]]] = field(default_factory=dict)
    """Who may be at a place in each of the 24 hours of a day, by home, schedule and needs. Nobody else is
    looked for there.
    """

    def minute_at(self, tick: int) -> int:
        """Minutes since the midnight before the game started."""
        return self.rules.start_minute + tick * self.rules.tick_minutes

    def ticks_in(self, minutes: int) -> int:
        """How many ticks it takes, at least one."""
        return max(1, -(-minutes // self.rules.tick_minutes))
