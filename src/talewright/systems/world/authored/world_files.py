"""World files: the author's places, people, facts and rules in `world/*.yaml`, checked and as plain JSON.

Names of places, people, facts and agendas are compared across the files, so that a misspelt one is reported
where it is. Their meaning in play is decided elsewhere.
"""

from collections.abc import Iterator, Mapping, Sequence

from talewright.common.json_values import Json
from talewright.common.name_suggestions import listed, nearest
from talewright.errors import Fault, SourcePlace
from talewright.kernel.state.state_paths import Path
from talewright.kernel.system import AuthorFiles, AuthorYaml
from talewright.systems.world.authored.field_checks import (
    FieldForm,
    FieldKind,
    FieldReader,
    RecordForm,
    is_id,
    known_names,
)

FOLDER = "world"
PLACES, PEOPLE, FACTS, RULES = (f"{FOLDER}/{name}.yaml" for name in ("places", "people", "facts", "rules"))
PATTERNS = (PLACES, PEOPLE, FACTS, RULES, *(f"texts/*/{name}" for name in (PLACES, PEOPLE, FACTS, RULES)))
PLAYER = "player"
"""The id of the player's character, which no other person may have."""

SOMEBODY = "somebody"
"""Who told a fact, if nobody remembers."""

RELATION_MAX = 100
"""Relationships go from minus this to this."""

_TEXT, _TEXTS = FieldForm(FieldKind.TEXT), FieldForm(FieldKind.TEXTS)
_ID, _IDS = FieldForm(FieldKind.ID), FieldForm(FieldKind.IDS)
_NEEDED_ID, _NEEDED_TEXT = FieldForm(FieldKind.ID, needed=True), FieldForm(FieldKind.TEXT, needed=True)
_FLAG, _SHARE = FieldForm(FieldKind.FLAG), FieldForm(FieldKind.SHARE)
_CLOCK = FieldForm(FieldKind.CLOCK, needed=True)
_RELATIONS = FieldForm(FieldKind.NUMBERS, low=-RELATION_MAX, high=RELATION_MAX)
_HEARD = FieldForm(FieldKind.NAMES)


def _whole(low: int, high: int, *, needed: bool = False) -> FieldForm:
    return FieldForm(FieldKind.WHOLE, needed, low, high)


def _record(form: RecordForm) -> FieldForm:
    return FieldForm(FieldKind.RECORD, inner=form)


def _records(form: RecordForm) -> FieldForm:
    return FieldForm(FieldKind.RECORDS, inner=form)


_TRUST = _whole(-RELATION_MAX, RELATION_MAX)
EXIT_FORM: RecordForm = {"to": _NEEDED_ID, "ticks": _whole(1, 10_000)}
PLACE_FORM: RecordForm = {
    "id": _NEEDED_ID,
    "name": _NEEDED_TEXT,
    "also": _TEXTS,
    "description": _TEXT,
    "exits": _records(EXIT_FORM),
    "hidden": _FLAG,
}
SCHEDULE_FORM: RecordForm = {
    "from": _CLOCK,
    "to": _CLOCK,
    "at": _NEEDED_ID,
    "days": FieldForm(FieldKind.DAYS),
}
NEED_FORM: RecordForm = {
    "id": _NEEDED_ID,
    "at": _NEEDED_ID,
    "every_hours": _whole(1, 10_000, needed=True),
    "hours": _whole(1, 10_000),
}
OUTCOME_FORM: RecordForm = {
    "event": _TEXT,
    "twists": _TEXTS,
    "trust": _TRUST,
    "about": _IDS,
    "moves": FieldForm(FieldKind.NAMES),
    "relations": _RELATIONS,
    "learns": _IDS,
    "stops": _IDS,
    "updates": FieldForm(FieldKind.UPDATES),
}
AGENDA_FORM: RecordForm = {
    "id": _NEEDED_ID,
    "goal": _TEXT,
    "segments": _whole(1, 12, needed=True),
    "every_hours": _whole(1, 10_000, needed=True),
    "chance": _SHARE,
    "after": _IDS,
    "knows": _IDS,
    "outcome": _record(OUTCOME_FORM),
}
PERSON_FORM: RecordForm = {
    "id": _NEEDED_ID,
    "name": _NEEDED_TEXT,
    "also": _TEXTS,
    "description": _TEXT,
    "goals": _TEXT,
    "at": _NEEDED_ID,
    "hidden": _FLAG,
    "encounter_chance": _SHARE,
    "knows": _IDS,
    "heard": _HEARD,
    "inferred": _IDS,
    "relationships": _RELATIONS,
    "schedule": _records(SCHEDULE_FORM),
    "needs": _records(NEED_FORM),
    "agendas": _records(AGENDA_FORM),
}
FACT_FORM: RecordForm = {
    "id": _NEEDED_ID,
    "topic": _TEXT,
    "text": _NEEDED_TEXT,
    "twists": _TEXTS,
    "trust": _TRUST,
    "about": _IDS,
}
RULES_FORM: RecordForm = {
    "start": _record(
        {
            "at": _NEEDED_ID,
            "time": _CLOCK,
            "narrative_time": _TEXT,
            "knows": _IDS,
            "heard": _HEARD,
            "inferred": _IDS,
        }
    ),
    "player": _record({"name": _TEXT, "also": _TEXTS, "description": _TEXT, "goals": _TEXT}),
    "ticks": _record({"message": _whole(0, 1_000), "move": _whole(1, 1_000), "minutes": _whole(1, 1_440)}),
    "prompt": _record({"knowledge": _whole(0, 50), "events": _whole(0, 50)}),
    "new_places": _FLAG,
    "gossip": _record(
        {"chance": _SHARE, "delay_hours": _whole(0, 10_000), "loss": _SHARE, "distortion": _SHARE}
    ),
    "offscreen": _record(
        {
            "depth": FieldForm(FieldKind.DEPTH),
            "thread_ticks": _whole(1, 10_000),
            "summary_ticks": _whole(1, 10_000),
            "full_ticks": _whole(1, 10_000),
            "exchanges": _whole(1, 20),
            "people": _whole(2, 8),
            "every_turns": _whole(1, 1_000),
        }
    ),
}
_TEXT_FIELDS = ("name", "also", "description", "goals", "topic", "text", "twists", "event", "goal")
"""Fields that may be translated."""


