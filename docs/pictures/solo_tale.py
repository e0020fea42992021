"""The tale of the solo pictures: what the player does, and what the scripted storyteller says and calls.

The words stand in `solo_tale.yaml`. The model is played by `talewright_testkit.fake_provider`, over HTTP.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from talewright.llm.requests import ToolCall
from talewright_testkit.fake_provider.parsed_request import ParsedRequest
from talewright_testkit.fake_provider.reply_script import FakeAnswer

FILE = Path(__file__).with_name("solo_tale.yaml")

WAITING = "(The player waits for what happens next.)"
"""What the storyteller hears when a turn begins by itself."""

_HEARD = re.compile(r"\[PLAYER\]\n(.+?)\s*$", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn: what is typed, and the replies that tell it."""

    typed: str
    """Words of the player's own, or the number of an answer; empty where the turn begins by itself."""

    note: str
    """Words beside an answer."""

    said: str
    """What the storyteller hears."""

    replies: tuple[FakeAnswer, ...]


@dataclass(frozen=True, slots=True)
class Tale:
    """All turns, by the part of the story they belong to, and the summary of the day."""

    parts: Mapping[str, tuple[Turn, ...]]
    summary: str

    def turns(self, *names: str) -> tuple[Turn, ...]:
        """The turns of some parts, in order."""
        return tuple(turn for name in names for turn in self.parts[name])


class MisheardError(Exception):
    """The program asks for something else than the tale tells next."""


@dataclass(slots=True)
class Storyteller:
    """Tells a tale to one player, turn by turn; it says no word that is not in it."""

    tale: Tale
    told: list[Turn] = field(default_factory=list)
    """The turns that have begun."""

    def answer(self, asked: ParsedRequest) -> FakeAnswer:
        """The reply to a request: the next turn, the next round of one, or a summary."""
        if not asked.tools:
            wants_data = "`logbook_review`" in asked.text
            return FakeAnswer(json.dumps(_sum_up(self.tale.summary)) if wants_data else self.tale.summary)
        messages = asked.body["messages"]
        assert isinstance(messages, list)
        asks = [at for at, message in enumerate(messages) if message["role"] == "user"]
        rounds = [message["role"] for message in messages[asks[-1] :]].count("assistant")
        if rounds == 0:
            self._begin(str(messages[asks[-1]]["content"]))
        turn = self.told[-1]
        if rounds >= len(turn.replies):
            raise MisheardError(f"no reply {rounds + 1} to {turn.said!r}: {messages[-1]['content']}")
        return turn.replies[rounds]

    def _begin(self, words: str) -> None:
        """Find the turn that comes next; a turn that is asked for again is told again."""
        heard = _HEARD.search(words)
        said = heard[1] if heard else words
        turns = self.tale.turns(*self.tale.parts)
        left = turns[len(self.told) :]
        if left and left[0].said == said:
            self.told.append(left[0])
        elif not self.told or self.told[-1].said != said:
            raise MisheardError(f"heard {said!r}, and not {left[0].said if left else 'nothing'!r}")


def read_tale() -> Tale:
    """The tale from its file."""
    found = yaml.safe_load(FILE.read_text("utf-8"))
    summary = found.pop("summary")
    parts = {name: tuple(_read_turn(entry) for entry in entries) for name, entries in found.items()}
    return Tale(parts, summary.strip())


def _read_turn(entry: Mapping[str, object]) -> Turn:
    typed, note = str(entry.get("type", "")), str(entry.get("note", ""))
    replies = entry["replies"]
    assert isinstance(replies, list)
    said = str(entry.get("said", typed)) or WAITING
    return Turn(typed, note, said, tuple(_read_reply(reply) for reply in replies))


def _read_reply(reply: Mapping[str, object]) -> FakeAnswer:
    calls = reply.get("calls", [])
    assert isinstance(calls, list)
    return FakeAnswer(str(reply.get("text", "")).strip(), tuple(_read_calls(calls)))


def _read_calls(calls: Iterable[Mapping[str, object]]) -> Iterable[ToolCall]:
    for call in calls:
        for name, arguments in call.items():
            yield ToolCall("", name, json.dumps(arguments, ensure_ascii=False))


def _sum_up(summary: str) -> Mapping[str, object]:
    review: Mapping[str, object] = {"stale": [], "consolidate": [], "contradictions": [], "missing": []}
    return {"summaries": {"day_1": summary}, "logbook_review": review}
