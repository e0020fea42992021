"""The CampaignNews port: what is said of one campaign, to whoever listens, in whichever process.

It carries signals, which are unfiltered; a watch makes News of them for one viewer. It keeps nothing for
good: what was committed stands in the record, and a listener that sees a gap between commits reads it there.
"""

from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.turn.turn_signals import Signal


@frozen
class NumberedSignal:
    """A signal with its place in the campaign."""

    number: int
    """Increasing within the campaign; that of a commit is its sequence times `news.STRIDE`."""

    signal: Signal


class SignalStream(Protocol):
    """What one listener hears: an async iterator. Waiting for the next may be cancelled; nothing is lost."""

    def __aiter__(self) -> "SignalStream": ...

    async def __anext__(self) -> NumberedSignal: ...

    def close(self) -> None:
        """End it: what was said so far can still be heard."""


class CampaignNews(Protocol):
    """The news of one campaign."""

    @property
    def sequence(self) -> int:
        """The counter of the newest commit that was heard of."""

    def publish(self, signal: Signal) -> None:
        """Say something to all who listen. It waits for nobody; of one commit only the first is said."""

    def subscribe(self, after: int = -1) -> SignalStream:
        """Listen from now on; with a number, also to what is known of the turn under way behind it.

        Text that was told before comes first, as one NarrationReset a turn. Commits come in their order. Who
        falls behind loses live signals, but never the newest commit; lost text comes again as a whole.
        """


class NewsService(Protocol):
    """The news of all campaigns of a store: one object a process, or a client of what processes share."""

    def campaign(self, name: str, sequence: int) -> CampaignNews:
        """The news of a campaign whose newest commit in the record has this sequence."""
