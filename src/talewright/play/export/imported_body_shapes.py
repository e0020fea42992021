"""Imported body shapes: extra requirements for the bodies of imported records.

`chronicle/body_shapes.py` checks each record quickly when it is read. An imported file must also have the
members that the engine itself always writes, within their ranges. Their meaning is not checked here.
"""

from collections.abc import Iterator, Mapping

from talewright.chronicle.records import Aside, Attempt, Commit, Record
from talewright.common.json_schema import JsonSchema, check_value, read_schema
from talewright.common.json_values import Json

_TEXT: Json = {"type": "string"}
_TEXTS: Json = {"type": "array", "items": _TEXT}
_COUNT: Json = {"type": "integer", "minimum": 0}
_SIGNED: Json = {"type": "integer"}
_TRUTH: Json = {"type": "boolean"}
_ANY: Json = {}


def _object(required: Mapping[str, Json] | None = None, **more: Json) -> Json:
    """A schema for an object with required members and optional ones."""
    needed = dict(required or {})
    return {"type": "object", "properties": {**needed, **more}, "required": list(needed)}


def _rows(row: Json) -> Json:
    return {"type": "array", "items": row}


_TOKENS: Mapping[str, Json] = {"input_tokens": _COUNT, "output_tokens": _COUNT, "cached_tokens": _COUNT}
_DOLLARS: Json = {"type": ["number", "null"], "minimum": 0}
_USAGE = _object(_TOKENS, estimated=_TRUTH)
_SPENT = _object({"model": _TEXT, **_TOKENS}, dollars=_DOLLARS, estimated=_TRUTH)

_MOVE: Json = {
    "anyOf": [
        _object({"op": _TEXT, "path": _TEXT, "value": _ANY}, reason=_TEXT),
        _object({"call": _TEXT, "arguments": {"type": "object"}}, id=_TEXT),
        _object({"end": _TEXT}, reason=_TEXT),
    ]
}
_EXCHANGE = _object(
    {"purpose": _TEXT, "text": _TEXT},
    model=_TEXT,
    stop={"type": ["string", "null"]},
    calls=_rows(_object({"id": _TEXT, "name": _TEXT, "arguments": _TEXT})),
    results=_rows(_object({"id": _TEXT, "text": _TEXT}, name=_TEXT, refused=_TRUTH)),
    usage=_USAGE,
    flaws=_TEXTS,
    mend=_TEXTS,
)
_DECISION = _object(
    {
        "id": _TEXT,
        "question": _TEXT,
        "options": _rows(_object({"id": _TEXT, "label": _TEXT})),
        "lines": _TEXTS,
        "takes_note": _TRUTH,
    },
    note_with=_TEXT,
)
_COMMIT = _object(
    choices=_rows(_object({"id": _TEXT, "label": _TEXT, "hint": _TEXT, "risk": _TEXT, "source": _TEXT})),
    events=_rows(_object({"type": _TEXT, "text": _TEXT, "cause": _TEXT})),
    decisions=_rows(_DECISION),
    draws=_rows({"type": "array", "minItems": 5, "maxItems": 6}),
    rulings=_rows(_object({"ruling": _TEXT, "move": _MOVE}, changes=_rows(_COUNT), reason=_TEXT)),
    exchanges=_rows(_EXCHANGE),
    edits=_rows(_object({"path": _TEXT}, text=_TEXT, refused=_ANY)),
    cuts=_rows(_object({"cut": _TEXT}, first=_SIGNED)),
    window=_object(first=_SIGNED, cut_at=_SIGNED, frozen=_TEXT, known=_SIGNED, lore=_object()),
    model=_object({"name": _TEXT}),
    usage=_USAGE,
    engine=_COUNT,
    root=_object({"commitment": _TEXT, "document": {"type": "object"}}),
)
COMMIT_BODY = read_schema(_COMMIT)
"""The body of a turn, or of the first commit."""

SPENDING_BODY = read_schema(_object(spent=_rows(_SPENT), usage=_USAGE, reason=_TEXT))
"""The body of an attempt or an aside, as far as it is read again."""


def find_odd_members(record: Record) -> Iterator[str]:
    """The paths of the members of a record's body that have a wrong type."""
    match record:
        case Commit():
            yield from _find(dict(record.body), COMMIT_BODY)
        case Attempt() | Aside():
            yield from _find(dict(record.body), SPENDING_BODY)
        case _:
            # Inputs are checked where they are read, and a pointing has no body.
            return


def _find(body: Json, schema: JsonSchema) -> Iterator[str]:
    for found in check_value(body, schema):
        place = ".".join(map(str, (*found.where, *([found.name] if found.name else []))))
        yield f"{place or 'its body'} is not what it should be"
