"""Scenario files: a checked scenario as the YAML files of a world, for an author to develop further.

Names become ids, and pieces of knowledge become facts. Texts are quoted as in JSON, which YAML understands.
"""

import json
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from talewright.common.json_values import Json, write_number
from talewright.kernel.system import ImportedScenario
from talewright.systems.world.authored.authored_world import START_MINUTE
from talewright.systems.world.authored.field_checks import ID_LENGTH_MAX, is_id, read_clock
from talewright.systems.world.authored.world_files import (
    FACTS,
    PEOPLE,
    PLACES,
    PLAYER,
    RELATION_MAX,
    RULES,
    SOMEBODY,
)
from talewright.systems.world.scenarios.scenario_reader import (
    Scenario,
    ScenarioKnowledge,
    ScenarioPerson,
    ScenarioPlace,
)
from talewright.systems.world.slots import INFERRED, TOLD

NEIGHBOURS_MAX = 12
"""Up to this many places are all connected, if a scenario does not say which ways there are."""

SLUG_LENGTH_MAX = 30
"""Characters of an id that is made from a name."""

NUMBER_LENGTH_MAX = 7
"""Characters for a number at the end of an id."""

HOURS_BY_WORD: Mapping[str, int] = {
    "midnight": 0, "午夜": 0, "dawn": 6, "sunrise": 6, "黎明": 6, "清晨": 6, "morning": 8, "早": 8,
    "late afternoon": 16, "afternoon": 14, "下午": 14, "noon": 12, "midday": 12, "中午": 12,
    "dusk": 18, "sunset": 18, "傍晚": 18, "late evening": 22, "evening": 19, "night": 22, "夜": 22, "晚": 20,
}  # fmt: skip
"""The time of day for words in a text about the time; the first match counts."""

_CLOCK = re.compile(r"\b[0-2]?[0-9]:[0-5][0-9]\b")
_RESERVED = (PLAYER, SOMEBODY, "true", "false", "null", "yes", "no", "on", "off", "y", "n")
"""Ids with another meaning, here or in YAML."""

_TEXT_FIELDS = ("name", "also", "description", "goals", "text", "topic", "narrative_time")
_CHINESE = re.compile("[\u4e00-\u9fff]")
_KANA = re.compile("[\u3040-\u30ff]")


def write_files(scenario: Scenario) -> ImportedScenario:
    """The files of a world that starts like the scenario."""
    places = _Ids("place", (place.name for place in scenario.places))
    others = [person for person in scenario.people if not person.player]
    people = _Ids("person", (person.id if is_id(person.id) else person.name for person in others))
    book = _Book(places, {}, _Facts())
    # If several characters have the same name, it means the first; an id is always unique.
    for person, name in (*zip(others, people.taken, strict=True), *_players(scenario)):
        book.people.setdefault(person.name, name)
    for person, name in (*zip(others, people.taken, strict=True), *_players(scenario)):
        if person.id:
            book.people[person.id] = name
    rows = [_person(person, name, book) for person, name in zip(others, people.taken, strict=True)]
    rules = _rules(scenario, book)
    files = {
        PLACES: _records(_places(scenario, places)),
        PEOPLE: _records(rows),
        FACTS: _records(book.facts.rows()),
        RULES: "".join(f"{name}: {_flow(value)}\n" for name, value in rules.items()),
    }
    language = "zh-CN" if _is_chinese(scenario) else "en"
    return ImportedScenario(
        scenario.title, scenario.description, language, {name: text for name, text in files.items() if text},
        scenario.left_out,
    )  # fmt: skip


class _Ids:
    """Ids made from names, each used once."""

    def __init__(self, noun: str, names: Iterable[str] = ()) -> None:
        self._noun = noun
        # The next number for each stem, so that thousands of equal names take no longer than others.
        self._numbers: dict[str, int] = {noun: 1}
        self._used = set(_RESERVED)
        self.by_name: dict[str, str] = {}
        self.taken = [self.take(name) for name in names]

    def take(self, name: str) -> str:
        """A unique id that resembles the name."""
        found = name if is_id(name) else _slug(name)
        stem = found[: ID_LENGTH_MAX - NUMBER_LENGTH_MAX] or self._noun
        while not found or found in self._used:
            number = self._numbers.get(stem, 2)
            found, self._numbers[stem] = f"{stem}_{number}", number + 1
        self._used.add(found)
        self.by_name.setdefault(name, found)
        return found


@dataclass(slots=True)
class _Facts:
    """Facts made from what people know: the same words are the same fact."""

    ids: _Ids = field(default_factory=lambda: _Ids("fact"))
    known: dict[str, tuple[str, ScenarioKnowledge]] = field(default_factory=dict)

    def take(self, one: ScenarioKnowledge) -> str:
        if one.content not in self.known:
            wanted = one.id if is_id(one.id) else one.topic or " ".join(one.content.split()[:4])
            self.known[one.content] = (self.ids.take(wanted), one)
        return self.known[one.content][0]

    def rows(self) -> Iterator[dict[str, Json]]:
        for name, one in self.known.values():
            row: dict[str, Json] = {"id": name, "topic": one.topic, "text": one.content}
            yield {**row, **({"trust": one.trust} if one.trust > -RELATION_MAX else {})}


