"""Faults: everything that can go wrong between a model and us, as values, and where in a reply it can happen.

A fault is only named here. `mischief` and `server` carry it out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import product
from types import MappingProxyType
from typing import TypeAlias

from talewright.testing.fake_provider.wires import Wire


class Fault(StrEnum):
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


class Place(StrEnum):
    """Where in a reply."""

    START = "before the first token"
    TEXT = "in mid-text"
    TOOL = "in mid-tool"


STATUSES: Mapping[Fault, int] = MappingProxyType(
    {
        Fault.KEY: 401,
        Fault.MONEY: 402,
        Fault.MISSING: 404,
        Fault.TIMEOUT: 408,
        Fault.CONFLICT: 409,
        Fault.BUSY: 429,
        Fault.BUSY_UNTIL: 429,
        Fault.BROKEN: 500,
        Fault.UNAVAILABLE: 503,
        Fault.OVERLOADED: 529,
    }
)
"""Faults that are an HTTP status; within a stream they are an error event."""

OUTAGES = frozenset({Fault.REFUSED, Fault.CONNECT_HANG})
"""Faults of the whole server, not of a reply."""

CONTRACT = frozenset({Fault.REFUSAL, Fault.LENGTH, Fault.TRUNCATED_CALL, Fault.NO_SUCH_TOOL, Fault.TOOL_LOOP})
"""Faults of the model's own making: the protocol is kept, the answer is not what was wanted."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A fault, where it strikes and how often."""

    fault: Fault
    place: Place = Place.START
    at: int = 1
    """The request to the model it waits for, counted from one. Where that reply has no such place (no text,
    no call), it strikes at the next one that has."""

    times: int | None = 1
    """How many replies it strikes; None: all from then on, as an endless loop always does."""

    retry_after: str = "1"
    """What a Retry-After header says: seconds or a date."""

    seconds: float | None = None
    """Of a drip: the time between two bytes. Of an outage: how long it lasts; None: until ended by hand."""


Cell: TypeAlias = tuple[Fault, Place, Wire]

_MIDDLE = (Place.TEXT, Place.TOOL)
_DECIDED = "it is decided before the answer starts, and the status cannot change once 200 has been sent"
_NEEDS_CALL = "it is a property of a tool call and has no place without one"
_UNNAMED = "an error within a stream names no status, and this wire has no name that stands for this one"
_WHOLE_CALL = "on this wire a call arrives whole, so the model cannot be stopped within it"
_RULES: Sequence[tuple[Fault, Sequence[Place], Sequence[Wire], str]] = (
    (Fault.KEY, _MIDDLE, tuple(Wire), _DECIDED),
    (Fault.MISSING, _MIDDLE, tuple(Wire), _DECIDED),
    (Fault.CONFLICT, _MIDDLE, tuple(Wire), _DECIDED),
    (Fault.MONEY, _MIDDLE, (Wire.ANTHROPIC, Wire.GEMINI), _DECIDED),
    (Fault.BUSY_UNTIL, _MIDDLE, tuple(Wire), "a header cannot follow the body"),
    (Fault.TIMEOUT, _MIDDLE, (Wire.GEMINI,), _UNNAMED),
    (Fault.UNAVAILABLE, _MIDDLE, (Wire.ANTHROPIC,), _UNNAMED),
    (Fault.OVERLOADED, _MIDDLE, (Wire.OPENAI, Wire.GEMINI), _UNNAMED),
    (Fault.REFUSED, _MIDDLE, tuple(Wire), "a connection that carries an answer has been accepted"),
    (Fault.CONNECT_HANG, _MIDDLE, tuple(Wire), "a connection that carries an answer has been accepted"),
    (Fault.STALL_FIRST, _MIDDLE, tuple(Wire), "it is the stall before the first token; `stall` is the other"),
    (Fault.STALL, (Place.START,), tuple(Wire), "it is the stall in mid-stream; `stall-first` is the other"),
    (Fault.TRUNCATED_CALL, (Place.START, Place.TEXT), tuple(Wire), _NEEDS_CALL),
    (Fault.NO_SUCH_TOOL, (Place.START, Place.TEXT), tuple(Wire), _NEEDS_CALL),
    (Fault.TOOL_LOOP, (Place.START, Place.TEXT), tuple(Wire), _NEEDS_CALL),
    (Fault.WRONG_TYPE, _MIDDLE, tuple(Wire), "a header cannot follow the body"),
    (Fault.EMPTY, _MIDDLE, tuple(Wire), "an answer with text in it is not empty"),
    (Fault.REFUSAL, (Place.TOOL,), (Wire.GEMINI,), _WHOLE_CALL),
    (Fault.LENGTH, (Place.TOOL,), (Wire.GEMINI,), _WHOLE_CALL),
    (Fault.WRONG_USAGE, _MIDDLE, tuple(Wire), "usage is told of the whole reply and has no place within it"),
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
    return (cell for cell in product(Fault, Place, Wire) if cell not in IMPOSSIBLE)


def check_possible(placed: Placed, wire: Wire) -> None:
    """Raise a ValueError where this fault cannot strike there."""
    reason = IMPOSSIBLE.get((placed.fault, placed.place, wire))
    if reason is not None:
        raise ValueError(f"{placed.fault} {placed.place} cannot occur on the wire of {wire}: {reason}")


class Plan:
    """The faults that are still to come."""

    def __init__(self, faults: Sequence[Placed]) -> None:
        self._left = [(each, None if each.fault is Fault.TOOL_LOOP else each.times) for each in faults]
        self._struck: list[Placed] = []

    @property
    def struck(self) -> tuple[Placed, ...]:
        """Every blow so far."""
        return tuple(self._struck)

    def due(self, number: int) -> tuple[Placed, ...]:
        """Faults that may strike at this request."""
        return tuple(placed for placed in self._waiting() if placed.at <= number)

    def find_outage(self, number: int) -> Placed | None:
        """The outage that begins before this request."""
        found = (placed for placed in self._waiting() if placed.fault in OUTAGES and placed.at == number)
        return next(found, None)

    def strike(self, struck: Placed) -> None:
        """Count one blow."""
        at = next(at for at, (placed, _) in enumerate(self._left) if placed is struck)
        times = self._left[at][1]
        self._left[at] = (struck, None if times is None else times - 1)
        self._struck.append(struck)

    def _waiting(self) -> list[Placed]:
        return [placed for placed, times in self._left if times is None or times > 0]
