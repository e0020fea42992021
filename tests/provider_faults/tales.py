"""Tales: two small games with a fake model for each, which tells one turn the same way whenever it is asked.

The model reacts to what it is told as a model would: a refused call is made again, a mend is answered.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass

from talewright.llm.requests import ToolCall
from talewright.turn.inputs.player_inputs import Say
from talewright_testkit.fake_provider.parsed_request import ParsedRequest
from talewright_testkit.fake_provider.reply_script import FakeAnswer


@dataclass(frozen=True, slots=True)
class Tale:
    """One turn of a game, and how it is told."""

    name: str
    folder: str
    opening: str
    """How the first turn is told, before anything goes wrong."""

    given: Say
    script: Callable[[ParsedRequest], FakeAnswer]
    narration: str

    def __str__(self) -> str:
        return self.name


LOOKING = "He holds the lamp to your hand, looks long, and takes one coin for the trouble of looking."
COUNTING = "He counts under his breath while you look for the coins."
PAID = "Two coins change hands, and the bar goes up with a groan that the river answers."

_CHOICES = [
    {"id": name, "label": label, "hint": "h", "risk": "low", "tags": []}
    for name, label in (("a", "Pay"), ("b", "Wait"), ("c", "Leave"))
]
CARD = {
    "narrative_markdown": LOOKING,
    "choices": _CHOICES,
    "state_updates": [{"op": "dec", "path": "coins", "value": 1, "reason": "for looking"}],
    "new_facts": [],
    "events": [],
    "end": {"is_game_over": False, "ending_id": "", "reason": ""},
}


def tell_ferry(asked: ParsedRequest) -> FakeAnswer:
    """One card of JSON."""
    return FakeAnswer(json.dumps(CARD))


def tell_bridge(asked: ParsedRequest) -> FakeAnswer:
    """A call, and when that is granted the telling."""
    if any(block.kind == "result" and "paid" in block.text for block in asked.blocks):
        return FakeAnswer(PAID)
    # Every call has its own id, as vendors give them.
    return FakeAnswer(COUNTING, (ToolCall(f"call-{asked.number}", "pay", '{"coins": 2}'),))


CARDS = Tale("cards", "tests/plays/games/ferry", "", Say("I show him the seal"), tell_ferry, LOOKING)
TOOLS = Tale("tools", "tests/plays/games/bridge", "He waits.", Say("I pay"), tell_bridge, PAID)
