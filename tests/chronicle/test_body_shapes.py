"""Body shapes: what nobody writes into a body is refused where a record is read, with its place."""

import copy
from collections.abc import Iterator
from typing import Any

import pytest

from talewright.chronicle.body_shapes import find_misshape
from talewright.chronicle.record_codec import RecordCodecError, decode, encode
from talewright.chronicle.records import MAIN, Aside, Attempt, AttemptVerdict, Commit, Json

OFFER: dict[str, Json] = {"id": "1", "label": "Go"}
DECISION: dict[str, Json] = {
    "id": "d",
    "question": "?",
    "options": [OFFER],
    "lines": ["a"],
    "takes_note": True,
}

GOOD: list[dict[str, Json]] = [
    {},
    {"anything": [1, None], "input": 5, "narration": "It rains.", "usage": 5, "draws": [0.5, None, True]},
    {
        "choices": [{**OFFER, "hint": "h"}],
        "changes": [{"op": "add", "path": "/a", "value": [1]}],
        "engine": 3,
    },
    {"decisions": [DECISION], "exchanges": [{"usage": {"input_tokens": 1}}], "root": {"document": {}}},
    {"rulings": [{"ruling": "granted", "move": {"op": "set"}, "changes": [0]}], "facts": []},
]

BAD: list[tuple[dict[str, Json], str]] = [
    ({"narration": 5}, "narration is a text"),
    ({"engine": True}, "engine is a whole number"),
    ({"engine": 1.5}, "engine is a whole number"),
    ({"changes": 2**70}, "changes is a list"),
    ({"changes": [None]}, "changes.0 is an object"),
    ({"changes": [{"op": "add"}]}, "changes.0 has a member path"),
    ({"choices": [OFFER, {**OFFER, "other": 1}]}, "choices.1 has no member other"),
    ({"choices": ["x"]}, "choices.0 is an object"),
    (
        {"decisions": [{**DECISION, "options": [{**OFFER, "id": 1}]}]},
        "decisions.0.options.0.id is a text",
    ),
    (
        {"rulings": [{"ruling": "granted", "move": {}, "changes": ["x"]}]},
        "rulings.0.changes.0 is a whole number",
    ),
    ({"end": {"ending": "a", "outcome": "b", "c": "d"}}, "end has no member c"),
    ({"root": []}, "root is an object"),
    ({"changes": None}, "changes is a list"),
    ({"facts": ["a", 1]}, "facts.1 is a text"),
    ({"draws": {}}, "draws is a list"),
]


FULL: dict[str, Json] = {
    **dict.fromkeys(("said", "told", "language", "narration", "nonce", "bundle"), "a"),
    "asides": ["a"],
    "facts": ["a"],
    "adopted": {},
    "circumstances": {},
    "choices": [{**OFFER, "hint": "a", "risk": "a", "source": "a"}],
    "changes": [{"op": "a", "path": "a", "reason": "a", "cause": "a"}],
    "events": [{"type": "a", "text": "a", "cause": "a"}],
    "decisions": [{**DECISION, "note_with": "a"}],
    "end": {"ending": "a", "outcome": "a"},
    "draws": [],
    "rolls": [{"kind": "a", "text": "a", "tool": "a", "word": "a"}],
    "rulings": [
        {
            "ruling": "a",
            "move": {"call": "a", "id": "a", "op": "a", "path": "a", "reason": "a", "end": "a"},
            "changes": [1],
            "grade": "a",
        }
    ],
    "exchanges": [
        {
            "purpose": "a",
            "model": "a",
            "text": "a",
            "calls": [{"id": "a", "name": "a", "arguments": "a"}],
            "flaws": ["a"],
            "mend": ["a"],
            "results": [{}],
            "usage": {"input_tokens": 1, "output_tokens": 1, "cached_tokens": 1},
        }
    ],
    "edits": [{"path": "a", "text": "a", "digest": "a", "refused": "a"}],
    "lore": [{"id": "a", "why": "a"}],
    "cuts": [{}],
    "window": {"cut_at": 1, "first": 1, "known": 1, "frozen": "a"},
    "model": {"name": "a"},
    "engine": 1,
    "root": {"document": {}, "commitment": "a", "imported": {}},
}
"""Every member that has a shape."""


def find_places(value: Json, *place: str | int) -> Iterator[tuple[str | int, ...]]:
    """The places of all members and elements in a body."""
    if place:
        yield place
    members = (
        value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    )
    for name, part in members:
        yield from find_places(part, *place, name)


@pytest.mark.parametrize("place", list(find_places(FULL)), ids=lambda place: ".".join(map(str, place)))
def test_a_wrong_type_is_refused_wherever_it_stands(place: tuple[str | int, ...]) -> None:
    assert find_misshape(FULL) == ""
    body: Any = copy.deepcopy(FULL)
    inner = body
    for name in place[:-1]:
        inner = inner[name]
    inner[place[-1]] = 0.5
    expected = "" if place[-1] == "takes_note" else f"{'.'.join(map(str, place))} is "
    assert find_misshape(body).startswith(expected)
    assert bool(find_misshape(body)) == bool(expected)


@pytest.mark.parametrize("body", GOOD)
def test_what_is_written_is_read(body: dict[str, Json]) -> None:
    assert find_misshape(body) == ""


@pytest.mark.parametrize(("body", "what"), BAD)
def test_what_nobody_writes_is_refused_in_every_kind_of_record(body: dict[str, Json], what: str) -> None:
    assert find_misshape(body) == what
    for record in (
        Commit("c", "", MAIN, 0, "o", "t", "g", "s", body),
        Attempt("a", "o", MAIN, "c", "t", AttemptVerdict.FAILED, body),
        Aside("x", "c", "t", body),
    ):
        with pytest.raises(RecordCodecError, match=f"in the body of a record, {what}"):
            decode(encode(record))
