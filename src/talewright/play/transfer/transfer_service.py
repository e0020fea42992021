"""Transfer service: an owner's campaigns as bytes, to transfer them elsewhere and back.

The dice secret is not sent until a campaign is closed here: anyone who knows it knows every future roll.
"""

from collections.abc import Callable
from typing import Protocol, cast, runtime_checkable

from talewright.chronicle.store import CampaignBook, Store
from talewright.common.frozen_values import frozen
from talewright.play.export.save_game import SaveGameError
from talewright.play.playable_games import ImportableEditions
from talewright.play.serving.served_jobs import JobKind, JobRunner
from talewright.play.transfer.campaign_transfer import found_transferred, read_for_transfer
from talewright.play.transfer.transfer_file import check_transferred, read_transfer_file, write_transfer_file


class CampaignTransfers(Protocol):
    """Sends and receives whole campaigns."""

    async def send(self, campaign: str) -> bytes:
        """A campaign with its whole history, and with its dice secret only if it is closed here."""

    async def take(self, data: bytes, campaign: str) -> int:
        """Create a campaign from such bytes, with the secret; returns the number of its records."""

    async def close(self, campaign: str) -> None:
        """Close a campaign here for good: it can still be read, but not played."""


@runtime_checkable
class ClosableBook(Protocol):
    """A book of a store in which campaigns can be closed."""

    async def closed_at(self) -> str | None:
        """When the campaign was closed; None if it is open."""

    async def close_campaign(self, at: str) -> None:
        """Close it for good."""


@frozen
class StoreTransfers:
    """CampaignTransfers on a store."""

    store: Store
    editions: ImportableEditions
    now: Callable[[], str]
    jobs: JobRunner | None = None
    """On a server, reads and writes copies in another process; without it, this process does."""

    async def send(self, campaign: str) -> bytes:
        """A campaign with its whole history."""
        if self.jobs is not None:
            return (await self.jobs.run(JobKind.SEND_COPY, {"campaign": campaign})).data
        book = await self.store.open(campaign)
        try:
            closed = isinstance(book, ClosableBook) and await book.closed_at() is not None
        finally:
            await book.close()
        sent = await read_for_transfer(self.store, campaign, with_secret=closed)
        return write_transfer_file(sent, closed=closed)

    async def take(self, data: bytes, campaign: str) -> int:
        """Create a campaign. Raises SaveGameError if anything about it is wrong."""
        if self.jobs is not None:
            return cast(int, (await self.jobs.run(JobKind.TAKE_COPY, {"campaign": campaign}, data)).value)
        sent, _ = read_transfer_file(data)
        if not sent.secret:
            raise SaveGameError(
                "the campaign's dice secret is missing, so its dice could not be rolled",
                "Push the campaign from where it is played.",
            )
        book = await found_transferred(self.store, campaign, check_transferred(sent, self.editions))
        await book.close()
        return len(sent.lines)

    async def close(self, campaign: str) -> None:
        """Close a campaign here for good."""
        book = await self.store.open(campaign)
        try:
            await _closable(book).close_campaign(self.now())
        finally:
            await book.close()


def _closable(book: CampaignBook) -> ClosableBook:
    if not isinstance(book, ClosableBook):
        raise SaveGameError("campaigns cannot be closed here", "Only a host closes campaigns.")
    return book
