"""World builder: makes the authored world from the parsed files, with the texts of one language.

The files are already checked; nothing is refused here.
"""

from collections.abc import Iterable, Mapping, Sequence
from zlib import crc32

from talewright.common.json_values import Json
from talewright.common.language_tags import pick_language
from talewright.kernel.system import AuthorFiles
from talewright.systems.world.authored.authored_world import (
    HOURS_OF_DAY,
    START_MINUTE,
    WHOLE,
    AgendaOutcome,
    AuthoredPerson,
    AuthoredPlace,
    AuthoredWorld,
    GossipRules,
    PersonAgenda,
    PersonNeed,
    PlaceExit,
    ScheduleEntry,
    SimulationDepth,
    SimulationRules,
    WorldFact,
    WorldRules,
)
from talewright.systems.world.authored.field_checks import MINUTES_OF_DAY, WEEKDAYS
from talewright.systems.world.authored.world_files import (
    FACTS,
    PEOPLE,
    PLACES,
    PLAYER,
    RELATION_MAX,
    RULES,
    SOMEBODY,
)

_KEPT_MAX = 16
_kept: dict[tuple[int, str], tuple[AuthorFiles, AuthoredWorld]] = {}
"""Worlds by the identity of their files: the same files always give the same world, and a large one takes a
while to make. The files are kept with them, since an identity may be reused.
"""


def world_of(files: AuthorFiles, language: str) -> AuthoredWorld:
    """The world of a game in a language."""
    key = (id(files), language)
    found = _kept.get(key)
    if found is None or found[0] is not files:
        if len(_kept) >= _KEPT_MAX:
            _kept.clear()
        found = _kept[key] = (files, build_world(files, language))
    return found[1]


def any_world_of(files: AuthorFiles) -> AuthoredWorld:
    """The world of a game in any language it was already made in, for callers that read no texts."""
    made = (world for kept, world in _kept.values() if kept is files)
    return next(made, None) or world_of(files, "")


def build_world(files: AuthorFiles, language: str) -> AuthoredWorld:
    """The world of a game, made anew."""
    texts = _Translation(files, language)
    people_rows = [texts.overlay(PEOPLE, row) for row in _rows(files.get(PEOPLE))]
    agendas = {
        agenda.id: agenda
        for row in people_rows
        for agenda in (_agenda(one, str(row["id"])) for one in _rows(row.get("agendas")))
    }
    facts = [_fact(texts.overlay(FACTS, row)) for row in _rows(files.get(FACTS))]
    facts += [
        _event_fact(str(one["id"]), one.get("outcome"))
        for row in people_rows
        for one in _rows(row.get("agendas"))
    ]
    places = [_place(texts.overlay(PLACES, row)) for row in _rows(files.get(PLACES))]
    rules = _rules(texts.overlay_rules(files.get(RULES)), files)
    people = {person.id: person for person in map(_person, people_rows)}
    return AuthoredWorld(
        {place.id: place for place in places},
        people,
        {fact.id: fact for fact in facts},
        agendas,
        rules,
        tuple(agenda for agenda in agendas.values() if agenda.after or agenda.knows),
        _visitors(people.values()),
    )


def _visitors(people: Iterable[AuthoredPerson]) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[dict[str, None]]] = {}
    for person in people:
        home = {hour for hour in range(HOURS_OF_DAY) if not any(one.fills(hour) for one in person.schedule)}
        away = [(one.at, one.hours()) for one in person.schedule]
        away += [(one.at, one.hours()) for one in person.needs]
        for place, hours in ((person.at, home), *away):
            rows = found.setdefault(place, [{} for _ in range(HOURS_OF_DAY)])
            for hour in hours:
                rows[hour][person.id] = None
    return {place: [tuple(row) for row in rows] for place, rows in found.items()}


