"""Field checks: reads the records of a YAML file field by field, and reports every mistake with its place.

It checks form, not meaning: whether a named place exists is checked elsewhere.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, quote_value
from talewright.common.name_suggestions import listed, nearest
from talewright.errors import Fault
from talewright.kernel.state.state_paths import Path
from talewright.kernel.system import AuthorYaml

ID_LENGTH_MAX = 40
"""Characters of an id."""

TEXT_LENGTH_MAX = 2_000
"""Characters of a text."""

MINUTES_OF_DAY = 24 * 60
WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
"""The days of a week; a game starts on a Monday."""

DEPTHS = ("skip", "summary", "full")
"""How deeply a model may narrate life off-screen."""

_ID = re.compile(r"[a-z][a-z0-9_]*")
_CLOCK = re.compile(r"([01]?[0-9]|2[0-4]):([0-5][0-9])")


class FieldKind(StrEnum):
    """What a field may contain, worded for a message."""

    TEXT = "a text"
    TEXTS = "a list of texts"
    ID = "an id of lower-case letters, digits and _"
    IDS = "a list of ids"
    WHOLE = "a whole number"
    SHARE = "a number from 0 to 1"
    FLAG = "true or false"
    CLOCK = "a time such as 06:30, in quotes"
    DEPTH = "skip, summary or full"
    DAYS = "a list of days: mon, tue, wed, thu, fri, sat, sun"
    NUMBERS = "ids with whole numbers, such as `{grim: 20}`"
    NAMES = "ids with ids, such as `{grim: cellar}`"
    RECORD = "a mapping"
    RECORDS = "a list of mappings"
    UPDATES = "a list of updates, such as `{op: inc, path: suspicion, value: 5}`"


@frozen
class FieldForm:
    """The form of one field."""

    kind: FieldKind
    needed: bool = False
    low: int = 0
    high: int = 1_000_000
    inner: Mapping[str, "FieldForm"] = field(default_factory=dict)
    """The fields of a record, or of each record in a list."""


RecordForm = Mapping[str, FieldForm]


@dataclass(slots=True)
class FieldReader:
    """Reads one file."""

    yaml: AuthorYaml
    faults: list[Fault] = field(default_factory=list)

    def blame(self, code: str, message: str, path: Path, suggestion: str) -> None:
        """Report a mistake."""
        self.faults.append(Fault(f"world-{code}", message, self.yaml.locate(path), suggestion))

    def read_records(self, form: RecordForm) -> list[dict[str, Json]]:
        """The records of a file that is a list of them; the first field of each is its id."""
        value = self.yaml.value
        if value is None:
            return []
        if not isinstance(value, list):
            self.blame("list", "this file is a list", (), "Start every entry with `- id: ...`.")
            return []
        records: dict[str, dict[str, Json]] = {}
        for number, row in enumerate(value):
            path = (str(number),)
            record = self.read_record(row, path, form)
            name = record.get("id")
            if name in records:
                self.blame("twice", f"the id {name} is used twice", (*path, "id"), "Rename one of the two.")
            elif isinstance(name, str):
                records[name] = record
        return list(records.values())

    def read_record(self, value: Json, path: Path, form: RecordForm) -> dict[str, Json]:
        """The valid fields of a record."""
        if not isinstance(value, Mapping):
            self.blame("record", f"a mapping is needed here, not {quote_value(value)}", path, _fields(form))
            return {}
        record: dict[str, Json] = {}
        for name, inner in value.items():
            if name not in form:
                near = nearest(name, form)
                remedy = f"Write `{near}`." if near else _fields(form)
                self.blame("field", f"there is no field `{name[:ID_LENGTH_MAX]}` here", (*path, name), remedy)
            elif inner is not None:
                found = self._read_field(inner, (*path, name), form[name])
                if found is not None:
                    record[name] = found
        for name, one in form.items():
            if one.needed and value.get(name) is None:
                self.blame("missing", f"`{name}` is missing", path, f"Add `{name}`: {one.kind.value}.")
        return record

    def _read_field(self, value: Json, path: Path, form: FieldForm) -> Json:
        found = self._read_value(value, path, form)
        if found is None and form.kind not in (FieldKind.RECORD, FieldKind.RECORDS):
            wanted = form.kind.value
            if form.kind is FieldKind.WHOLE:
                wanted += f" from {form.low} to {form.high}"
            self.blame("value", f"`{path[-1]}` cannot be {quote_value(value)}", path, f"Write {wanted}.")
        return found

    def _read_value(self, value: Json, path: Path, form: FieldForm) -> Json:
        match form.kind:
            case FieldKind.TEXT:
                return _text(value)
            case FieldKind.ID:
                return value if isinstance(value, str) and is_id(value) else None
            case FieldKind.WHOLE:
                return _whole(value, form.low, form.high)
            case FieldKind.SHARE:
                fits = isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= 1
                return value if fits else None
            case FieldKind.FLAG:
                return value if isinstance(value, bool) else None
            case FieldKind.CLOCK:
                return read_clock(value)
            case FieldKind.DEPTH:
                return value if value in DEPTHS else None
            case FieldKind.RECORD:
                return self.read_record(value, path, form.inner)
            case _:
                return self._read_many(value, path, form)

    def _read_many(self, value: Json, path: Path, form: FieldForm) -> Json:
        if form.kind in (FieldKind.NUMBERS, FieldKind.NAMES):
            if not isinstance(value, Mapping) or not all(map(is_id, value)):
                return None
            if form.kind is FieldKind.NAMES:
                return (
                    dict(value)
                    if all(isinstance(one, str) and is_id(one) for one in value.values())
                    else None
                )
            numbers = {name: _whole(one, form.low, form.high) for name, one in value.items()}
            return numbers if None not in numbers.values() else None
        if not isinstance(value, list):
            return None
        if form.kind is FieldKind.RECORDS:
            return [self.read_record(row, (*path, str(at)), form.inner) for at, row in enumerate(value)]
        if form.kind is FieldKind.DAYS:
            return value if all(day in WEEKDAYS for day in value) else None
        if form.kind is FieldKind.UPDATES:
            return value if all(map(_is_update, value)) else None
        read = _text if form.kind is FieldKind.TEXTS else lambda one: one if is_id(one) else None
        many = [read(one) for one in value]
        return many if None not in many else None


def is_id(value: Json) -> bool:
    """Whether a value is an id."""
    return isinstance(value, str) and len(value) <= ID_LENGTH_MAX and bool(_ID.fullmatch(value))


def read_clock(value: Json) -> int | None:
    """The minute of the day of `06:30`; None if it is not a time. `24:00` is the end of the day."""
    found = _CLOCK.fullmatch(value) if isinstance(value, str) else None
    minute = int(found[1]) * 60 + int(found[2]) if found else MINUTES_OF_DAY + 1
    return minute if minute <= MINUTES_OF_DAY else None


def _text(value: Json) -> str | None:
    if isinstance(value, bool | Mapping) or not isinstance(value, str | int | float):
        return None
    text = str(value).strip()
    return text if 0 < len(text) <= TEXT_LENGTH_MAX else None


def _whole(value: Json, low: int, high: int) -> int | None:
    fits = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    return value if fits else None  # type: ignore[return-value]  # it is a whole number here


def _is_update(value: Json) -> bool:
    return isinstance(value, Mapping) and {"op", "path"} <= value.keys() <= {"op", "path", "value"}


def _fields(form: Mapping[str, object]) -> str:
    return f"The fields are: {listed(form)}."


def known_names(rows: Sequence[Mapping[str, Json]]) -> tuple[str, ...]:
    """The ids of records."""
    return tuple(str(row["id"]) for row in rows if "id" in row)
