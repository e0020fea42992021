"""Scripts: the play files, read into values.

A play file is YAML: a game, turns with their inputs, the storyteller's replies, and what must come of them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from talewright.kernel.documents import Json
from talewright.llm.errors import ProviderError, Trouble
from talewright.llm.tools import ToolCall
from talewright.llm.usage import Usage
from talewright.providers.scripted import Line
from talewright.turn.inputs import Input, from_json

PLAYS = Path(__file__).parent
"""Where the play files lie."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a play."""

    given: Input
    replies: tuple[Line, ...]
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

    condense: tuple[Line, ...] | None
    """The replies to the errands after this turn; None where they are not run."""

    edition: str
    """Which of the play's game folders is the newest from this turn on."""

    outside: tuple[Json, ...] | None
    """Calls of a game master outside, who tells this turn with the words of the first reply."""

    back: int
    """How many turns are undone before this one."""


@dataclass(frozen=True, slots=True)
class Play:
    """One play file."""

    name: str
    game: str
    language: str
    has_teller: bool
    turns: tuple[Turn, ...]
    digest: str
    """Of the state at the end."""

    start: Mapping[str, Json] = field(default_factory=dict)
    """Dotted paths that differ from the game's first state."""

    fill: int = 0
    """The version that is reached by empty turns before the first one."""


def read_plays() -> list[Play]:
    """Every play file, by name."""
    return [read_play(path) for path in sorted(PLAYS.glob("*.yaml"))]


def read_play(path: Path) -> Play:
    """One play file."""
    raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    turns = tuple(_turn(turn) for turn in raw["turns"])
    return Play(
        path.stem,
        raw["game"],
        raw.get("language", "en"),
        raw.get("teller", True),
        turns,
        raw["digest"],
        raw.get("start", {}),
        raw.get("fill", 0),
    )


def _turn(raw: Mapping[str, Any]) -> Turn:
    expect = raw.get("expect", {})
    return Turn(
        from_json(_input(raw)),
        tuple(read_line(reply) for reply in raw.get("replies", ())),
        expect.get("outcome", "committed"),
        expect.get("state", {}),
        tuple(expect.get("narration", ())),
        tuple(expect.get("unsaid", ())),
        tuple(expect["choices"]) if "choices" in expect else None,
        tuple(expect.get("decisions", ())),
        tuple(expect.get("events", ())),
        tuple(read_line(reply) for reply in raw["condense"]) if "condense" in raw else None,
        raw.get("edition", ""),
        tuple(raw["outside"]) if "outside" in raw else None,
        raw.get("back", 0),
    )


def _input(raw: Mapping[str, Any]) -> Json:
    for kind, member in (("say", "text"), ("choose", "choice")):
        if kind in raw:
            return {"kind": kind, member: raw[kind]}
    if "answer" in raw:
        return {"kind": "answer", "note": "", **raw["answer"]}
    return {"kind": raw["do"]}


def read_line(raw: str | Mapping[str, Any]) -> Line:
    """A reply: words, or `{text, answer, bundle, calls, error}`.

    `answer` is written as JSON behind the text, `bundle` as well and in a fence.
    """
    if isinstance(raw, str):
        return Line(raw, usage=Usage(100, 20))
    text = raw.get("text", "")
    if "answer" in raw:
        text += json.dumps(raw["answer"], ensure_ascii=False)
    if "bundle" in raw:
        text += f"\n```json\n{json.dumps(raw['bundle'], ensure_ascii=False)}\n```\n"
    calls: Sequence[Mapping[str, Any]] = raw.get("calls", ())
    error = ProviderError(Trouble(raw["error"]), f"scripted: {raw['error']}") if "error" in raw else None
    return Line(
        text,
        tuple(
            ToolCall(f"call-{number}", call["name"], json.dumps(call.get("arguments", {})))
            for number, call in enumerate(calls, 1)
        ),
        Usage(100, 20),
        error=error,
    )
