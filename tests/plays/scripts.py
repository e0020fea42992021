"""Scripts: the play files, read into values.

A play file is YAML: a game, turns with their inputs, the storyteller's replies, and what must come of them.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from talewright.common.json_values import Json
from talewright.llm.profiles import Profile
from talewright.llm.provider import ProviderError, Trouble
from talewright.llm.reply_chunks import Usage
from talewright.llm.requests import ToolCall
from talewright.providers.scripted import ScriptedReply
from talewright.turn.inputs.player_inputs import Input, from_json
from tests.plays.expectations import Expectation, read_expectation

PLAYS = Path(__file__).parent
"""Where the play files lie."""

CONTEXT_TOKENS = Profile("").context_tokens
"""What a storyteller can read at once, where a play says nothing of it."""


class Loader(yaml.CSafeLoader):
    """YAML with one word more: `!times [text, number]` is as long as the text so many times over.

    Every ten copies are followed by a number: what goes round in circles would be stopped.
    """


def _repeat(loader: yaml.CSafeLoader, node: yaml.Node) -> str:
    assert isinstance(node, yaml.SequenceNode)
    text, times = loader.construct_sequence(node)
    ten = str(text) * min(10, int(times))
    numbered = "".join(f"{ten}{number} " for number in range(int(times) // 10))
    return numbered[: len(text) * int(times) - len(ten)] + ten


Loader.add_constructor("!times", _repeat)


@dataclass(frozen=True, slots=True)
class Fork:
    """A second way for the story to go."""

    branch: str
    mark: str
    """Where it begins."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One turn of a play."""

    given: Input
    replies: tuple[ScriptedReply, ...]
    expected: Expectation
    condense: tuple[ScriptedReply, ...] | None
    """The replies to the errands after this turn; None where they are not run."""

    edition: str
    """Which of the play's game folders is the newest from this turn on."""

    outside: tuple[Json, ...] | None
    """Calls of a game master outside, who tells this turn with the words of the first reply."""

    back: int
    """How many turns are undone before this one."""

    mark: str
    """Under which the commit of this turn can be found again."""

    fork: Fork | None
    """A branch that begins with this turn, and on which the play goes on."""

    branch: str
    """The branch to which the play turns before this turn; empty where it stays."""


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

    context_tokens: int = CONTEXT_TOKENS
    """How much the storyteller can read at once."""

    apart: tuple[str, ...] = ()
    """Dotted paths that are left out of the digest: texts of the game, which its author may change."""

    is_long: bool = False
    """Whether crashing it at every point is work for a sweep."""


def read_plays() -> list[Play]:
    """Every play file, by name."""
    return [read_play(path) for path in sorted(PLAYS.glob("*.yaml"))]


@cache
def read_play(path: Path) -> Play:
    """One play file."""
    raw = yaml.load(path.read_text(encoding="utf-8"), Loader)
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
        raw.get("context_tokens", CONTEXT_TOKENS),
        tuple(raw.get("apart", ())),
        raw.get("long", False),
    )


def _turn(raw: Mapping[str, Any]) -> Turn:
    return Turn(
        from_json(_input(raw)),
        tuple(read_line(reply) for reply in raw.get("replies", ())),
        read_expectation(raw.get("expect", {})),
        tuple(read_line(reply) for reply in raw["condense"]) if "condense" in raw else None,
        raw.get("edition", ""),
        tuple(raw["outside"]) if "outside" in raw else None,
        raw.get("back", 0),
        raw.get("mark", ""),
        Fork(raw["fork"]["branch"], raw["fork"]["mark"]) if "fork" in raw else None,
        raw.get("branch", ""),
    )


def _input(raw: Mapping[str, Any]) -> Json:
    for kind, member in (("say", "text"), ("choose", "choice")):
        if kind in raw:
            return {"kind": kind, member: raw[kind]}
    if "answer" in raw:
        return {"kind": "answer", "note": "", **raw["answer"]}
    return {"kind": raw["do"]}


def read_line(raw: str | Mapping[str, Any]) -> ScriptedReply:
    """A reply: words, or `{text, answer, bundle, calls, error}`.

    `answer` is written as JSON behind the text, `bundle` as well and in a fence.
    """
    if isinstance(raw, str):
        return ScriptedReply(raw, usage=Usage(100, 20))
    text = raw.get("text", "")
    if "answer" in raw:
        text += json.dumps(raw["answer"], ensure_ascii=False)
    if "bundle" in raw:
        text += f"\n```json\n{json.dumps(raw['bundle'], ensure_ascii=False)}\n```\n"
    calls: Sequence[Mapping[str, Any]] = raw.get("calls", ())
    error = ProviderError(Trouble(raw["error"]), f"scripted: {raw['error']}") if "error" in raw else None
    return ScriptedReply(
        text,
        tuple(_call(number, *_name_call(call)) for number, call in enumerate(calls, 1)),
        Usage(100, 20),
        error=error,
    )


def _name_call(raw: Mapping[str, Any]) -> tuple[str, Json]:
    """A call: `{name, arguments}`, or shorter `{name-of-the-tool: arguments}`."""
    if "name" in raw:
        return raw["name"], raw.get("arguments", {})
    ((name, arguments),) = raw.items()
    return name, arguments


def _call(number: int, name: str, arguments: Json) -> ToolCall:
    return ToolCall(f"call-{number}", name, json.dumps(arguments))
