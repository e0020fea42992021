"""Scenario reader: from the bytes of a JSON file to a checked scenario, or an error that says what to change.

The names of the members are those of the original design. The file is untrusted: size, depth and counts are
limited, and nothing in it is executed or opened.
"""

import json
from collections.abc import Iterator, Mapping, Sequence

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.system import ScenarioError
from talewright.systems.world.authored.field_checks import TEXT_LENGTH_MAX, read_clock
from talewright.systems.world.authored.world_files import RELATION_MAX
from talewright.systems.world.scenarios.scenario_members import ScenarioMembers, ScenarioNotes
from talewright.systems.world.slots import NAME_LENGTH_MAX as TIME_LENGTH_MAX
from talewright.systems.world.slots import SOURCES, WITNESSED

SCENARIO_BYTES_MAX = 4 * 1024 * 1024
"""The largest file that is read."""

TITLE_LENGTH_MAX = 100
DESCRIPTION_LENGTH_MAX = 20_000
"""Characters of the title and of the description of a scenario."""

LOCATIONS_MAX = 5_000
CHARACTERS_MAX = 5_000
"""Locations and characters in a file."""

ENTRIES_MAX = 5_000
"""Exits, aliases, relationships or pieces of knowledge in one list."""

NAME_LENGTH_MAX = 200
"""Characters of a name or an id."""

PROBLEMS_TOLD_MAX = 10
"""Problems named in one error."""

_HINT = "A scenario has title, description, locations and characters; docs/author/world.md has an example."


@frozen
class ScenarioPlace:
    """A location."""

    name: str
    description: str = ""
    also: tuple[str, ...] = ()
    exits: tuple[tuple[str, int], ...] | None = None
    """Names of locations with the ticks it takes (0: as usual); None if the file says nothing about ways."""

    hidden: bool = False


@frozen
class ScenarioKnowledge:
    """Something a character knows."""

    content: str
    id: str = ""
    source: str = WITNESSED
    by: str = ""
    """Who told it: an id or a name."""

    topic: str = ""
    trust: int = -RELATION_MAX


@frozen
class ScenarioPerson:
    """A character."""

    name: str
    id: str = ""
    description: str = ""
    goals: str = ""
    at: str = ""
    """The name of a location."""

    player: bool = False
    hidden: bool = False
    encounter_chance: float = 0
    also: tuple[str, ...] = ()
    knowledge: tuple[ScenarioKnowledge, ...] = ()
    relationships: tuple[tuple[str, int], ...] = ()
    """Ids or names, with what the character feels for them."""


@frozen
class Scenario:
    """A checked scenario. Every location that it names exists."""

    title: str
    description: str
    narrative_time: str
    clock: str
    """Such as `16:30`; may be empty."""

    start: str
    places: tuple[ScenarioPlace, ...]
    people: tuple[ScenarioPerson, ...]
    left_out: tuple[str, ...] = ()


def read_scenario(data: bytes) -> Scenario:
    """Read a file; raises ScenarioError that names every wrong member, up to a limit."""
    notes = ScenarioNotes()
    top = ScenarioMembers(_parse(data), notes)
    title = top.text("title", TITLE_LENGTH_MAX, line=True, needed=True)
    description = top.text("description", DESCRIPTION_LENGTH_MAX)
    narrative_time = top.text("initialNarrativeTime", TIME_LENGTH_MAX, line=True)
    clock = top.text("initialClock", NAME_LENGTH_MAX, line=True)
    if clock and read_clock(clock) is None:
        top.blame("initialClock", "must be a time such as 16:30")
    places = _Places(top)
    rows = top.objects("characters", CHARACTERS_MAX)
    players = [row for row in rows if row.flag("isPlayer")]
    if len(players) > 1:
        players[1].blame("isPlayer", "is true for more than one character")
    start = places.find(top, "playerStartingLocation", "")
    if not start and players:
        start = places.find(players[0], "initialLocationName", "")
    start = start or next(iter(places.by_name), "")
    people = tuple(_read_person(row, places, start) for row in rows)
    _check_references(rows, people)
    top.close()
    _refuse(notes.problems)
    return Scenario(
        title, description, narrative_time, clock, start, tuple(places.by_name.values()), people,
        tuple(notes.left_out),
    )  # fmt: skip


