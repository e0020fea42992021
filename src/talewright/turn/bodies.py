"""Bodies: what a commit of a turn holds besides its names, as a value and as JSON.

The JSON is a save format: whatever is added here must be read from older saves as if it were empty.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, cast

from talewright.kernel.chance import Draw
from talewright.kernel.judging.moves_and_rulings import Decision, Option
from talewright.kernel.state.changes import Change
from talewright.kernel.state.changes import from_json as change_from_json
from talewright.kernel.state.changes import to_json as change_to_json
from talewright.kernel.state.documents import Json
from talewright.kernel.story.triggers import Event

SCENES = "scenes"
MODEL = "model"
OUTSIDE = "outside"
NOBODY = "nobody"
"""Who told a turn."""

ROLL = "roll"
TRIAL = "trial"
CALL = "call"
"""Kinds of a roll: dice that a scene asked for, a system that it asked, and a tool that was called."""

MOVES = "moves"
ROUND = "round"
"""Purposes of asks after which moves were judged before the story was told."""


@dataclass(frozen=True, slots=True)
class Offered:
    """A choice as it lay on the table."""

    id: str
    label: str
    hint: str = ""
    risk: str = "low"
    source: str = SCENES
    """`scenes`, `finale` or `model`: who must carry it out when it is chosen."""


@dataclass(frozen=True, slots=True)
class End:
    """How the game ended."""

    ending: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Body:
    """What happened in one turn."""

    input: Json = None
    said: str = ""
    """The input in the player's words: what was typed, or the label of the choice."""

    told: str = NOBODY
    language: str = ""
    narration: str = ""
    choices: tuple[Offered, ...] = ()
    changes: tuple[Change, ...] = ()
    events: tuple[Event, ...] = ()
    decisions: tuple[Decision, ...] = ()
    """The cards that lie open after the turn."""

    end: End | None = None
    draws: tuple[Draw, ...] = ()
    nonce: str = ""
    """Hexadecimal; mixed into the draws where fate is fresh."""

    rolls: tuple[Json, ...] = ()
    """Each roll as a player is shown it: `{text, total, ...}`, in order."""

    rulings: tuple[Json, ...] = ()
    exchanges: tuple[Json, ...] = ()
    """Every reply as it came, with its calls, results, flaws and usage."""

    asides: tuple[str, ...] = ()
    """Ids of the asides taken up."""

    edits: tuple[Json, ...] = ()
    """What a person had changed by hand in the campaign's pages: `{path, text}` where it was taken up,
    `{path, digest, refused, told}` where it was not; `told`: an earlier turn said so already."""

    adopted: Json = None
    """Where the game's folder had changed compatibly: `{from, changes}`, the digest of the game before and
    how many changes it took."""

    lore: tuple[Json, ...] = ()
    """What of the lore came up and stands with the input in every later prompt: `{id, why}`."""

    cuts: tuple[Json, ...] = ()
    """What was left out of the prompt: `{cut, tokens}`; or, of the window, `{cut, by, from, first}`."""

    window: Json = None
    """What the next prompt shows of the past: see `windows`."""

    facts: tuple[str, ...] = ()
    bundle: str = ""
    """The model's own name for its bundle."""

    model: Json = None
    """The model and its settings: `{name, temperature, ...}`."""

    usage: Json = None
    root: Json = None
    """Only in the first commit: `{commitment, document, imported?}`."""


def to_json(body: Body) -> dict[str, Json]:
    """A body as it is kept; what is empty is left out."""
    raw: dict[str, Json] = {}
    for part in fields(body):
        value = getattr(body, part.name)
        if value not in (None, "", ()):
            raw[part.name] = _WRITE.get(part.name, _as_is)(value)
    return raw


def from_json(raw: Mapping[str, Json]) -> Body:
    """Read what `to_json` wrote; a ValueError or KeyError where it is no body."""
    known = {part.name for part in fields(Body)}
    parts: dict[str, Any] = {
        name: _READ.get(name, _tupled)(value) for name, value in raw.items() if name in known
    }
    return Body(**parts)


def _as_is(value: object) -> Json:
    return list(cast(Sequence[Json], value)) if isinstance(value, tuple) else cast(Json, value)


def _tupled(value: Json) -> object:
    return tuple(value) if isinstance(value, list) else value


def _write_decision(decision: Decision) -> Json:
    return {
        "id": decision.id,
        "question": decision.question,
        "options": [{"id": option.id, "label": option.label} for option in decision.options],
        "lines": list(decision.lines),
        "takes_note": decision.takes_note,
        **({"note_with": decision.note_with} if decision.note_with else {}),
    }


def _read_decision(raw: Mapping[str, Json]) -> Decision:
    options = cast(Sequence[Mapping[str, str]], raw["options"])
    return Decision(
        cast(str, raw["id"]),
        cast(str, raw["question"]),
        tuple(Option(option["id"], option["label"]) for option in options),
        tuple(cast(Sequence[str], raw["lines"])),
        bool(raw["takes_note"]),
        str(raw.get("note_with", "")),
    )


_WRITE: Mapping[str, Callable[[Any], Json]] = {
    "choices": lambda offers: [
        {"id": o.id, "label": o.label, "hint": o.hint, "risk": o.risk, "source": o.source} for o in offers
    ],
    "changes": lambda changes: [change_to_json(change) for change in changes],
    "events": lambda events: [{"type": e.type, "text": e.text, "cause": e.cause} for e in events],
    "decisions": lambda decisions: [_write_decision(decision) for decision in decisions],
    "end": lambda end: {"ending": end.ending, "outcome": end.outcome},
    "draws": lambda draws: [[d.version, d.index, d.sides, d.face, d.why] for d in draws],
}
_READ: Mapping[str, Callable[[Any], object]] = {
    "choices": lambda raw: tuple(Offered(**offer) for offer in raw),
    "changes": lambda raw: tuple(change_from_json(change) for change in raw),
    "events": lambda raw: tuple(Event(**event) for event in raw),
    "decisions": lambda raw: tuple(_read_decision(decision) for decision in raw),
    "end": lambda raw: End(**raw),
    "draws": lambda raw: tuple(Draw(*draw) for draw in raw),
    "input": lambda raw: raw,
    "adopted": lambda raw: raw,
    "model": lambda raw: raw,
    "usage": lambda raw: raw,
    "root": lambda raw: raw,
    "window": lambda raw: raw,
}