@dataclass(slots=True)
class _Book:
    """The meanings of the names in a scenario."""

    places: _Ids
    people: dict[str, str]
    facts: _Facts


def _players(scenario: Scenario) -> Iterator[tuple[ScenarioPerson, str]]:
    yield from ((person, PLAYER) for person in scenario.people if person.player)


def _slug(name: str) -> str:
    """A name in lower-case letters, digits and underscores; empty if nothing of it is left."""
    plain = unicodedata.normalize("NFKD", name.casefold()).replace("'", "").encode("ascii", "ignore").decode()
    words = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    return words.lstrip("0123456789_")[:SLUG_LENGTH_MAX].rstrip("_")


def _places(scenario: Scenario, ids: _Ids) -> Iterator[dict[str, Json]]:
    drawn = any(place.exits is not None for place in scenario.places)
    for place in scenario.places:
        exits: list[Json] = [
            {"to": ids.by_name[to], "ticks": ticks} if ticks else ids.by_name[to]
            for to, ticks in (place.exits or () if drawn else _neighbours(place, scenario))
        ]
        yield {
            "id": ids.by_name[place.name],
            "name": place.name,
            "also": list[Json](place.also),
            "description": place.description,
            "exits": exits,
            "hidden": place.hidden,
        }


def _neighbours(place: ScenarioPlace, scenario: Scenario) -> Iterator[tuple[str, int]]:
    """Ways for a scenario without any: a few places are all connected, many only with the first one."""
    near = len(scenario.places) <= NEIGHBOURS_MAX
    for other in scenario.places:
        if other is not place and (near or scenario.start in (place.name, other.name)):
            yield other.name, 0


def _person(person: ScenarioPerson, name: str, book: _Book) -> dict[str, Json]:
    feelings = {book.people[who]: value for who, value in person.relationships if who in book.people}
    return {
        "id": name,
        "name": person.name,
        "also": list[Json](person.also),
        "description": person.description,
        "goals": person.goals,
        "at": book.places.by_name[person.at],
        "hidden": person.hidden,
        "encounter_chance": person.encounter_chance or None,
        **_knowledge(person, book),
        "relationships": {who: value for who, value in feelings.items() if who != name},
    }


def _knowledge(person: ScenarioPerson, book: _Book) -> dict[str, Json]:
    knows: list[Json] = []
    heard: dict[str, Json] = {}
    inferred: list[Json] = []
    seen: set[str] = set()
    for one in person.knowledge:
        fact = book.facts.take(one)
        if fact in seen:
            continue
        seen.add(fact)
        if one.source == TOLD:
            heard[fact] = book.people.get(one.by, SOMEBODY)
        else:
            (inferred if one.source == INFERRED else knows).append(fact)
    return {"knows": knows, "heard": heard, "inferred": inferred}


def _rules(scenario: Scenario, book: _Book) -> dict[str, Json]:
    player = next((person for person, _ in _players(scenario)), ScenarioPerson(""))
    start: dict[str, Json] = {
        "at": book.places.by_name[scenario.start],
        "time": scenario.clock or _guess_clock(scenario.narrative_time),
        "narrative_time": scenario.narrative_time,
        **_knowledge(player, book),
    }
    about: dict[str, Json] = {
        "name": player.name,
        "also": list[Json](player.also),
        "description": player.description,
        "goals": player.goals,
    }
    return {name: row for name, row in (("start", _filled(start)), ("player", _filled(about))) if row}


def _guess_clock(words: str) -> str:
    """The time that a text such as `Late afternoon` means."""
    plain = words.casefold()
    said = _CLOCK.search(plain)
    if said and read_clock(said[0]) is not None:
        return said[0]
    hours = (hour for word, hour in HOURS_BY_WORD.items() if word in plain)
    return f"{next(hours, START_MINUTE // 60):02}:00"


def _is_chinese(scenario: Scenario) -> bool:
    words = "".join((scenario.title, scenario.description, *(place.description for place in scenario.places)))
    return len(_CHINESE.findall(words)) * 3 > len(words) and not _KANA.search(words)


def _filled(row: Mapping[str, Json]) -> dict[str, Json]:
    """A record without its empty fields."""
    return {
        name: value
        for name, value in row.items()
        if value is not None and value is not False and value not in ("", [], {})
    }


def _records(rows: Iterable[Mapping[str, Json]]) -> str:
    return "".join(_record(_filled(row)) for row in rows)


def _record(row: Mapping[str, Json]) -> str:
    lines = [f"{name}: {_flow(value, name)}" for name, value in row.items()]
    return "- " + "\n  ".join(lines) + "\n"


def _flow(value: Json, name: str = "") -> str:
    """The value of a field as YAML on one line: ids bare, texts in quotes."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{inner}: {_flow(one, inner)}" for inner, one in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(_flow(one, name) for one in value) + "]"
    if isinstance(value, int | float) and not isinstance(value, bool):
        return write_number(value)
    bare = isinstance(value, str) and is_id(value) and name not in _TEXT_FIELDS
    return str(value) if bare else json.dumps(value, ensure_ascii=False)
