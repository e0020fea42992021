"""Record codec: converts records to JSON objects and bytes, and back.

Every member is validated when reading; for bodies, only the shape is.
"""

import json
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import NoReturn, TypeAlias, TypeVar, assert_never

from talewright.chronicle.body_shapes import find_misshape
from talewright.chronicle.records import (
    Accepted,
    Aside,
    Attempt,
    AttemptVerdict,
    Commit,
    Json,
    PointerKind,
    Pointing,
    Record,
)
from talewright.chronicle.store import ChronicleError

RecordForm: TypeAlias = dict[str, Json]
"""A record as a JSON object: its `kind`, then its fields in a fixed order."""

Word = TypeVar("Word", AttemptVerdict, PointerKind)

_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, check_circular=False, separators=(",", ":"))
"""Created once, since that costs as much as encoding a small record. A cycle raises a recursion error."""


class RecordCodecError(ChronicleError):
    """The bytes or the JSON are not a valid record."""


def to_form(record: Record) -> RecordForm:
    """A record as a JSON object."""
    match record:
        case Accepted():
            return {
                "kind": "accepted",
                "operation_id": record.operation_id,
                "branch": record.branch,
                "base": record.base,
                **_replaces_form(record),
                "at": record.at,
                "input": record.input,
            }
        case Commit():
            return _commit_form(record)
        case Attempt():
            return {
                "kind": "attempt",
                "id": record.id,
                "operation_id": record.operation_id,
                "branch": record.branch,
                "base": record.base,
                "at": record.at,
                "verdict": record.verdict.value,
                "body": record.body,
            }
        case Aside():
            return {
                "kind": "aside",
                "id": record.id,
                "commit": record.commit,
                "at": record.at,
                "body": record.body,
            }
        case Pointing():
            return {
                "kind": "pointing",
                "pointer": record.kind.value,
                "name": record.name,
                "commit": record.commit,
                "at": record.at,
            }
        case _:
            assert_never(record)


def from_form(form: Json) -> Record:
    """Read a record from a JSON object; raises FormError if it is invalid."""
    if not isinstance(form, dict):
        raise RecordCodecError("a record is a JSON object")
    members: RecordForm = dict(form)
    kind = members.pop("kind", None)
    reader = _READERS.get(kind) if isinstance(kind, str) else None
    if reader is None:
        raise RecordCodecError(f"{kind!r} is not a kind of record; there are {', '.join(_READERS)}")
    record = reader(members)
    if members:
        raise RecordCodecError(f"a record of the kind {kind} has no member {next(iter(members))!r}")
    return record


def encode(record: Record) -> bytes:
    """A record as compact JSON in UTF-8, on one line; raises ValueError if JSON cannot represent it."""
    return dump(to_form(record))


def decode(data: bytes) -> Record:
    """Read a record from bytes; raises FormError if they are invalid."""
    return from_form(parse(data))


def parse(data: bytes) -> Json:
    """Parse JSON bytes; raises FormError if they are invalid."""
    try:
        value: Json = json.loads(data.decode(), parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise RecordCodecError(f"a record is JSON in UTF-8: {error}") from None
    return value


def dump(form: RecordForm) -> bytes:
    """The bytes of a form; raises ValueError if JSON in UTF-8 cannot represent it."""
    try:
        text = _ENCODER.encode(form)
    except RecursionError:
        raise ValueError("a record is nested too deeply") from None
    return text.encode()


def _commit_form(record: Commit) -> RecordForm:
    return {
        "kind": "commit",
        "id": record.id,
        "parent": record.parent,
        **_replaces_form(record),
        "branch": record.branch,
        "version": record.version,
        "sequence": record.sequence,
        "operation_id": record.operation_id,
        "at": record.at,
        "game_digest": record.game_digest,
        "state_digest": record.state_digest,
        "body": record.body,
    }


def _replaces_form(record: Accepted | Commit) -> RecordForm:
    """The rare `replaces` member; left out if it is empty."""
    return {"replaces": record.replaces} if record.replaces else {}


def _refuse_constant(word: str) -> NoReturn:
    """Reject NaN and the infinities, which Python accepts and JSON does not have."""
    raise ValueError(f"{word} is no JSON")


def _read_accepted(members: RecordForm) -> Accepted:
    return Accepted(
        operation_id=_text(members, "operation_id"),
        branch=_text(members, "branch"),
        base=_text(members, "base"),
        replaces=_text_or_none(members, "replaces"),
        at=_text(members, "at"),
        input=_member(members, "input"),
    )


def _read_commit(members: RecordForm) -> Commit:
    return Commit(
        id=_text(members, "id"),
        parent=_text(members, "parent"),
        replaces=_text_or_none(members, "replaces"),
        branch=_text(members, "branch"),
        version=_count(members, "version"),
        sequence=_count(members, "sequence"),
        operation_id=_text(members, "operation_id"),
        at=_text(members, "at"),
        game_digest=_text(members, "game_digest"),
        state_digest=_text(members, "state_digest"),
        body=_object(members, "body"),
    )


def _read_attempt(members: RecordForm) -> Attempt:
    return Attempt(
        id=_text(members, "id"),
        operation_id=_text(members, "operation_id"),
        branch=_text(members, "branch"),
        base=_text(members, "base"),
        at=_text(members, "at"),
        verdict=_word(members, "verdict", AttemptVerdict),
        body=_object(members, "body"),
    )


def _read_aside(members: RecordForm) -> Aside:
    return Aside(
        id=_text(members, "id"),
        commit=_text(members, "commit"),
        at=_text(members, "at"),
        body=_object(members, "body"),
    )


def _read_pointing(members: RecordForm) -> Pointing:
    return Pointing(
        kind=_word(members, "pointer", PointerKind),
        name=_text(members, "name"),
        commit=_text(members, "commit"),
        at=_text(members, "at"),
    )


def _member(members: RecordForm, name: str) -> Json:
    if name not in members:
        raise RecordCodecError(f"a record lacks its member {name!r}")
    return members.pop(name)


def _text(members: RecordForm, name: str) -> str:
    value = _member(members, name)
    if not isinstance(value, str):
        raise RecordCodecError(f"the member {name!r} of a record is a text")
    return value


def _text_or_none(members: RecordForm, name: str) -> str:
    """A text; empty if the member is missing."""
    return _text(members, name) if name in members else ""


def _count(members: RecordForm, name: str) -> int:
    value = _member(members, name)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise RecordCodecError(f"the member {name!r} of a record is a whole number of 0 or more")
    return value


def _object(members: RecordForm, name: str) -> Mapping[str, Json]:
    value = _member(members, name)
    if not isinstance(value, dict):
        raise RecordCodecError(f"the member {name!r} of a record is an object")
    misshape = find_misshape(value)
    if misshape:
        raise RecordCodecError(f"in the {name} of a record, {misshape}")
    return value


def _word(members: RecordForm, name: str, words: type[Word]) -> Word:
    value = _text(members, name)
    if value not in {word.value for word in words}:
        raise RecordCodecError(f"{value!r} is no {name} of a record; there are {', '.join(words)}")
    return words(value)


_READERS: Mapping[str, Callable[[RecordForm], Record]] = MappingProxyType(
    {
        "accepted": _read_accepted,
        "commit": _read_commit,
        "attempt": _read_attempt,
        "aside": _read_aside,
        "pointing": _read_pointing,
    }
)
"""Each removes the members it reads, so that leftovers can be reported."""