def read_world_files(files: Mapping[str, AuthorYaml]) -> tuple[AuthorFiles, tuple[Fault, ...]]:
    """The files of a world as plain JSON, and the faults found."""
    if PLACES not in files:
        missing = Fault(
            "world-places", f"the system `world` needs {PLACES}", SourcePlace(PLACES),
            "Add it, with at least one place: `- {id: inn, name: The Inn}`.",
        )  # fmt: skip
        return {}, (missing,)
    readers = {name: FieldReader(_with_short_exits(yaml)) for name, yaml in files.items()}
    read: dict[str, Json] = {}
    for name, reader in readers.items():
        base = name if name.startswith(FOLDER) else name.split("/", 2)[2]
        form = _FORMS[base] if base == name else _translated(_FORMS[base])
        if base == RULES:
            read[name] = reader.read_record(reader.yaml.value or {}, (), form)
        else:
            read[name] = list[Json](reader.read_records(form))
    _compare(read, readers)
    return read, tuple(fault for reader in readers.values() for fault in reader.faults)


_FORMS: Mapping[str, RecordForm] = {
    PLACES: PLACE_FORM,
    PEOPLE: PERSON_FORM,
    FACTS: FACT_FORM,
    RULES: RULES_FORM,
}


def _with_short_exits(yaml: AuthorYaml) -> AuthorYaml:
    """The same file with exits written as ids turned into records."""
    if not isinstance(yaml.value, list):
        return yaml
    rows: list[Json] = []
    for row in yaml.value:
        exits = row.get("exits") if isinstance(row, Mapping) else None
        if isinstance(row, Mapping) and isinstance(exits, list):
            row = {**row, "exits": [{"to": one} if isinstance(one, str) else one for one in exits]}
        rows.append(row)
    return AuthorYaml(rows, yaml.locate)


def _translated(form: RecordForm) -> RecordForm:
    """The form of the same file in another language: ids, and optional texts."""
    fields: dict[str, FieldForm] = {}
    for name, one in form.items():
        if name == "id":
            fields[name] = one
        elif name in _TEXT_FIELDS or name == "narrative_time":
            fields[name] = FieldForm(one.kind)
        elif one.inner and name in ("agendas", "outcome", "start", "player"):
            fields[name] = FieldForm(one.kind, inner=_translated(one.inner))
    return fields


