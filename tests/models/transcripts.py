"""Transcripts: turns that a real model told, as a page to read. Nothing is invented, mended or left out.

What the player was told stands as text; what the model answered and could not be used, beneath it in short.
"""

from collections.abc import Mapping
from pathlib import Path

from talewright.common.json_values import Json
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT
from tests.models.playing import How, Run, Turn

FOLDER = Path(__file__).parents[2] / "docs" / "play" / "transcripts"
QUOTED_MAX = 240
"""Characters of an answer that was not used."""

WORDS = {
    How.MODEL: "narrated by the model",
    How.REPAIR: "narrated by the model after a repair",
    How.SCENE: "narrated by the author's scene, because none of the model's answers could be used",
    How.NOBODY: "failed: nothing happened, and the player may try again",
}


def write_transcript(run: Run, turns: int, title: str, about: str) -> str:
    """A page with the first turns of a run."""
    shown = run.turns[:turns]
    counts = "; ".join(f"{sum(turn.how is how for turn in shown)} {WORDS[how]}" for how in How)
    parts = [f"# {title}", about, f"Of {len(shown)} turns: {counts}."]
    return "\n\n".join([*parts, *map(_write_turn, shown)]) + "\n"


def _write_turn(turn: Turn) -> str:
    parts = [f"## Campaign {turn.campaign}, turn {turn.number}", f"> {turn.said}"]
    if turn.body is not None:
        parts.append(_flatten(turn.body.narration))
    parts += [f"- {line}" for line in _list_calls(turn)]
    parts.append(f"*{WORDS[turn.how]}{_list_changes(turn)}*")
    if turn.how is not How.MODEL:
        parts += [line for number, ask in enumerate(turn.asks) for line in _write_failure(turn, number)]
    if turn.body is not None and turn.body.end is not None:
        parts.append("*The story ends.*")
    return "\n\n".join(parts)


def _write_failure(turn: Turn, number: int) -> list[str]:
    """An answer that was not used, and why."""
    exchange = turn.exchanges[number] if number < len(turn.exchanges) else {}
    why = exchange.get("mend") if isinstance(exchange, Mapping) else None
    if not why:
        return []
    text = " ".join(turn.asks[number].text.split())
    quoted = text if len(text) <= QUOTED_MAX else f"{text[:QUOTED_MAX]} [...]"
    reasons = "; ".join(map(str, why)) if isinstance(why, list) else str(why)
    return [f"Not used: {reasons}", f"````text\n{quoted}\n````"]


def _list_calls(turn: Turn) -> list[str]:
    """Every call of a tool, and what the rules answered."""
    lines: list[str] = []
    for exchange in turn.exchanges:
        if isinstance(exchange, Mapping):
            results = _list(exchange.get("results"))
            for call, result in zip(_list(exchange.get("calls")), results, strict=False):
                lines.append(f"`{call.get('name')}` `{call.get('arguments')}`: `{result.get('text')}`")
    return lines


def _list_changes(turn: Turn) -> str:
    changes = turn.body.changes if turn.body is not None else ()
    told = [_tell_change(change) for change in changes if not change.path.startswith(f"/{ENGINE_ROOT}")]
    return f"; {'; '.join(told)}" if told else ""


def _tell_change(change: Change) -> str:
    was, now = ("nothing" if value is ABSENT else value for value in (change.was, change.value))
    clamped = ", brought into its range" if change.clamped else ""
    return f"`{change.path}` {was} to {now} by {change.cause}{clamped}"


def _list(value: Json) -> list[Mapping[str, Json]]:
    return [one for one in value if isinstance(one, Mapping)] if isinstance(value, list) else []


def _flatten(text: str) -> str:
    """The words of a turn without anything that the page would take for a heading."""
    return "\n".join(line.lstrip("#") for line in text.splitlines())