class _Translation:
    """The texts of another language, by file and id."""

    def __init__(self, files: AuthorFiles, language: str) -> None:
        tags = sorted({name.split("/")[1] for name in files if name.startswith("texts/")})
        tag = pick_language(language, tags) if tags else ""
        self._rules = files.get(f"texts/{tag}/{RULES}")
        self._rows = {
            (file, str(row.get("id"))): row
            for file in (PLACES, PEOPLE, FACTS)
            for row in _rows(files.get(f"texts/{tag}/{file}"))
        }

    def overlay(self, file: str, row: Mapping[str, Json]) -> Mapping[str, Json]:
        return _merge(row, self._rows.get((file, str(row.get("id"))), {}))

    def overlay_rules(self, rules: Json) -> Mapping[str, Json]:
        own = rules if isinstance(rules, Mapping) else {}
        return _merge(own, self._rules if isinstance(self._rules, Mapping) else {})


def _merge(row: Mapping[str, Json], words: Mapping[str, Json]) -> Mapping[str, Json]:
    """A record with the texts of another language, including its inner records."""
    merged = dict(row)
    for name, value in words.items():
        own = row.get(name)
        if isinstance(value, Mapping) and isinstance(own, Mapping):
            merged[name] = _merge(own, value)
        elif isinstance(own, list) and any(isinstance(one, Mapping) for one in own):
            by_id = {str(one.get("id")): one for one in _rows(value)}
            merged[name] = [_merge(one, by_id.get(str(one.get("id")), {})) for one in _rows(own)]
        else:
            merged[name] = value
    return merged


def _rows(value: Json) -> Sequence[Mapping[str, Json]]:
    return [row for row in value if isinstance(row, Mapping)] if isinstance(value, list) else []


def _text(row: Mapping[str, Json], name: str) -> str:
    return str(row.get(name, ""))


def _texts(row: Mapping[str, Json], name: str) -> tuple[str, ...]:
    value = row.get(name)
    return tuple(map(str, value)) if isinstance(value, list) else ()


def _number(row: Mapping[str, Json], name: str, default: int) -> int:
    value = row.get(name, default)
    assert isinstance(value, int)
    return value


def _share(row: Mapping[str, Json], name: str, default: int) -> int:
    value = row.get(name)
    return round(value * WHOLE) if isinstance(value, int | float) else default


def _numbers(value: Json) -> dict[str, int]:
    return (
        {name: one for name, one in value.items() if isinstance(one, int)}
        if isinstance(value, Mapping)
        else {}
    )


def _heard(row: Mapping[str, Json]) -> dict[str, str]:
    value = row.get("heard")
    told = {fact: str(by) for fact, by in value.items()} if isinstance(value, Mapping) else {}
    return {fact: "" if by == SOMEBODY else by for fact, by in told.items()}


def _place(row: Mapping[str, Json]) -> AuthoredPlace:
    exits = tuple(PlaceExit(_text(way, "to"), _number(way, "ticks", 0)) for way in _rows(row.get("exits")))
    return AuthoredPlace(
        _text(row, "id"), _text(row, "name"), _texts(row, "also"), _text(row, "description"), exits,
        row.get("hidden") is True,
    )  # fmt: skip


def _need(row: Mapping[str, Json], person: str) -> PersonNeed:
    every = _number(row, "every_hours", 24) * 60
    shift = crc32(f"{person} {row.get('id')}".encode()) % every
    return PersonNeed(_text(row, "id"), _text(row, "at"), every, _number(row, "hours", 1) * 60, shift)


def _person(row: Mapping[str, Json]) -> AuthoredPerson:
    schedule = tuple(
        ScheduleEntry(
            _number(one, "from", 0), _number(one, "to", MINUTES_OF_DAY), _text(one, "at"),
            tuple(WEEKDAYS.index(day) for day in _texts(one, "days")),
        )
        for one in _rows(row.get("schedule"))
    )  # fmt: skip
    needs = tuple(_need(one, _text(row, "id")) for one in _rows(row.get("needs")))
    return AuthoredPerson(
        _text(row, "id"), _text(row, "name"), _texts(row, "also"), _text(row, "description"),
        _text(row, "goals"), _text(row, "at"), row.get("hidden") is True, _share(row, "encounter_chance", 0),
        _texts(row, "knows"), _heard(row), _texts(row, "inferred"), _numbers(row.get("relationships")),
        schedule, needs,
    )  # fmt: skip


