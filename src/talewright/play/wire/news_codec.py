"""The news codec: a turn's signals as JSON and back, for passing events between processes.

Its output is unfiltered and must stay inside the engine: nothing here is made for a viewer.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TypeAlias, assert_never

from talewright.chronicle.record_codec import from_form, to_form
from talewright.chronicle.records import Accepted, Commit, Record
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.turn.turn_signals import (
    Activity,
    BackgroundDone,
    BackgroundFailed,
    DiceRolled,
    Doing,
    NarrationDelta,
    NarrationReset,
    RepairCause,
    Signal,
    TurnAccepted,
    TurnCommitted,
    TurnDegraded,
    TurnFailed,
)


class SignalCodecError(TalewrightError):
    """The data received is not a signal."""


def encode_signal(signal: Signal) -> dict[str, Json]:
    """A signal as JSON: its name, its turn and its content."""
    name, said = _write(signal)
    return {"signal": name, "branch": signal.branch, "operation_id": signal.operation_id, **said}


def decode_signal(raw: Json) -> Signal | None:
    """Parse a signal; None if its kind is unknown, as may be sent by a newer version.

    Unknown members are ignored. Raises SignalCodecError or RecordCodecError if it is malformed.
    """
    if not isinstance(raw, Mapping):
        raise SignalCodecError("a signal must be a JSON object")
    reader = SIGNAL_READERS.get(_text(raw, "signal"))
    return None if reader is None else reader(raw, _text(raw, "branch"), _text(raw, "operation_id"))


def _write(signal: Signal) -> tuple[str, dict[str, Json]]:
    match signal:
        case TurnAccepted(accepted):
            return "turn_accepted", {"accepted": _record_form(accepted)}
        case NarrationDelta(text):
            return "narration_delta", {"text": text}
        case NarrationReset(text):
            void: dict[str, Json] = {"voids_rolls": True} if signal.voids_rolls else {}
            return "narration_reset", {"text": text, **void}
        case DiceRolled(roll, game_digest):
            return "dice_rolled", {"roll": roll, "game_digest": game_digest}
        case Activity():
            return "activity", _activity_form(signal)
        case TurnCommitted(commit):
            return "turn_committed", {"commit": _record_form(commit)}
        case TurnDegraded(reason, trouble):
            return "turn_degraded", {"reason": reason, "trouble": trouble}
        case TurnFailed(reason, hint):
            return "turn_failed", {"reason": reason, "hint": hint}
        case BackgroundDone(kind):
            return "background_done", {"kind": kind}
        case BackgroundFailed(what, system):
            return "background_failed", {"what": what, "system": system}
        case _:
            assert_never(signal)


SignalMembers: TypeAlias = Mapping[str, Json]
SignalReader: TypeAlias = Callable[[SignalMembers, str, str], Signal]


def _read_accepted(raw: SignalMembers, branch: str, operation_id: str) -> Signal:
    record = _read_record(raw, "accepted")
    if not isinstance(record, Accepted):
        raise SignalCodecError("an accepted record must be an input")
    return TurnAccepted(record, branch, operation_id)


def _read_committed(raw: SignalMembers, branch: str, operation_id: str) -> Signal:
    record = _read_record(raw, "commit")
    if not isinstance(record, Commit):
        raise SignalCodecError("a committed record must be a commit")
    return TurnCommitted(record, branch, operation_id)


def _read_activity(raw: SignalMembers, branch: str, operation_id: str) -> Signal:
    doing = _text(raw, "doing")
    if doing not in set(Doing):
        raise SignalCodecError(f"{doing!r} is not a known activity")
    why = raw.get("why")
    return Activity(
        Doing(doing),
        _number(raw, "share"),
        _number(raw, "usual_seconds"),
        RepairCause(why) if why in set(RepairCause) else None,
        raw.get("can_skip") is True,
        branch,
        operation_id,
    )


def _activity_form(signal: Activity) -> dict[str, Json]:
    """Only what is known; older versions need no more than the first member."""
    form: dict[str, Json] = {"doing": signal.doing.value, "share": signal.share}
    form |= {"usual_seconds": signal.usual_seconds, "why": signal.why and signal.why.value}
    form["can_skip"] = signal.can_skip or None
    return {name: value for name, value in form.items() if value is not None}


SIGNAL_READERS: Mapping[str, SignalReader] = MappingProxyType(
    {
        "turn_accepted": _read_accepted,
        "narration_delta": lambda raw, *turn: NarrationDelta(_text(raw, "text"), *turn),
        "narration_reset": lambda raw, *turn: NarrationReset(
            _text(raw, "text"), raw.get("voids_rolls") is True, *turn
        ),
        "dice_rolled": lambda raw, *turn: DiceRolled(raw.get("roll"), _text(raw, "game_digest"), *turn),
        "activity": _read_activity,
        "turn_committed": _read_committed,
        "turn_degraded": lambda raw, *turn: TurnDegraded(_text(raw, "reason"), _text(raw, "trouble"), *turn),
        "turn_failed": lambda raw, *turn: TurnFailed(_text(raw, "reason"), _text(raw, "hint"), *turn),
        "background_done": lambda raw, *turn: BackgroundDone(_text(raw, "kind"), *turn),
        "background_failed": lambda raw, *turn: BackgroundFailed(
            _text(raw, "what"), _text(raw, "system"), *turn
        ),
    }
)
"""The parser of each signal, by its name."""


def _record_form(record: Accepted | Commit) -> dict[str, Json]:
    form = to_form(record)
    # A body may be a mapping that is not a dict.
    return form | {"body": dict(record.body)} if isinstance(record, Commit) else form


def _read_record(raw: SignalMembers, name: str) -> Record:
    form = raw.get(name)
    return from_form(dict(form) if isinstance(form, Mapping) else None)


def _number(raw: SignalMembers, name: str) -> float | None:
    """A number that may be missing; a newer version may have something else in its place."""
    number = raw.get(name)
    return number if isinstance(number, int | float) and not isinstance(number, bool) else None


def _text(raw: SignalMembers, name: str) -> str:
    text = raw.get(name)
    if not isinstance(text, str):
        raise SignalCodecError(f"the member {name} of a signal must be a text")
    return text
