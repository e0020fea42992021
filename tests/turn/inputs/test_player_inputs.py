"""Inputs: what is written is read again, and what is no input is named."""

import pytest

from talewright.common.json_values import Json
from talewright.turn.inputs.player_inputs import (
    AnswerDecision,
    Choose,
    GoOn,
    Input,
    InputError,
    Opening,
    Say,
    from_json,
    to_json,
)

FORMS: list[tuple[Input, dict[str, Json]]] = [
    (Say("I wave"), {"kind": "say", "text": "I wave"}),
    (Choose("pay"), {"kind": "choose", "choice": "pay"}),
    (
        AnswerDecision("gamble", "roll", "with my own dice"),
        {"kind": "answer", "decision": "gamble", "option": "roll", "note": "with my own dice"},
    ),
    (
        AnswerDecision("gamble", "roll"),
        {"kind": "answer", "decision": "gamble", "option": "roll", "note": ""},
    ),
    (
        AnswerDecision("gamble", "roll", relayed=True),
        {"kind": "answer", "decision": "gamble", "option": "roll", "note": "", "relayed": True},
    ),
    (GoOn(), {"kind": "go_on"}),
    (Opening(), {"kind": "opening"}),
]


@pytest.mark.parametrize(("given", "form"), FORMS)
def test_there_and_back(given: Input, form: dict[str, Json]) -> None:
    assert to_json(given) == form
    assert from_json(form) == given


NONE: list[tuple[Json, str]] = [
    ("say", "an input is an object"),
    (None, "an input is an object"),
    ({}, "there is no input None; there is say, choose, answer, go_on, opening"),
    ({"kind": "shout"}, "there is no input 'shout'; there is say, choose, answer, go_on, opening"),
    ({"kind": "say"}, "the 'text' of an input is a string"),
    ({"kind": "say", "text": 5}, "the 'text' of an input is a string"),
    ({"kind": "choose", "choice": None}, "the 'choice' of an input is a string"),
    ({"kind": "answer", "decision": "d", "option": "o"}, "the 'note' of an input is a string"),
    ({"kind": "answer", "decision": "d", "note": ""}, "the 'option' of an input is a string"),
    ({"kind": "answer", "option": "o", "note": ""}, "the 'decision' of an input is a string"),
]


@pytest.mark.parametrize(("raw", "message"), NONE)
def test_what_is_no_input(raw: Json, message: str) -> None:
    with pytest.raises(InputError) as caught:
        from_json(raw)
    assert str(caught.value) == message
