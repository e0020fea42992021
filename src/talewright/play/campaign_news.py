"""The CampaignNews port: publishes and subscribes to a campaign's signals, across processes.

Signals are unfiltered; a watch turns them into News for one viewer. Nothing is stored permanently: commits
are in the record, where a listener that notices a gap can read them.
"""

from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.turn.turn_signals import Signal


@frozen
class CommitRecorded:
    """A turn is saved. When events pass between processes, listeners read the commit from the record."""

    sequence: int
    branch: str = ""
    operation_id: str = ""


@frozen
class SignalsLost:
    """Signals may be missing from here on, or still are; commits are in the record."""

    branch: str = ""
    operation_id: str = ""


@frozen
class NumberedSignal:
    """A signal with its number in the campaign."""

    number: int
    """Increasing within the campaign; the number of a commit is its sequence times `news.STRIDE`."""

    signal: Signal | CommitRecorded | SignalsLost


class SignalStream(Protocol):
    """One listener's signals: an async iterator. Waiting for the next may be cancelled without losing any."""

    def __aiter__(self) -> "SignalStream": ...

    async def __anext__(self) -> NumberedSignal: ...

    def close(self) -> None:
        """End the stream; signals published so far can still be read."""


class CampaignNews(Protocol):
    """The news of one campaign."""

    @property
    def sequence(self) -> int:
        """The sequence number of the newest known commit."""

    def publish(self, signal: Signal) -> None:
        """Publish a signal to all listeners without waiting. Only the first signal of each commit is
        published.
        """

    def advance(self, sequence: int) -> None:
        """Note that the record has a commit with this sequence number, whoever wrote it.

        Listeners still get the commits that they have not received.
        """

    def subscribe(self, after: int = -1) -> SignalStream:
        """Listen from now on; with a number, also to what is known of the running turn after that number.

        Earlier text comes first, as one NarrationReset per turn. Commits come in order. A listener that falls
        behind loses live signals, but never the newest commit; lost text is sent again as a whole.
        """


class NewsService(Protocol):
    """The news of all campaigns of a store: one object per process, or a client of a shared service."""

    def campaign(self, name: str, sequence: int, campaign_id: str = "") -> CampaignNews:
        """The news of a campaign whose newest recorded commit has this sequence number.

        Another `campaign_id` means another campaign with the same name.
        """
