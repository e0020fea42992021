"""The fault plan: which provider faults occur, where in a reply and at which request.

Faults are only described here; `fault_effects` and `fake_server` carry them out.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import product
from types import MappingProxyType
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright_testkit.fake_provider.wires.wire_form import Wire


class ProviderFault(StrEnum):
    """What goes wrong."""

    KEY = "401"
    MONEY = "402"
    MISSING = "404"
    TIMEOUT = "408"
    CONFLICT = "409"
    BUSY = "429"
    BUSY_UNTIL = "429 with Retry-After"
    BROKEN = "500"
    UNAVAILABLE = "503"
    OVERLOADED = "529"
    REFUSED = "connection refused"
    RESET = "reset"
    CONNECT_HANG = "connect hang"
    STALL_FIRST = "stall before the first token"
    DRIP = "slow drip"
    STALL = "stall in mid-stream"
    TRUNCATED_JSON = "truncated JSON"
    TRUNCATED_CALL = "truncated tool call"
    DUPLICATED = "duplicated chunk"
    REORDERED = "reordered chunk"
    INVALID_UTF8 = "invalid UTF-8"
    LONG_LINE = "a 10 MB line"
    WRONG_TYPE = "wrong content type"
    EMPTY = "empty 200"
    REFUSAL = "refusal"
    LENGTH = "length stop"
    NO_SUCH_TOOL = "a tool that does not exist"
    TOOL_LOOP = "an endless tool loop"
    WRONG_USAGE = "wrong usage"


class FaultPlace(StrEnum):
    """Where in a reply it goes wrong."""

    START = "before the first token"
    TEXT = "in mid-text"
    TOOL = "in mid-tool"


STATUSES: Mapping[ProviderFault, int] = MappingProxyType(
    {
        ProviderFault.KEY: 401,
        ProviderFault.MONEY: 402,
        ProviderFault.MISSING: 404,
        ProviderFault.TIMEOUT: 408,
        ProviderFault.CONFLICT: 409,
        ProviderFault.BUSY: 429,
        ProviderFault.BUSY_UNTIL: 429,
        ProviderFault.BROKEN: 500,
        ProviderFault.UNAVAILABLE: 503,
        ProviderFault.OVERLOADED: 529,
    }
)
"""Faults that are an HTTP status; within a stream they are an error event."""

OUTAGES = frozenset({ProviderFault.REFUSED, ProviderFault.CONNECT_HANG})
"""Faults of the whole server, not of a reply."""

CONTRACT = frozenset(
    {
        ProviderFault.REFUSAL,
        ProviderFault.LENGTH,
        ProviderFault.TRUNCATED_CALL,
        ProviderFault.NO_SUCH_TOOL,
        ProviderFault.TOOL_LOOP,
    }
)
"""Faults of the model itself: the protocol is followed, but the answer is not what was requested."""


@frozen
class PlacedFault:
    """A fault, where it strikes and how often."""

    fault: ProviderFault
    place: FaultPlace = FaultPlace.START
    at: int = 1
    """The first model request it strikes, counted from 1. If that reply has no such place (no text, no call),
    it strikes the next one that has."""

    times: int | None = 1
    """How many replies it strikes; None: all from then on. An endless loop always affects all."""

    retry_after: str = "1"
    """The value of the Retry-After header: seconds or a date."""

    seconds: float | None = None
    """For a drip: pause between two bytes. For an outage: its duration; None: until ended by hand."""


Cell: TypeAlias = tuple[ProviderFault, FaultPlace, Wire]

_MIDDLE = (FaultPlace.TEXT, FaultPlace.TOOL)
_DECIDED = "it is decided before the answer starts, and the status cannot change once 200 has been sent"
_NEEDS_CALL = "it is a property of a tool call and has no place without one"
_UNNAMED = "an error within a stream names no status, and this wire has no name that stands for this one"
_WHOLE_CALL = "on this wire a call arrives whole, so the model cannot be stopped within it"
_RULES: Sequence[tuple[ProviderFault, Sequence[FaultPlace], Sequence[Wire], str]] = (
    (ProviderFault.KEY, _MIDDLE, tuple(Wire), _DECIDED),
    (ProviderFault.MISSING, _MIDDLE, tuple(Wire), _DECIDED),
    (ProviderFault.CONFLICT, _MIDDLE, tuple(Wire), _DECIDED),
    (ProviderFault.MONEY, _MIDDLE, (Wire.ANTHROPIC, Wire.GEMINI), _DECIDED),
    (ProviderFault.BUSY_UNTIL, _MIDDLE, tuple(Wire), "a header cannot follow the body"),
    (ProviderFault.TIMEOUT, _MIDDLE, (Wire.GEMINI,), _UNNAMED),
    (ProviderFault.UNAVAILABLE, _MIDDLE, (Wire.ANTHROPIC,), _UNNAMED),
    (ProviderFault.OVERLOADED, _MIDDLE, (Wire.OPENAI, Wire.GEMINI), _UNNAMED),
    (ProviderFault.REFUSED, _MIDDLE, tuple(Wire), "a connection that carries an answer has been accepted"),
    (
        ProviderFault.CONNECT_HANG,
        _MIDDLE,
        tuple(Wire),
        "a connection that carries an answer has been accepted",
    ),
    (
        ProviderFault.STALL_FIRST,
        _MIDDLE,
        tuple(Wire),
        "it is the stall before the first token; `stall` is the other",
    ),
    (
        ProviderFault.STALL,
        (FaultPlace.START,),
        tuple(Wire),
        "it is the stall in mid-stream; `stall-first` is the other",
    ),
    (ProviderFault.TRUNCATED_CALL, (FaultPlace.START, FaultPlace.TEXT), tuple(Wire), _NEEDS_CALL),
    (ProviderFault.NO_SUCH_TOOL, (FaultPlace.START, FaultPlace.TEXT), tuple(Wire), _NEEDS_CALL),
    (ProviderFault.TOOL_LOOP, (FaultPlace.START, FaultPlace.TEXT), tuple(Wire), _NEEDS_CALL),
    (ProviderFault.WRONG_TYPE, _MIDDLE, tuple(Wire), "a header cannot follow the body"),
    (ProviderFault.EMPTY, _MIDDLE, tuple(Wire), "an answer with text in it is not empty"),
    (ProviderFault.REFUSAL, (FaultPlace.TOOL,), (Wire.GEMINI,), _WHOLE_CALL),
    (ProviderFault.LENGTH, (FaultPlace.TOOL,), (Wire.GEMINI,), _WHOLE_CALL),
    (
        ProviderFault.WRONG_USAGE,
        _MIDDLE,
        tuple(Wire),
        "usage is reported for the whole reply and has no place within it",
    ),
)

IMPOSSIBLE: Mapping[Cell, str] = MappingProxyType(
    {
        (fault, place, wire): reason
        for fault, places, wires, reason in _RULES
        for place, wire in product(places, wires)
    }
)
"""Combinations that cannot occur, and why."""


def list_cells() -> Iterator[Cell]:
    """List every combination of fault and place that can occur."""
    return (cell for cell in product(ProviderFault, FaultPlace, Wire) if cell not in IMPOSSIBLE)


def check_possible(placed: PlacedFault, wire: Wire) -> None:
    """Raise ValueError if this fault cannot occur in this place."""
    reason = IMPOSSIBLE.get((placed.fault, placed.place, wire))
    if reason is not None:
        raise ValueError(f"{placed.fault} {placed.place} cannot occur on the wire of {wire}: {reason}")


class FaultPlan:
    """The faults that are still to come."""

    def __init__(self, faults: Sequence[PlacedFault]) -> None:
        self._left = [
            (each, None if each.fault is ProviderFault.TOOL_LOOP else each.times) for each in faults
        ]
        self._struck: list[PlacedFault] = []

    @property
    def struck(self) -> tuple[PlacedFault, ...]:
        """Every fault that has struck so far."""
        return tuple(self._struck)

    def due(self, number: int) -> tuple[PlacedFault, ...]:
        """Return the faults that may strike this request."""
        return tuple(placed for placed in self._waiting() if placed.at <= number)

    def find_outage(self, number: int) -> PlacedFault | None:
        """Return the outage that starts before this request, if any."""
        found = (placed for placed in self._waiting() if placed.fault in OUTAGES and placed.at == number)
        return next(found, None)

    def strike(self, struck: PlacedFault) -> None:
        """Record that a fault has struck."""
        at = next(at for at, (placed, _) in enumerate(self._left) if placed is struck)
        times = self._left[at][1]
        self._left[at] = (struck, None if times is None else times - 1)
        self._struck.append(struck)

    def _waiting(self) -> list[PlacedFault]:
        return [placed for placed, times in self._left if times is None or times > 0]
