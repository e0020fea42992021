"""The signal codec: signals of a turn as JSON text, for other processes of the same host.

A commit is sent as its sequence number only; receivers read it from the record. Unknown members are ignored
and missing ones get their defaults, so that processes of two versions can run side by side.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, fields
from typing import Any, TypeAlias, cast

from talewright.chronicle.record_codec import RecordCodecError, from_form, to_form
from talewright.chronicle.records import Accepted
from talewright.common.json_values import Json
from talewright.play.campaign_news import CommitRecorded
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

SentSignal: TypeAlias = Signal | CommitRecorded

SIGNAL_TYPES = {
    kind.__name__: kind
    for kind in (
        TurnAccepted,
        NarrationDelta,
        NarrationReset,
        DiceRolled,
        Activity,
        TurnDegraded,
        TurnFailed,
        BackgroundDone,
        BackgroundFailed,
        CommitRecorded,
    )
}
"""Signals that are sent, by name."""


def write_signal(signal: SentSignal) -> str:
    """A signal as JSON text."""
    if isinstance(signal, TurnCommitted):
        signal = CommitRecorded(signal.commit.sequence, signal.branch, signal.operation_id)
    members: dict[str, Json] = {one.name: getattr(signal, one.name) for one in fields(signal)}
    if isinstance(signal, TurnAccepted):
        members["accepted"] = to_form(signal.accepted)
    raw = {"signal": type(signal).__name__, **members}
    return json.dumps(raw, ensure_ascii=True, separators=(",", ":"))


def read_signal(text: str | bytes) -> SentSignal:
    """Parse a signal; raises ValueError if it is malformed, or of a kind that this version does not know."""
    try:
        raw = json.loads(text)
    except RecursionError:
        raise ValueError("the signal is nested too deeply") from None
    name = raw.get("signal") if isinstance(raw, Mapping) else None
    kind = SIGNAL_TYPES.get(name) if isinstance(name, str) else None
    if kind is None:
        raise ValueError("this is not a known signal")
    members: dict[str, Any] = {}
    for one in fields(kind):
        if one.name in raw:
            members[one.name] = _read_member(one.name, one.type, raw[one.name])
        elif one.default is MISSING:
            raise ValueError(f"the signal {name} has no {one.name}")
    return cast(SentSignal, kind(**members))


def _read_member(name: str, kind: Any, value: Json) -> Any:
    """A member's value; where it may be missing, None for a value that this version does not know."""
    if kind is Accepted:
        return _read_accepted(value)
    if kind is Doing:
        return Doing(str(value))
    if kind == RepairCause | None:
        return RepairCause(value) if isinstance(value, str) and value in set(RepairCause) else None
    if kind == float | None:
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None
    if kind is bool:
        return value is True
    if kind in (str, int) and type(value) is not kind:
        raise ValueError(f"the member {name} of a signal must be of the type {kind.__name__}")
    return value


def _read_accepted(form: Json) -> Accepted:
    known = {"kind", *(one.name for one in fields(Accepted))}
    if isinstance(form, Mapping):
        form = {name: value for name, value in form.items() if name in known}
    try:
        record = from_form(form)
    except RecordCodecError as error:
        raise ValueError(f"the accepted record of a signal is malformed: {error}") from None
    if not isinstance(record, Accepted):
        raise ValueError("the accepted record of a signal must be an input")
    return record
