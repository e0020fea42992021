"""The world's history: who was where at which tick, and who learned what from whom, read from the record.

Schedules are functions of time; only stays and the player's moves come from the changes of past turns.
"""

from collections.abc import Iterator, Mapping, Sequence

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.state.documents import Absent
from talewright.kernel.state.state_paths import parse_pointer
from talewright.kernel.system import PastTurn
from talewright.systems.world.authored.authored_world import AuthoredPerson, AuthoredWorld
from talewright.systems.world.authored.field_checks import MINUTES_OF_DAY, WEEKDAYS
from talewright.systems.world.authored.world_files import PLAYER
from talewright.systems.world.offscreen.agendas import has_succeeded, read_progress
from talewright.systems.world.people.knowledge import KnowledgeEntry, knowledge_of
from talewright.systems.world.people.whereabouts import locate
from talewright.systems.world.slots import ROOT
from talewright.systems.world.world_state import Stay, WorldState

SAMPLES_MAX = 480
"""Moments, over the whole time, at which people are located."""


@frozen
class Presence:
    """A person is at a place from one tick to another."""

    place: str
    start: int
    end: int


@frozen
class Learned:
    """A person learns a fact during play."""

    person: str
    entry: KnowledgeEntry


@frozen
class WorldHistory:
    """The history of a world, from the record."""

    player: tuple[tuple[int, str], ...]
    """Where the player was, and from which tick on."""

    stays: Mapping[str, tuple[tuple[int, Stay], ...]]
    """Stays by person, with the tick when they began."""

    turns: tuple[tuple[int, int], ...]
    """The number of each turn and the tick when it ended."""

    made: Mapping[str, int]
    """Improvised people, with the tick when they appeared."""


def tell_moment(world: AuthoredWorld, tick: int) -> str:
    """A day and a time, as in `Mon 18:30`; from the second week on with the number of the day."""
    day, minute = divmod(world.minute_at(tick), MINUTES_OF_DAY)
    name = WEEKDAYS[day].capitalize() if day < len(WEEKDAYS) else f"day {day + 1},"
    return f"{name} {minute // 60:02}:{minute % 60:02}"


def read_past(state: WorldState, turns: Sequence[PastTurn]) -> WorldHistory:
    """Read the history from the changes of all turns."""
    reader = _PastReader(state)
    for turn in turns:
        reader.take(turn)
    stays = {name: tuple(one) for name, one in reader.stays.items()}
    return WorldHistory(tuple(reader.player), stays, tuple(reader.ends), reader.made)


class _PastReader:
    """Reads turn after turn."""

    def __init__(self, state: WorldState) -> None:
        self.player = [(0, state.world.rules.start_at)]
        self.stays: dict[str, list[tuple[int, Stay]]] = {}
        self.ends: list[tuple[int, int]] = []
        self.made: dict[str, int] = {}
        self._moves = _list_moves(state)
        self._rows: dict[str, dict[str, Json]] = {}
        self._tick = 0

    def take(self, turn: PastTurn) -> None:
        """Read the next turn. Time passes first for moves, then once more at the end of the turn."""
        own = list(_list_own(turn))
        ticks = [value for path, value in own if path == ("tick",) and isinstance(value, int)]
        before, arrival = self._tick, ticks[0] if ticks else self._tick
        self._tick = ticks[-1] if ticks else self._tick
        for path, value in own:
            match path:
                case ("at",):
                    self.player.append((arrival, str(value)))
                case ("people", person):
                    self.made[person] = arrival
                case ("stays", person, *inner):
                    self._stay(person, inner, value, range(before, self._tick + 1), arrival)
                case _:
                    pass
        self.ends.append((turn.version, self._tick))

    def _stay(self, person: str, inner: Sequence[str], value: Json, during: range, arrival: int) -> None:
        """A person stays somewhere: since an agenda had that outcome, or since the player arrived."""
        row = self._rows.setdefault(person, {"at": "", "until": 0})
        row.update({inner[0]: value} if inner else value if isinstance(value, Mapping) else {})
        at, until = str(row["at"]), row["until"]
        since = [done for done in self._moves.get((person, at), ()) if done in during]
        stay = Stay(at, until if isinstance(until, int) else 0)
        self.stays.setdefault(person, []).append((since[0] if since else arrival, stay))


def _list_own(turn: PastTurn) -> Iterator[tuple[tuple[str, ...], Json]]:
    """The changes of the world's part of the state, by path below it."""
    for change in turn.changes:
        path = tuple(parse_pointer(change.path))
        if path[:1] == (ROOT,) and not isinstance(change.value, Absent):
            yield path[1:], change.value


def _list_moves(state: WorldState) -> dict[tuple[str, str], list[int]]:
    """When agendas made a person go somewhere."""
    found: dict[tuple[str, str], list[int]] = {}
    for agenda in state.world.agendas.values():
        progress = read_progress(state, agenda)
        if has_succeeded(progress):
            for move in agenda.outcome.moves.items():
                found.setdefault(move, []).append(progress.done)
    return found


def list_presences(state: WorldState, history: WorldHistory, person: str) -> list[Presence]:
    """Where a person was, from the first tick to the current one."""
    step = max(1, -(-state.tick // SAMPLES_MAX))
    found: list[Presence] = []
    for tick in range(history.made.get(person, 0), state.tick + 1, step):
        place = _find_then(state, history, person, tick)
        if found and found[-1].place == place:
            found[-1] = Presence(place, found[-1].start, min(tick + step, state.tick))
        else:
            found.append(Presence(place, tick, min(tick + step, state.tick)))
    return [one for one in found if one.place in state.places]


def _find_then(state: WorldState, history: WorldHistory, person: str, tick: int) -> str:
    if person == PLAYER:
        return [place for since, place in history.player if since <= tick][-1]
    begun = [stay for since, stay in history.stays.get(person, ()) if since <= tick]
    known: AuthoredPerson = state.people[person]
    return locate(state.world, {person: begun[-1]} if begun else {}, known, tick)


def list_learned(state: WorldState) -> list[Learned]:
    """Who learned what during play, the first one first; what people knew from the start is left out."""
    found = [
        Learned(person, entry)
        for person, rows in state.part("knowledge").items()
        if (person in state.people or person == PLAYER) and isinstance(rows, Mapping)
        for fact, entry in knowledge_of(state, person).items()
        if fact in rows and state.fact(fact) is not None
    ]
    return sorted(found, key=lambda one: (one.entry.at, one.entry.fact, one.entry.source, one.person))
