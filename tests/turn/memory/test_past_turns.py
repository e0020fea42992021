"""Past answers: repeated without the choices they offered, and otherwise byte for byte as they came."""

import json

import pytest

from talewright.turn.memory.past_turns import drop_choices, drop_offered

ANSWER = {
    "narrative_markdown": 'He says: "choices": [1]\nand nods.',
    "choices": [{"id": "a", "label": "A ] [", "tags": ["x"]}, {"id": "b", "label": '"B"'}],
    "state_updates": [{"op": "inc", "path": "mood", "value": 1.50}],
}


@pytest.mark.parametrize("indent", [None, 1])
def test_only_the_choices_go(indent: int | None) -> None:
    text = f"Words before.\n{json.dumps(ANSWER, indent=indent)}\n"
    trimmed = drop_choices("cards", text)
    assert json.loads(trimmed.removeprefix("Words before.")) == {**ANSWER, "choices": []}
    before, _, after = trimmed.partition('"choices": []')
    assert text.startswith(before)
    assert text.endswith(after)
    # What is told back never changes any more.
    assert drop_choices("cards", trimmed) == trimmed


def test_the_block_at_the_end_is_meant_not_words_like_it() -> None:
    text = 'She reads "next_actions": [1] aloud.\n```json\n{"next_actions": ["Go"]}\n```'
    kept = 'She reads "next_actions": [1] aloud.\n```json\n{"next_actions": []}\n```'
    assert drop_choices("patch", text) == kept


@pytest.mark.parametrize(
    "text",
    [
        "",
        "He nods.",
        '{"choices": null}',
        '{"choices": [1, 2',
        '{"choices": [' + "[" * 9_000,
        '{"next_actions": [1]}',
    ],
)
def test_what_cannot_be_read_stays_as_it_is(text: str) -> None:
    assert drop_choices("cards", text) == text


def test_dialects_and_tools_without_choices() -> None:
    text = '{"choices": [1]}'
    assert drop_choices("tools", text) == drop_choices("mvu", text) == text
    assert drop_offered("pay", text) == text
    assert drop_offered("offer_choices", text) == '{"choices": []}'
