"""Lost records: whether a chronicle holds everything that campaign.json, the index and git once knew of it.

It compares; nothing is brought back here. A chronicle that was cut off and written on counts as well: what is
known of its end is a hash over all records, which no other records have.
"""

from collections.abc import Iterable, Iterator

from talewright.chronicle.chained_lines import GENESIS
from talewright.common.frozen_values import frozen
from talewright.stores.folder.disk import Disk, FolderLayout
from talewright.stores.folder.listing_file import ListingFile, LostEnd, read_listing
from talewright.stores.folder.log.campaign_log import CampaignLog
from talewright.stores.folder.log.log_file import LogFile, PlacedFrame, walk_frames
from talewright.stores.folder.pages.git_history import GitError, GitHistory

SHORTER = (
    "the chronicle is shorter than it was: the newest records are gone. Before you play on, "
    "`talewright saves recover {}` may bring them back from git"
)
"""No crash of this program does that, so whoever opens the campaign is told."""

REWRITTEN = (
    "records of this campaign are gone: the chronicle was cut off and then written on. "
    "`talewright saves recover {}` says what git still holds of them"
)
"""The same, after the story went on without them."""


@frozen
class KnownEnd:
    """An end of the chronicle, and who knows of it."""

    place: str
    end: int
    chain: bytes
    records: int = 0
    """How many records there were; 0 where that is not known."""


def find_lost_end(annals: CampaignLog, card: ListingFile | None) -> LostEnd | None:
    """The farthest end that campaign.json or the index know of and the chronicle does not have.

    Where the chronicle is damaged that is told instead.
    """
    if annals.damage is not None:
        return None
    known: list[LostEnd] = []
    if card is not None:
        known.append(LostEnd(card.end, card.chain, card.records))
        known += [] if card.lost is None else [card.lost]
    outrun = annals.outrun
    if outrun is not None:
        known.append(LostEnd(outrun.end, outrun.chain, outrun.count))
    missing = [one for one in known if not annals.holds(one.end, one.chain)]
    return max(missing, key=lambda one: one.end, default=None)


def tell_lost(campaign: str, lost: LostEnd, end: int) -> str:
    """What whoever opens the campaign is told."""
    return (SHORTER if lost.end > end else REWRITTEN).format(campaign)


def find_unheld(log: LogFile, known: Iterable[KnownEnd]) -> Iterator[KnownEnd]:
    """Those ends at which the chronicle has other records or none; all of it is read."""
    chains = {
        item.place.end: item.frame.chain
        for item in walk_frames(log.read, 0, GENESIS, log.size)
        if isinstance(item, PlacedFrame)
    }
    yield from (one for one in known if one.end and chains.get(one.end) != one.chain)


def report_lost(
    disk: Disk, layout: FolderLayout, annals: CampaignLog, in_git: list[KnownEnd]
) -> tuple[str, ...]:
    """Who knows of records that are not there, one sentence each; nothing where all of them are there."""
    if annals.damage is not None:
        return ()
    lost = find_lost_end(annals, read_listing(disk, layout))
    known = (
        [] if lost is None else [KnownEnd("campaign.json or index.bin", lost.end, lost.chain, lost.records)]
    )
    known += in_git
    log = LogFile(disk, layout.chronicle, writable=False)
    try:
        found = {one.place: one for one in sorted(find_unheld(log, known), key=lambda one: one.end)}
    finally:
        log.close()
    return tuple(_report(one, annals) for one in found.values())


def _report(one: KnownEnd, annals: CampaignLog) -> str:
    standing = annals.standing
    once = f"{one.records} records" if one.records else f"{one.end} bytes"
    now = f"{standing.count} records" if one.records else f"{standing.end} bytes"
    otherwise = "" if one.end > standing.end else ", of which not all are those of then"
    return f"records are gone: {one.place} knows of {once}, and the chronicle has {now}{otherwise}"


def list_git_ends(layout: FolderLayout) -> list[KnownEnd]:
    """The ends of all stretches that git holds; nothing where there is no git, or none of ours."""
    try:
        if not layout.git.exists():
            return []
        return [KnownEnd("the copy in git", part.end, part.chain) for part in GitHistory(layout).parts()]
    except GitError:
        return []