def _agenda(row: Mapping[str, Json], owner: str) -> PersonAgenda:
    given = row.get("outcome")
    said: Mapping[str, Json] = given if isinstance(given, Mapping) else {}
    moves = said.get("moves")
    outcome = AgendaOutcome(
        {who: str(at) for who, at in moves.items()} if isinstance(moves, Mapping) else {},
        _numbers(said.get("relations")), _texts(said, "learns"), _texts(said, "stops"),
        tuple(_rows(said.get("updates"))),
    )  # fmt: skip
    return PersonAgenda(
        _text(row, "id"), owner, _text(row, "goal"), _number(row, "segments", 1),
        _number(row, "every_hours", 1) * 60, _share(row, "chance", WHOLE), _texts(row, "after"),
        _texts(row, "knows"), outcome,
    )  # fmt: skip


def _fact(row: Mapping[str, Json]) -> WorldFact:
    return WorldFact(
        _text(row, "id"), _text(row, "text"), _texts(row, "twists"),
        _number(row, "trust", -RELATION_MAX), _text(row, "topic"), _texts(row, "about"),
    )  # fmt: skip


def _event_fact(agenda: str, outcome: Json) -> WorldFact:
    said: Mapping[str, Json] = outcome if isinstance(outcome, Mapping) else {}
    return WorldFact(
        agenda, _text(said, "event"), _texts(said, "twists"), _number(said, "trust", -RELATION_MAX),
        about=_texts(said, "about"),
    )  # fmt: skip


def _player(row: Mapping[str, Json], start: Mapping[str, Json]) -> AuthoredPerson:
    return AuthoredPerson(
        PLAYER, _text(row, "name"), _texts(row, "also"), _text(row, "description"), _text(row, "goals"),
        knows=_texts(start, "knows"), heard=_heard(start), inferred=_texts(start, "inferred"),
    )  # fmt: skip


def rules_of(files: AuthorFiles) -> WorldRules:
    """The rules of a game in its own language, without the rest of its world."""
    return _rules(_Translation(files, "").overlay_rules(files.get(RULES)), files)


def list_people(files: AuthorFiles) -> tuple[str, ...]:
    """The ids of everyone the author wrote."""
    return tuple(str(row["id"]) for row in _rows(files.get(PEOPLE)))


def _rules(row: Mapping[str, Json], files: AuthorFiles) -> WorldRules:
    places = _rows(files.get(PLACES))
    parts = {name: row.get(name) for name in ("start", "player", "ticks", "prompt", "gossip", "offscreen")}
    start, player, ticks, prompt, gossip, offscreen = (
        part if isinstance(part, Mapping) else {} for part in parts.values()
    )
    plain = GossipRules()
    return WorldRules(
        _text(start, "at") or (_text(places[0], "id") if places else ""),
        _number(start, "time", START_MINUTE),
        _text(start, "narrative_time"),
        _player(player, start),
        _number(ticks, "message", 1),
        _number(ticks, "move", 5),
        _number(ticks, "minutes", 5),
        _number(prompt, "knowledge", 3),
        _number(prompt, "events", 5),
        row.get("new_places") is not False,
        GossipRules(
            _share(gossip, "chance", plain.chance),
            _number(gossip, "delay_hours", plain.delay_minutes // 60) * 60,
            _share(gossip, "loss", plain.loss),
            _share(gossip, "distortion", plain.distortion),
        ),
        _simulation(offscreen),
    )


def _simulation(row: Mapping[str, Json]) -> SimulationRules:
    plain = SimulationRules()
    return SimulationRules(
        SimulationDepth(_text(row, "depth") or plain.depth),
        _number(row, "thread_ticks", plain.thread_ticks),
        _number(row, "summary_ticks", plain.summary_ticks),
        _number(row, "full_ticks", plain.full_ticks),
        _number(row, "exchanges", plain.exchanges),
        _number(row, "people", plain.people),
        _number(row, "every_turns", plain.every_turns),
    )
