"""Expectations: what a play says must come of a turn, and whether it has.

They are read from the play file and held against what was committed; nothing is played here.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from talewright.common.json_values import Json
from talewright.kernel.state.documents import find
from talewright.kernel.state.state_paths import parse_path
from talewright.llm.requests import Request
from talewright.turn.records.commit_body import TurnBody


@dataclass(frozen=True, slots=True)
class Expectation:
    """What must come of one turn."""

    outcome: str
    """`committed`, `unspent`, `degraded` or `failed`, and behind a colon the reason."""

    state: Mapping[str, Json]
    """Dotted paths and what must stand there afterwards."""

    narration: tuple[str, ...]
    """Words that the narration must hold, in order."""

    unsaid: tuple[str, ...]
    """Words that nothing told may hold."""

    choices: tuple[str, ...] | None
    decisions: tuple[str, ...]
    events: tuple[str, ...]
    """Types of the events that must have been reported."""

    dice: tuple[int, ...] | None
    """The faces that fell, in order."""

    refused: tuple[str, ...]
    """One for each call that was refused, in order: words of what the storyteller was told."""

    mended: tuple[str, ...]
    """One for each answer that had to be given again, in order: words of what was wrong with it."""

    asked: tuple[str, ...]
    """Words that the storyteller must have been given in the first ask."""

    unasked: tuple[str, ...]
    """Words that it must not have been given."""

    condensed: tuple[str, ...]
    """Words that must have been asked after the turn, in order."""

    @property
    def errs(self) -> bool:
        """Whether the script lets the storyteller make mistakes here."""
        return bool(self.refused or self.mended)


def read_expectation(raw: Mapping[str, Any]) -> Expectation:
    """The `expect` of a turn."""
    unknown = set(raw) - set(Expectation.__dataclass_fields__)
    assert not unknown, f"a play expects what nobody compares: {', '.join(sorted(unknown))}"

    def words(name: str) -> tuple[str, ...]:
        return tuple(raw.get(name, ()))

    return Expectation(
        outcome=raw.get("outcome", "committed"),
        state=raw.get("state", {}),
        narration=words("narration"),
        unsaid=words("unsaid"),
        choices=words("choices") if "choices" in raw else None,
        decisions=words("decisions"),
        events=words("events"),
        dice=tuple(raw["dice"]) if "dice" in raw else None,
        refused=words("refused"),
        mended=words("mended"),
        asked=words("asked"),
        unasked=words("unasked"),
        condensed=words("condensed"),
    )


def compare(expected: Expectation, body: TurnBody, document: Mapping[str, Json]) -> None:
    """Hold a commit against what was expected."""
    find_in_order(expected.narration, body.narration)
    if expected.choices is not None:
        assert tuple(choice.id for choice in body.choices) == expected.choices, body.choices
    assert tuple(card.id for card in body.decisions) == expected.decisions, body.decisions
    reported = {event.type for event in body.events}
    assert reported >= set(expected.events), reported
    if expected.dice is not None:
        assert tuple(draw.face for draw in body.draws) == expected.dice, body.draws
    match_each(expected.refused, list_refusals(body))
    match_each(expected.mended, list_mended(body))
    for path, value in expected.state.items():
        found = find(document, parse_path(path))
        assert found == value, (path, found)


def compare_asked(expected: Expectation, asked: Sequence[Request], condensed: Sequence[Request]) -> None:
    """Hold what the models were given against what was expected."""
    if expected.asked or expected.unasked:
        given = _read(asked[:1])
        assert [words for words in expected.asked if words not in given] == []
        assert [words for words in expected.unasked if words in given] == []
    find_in_order(expected.condensed, _read(condensed))


def _read(requests: Sequence[Request]) -> str:
    return "\n".join(message.text for request in requests for message in request.messages)


def find_in_order(wanted: Sequence[str], text: str) -> None:
    """Every one of these words stands in a text, each behind the one before it."""
    position = 0
    for words in wanted:
        position = text.find(words, position)
        assert position >= 0, (words, text)


def match_each(wanted: Sequence[str], found: Sequence[str]) -> None:
    """As many were found as were wanted, each with the words that were wanted."""
    assert len(found) == len(wanted), found
    for words, text in zip(wanted, found, strict=True):
        assert words in text, (words, text)


def list_refusals(body: TurnBody) -> list[str]:
    """Every refusal of a turn, as the storyteller was told it."""
    results = [
        result
        for exchange in cast(Sequence[Mapping[str, Any]], body.exchanges)
        for result in exchange.get("results", ())
    ]
    return [json.loads(result["text"])["error"] for result in results if result["refused"]]


def list_mended(body: TurnBody) -> list[str]:
    """Every demand to give an answer again."""
    exchanges = cast(Sequence[Mapping[str, Any]], body.exchanges)
    return ["; ".join(exchange["mend"]) for exchange in exchanges if "mend" in exchange]
