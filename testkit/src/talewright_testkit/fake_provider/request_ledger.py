"""The request ledger: every request a fake server received, its cost by the vendor's rules, and its outcome.

It holds the true figures, even where the client was told others. It never contains keys.
"""

from collections.abc import Mapping
from dataclasses import field, replace
from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright_testkit.fake_provider.fault_plan import PlacedFault
from talewright_testkit.fake_provider.parsed_request import Json

HIDDEN_HEADERS = frozenset({"authorization", "x-api-key", "x-goog-api-key", "cookie", "proxy-authorization"})
"""Headers that are never recorded."""

KEY_MARK = "[key]"
"""Replaces a key."""


class ExchangeEnding(StrEnum):
    """How an exchange ended."""

    OPEN = "open"
    """It has not ended."""

    WHOLE = "whole"
    """The server sent its whole answer."""

    CUT = "cut"
    """The server broke off."""

    LEFT = "left"
    """The client disconnected."""


@frozen
class RequestLedgerEntry:
    """One request."""

    method: str
    path: str
    """Without the query, which may contain a key."""

    headers: Mapping[str, str] = field(default_factory=dict)
    body: Json | None = None
    """The parsed body; None if it was not a JSON object."""

    number: int = 0
    """Number of the request to the model, counted from 1; 0 for other requests."""

    model: str = ""
    status: int = 0
    """The status of the answer; 0 before there is one."""

    prompt_tokens: int = 0
    cached_tokens: int = 0
    written_tokens: int = 0
    """Tokens newly written at a cache mark, where the vendor charges for that."""

    output_tokens: int = 0
    """Tokens generated until the reply ended or was cut off."""

    said: str = ""
    """The model's text that was sent."""

    events: int = 0
    """Events sent in full."""

    fault: PlacedFault | None = None
    ending: ExchangeEnding = ExchangeEnding.OPEN
    asked_at: float = 0.0
    first_at: float | None = None
    """When the first event was sent."""

    ended_at: float | None = None
    leaked: bool = False
    """Whether the key was in the body."""

    @property
    def uncached_tokens(self) -> int:
        """Input tokens at full price."""
        return self.prompt_tokens - self.cached_tokens

    @property
    def is_billed(self) -> bool:
        """Whether the vendor charges for it: errors are free."""
        return self.number > 0 and self.status == 200


class RequestLedger:
    """The requests of one server, in the order of arrival."""

    def __init__(self) -> None:
        self._entries: list[RequestLedgerEntry] = []

    @property
    def entries(self) -> tuple[RequestLedgerEntry, ...]:
        """All requests to the server."""
        return tuple(self._entries)

    @property
    def asks(self) -> tuple[RequestLedgerEntry, ...]:
        """All requests to the model."""
        return tuple(entry for entry in self._entries if entry.number)

    @property
    def billed(self) -> tuple[RequestLedgerEntry, ...]:
        """All requests that are paid for."""
        return tuple(entry for entry in self._entries if entry.is_billed)

    def open(self, entry: RequestLedgerEntry) -> "OpenRequestEntry":
        """Record a request."""
        self._entries.append(entry)
        return OpenRequestEntry(self._entries, len(self._entries) - 1)


class OpenRequestEntry:
    """An entry whose request is being answered."""

    def __init__(self, entries: list[RequestLedgerEntry], at: int) -> None:
        self._entries = entries
        self._at = at

    @property
    def entry(self) -> RequestLedgerEntry:
        """The current entry."""
        return self._entries[self._at]

    def write(self, entry: RequestLedgerEntry) -> None:
        """Replace the entry."""
        self._entries[self._at] = entry

    def end(self, ending: ExchangeEnding, now: float) -> None:
        """Close the entry, once."""
        if self.entry.ending is ExchangeEnding.OPEN:
            self.write(replace(self.entry, ending=ending, ended_at=now))


def hide_headers(headers: Mapping[str, str]) -> Mapping[str, str]:
    """Return the headers that may be recorded."""
    return {name: value for name, value in headers.items() if name not in HIDDEN_HEADERS}
