"""The fault plan: what can go wrong between a model and us, as values, and where and when it strikes.

A fault is only named here. `fault_effects` and `fake_server` carry it out.
"""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import product
from types import MappingProxyType
from typing import TypeAlias

from talewright.common.frozen_values import frozen
from talewright.testing.fake_provider.wires.wire_form import Wire


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
    """Where in a reply."""

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
"""Faults of the model's own making: the protocol is kept, the answer is not what was wanted."""


@frozen
class PlacedFault:
    """A fault, where it strikes and how often."""

    fault: ProviderFault
    place: FaultPlace = FaultPlace.START
    at: int = 1
    """The request to the model it waits for, counted from one. Where that reply has no such place (no text,
    no call), it strikes at the next one that has."""

    times: int | None = 1
    """How many replies it strikes; None: all from then on, as an endless loop always does."""

    retry_after: str = "1"
    """What a Retry-After header says: seconds or a date."""

    seconds: float | None = None
    """Of a drip: the time between two bytes. Of an outage: how long it lasts; None: until ended by hand."""


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
        "usage is told of the whole reply and has no place within it",
    ),
)

IMPOSSIBLE: Mapping[Cell, str] = MappingProxyType(
    {
        (fault, place, wire): reason
        for fault, places, wires, reason in _RULES
        for place, wire in product(places, wires)
    }
)
"""Cells of the grid that cannot occur, and why."""


def list_cells() -> Iterator[Cell]:
    """Every cell of the grid that can occur."""
    return (cell for cell in product(ProviderFault, FaultPlace, Wire) if cell not in IMPOSSIBLE)


def check_possible(placed: PlacedFault, wire: Wire) -> None:
    """Raise a ValueError where this fault cannot strike there."""
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
        """Every blow so far."""
        return tuple(self._struck)

    def due(self, number: int) -> tuple[PlacedFault, ...]:
        """Faults that may strike at this request."""
        return tuple(placed for placed in self._waiting() if placed.at <= number)

    def find_outage(self, number: int) -> PlacedFault | None:
        """The outage that begins before this request."""
        found = (placed for placed in self._waiting() if placed.fault in OUTAGES and placed.at == number)
        return next(found, None)

    def strike(self, struck: PlacedFault) -> None:
        """Count one blow."""
        at = next(at for at, (placed, _) in enumerate(self._left) if placed is struck)
        times = self._left[at][1]
        self._left[at] = (struck, None if times is None else times - 1)
        self._struck.append(struck)

    def _waiting(self) -> list[PlacedFault]:
        return [placed for placed, times in self._left if times is None or times > 0]
