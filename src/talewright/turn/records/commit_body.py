"""The body of a commit: what happened in a turn, with rulings and exchanges, as a value and as JSON.

The JSON is a save format: members added here must be read as empty from older saves.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields
from typing import Any, assert_never, cast

from talewright.chronicle.store import DamagedError
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.chance import Draw
from talewright.kernel.judging.moves import Call, End, Move, Update
from talewright.kernel.judging.rulings import Decision, Granted, Option, Refused, Ruling
from talewright.kernel.state.changes import Change
from talewright.kernel.state.changes import from_json as change_from_json
from talewright.kernel.state.changes import to_json as change_to_json
from talewright.kernel.story.triggers import Event
from talewright.llm.provider import ProviderError
from talewright.llm.reply_chunks import CallPart, Piece, Reply, Stop, StopReason, Text, Usage, Used
from talewright.llm.requests import ToolCall

SCENES = "scenes"
MODEL = "model"
OUTSIDE = "outside"
NOBODY = "nobody"
"""Who narrated a turn."""

ROLL = "roll"
TRIAL = "trial"
CALL = "call"
"""Kinds of rolls: dice in a scene, a system called by a scene, and a tool call."""

ROLLS = "rolls"
"""The member of a system's answer that lists several rolls."""


def split_rolls(recorded: Json) -> tuple[Json, ...]:
    """Return the rolls of one entry: a single call may roll for everyone in a fight."""
    if not isinstance(recorded, Mapping):
        return ()
    result = recorded.get("result")
    holder = result if isinstance(result, Mapping) else recorded
    several = holder.get(ROLLS)
    if not isinstance(several, list) or not several or not isinstance(several[0], Mapping):
        # Some systems list the faces of one roll by this name.
        return (recorded,)
    # The outcome of the whole, in a trial, is not that of each roll.
    entry = {key: recorded[key] for key in ("kind", "tool") if key in recorded}
    hidden = {"hidden": True} if holder.get("hidden") else {}
    return tuple({**entry, **hidden, "result": one} for one in several if isinstance(one, Mapping))


MOVES = "moves"
ROUND = "round"
"""Purposes of requests whose moves were judged before the narration."""


@frozen
class OfferedChoice:
    """A choice as it was offered."""

    id: str
    label: str
    hint: str = ""
    risk: str = "low"
    source: str = SCENES
    """`scenes`, `finale`, `system` or `model`: who handles it when it is chosen."""


@frozen
class GameEnd:
    """How the game ended."""

    ending: str
    outcome: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnBody:
    """What happened in one turn."""

    input: Json = None
    said: str = ""
    """The input in the player's words: the typed text, or the label of the choice."""

    told: str = NOBODY
    language: str = ""
    narration: str = ""
    choices: tuple[OfferedChoice, ...] = ()
    changes: tuple[Change, ...] = ()
    events: tuple[Event, ...] = ()
    events_at: int | None = None
    """How many characters of the narration come before the events; None for all of it."""

    decisions: tuple[Decision, ...] = ()
    """The decision cards that are open after the turn."""

    end: GameEnd | None = None
    draws: tuple[Draw, ...] = ()
    nonce: str = ""
    """Hexadecimal; mixed into the draws if the game's fate is fresh."""

    seen: Json = None
    """What game masters saw in turns that were then abandoned, if they ever did: `{through, waiting}`, how
    many of these asides the turn knew, and the draws among them that no turn of this line has used yet.
    """

    rolls: tuple[Json, ...] = ()
    """Each roll as shown to the player: `{text, total, ...}`, in order."""

    rulings: tuple[Json, ...] = ()
    exchanges: tuple[Json, ...] = ()
    """Every reply as received, with its calls, results, flaws and usage."""

    asides: tuple[str, ...] = ()
    """Ids of the asides used in the turn."""

    edits: tuple[Json, ...] = ()
    """Pages that a person had edited: `{path, text}` if the edit was accepted, `{path, digest, refused,
    told}` if it was not; `told` means that an earlier turn already reported it.
    """

    adopted: Json = None
    """If the game's folder had changed compatibly: `{from, changes}`, the digest of the previous game and the
    number of changes.
    """

    lore: tuple[Json, ...] = ()
    """Lore that was triggered and stays with the input in every later prompt: `{id, why}`."""

    cuts: tuple[Json, ...] = ()
    """What was left out of the prompt: `{cut, tokens}`; or, for the window, `{cut, by, from, first}`."""

    window: Json = None
    """What the next prompt shows of the past: see `windows`."""

    facts: tuple[str, ...] = ()
    bundle: str = ""
    """The bundle's name, as the model gave it."""

    model: Json = None
    """The model and its settings: `{name, temperature, ...}`."""

    usage: Json = None
    engine: int | None = None
    """The engine number that made the turn; None for turns older than engine numbers."""

    circumstances: Json = None
    """The limits, model profiles and moderation result at the time: see `turn_circumstances`."""

    root: Json = None
    """Only in the first commit: `{commitment, document, imported?, earlier?}`."""


