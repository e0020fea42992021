"""The tale: what the player does in the pictures of the terminal, and what the scripted model answers.

The words stand in `terminal_tale.yaml`. The model is played by `talewright_testkit.fake_provider`, over HTTP.
"""

import json
import re
from dataclasses import dataclass
from pathlib import Path

import yaml

from talewright_testkit.fake_provider.parsed_request import ParsedRequest

FILE = Path(__file__).with_name("terminal_tale.yaml")

MODEL = "storyteller"
"""What the model calls itself."""

TRIAL = "Yes."
"""What it says to anything that is not in the tale."""

_HEARD = re.compile(r"\[PLAYER\]\n(.+?)\s*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: what is typed, and what is answered."""

    typed: str
    """A number, or words of the player's own."""

    words: str
    """What the model hears: of a number, the words of the choice."""

    answer: str
    """In the form that the game asks for."""

    @property
    def is_choice(self) -> bool:
        """Whether a number is typed, which takes effect at once."""
        return self.typed.isdecimal()


@dataclass(frozen=True, slots=True)
class Tale:
    """All turns."""

    harbor: tuple[Turn, ...]
    otherwise: Turn
    broken_off: Turn
    road: tuple[Turn, ...]

    def answer(self, asked: ParsedRequest) -> str:
        """What the model says to a request."""
        messages = asked.body["messages"]
        assert isinstance(messages, list)
        heard = _HEARD.search(str(messages[-1]["content"]))
        said = heard[1].strip() if heard else ""
        turns = (*self.harbor, self.otherwise, self.broken_off, *self.road)
        return next((turn.answer for turn in turns if turn.words == said), TRIAL)


def read_tale() -> Tale:
    """The tale from its file."""
    found = yaml.safe_load(FILE.read_text("utf-8"))
    turns = {name: tuple(_read_turn(entry) for entry in entries) for name, entries in found.items()}
    return Tale(turns["mist_harbor"], turns["otherwise"][0], turns["broken_off"][0], turns["lantern_road"])


def _read_turn(entry: dict[str, object]) -> Turn:
    typed, choices, updates, events = (
        entry.get(name, []) for name in ("type", "choices", "updates", "events")
    )
    assert isinstance(choices, list)
    assert isinstance(updates, list)
    assert isinstance(events, list)
    answer = {
        "narrative_markdown": entry["text"],
        "choices": [
            dict(zip(("id", "label", "hint", "risk"), choice, strict=True), tags=[]) for choice in choices
        ],
        "state_updates": [
            dict(zip(("op", "path", "value", "reason"), update, strict=True)) for update in updates
        ],
        "new_facts": [],
        "events": [{"type": "info", "message": message} for message in events],
        "end": {"is_game_over": False, "ending_id": "", "reason": ""},
    }
    return Turn(str(typed), str(entry.get("said", typed)), json.dumps(answer, ensure_ascii=False))
