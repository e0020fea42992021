"""Fault effects: how a fault changes an answer and the events that carry it.

Pure functions: no sockets, and an answer without a fault stays unchanged.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.llm.reply_chunks import StopReason
from talewright.llm.requests import ToolCall
from talewright_testkit.fake_provider.fault_plan import (
    CONTRACT,
    STATUSES,
    FaultPlace,
    PlacedFault,
    ProviderFault,
)
from talewright_testkit.fake_provider.parsed_request import ParsedRequest, spell
from talewright_testkit.fake_provider.reply_script import FakeAnswer, ReplyPace
from talewright_testkit.fake_provider.wires.wire_form import FakeWireEvent, ReplyTokenTally, WireReplyPart

LINE_BYTES = 10 * 1024 * 1024
"""How many bytes are added to make a line long."""

NO_SUCH_TOOL = "no_such_tool"
REFUSAL_WORDS = "I'm sorry, I can't help with that."
NOT_UTF8 = b"\xff\xfe\xc3("
DRIP_SECONDS = 0.5
"""The default pause between two bytes of a drip, in seconds."""

PIECES_MIN = 4
"""How many pieces a text or call is split into at least, so that a fault can strike in the middle."""


@frozen
class SendEvent:
    """Send an event."""

    event: FakeWireEvent


@frozen
class DripBytes:
    """From here on, send byte by byte."""

    seconds: float


@frozen
class StallReply:
    """Send nothing more, and keep the connection open."""


@frozen
class ResetConnection:
    """Reset the connection."""


@frozen
class CutReply:
    """End the answer here as if it were complete."""


ReplyStep: TypeAlias = SendEvent | DripBytes | StallReply | ResetConnection | CutReply


def can_strike(placed: PlacedFault, asked: ParsedRequest, answer: FakeAnswer) -> bool:
    """Whether a fault can occur in this reply."""
    if placed.fault is ProviderFault.TOOL_LOOP:
        return bool(asked.tools)
    if placed.fault is ProviderFault.NO_SUCH_TOOL:
        return True
    middle = placed.place is not FaultPlace.START
    if not asked.stream and (
        placed.fault in (ProviderFault.DUPLICATED, ProviderFault.REORDERED)
        or (middle and placed.fault in STATUSES)
    ):
        return False
    if placed.place is FaultPlace.TOOL:
        return any(len(call.arguments) > 1 for call in answer.calls)
    return placed.place is FaultPlace.START or len(answer.text) >= PIECES_MIN


def alter(placed: PlacedFault, asked: ParsedRequest, answer: FakeAnswer) -> FakeAnswer:
    """Return the answer of a model with this fault."""
    if placed.fault not in CONTRACT:
        return answer
    match placed.fault:
        case ProviderFault.NO_SUCH_TOOL:
            first = replace(answer.calls[0], name=NO_SUCH_TOOL) if answer.calls else _call(NO_SUCH_TOOL)
            return replace(answer, calls=(first, *answer.calls[1:]), stop=None)
        case ProviderFault.TOOL_LOOP:
            # The ids are cleared so that every repeated call gets a new one.
            again = tuple(replace(call, id="") for call in answer.calls) or (_call(asked.tools[0]),)
            return FakeAnswer(calls=again)
        case ProviderFault.TRUNCATED_CALL:
            return replace(answer, calls=_halve_last(answer.calls), stop=StopReason.CALLS)
        case _:
            stop = StopReason.LENGTH if placed.fault is ProviderFault.LENGTH else StopReason.REFUSAL
            return _stop_at(placed.place, answer, stop)


def _stop_at(place: FaultPlace, answer: FakeAnswer, stop: StopReason) -> FakeAnswer:
    match place:
        case FaultPlace.START:
            words = REFUSAL_WORDS if stop is StopReason.REFUSAL else ""
            return FakeAnswer(reasoning=answer.reasoning, refusal=words, stop=stop)
        case FaultPlace.TEXT:
            return replace(answer, text=answer.text[: len(answer.text) // 2], calls=(), stop=stop)
        case FaultPlace.TOOL:
            return replace(answer, calls=_halve_last(answer.calls[:1]), stop=stop)


def _call(name: str) -> ToolCall:
    return ToolCall("", name, "{}")


def _halve_last(calls: tuple[ToolCall, ...]) -> tuple[ToolCall, ...]:
    half = calls[-1].arguments[: len(calls[-1].arguments) // 2]
    return (*calls[:-1], replace(calls[-1], arguments=half))


def tighten(pace: ReplyPace, placed: PlacedFault, answer: FakeAnswer) -> ReplyPace:
    """Return a pace that splits the reply finely enough for the fault to strike in the middle."""
    if placed.place is FaultPlace.START:
        return pace
    longest = max((len(call.arguments) for call in answer.calls), default=0)
    size = len(answer.text) if placed.place is FaultPlace.TEXT else longest
    return replace(pace, piece_characters=max(1, min(pace.piece_characters or size, size // PIECES_MIN)))


def falsify(tally: ReplyTokenTally) -> ReplyTokenTally:
    """Return impossible figures: more cached than prompt tokens, and no output."""
    return ReplyTokenTally(prompt=1, cached=tally.prompt + 1_000_000, output=0)


def disturb(placed: PlacedFault, events: Sequence[FakeWireEvent], error: bytes) -> list[ReplyStep]:
    """Return the steps in which a server with this fault sends the events."""
    before, struck, after = _part(placed.place, events)
    sent: list[ReplyStep] = [SendEvent(event) for event in before]
    rest: list[ReplyStep] = [SendEvent(event) for event in after]
    alone = _is_alone(placed.place, events)
    begun: list[ReplyStep] = [SendEvent(_halve(struck))] if alone else []
    match placed.fault:
        case ProviderFault.RESET:
            return [*sent, *begun, ResetConnection()]
        case ProviderFault.STALL | ProviderFault.STALL_FIRST:
            return [*sent, *begun, StallReply()]
        case ProviderFault.DRIP:
            pause = DripBytes(DRIP_SECONDS if placed.seconds is None else placed.seconds)
            return [*sent, pause, SendEvent(struck), *rest]
        case ProviderFault.TRUNCATED_JSON:
            return [*sent, SendEvent(_halve(struck)), CutReply()]
        case ProviderFault.DUPLICATED:
            return [*sent, SendEvent(struck), SendEvent(struck), *rest]
        case ProviderFault.REORDERED:
            return [*sent, *rest[:1], SendEvent(struck), *rest[1:]]
        case ProviderFault.INVALID_UTF8:
            return [*sent, SendEvent(_spoil(struck)), *rest]
        case ProviderFault.LONG_LINE:
            return [*sent, SendEvent(_lengthen(struck)), *rest]
        case fault if fault in STATUSES:
            return [*sent, SendEvent(FakeWireEvent(WireReplyPart.TAIL, error)), CutReply()]
        case _:
            return [*sent, SendEvent(struck), *rest]


def _struck(place: FaultPlace, events: Sequence[FakeWireEvent]) -> list[int]:
    part = WireReplyPart.TEXT if place is FaultPlace.TEXT else WireReplyPart.CALL
    return [at for at, event in enumerate(events) if event.part is part]


def _is_alone(place: FaultPlace, events: Sequence[FakeWireEvent]) -> bool:
    """Whether the part consists of a single event, so that its middle is within that event."""
    if place is FaultPlace.START:
        return False
    return len(_struck(place, events)) == 1 or events[0].part is WireReplyPart.WHOLE


def _part(
    place: FaultPlace, events: Sequence[FakeWireEvent]
) -> tuple[Sequence[FakeWireEvent], FakeWireEvent, Sequence[FakeWireEvent]]:
    """Split the events into those before the fault, the one it strikes, and those after."""
    found = [] if place is FaultPlace.START else _struck(place, events)
    # Of several events, take one with text in the middle, so that the next one belongs to the same part.
    spoken = [at for at in found if events[at].said and at > found[0]]
    at = spoken[(len(spoken) - 1) // 2] if spoken else found[0] if found else 0
    return events[:at], events[at], events[at + 1 :]


def _halve(event: FakeWireEvent) -> FakeWireEvent:
    return FakeWireEvent(event.part, event.data[: len(event.data) // 2])


def _spoil(event: FakeWireEvent) -> FakeWireEvent:
    # Search between quotes: a single letter would also match in the names of fields.
    words = spell(event.said).encode()
    at = event.data.find(words) if event.said else -1
    middle = at + len(words) // 2 if at >= 0 else len(event.data) // 2
    return replace(event, data=event.data[:middle] + NOT_UTF8 + event.data[middle:])


def _lengthen(event: FakeWireEvent) -> FakeWireEvent:
    # Spaces after the first brace make the line long without changing the JSON.
    at = event.data.index(b"{") + 1
    return replace(event, data=event.data[:at] + b" " * LINE_BYTES + event.data[at:])