def write_body(body: TurnBody) -> dict[str, Json]:
    """A body as stored; empty members are left out."""
    raw: dict[str, Json] = {}
    for part in fields(body):
        value = getattr(body, part.name)
        if value not in (None, "", ()):
            raw[part.name] = _WRITE.get(part.name, _as_is)(value)
    return raw


def read_body(raw: Mapping[str, Json]) -> TurnBody:
    """Parse a stored body. Raises ValueError or KeyError if it is not one."""
    known = {part.name for part in fields(TurnBody)}
    parts: dict[str, Any] = {
        name: _READ.get(name, _tupled)(value) for name, value in raw.items() if name in known
    }
    return TurnBody(**parts)


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


def _read_draw(raw: Json) -> Draw:
    """Parse a draw; the record itself allows any JSON here, since older ones contain other values."""
    parts = raw if isinstance(raw, list) else []
    numbers = [part for part in parts[:4] if type(part) is int]
    words = [part for part in parts[4:] if isinstance(part, str)]
    if len(numbers) != 4 or not 1 <= len(words) <= 2 or len(numbers) + len(words) != len(parts):
        raise DamagedError(
            "a turn has malformed draws: each must be four whole numbers, a reason and perhaps a name",
            "Run `talewright verify` to see where the record goes wrong.",
        )
    return Draw(numbers[0], numbers[1], numbers[2], numbers[3], *words)


_WRITE: Mapping[str, Callable[[Any], Json]] = {
    "choices": lambda offers: [
        {"id": o.id, "label": o.label, "hint": o.hint, "risk": o.risk, "source": o.source} for o in offers
    ],
    "changes": lambda changes: [change_to_json(change) for change in changes],
    "events": lambda events: [{"type": e.type, "text": e.text, "cause": e.cause} for e in events],
    "decisions": lambda decisions: [_write_decision(decision) for decision in decisions],
    "end": lambda end: {"ending": end.ending, "outcome": end.outcome},
    "draws": lambda draws: [
        [d.version, d.index, d.sides, d.face, d.why, *([d.name] if d.name else [])] for d in draws
    ],
}
_READ: Mapping[str, Callable[[Any], object]] = {
    "choices": lambda raw: tuple(OfferedChoice(**offer) for offer in raw),
    "changes": lambda raw: tuple(change_from_json(change) for change in raw),
    "events": lambda raw: tuple(Event(**event) for event in raw),
    "decisions": lambda raw: tuple(_read_decision(decision) for decision in raw),
    "end": lambda raw: GameEnd(**raw),
    "draws": lambda raw: tuple(map(_read_draw, raw)),
    "input": lambda raw: raw,
    "seen": lambda raw: raw,
    "adopted": lambda raw: raw,
    "model": lambda raw: raw,
    "usage": lambda raw: raw,
    "root": lambda raw: raw,
    "window": lambda raw: raw,
    "circumstances": lambda raw: raw,
}