def _parse(data: bytes) -> Mapping[str, Json]:
    if len(data) > SCENARIO_BYTES_MAX:
        raise ScenarioError(
            f"the scenario is larger than {SCENARIO_BYTES_MAX // 1024 // 1024} MB",
            "Split it, or shorten its texts.",
        )
    try:
        raw: Json = json.loads(data.decode("utf-8-sig"), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise ScenarioError(f"the scenario is not JSON in UTF-8: {error}", _HINT) from None
    if not isinstance(raw, Mapping):
        raise ScenarioError("the scenario is not a JSON object", _HINT)
    return raw


def _refuse_constant(word: str) -> None:
    raise ValueError(f"{word} is not valid JSON")


def _refuse(problems: Sequence[str]) -> None:
    if not problems:
        return
    more = len(problems) - PROBLEMS_TOLD_MAX
    lines = [*problems[:PROBLEMS_TOLD_MAX], *([f"and {more} more"] if more > 0 else [])]
    raise ScenarioError("the scenario cannot be used:\n" + "\n".join(f"  {line}" for line in lines), _HINT)


class _Places:
    """The locations by name."""

    def __init__(self, top: ScenarioMembers) -> None:
        self.by_name: dict[str, ScenarioPlace] = {}
        self._plain: dict[str, str] = {}
        self._names: dict[str, None] = {}
        rows = top.objects("locations", LOCATIONS_MAX)
        if not rows:
            top.blame("locations", "needs at least one location with a name")
        named = [(row, row.text("name", NAME_LENGTH_MAX, line=True, needed=True)) for row in rows]
        for row, name in named:
            if name.casefold() in self._plain:
                row.blame("name", f"is used twice: {name}")
            elif name:
                self._plain[name.casefold()] = name
                self._names[name] = None
        for row, name in named:
            place = ScenarioPlace(
                name,
                row.text("description", TEXT_LENGTH_MAX),
                row.texts("aliases", NAME_LENGTH_MAX, ENTRIES_MAX),
                tuple(self._read_exits(row)) if row.has("exits") else None,
                row.flag("isHidden") is True,
            )
            if name:
                self.by_name.setdefault(name, place)
            row.close()

    def find(self, row: ScenarioMembers, member: str, default: str) -> str:
        """The location that a member names."""
        said = row.text(member, NAME_LENGTH_MAX, line=True)
        if not said:
            return default
        found = self._plain.get(said.casefold())
        if found is None:
            row.blame_name(member, "location", said, self._names)
        return found or default

    def _read_exits(self, row: ScenarioMembers) -> Iterator[tuple[str, int]]:
        for way in row.objects("exits", ENTRIES_MAX):
            ticks = way.number("ticks", 0, 10_000)
            to = self.find(way, "to", "")
            way.close()
            if to:
                yield to, int(ticks or 0)


def _read_person(row: ScenarioMembers, places: _Places, start: str) -> ScenarioPerson:
    player = row.flag("isPlayer") is True
    at = places.find(row, "initialLocationName", start)
    chance, discovered = row.number("encounterChance", 0, 1), row.flag("isDiscovered")
    if discovered is None:
        # As in the original design: people who are elsewhere are met by chance.
        discovered = chance is None or at == start
    person = ScenarioPerson(
        row.text("name", NAME_LENGTH_MAX, line=True, needed=not player),
        row.text("id", NAME_LENGTH_MAX, line=True),
        row.text("description", TEXT_LENGTH_MAX),
        row.text("goals", TEXT_LENGTH_MAX),
        at,
        player,
        not discovered and not player,
        chance or 0,
        row.texts("aliases", NAME_LENGTH_MAX, ENTRIES_MAX),
        tuple(_read_knowledge(row)),
        tuple(_read_relationships(row)),
    )
    row.close()
    return person


def _read_knowledge(row: ScenarioMembers) -> Iterator[ScenarioKnowledge]:
    """What a character knows, the oldest first."""
    found: list[tuple[float, ScenarioKnowledge]] = []
    for entry in row.objects("knowledge", ENTRIES_MAX):
        source = entry.text("source", NAME_LENGTH_MAX, line=True) or WITNESSED
        if source not in SOURCES:
            entry.blame("source", f"must be one of: {', '.join(SOURCES)}")
        age = entry.number("acquiredAt", 0, 1e12)
        trust = entry.number("trust", -1, 1)
        known = ScenarioKnowledge(
            entry.text("content", TEXT_LENGTH_MAX, needed=True),
            entry.text("id", NAME_LENGTH_MAX, line=True),
            source,
            entry.text("sourceCharacterId", NAME_LENGTH_MAX, line=True),
            entry.text("topic", TEXT_LENGTH_MAX, line=True),
            round((-1 if trust is None else trust) * RELATION_MAX),
        )
        entry.close()
        found.append((age or 0, known))
    yield from (known for _, known in sorted(found, key=lambda one: one[0]))


def _read_relationships(row: ScenarioMembers) -> Iterator[tuple[str, int]]:
    for entry in row.objects("relationships", ENTRIES_MAX):
        who = entry.text("characterId", NAME_LENGTH_MAX, line=True, needed=True)
        sentiment = entry.number("sentiment", -1, 1)
        entry.close()
        yield who, round((sentiment or 0) * RELATION_MAX)


def _check_references(rows: Sequence[ScenarioMembers], people: Sequence[ScenarioPerson]) -> None:
    """Report relationships with unknown people; an unknown teller of a fact counts as forgotten."""
    names = {name: None for person in people for name in (person.id, person.name) if name}
    for row, person in zip(rows, people, strict=True):
        for number, (who, _) in enumerate(person.relationships):
            if who and who not in names:
                row.blame_name(f"relationships[{number}].characterId", "character", who, names)
