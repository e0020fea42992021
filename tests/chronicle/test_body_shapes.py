"""Body shapes: what nobody writes into a body is refused where a record is read, with its place."""

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
