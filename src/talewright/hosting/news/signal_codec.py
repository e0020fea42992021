"""The signal codec: signals of a turn as JSON text, for other processes of the same host.

A commit is sent as its sequence number only; receivers read it from the record.
"""

import json
from dataclasses import fields
from typing import TypeAlias, cast

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

_PLAIN = (
    NarrationDelta,
    NarrationReset,
    DiceRolled,
    TurnDegraded,
    TurnFailed,
    BackgroundDone,
    BackgroundFailed,
    CommitRecorded,
)
"""Signals whose members are JSON."""

_CLASSES = {one.__name__: one for one in (*_PLAIN, TurnAccepted, Activity)}


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
    """Parse a signal; raises ValueError if the text is not one."""
    try:
        raw = json.loads(text)
        made = _CLASSES[raw.pop("signal")]
        if made is TurnAccepted:
            raw["accepted"] = cast(Accepted, from_form(raw["accepted"]))
        elif made is Activity:
            raw["doing"] = Doing(raw["doing"])
            raw["why"] = None if raw["why"] is None else RepairCause(raw["why"])
        return cast(SentSignal, made(**raw))
    except (KeyError, TypeError, AttributeError, RecordCodecError) as error:
        raise ValueError(f"this is not a signal: {error}") from None