BROKEN_OFF = "broken off"
"""The trouble of a request that we stopped: the turn was cancelled or timed out."""

SKIPPED = "skipped"
"""The trouble of a request that the player did not want to wait for."""


def write_usage(usage: Usage) -> dict[str, Json]:
    """Usage as stored."""
    raw: dict[str, Json] = {
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "cached_tokens": usage.cached_tokens,
    }
    if usage.estimated:
        raw["estimated"] = True
    return raw


def read_usage(raw: Json) -> Usage | None:
    """Parse stored usage; None if it is not valid."""
    if not isinstance(raw, Mapping):
        return None
    counts = [raw.get(name) for name in ("input_tokens", "output_tokens", "cached_tokens")]
    numbers = [count for count in counts if type(count) is int]
    if len(numbers) != len(counts):
        return None
    return Usage(numbers[0], numbers[1], numbers[2], bool(raw.get("estimated")))


def write_reply(reply: Reply) -> dict[str, Json]:
    """A reply as stored."""
    raw: dict[str, Json] = {"text": reply.text, "stop": reply.stop.value if reply.stop else None}
    if reply.calls:
        raw["calls"] = [{"id": c.id, "name": c.name, "arguments": c.arguments} for c in reply.calls]
    if reply.usage is not None:
        raw["usage"] = write_usage(reply.usage)
    return raw


def write_trouble(error: ProviderError) -> dict[str, Json]:
    """A failed request as stored, with the cost that the provider reported."""
    raw: dict[str, Json] = {"trouble": error.trouble.value, "message": error.message}
    if error.usage is not None:
        raw["usage"] = write_usage(error.usage)
    return raw


def read_reply(raw: Mapping[str, Json]) -> Reply:
    """Parse a stored reply."""
    calls = cast(Sequence[Mapping[str, str]], raw.get("calls", ()))
    stop = raw["stop"]
    return Reply(
        cast(str, raw["text"]),
        tuple(ToolCall(call["id"], call["name"], call["arguments"]) for call in calls),
        read_usage(raw.get("usage")),
        StopReason(stop) if isinstance(stop, str) else None,
    )


def replay(reply: Reply) -> tuple[Piece, ...]:
    """The chunks of a stored reply, for a reader."""
    chunks: list[Piece] = [Text(reply.text)]
    chunks += [CallPart(index, call.id, call.name, call.arguments) for index, call in enumerate(reply.calls)]
    if reply.usage is not None:
        chunks.append(Used(reply.usage))
    if reply.stop is not None:
        chunks.append(Stop(reply.stop))
    return tuple(chunks)


def write_rulings(rulings: Sequence[Ruling], changes: Sequence[Change]) -> tuple[Json, ...]:
    """Rulings as stored: a granted move refers to its changes by their indices."""
    numbers = {id(change): number for number, change in enumerate(changes)}
    written = []
    for ruling in rulings:
        raw = write_ruling(ruling)
        if isinstance(ruling, Granted) and ruling.changes:
            raw["changes"] = [numbers[id(change)] for change in ruling.changes]
        written.append(raw)
    return tuple(written)


def write_ruling(ruling: Ruling) -> dict[str, Json]:
    """A ruling without its changes."""
    match ruling:
        case Granted(move, _, result):
            raw: dict[str, Json] = {"ruling": "granted", "move": write_move(move)}
            if result is not None:
                raw["result"] = result
            return raw
        case Refused(move, grade, reason):
            return {"ruling": "refused", "grade": grade.value, "reason": reason, "move": write_move(move)}
        case _:
            return {"ruling": "waiting", "for": ruling.need.id, "move": write_move(ruling.move)}


def write_move(move: Move) -> dict[str, Json]:
    """A move as stored."""
    match move:
        case Update(op, path, value, reason):
            return {"op": op.value, "path": path, "value": value, "reason": reason}
        case Call(tool, arguments, name):
            return {"call": tool, "arguments": dict(arguments), "id": name}
        case End(ending, reason):
            return {"end": ending, "reason": reason}
        case _:
            assert_never(move)
