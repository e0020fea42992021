"""Lost records: detects records that campaign.json, the index or git know but the chronicle no longer has.

It compares and restores nothing. It also detects a chronicle that was truncated and then continued: each
known end comes with the hash of all records before it, which no other records have.
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
    "the chronicle is shorter than before: its newest records are missing. Before you continue, run "
    "`talewright saves recover {}`: it may restore them from git"
)
"""No crash of this program causes that, so the player is warned."""

REWRITTEN = (
    "records of this campaign are missing: the chronicle was truncated and then continued. Run "
    "`talewright saves recover {}` to see what git still has of them"
)
"""The same, after the story continued without them."""


@frozen
class KnownEnd:
    """A known end of the chronicle, and its source."""

    place: str
    end: int
    chain: bytes
    records: int = 0
    """The number of records; 0 if unknown."""


def find_lost_end(annals: CampaignLog, card: ListingFile | None) -> LostEnd | None:
    """The farthest end in campaign.json or the index that the chronicle does not contain.

    None if the chronicle is damaged, which is reported instead.
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
    """The warning when the campaign is opened."""
    return (SHORTER if lost.end > end else REWRITTEN).format(campaign)


def find_unheld(log: LogFile, known: Iterable[KnownEnd]) -> Iterator[KnownEnd]:
    """The ends that the chronicle does not contain; reads all of it."""
    chains = {
        item.place.end: item.frame.chain
        for item in walk_frames(log.read, 0, GENESIS, log.size)
        if isinstance(item, PlacedFrame)
    }
    yield from (one for one in known if one.end and chains.get(one.end) != one.chain)


def report_lost(
    disk: Disk, layout: FolderLayout, annals: CampaignLog, in_git: list[KnownEnd]
) -> tuple[str, ...]:
    """One sentence for each source that knows of missing records; empty if none are missing."""
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
    otherwise = "" if one.end > standing.end else ", not all of them the same"
    return f"records are missing: {one.place} knows of {once}, but the chronicle has {now}{otherwise}"


def list_git_ends(layout: FolderLayout) -> list[KnownEnd]:
    """The ends of all parts in git; empty without git or without a repository made by this store."""
    try:
        if not layout.git.exists():
            return []
        return [KnownEnd("the copy in git", part.end, part.chain) for part in GitHistory(layout).parts()]
    except GitError:
        return []
