"""Bodies: every part is written and read again, and what is empty takes no room."""

import json

import pytest

from talewright.chronicle.store import DamagedError
from talewright.common.json_values import Json
from talewright.kernel.chance import Draw
from talewright.kernel.judging.rulings import Decision, Option
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.story.triggers import Event
from talewright.llm.reply_chunks import Usage
from talewright.turn.records.commit_body import (
    GameEnd,
    OfferedChoice,
    TurnBody,
    read_body,
    read_usage,
    write_body,
)

WHOLE = TurnBody(
    input={"kind": "say", "text": "I wave"},
    said="I wave",
    told="model",
    language="en",
    narration="He nods.",
    choices=(OfferedChoice("pay", "Pay", "h", "high", "model"), OfferedChoice("wait", "Wait")),
    changes=(
        Change("replace", "/coins", 4, 5, "paid", "model", clamped=True),
        Change("add", "/log/0", {"a": [1]}, ABSENT, "", "scene:quay"),
        Change("remove", "/log/0", ABSENT, None, "", "engine"),
    ),
    events=(Event("toll", "toll.paid", "system:toll"),),
    decisions=(
        Decision("gamble", "Roll?", (Option("roll", "Roll"), Option("no", "No")), ("4 or more",), True),
    ),
    end=GameEnd("across", "win"),
    draws=(Draw(3, 0, 6, 4, "gamble"), Draw(3, 1, 20, 1, "")),
    nonce="00ff",
    rolls=({"kind": "roll", "total": 8},),
    rulings=({"ruling": "granted"},),
    exchanges=({"text": "He nods."},),
    asides=("a1", "a2"),
    adopted={"from": "d1", "changes": 2},
    lore=("river",),
    cuts=({"turns": 4},),
    facts=("The keeper is old.",),
    bundle="pay-1",
    model={"name": "scripted"},
    usage={"input_tokens": 1},
    root={"document": {}, "list": [1]},
)
FORM = {
    "input": {"kind": "say", "text": "I wave"},
    "said": "I wave",
    "told": "model",
    "language": "en",
    "narration": "He nods.",
    "choices": [
        {"id": "pay", "label": "Pay", "hint": "h", "risk": "high", "source": "model"},
        {"id": "wait", "label": "Wait", "hint": "", "risk": "low", "source": "scenes"},
    ],
    "changes": [
        {
            "op": "replace",
            "path": "/coins",
            "value": 4,
            "was": 5,
            "reason": "paid",
            "cause": "model",
            "clamped": True,
        },
        {"op": "add", "path": "/log/0", "value": {"a": [1]}, "reason": "", "cause": "scene:quay"},
        {"op": "remove", "path": "/log/0", "was": None, "reason": "", "cause": "engine"},
    ],
    "events": [{"type": "toll", "text": "toll.paid", "cause": "system:toll"}],
    "decisions": [
        {
            "id": "gamble",
            "question": "Roll?",
            "options": [{"id": "roll", "label": "Roll"}, {"id": "no", "label": "No"}],
            "lines": ["4 or more"],
            "takes_note": True,
        }
    ],
    "end": {"ending": "across", "outcome": "win"},
    "draws": [[3, 0, 6, 4, "gamble"], [3, 1, 20, 1, ""]],
    "nonce": "00ff",
    "rolls": [{"kind": "roll", "total": 8}],
    "rulings": [{"ruling": "granted"}],
    "exchanges": [{"text": "He nods."}],
    "asides": ["a1", "a2"],
    "adopted": {"from": "d1", "changes": 2},
    "lore": ["river"],
    "cuts": [{"turns": 4}],
    "facts": ["The keeper is old."],
    "bundle": "pay-1",
    "model": {"name": "scripted"},
    "usage": {"input_tokens": 1},
    "root": {"document": {}, "list": [1]},
}


def test_every_part_as_it_is_kept() -> None:
    assert write_body(WHOLE) == FORM
    assert list(write_body(WHOLE)) == list(FORM)


def test_what_was_written_is_read_again() -> None:
    assert read_body(json.loads(json.dumps(write_body(WHOLE)))) == WHOLE


def test_what_is_empty_is_left_out() -> None:
    assert write_body(TurnBody()) == {"told": "nobody"}
    assert read_body({}) == TurnBody()
    assert write_body(TurnBody(told="", usage={}, adopted=0)) == {"usage": {}, "adopted": 0}


def test_parts_of_a_later_version_are_passed_over() -> None:
    assert read_body({"said": "I wave", "weather": "rain"}) == TurnBody(said="I wave")


def test_a_decision_says_which_answer_takes_words_along() -> None:
    card = Decision("check", "Roll?", (Option("roll", "Roll"), Option("no", "No")), (), True, "no")
    body = TurnBody(input={}, decisions=(card,))
    assert read_body(json.loads(json.dumps(write_body(body)))).decisions == (card,)


@pytest.mark.parametrize(
    "draw", [5, None, [], [1, 2, 3, 4], [1, 2, 3, 4, 5], [1, 2, 3, True, ""], ["", 1, 2, 3, ""]]
)
def test_a_draw_that_is_none_is_damage(draw: Json) -> None:
    with pytest.raises(DamagedError, match="malformed draws"):
        read_body({"draws": [draw]})


def test_usage_that_is_none_is_not_counted() -> None:
    assert read_usage({"input_tokens": 1, "output_tokens": 2, "cached_tokens": 3}) == Usage(1, 2, 3)
    odd: list[Json] = [None, 5, {}, {"input_tokens": "1", "output_tokens": 2, "cached_tokens": 3}]
    assert [read_usage(raw) for raw in odd] == [None] * 4
