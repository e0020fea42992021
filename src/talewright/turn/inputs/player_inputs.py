"""Inputs of a player: say, choose, answer a decision, go on, the opening; with their JSON form.

An accepted input is kept before anything is made of it.
"""

from collections.abc import Mapping
from typing import TypeAlias, assert_never

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json


@frozen
class Say:
    """Words of the player's own."""

    text: str
    sure: bool = False
    """Whether the player goes on with them although they were cautioned."""


@frozen
class Choose:
    """One of the choices on the table, by its id."""

    choice: str


@frozen
class AnswerDecision:
    """The answer to a decision that was asked for."""

    decision: str
    option: str
    note: str = ""
    """The player's own words, where the decision takes them."""


@frozen
class GoOn:
    """Another answer, with no input."""


@frozen
class Opening:
    """The first turn."""


Input: TypeAlias = Say | Choose | AnswerDecision | GoOn | Opening


class InputError(ValueError):
    """The JSON is no input."""


def to_json(given: Input) -> dict[str, Json]:
    """An input as it is kept."""
    match given:
        case Say(text, sure):
            return {"kind": "say", "text": text, **({"sure": True} if sure else {})}
        case Choose(choice):
            return {"kind": "choose", "choice": choice}
        case AnswerDecision(decision, option, note):
            return {"kind": "answer", "decision": decision, "option": option, "note": note}
        case GoOn():
            return {"kind": "go_on"}
        case Opening():
            return {"kind": "opening"}
        case _:
            assert_never(given)


def from_json(raw: Json) -> Input:
    """Read what `to_json` wrote."""
    if not isinstance(raw, Mapping):
        raise InputError("an input is an object")

    def text(name: str) -> str:
        value = raw.get(name)
        if not isinstance(value, str):
            raise InputError(f"the {name!r} of an input is a string")
        return value

    match raw.get("kind"):
        case "say":
            return Say(text("text"), raw.get("sure") is True)
        case "choose":
            return Choose(text("choice"))
        case "answer":
            return AnswerDecision(text("decision"), text("option"), text("note"))
        case "go_on":
            return GoOn()
        case "opening":
            return Opening()
        case other:
            raise InputError(f"there is no input {other!r}; there is say, choose, answer, go_on, opening")