def _compare(read: Mapping[str, Json], readers: Mapping[str, FieldReader]) -> None:
    """Report names that no file defines."""
    known = {base: known_names(_rows(read, base)) for base in (PLACES, PEOPLE, FACTS)}
    people = _rows(read, PEOPLE)
    agendas = tuple(name for person in people for name in known_names(_inner(person, "agendas")))
    if PLAYER in known[PEOPLE] and PEOPLE in readers:
        at = (str(known[PEOPLE].index(PLAYER)), "id")
        readers[PEOPLE].blame("player", f"`{PLAYER}` is the player's character", at, f"Use {RULES} for it.")
    nouns: Mapping[str, tuple[str, Sequence[str]]] = {
        "place": ("places", known[PLACES]),
        "person": ("people", known[PEOPLE]),
        "anybody": ("people", (*known[PEOPLE], PLAYER)),
        "fact": ("facts", (*known[FACTS], *agendas)),
        "agenda": ("agendas", agendas),
    }
    for file, path, noun, name in _references(read):
        plural, names = nouns[noun]
        noun = "person" if noun == "anybody" else noun
        if name in names or not is_id(name) or file not in readers:
            continue
        near = nearest(name, names)
        remedy = f"Write `{near}`." if near else f"The {plural} are: {listed(names) or 'none'}."
        readers[file].blame(noun, f"there is no {noun} `{name}`", path, remedy)


def _references(read: Mapping[str, Json]) -> Iterator[tuple[str, Path, str, str]]:
    """Every reference from one record to another: file, path, kind of target, and name."""
    for number, place in enumerate(_rows(read, PLACES)):
        for at, way in enumerate(_inner(place, "exits")):
            yield PLACES, (str(number), "exits", str(at)), "place", str(way.get("to"))
    for number, person in enumerate(_rows(read, PEOPLE)):
        path: Path = (str(number),)
        yield PEOPLE, (*path, "at"), "place", str(person.get("at", "-"))
        yield from _named(PEOPLE, path, person, {**_KNOWN_FACTS, "relationships": "anybody"})
        yield from _tellers(PEOPLE, path, person)
        for name in ("schedule", "needs"):
            for at, row in enumerate(_inner(person, name)):
                yield PEOPLE, (*path, name, str(at), "at"), "place", str(row.get("at", "-"))
        for at, agenda in enumerate(_inner(person, "agendas")):
            inner = (*path, "agendas", str(at))
            yield from _named(PEOPLE, inner, agenda, {"after": "agenda", "knows": "fact"})
            outcome = agenda.get("outcome")
            if isinstance(outcome, Mapping):
                yield from _named(PEOPLE, (*inner, "outcome"), outcome, _OUTCOME_NAMES)
                moves = outcome.get("moves")
                for name, goal in moves.items() if isinstance(moves, Mapping) else ():
                    yield PEOPLE, (*inner, "outcome", "moves", name), "place", str(goal)
    for number, fact in enumerate(_rows(read, FACTS)):
        yield from _named(FACTS, (str(number),), fact, {"about": "anybody"})
    rules = read.get(RULES)
    start = rules.get("start") if isinstance(rules, Mapping) else None
    if isinstance(start, Mapping):
        yield RULES, ("start", "at"), "place", str(start.get("at", "-"))
        yield from _named(RULES, ("start",), start, _KNOWN_FACTS)
        yield from _tellers(RULES, ("start",), start)


_KNOWN_FACTS = {"knows": "fact", "heard": "fact", "inferred": "fact"}
_OUTCOME_NAMES = {
    "learns": "fact",
    "stops": "agenda",
    "relations": "person",
    "moves": "person",
    "about": "anybody",
}


def _tellers(file: str, path: Path, record: Mapping[str, Json]) -> Iterator[tuple[str, Path, str, str]]:
    """Who told a person what they have heard."""
    heard = record.get("heard")
    for fact, teller in heard.items() if isinstance(heard, Mapping) else ():
        if teller != SOMEBODY:
            yield file, (*path, "heard", fact), "anybody", str(teller)


def _named(
    file: str, path: Path, record: Mapping[str, Json], fields: Mapping[str, str]
) -> Iterator[tuple[str, Path, str, str]]:
    for name, noun in fields.items():
        value = record.get(name)
        if isinstance(value, Mapping):
            yield from ((file, (*path, name, one), noun, one) for one in value)
        elif isinstance(value, list):
            yield from ((file, (*path, name, str(at)), noun, str(one)) for at, one in enumerate(value))


def _rows(read: Mapping[str, Json], file: str) -> Sequence[Mapping[str, Json]]:
    rows = read.get(file, [])
    return [row for row in rows if isinstance(row, Mapping)] if isinstance(rows, list) else []


def _inner(record: Mapping[str, Json], name: str) -> Sequence[Mapping[str, Json]]:
    return _rows(record, name)
