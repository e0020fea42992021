"""The request ledger: every request a fake server got, its cost by the vendor's rules, and its end.

It holds the truth, also where the client was told something else. Keys never stand in it.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright.testing.fake_provider.fault_plan import PlacedFault
from talewright.testing.fake_provider.parsed_request import Json

HIDDEN_HEADERS = frozenset({"authorization", "x-api-key", "x-goog-api-key", "cookie", "proxy-authorization"})
"""Headers that are never written down."""

KEY_MARK = "[key]"
"""What stands where a key stood."""


class ExchangeEnding(StrEnum):
    """How an exchange ended."""

    OPEN = "open"
    """It has not ended."""

    WHOLE = "whole"
    """The server said all it had to say."""

    CUT = "cut"
    """The server broke off."""

    LEFT = "left"
    """The client hung up."""


@frozen
class RequestLedgerEntry:
    """One request."""

    method: str
    path: str
    """Without the query: a key may stand in it."""

    headers: Mapping[str, str] = field(default_factory=dict)
    body: Json | None = None
    """The parsed body; None where it was no JSON object."""

    number: int = 0
    """Which request to the model it is, counted from one; 0: it asks the model nothing."""

    model: str = ""
    status: int = 0
    """What it was answered with; 0: nothing yet."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0
    """Tokens newly kept at a mark, where the vendor charges for that."""

    output_tokens: int = 0
    """Tokens generated until the reply ended or was cut off."""

    said: str = ""
    """The model's words that were sent."""

    events: int = 0
    """Events that were sent in full."""

    fault: PlacedFault | None = None
    ending: ExchangeEnding = ExchangeEnding.OPEN
    asked_at: float = 0.0
    first_at: float | None = None
    """When the first event was sent."""

    ended_at: float | None = None
    leaked: bool = False
    """Whether the key stood in the body."""

    @property
    def uncached_tokens(self) -> int:
        """Input that is paid for in full."""
        return self.prompt_tokens - self.cached_tokens

    @property
    def is_billed(self) -> bool:
        """Whether the vendor charges for it: errors are free."""
        return self.number > 0 and self.status == 200


class RequestLedger:
    """The requests of one server, in the order they came."""

    def __init__(self) -> None:
        self._entries: list[RequestLedgerEntry] = []

    @property
    def entries(self) -> tuple[RequestLedgerEntry, ...]:
        """Everything that was asked of the server."""
        return tuple(self._entries)

    @property
    def asks(self) -> tuple[RequestLedgerEntry, ...]:
        """Everything that was asked of the model."""
        return tuple(entry for entry in self._entries if entry.number)

    @property
    def billed(self) -> tuple[RequestLedgerEntry, ...]:
        """Everything that is paid for."""
        return tuple(entry for entry in self._entries if entry.is_billed)

    def open(self, entry: RequestLedgerEntry) -> "OpenRequestEntry":
        """Write down a request."""
        self._entries.append(entry)
        return OpenRequestEntry(self._entries, len(self._entries) - 1)


class OpenRequestEntry:
    """The place of one entry, while it is being answered."""

    def __init__(self, entries: list[RequestLedgerEntry], at: int) -> None:
        self._entries = entries
        self._at = at

    @property
    def entry(self) -> RequestLedgerEntry:
        """What stands there now."""
        return self._entries[self._at]

    def write(self, entry: RequestLedgerEntry) -> None:
        """Write it anew."""
        self._entries[self._at] = entry

    def end(self, ending: ExchangeEnding, now: float) -> None:
        """Close the entry, once."""
        if self.entry.ending is ExchangeEnding.OPEN:
            self.write(replace(self.entry, ending=ending, ended_at=now))


def hide_headers(headers: Mapping[str, str]) -> Mapping[str, str]:
    """The headers that may be written down."""
    return {name: value for name, value in headers.items() if name not in HIDDEN_HEADERS}
