"""The page projector: updates the pages, listing and git history of a campaign after a turn.

It runs in its own thread and never makes a turn fail: problems become notices.
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from talewright.chronicle.readable_pages import PageProjection, StoreNotice, StoreNoticeKind
from talewright.chronicle.store import ChronicleError
from talewright.common.frozen_values import frozen
from talewright.crashpoints import around
from talewright.stores.folder.disk import IGNORED, LISTING, Disk, FolderLayout
from talewright.stores.folder.file_lock import FileLock
from talewright.stores.folder.listing_file import ListingFile, LostEnd, read_listing, write_listing
from talewright.stores.folder.pages.git_history import GitError, GitHistory, GitTurnCommit
from talewright.stores.folder.pages.page_edits import find_shown, read_edits
from talewright.stores.folder.pages.page_files import check_path, find_pages
from talewright.stores.folder.pages.page_writer import ProjectionPosition, prepare_writer

NOTICES_MAX = 20
"""Notices kept per open campaign; the oldest are dropped first."""


@frozen
class LogEndStamp:
    """The end of the chronicle that a projection belongs to."""

    end: int
    chain: bytes
    at: str
    damaged: bool = False
    records: int = 0


class PageProjector:
    """Writes the pages, listing and git history of one campaign."""

    def __init__(self, disk: Disk, layout: FolderLayout, *, git: bool) -> None:
        self._disk = disk
        self._layout = layout
        self._history = GitHistory(layout) if git else None
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="talewright-pages")
        """One thread: projections run in the order they were submitted, even if a caller is cancelled."""

        self._since = 0
        """The length of the chronicle when pages were last written."""

        self._used = False
        self._recorded = False
        self.notices: list[StoreNotice] = []
        self.lost: LostEnd | None = None
        """What the chronicle had lost when it was opened; the listing keeps it."""

    async def project(
        self, projection: PageProjection, strand: ProjectionPosition, stamp: LogEndStamp, unrecorded: set[str]
    ) -> None:
        """Write the pages and the listing, then commit to git."""
        with around("projections"):
            await self._do(lambda: self._write(projection, strand, stamp, unrecorded))
        if self._history is None:
            return
        files = {path for path in (*projection.pages, *projection.removed) if not check_path(path)}
        unrecorded.update(files, {LISTING, IGNORED})
        with around("git"):
            await self._do(lambda: self._tell(projection, stamp, unrecorded))

    def find_shown(self) -> str:
        """The commit whose pages are in the folder; empty if unknown."""
        return find_shown(self._disk, self._layout)

    def read_edits(self, paths: Iterable[str]) -> Mapping[str, str]:
        """The editable pages that a person has changed. Takes no lock, because a turn waits for it."""
        texts, notices = read_edits(self._disk, self._layout, paths)
        self._keep(notices)
        return texts

    async def finish(self, stamp: LogEndStamp) -> None:
        """Update the listing and let git clean up; nothing is projected after this."""
        if self._used:
            await self._do(lambda: self._update_card(stamp))
        else:
            # Do not start a thread for a campaign that was only read.
            self._try(lambda: self._update_card(stamp))
        if self._history is not None and self._recorded:
            await self._do(self._history.tidy)
        self._pool.shutdown(wait=False)

    def note(self, kind: StoreNoticeKind, text: str) -> None:
        """Add a notice, unless it is there already."""
        self._keep([StoreNotice(kind, text)])

    def _keep(self, notices: Iterable[StoreNotice]) -> None:
        self.notices += [notice for notice in notices if notice not in self.notices]
        del self.notices[:-NOTICES_MAX]

    async def _do(self, work: Callable[[], None]) -> None:
        self._used = True
        await asyncio.get_running_loop().run_in_executor(self._pool, self._try, work)

    def _try(self, work: Callable[[], None]) -> None:
        """Run work under the pages lock; errors become notices."""
        try:
            lock = FileLock(self._disk, self._layout.pages_lock)
        except OSError as error:
            self.note(StoreNoticeKind.PAGES, f"the pages were not written: {error}")
            return
        try:
            lock.take_blocking()
            work()
        except GitError as error:
            self.note(StoreNoticeKind.HISTORY, f"the git history was not written: {error}")
        except (OSError, ChronicleError) as error:
            self.note(StoreNoticeKind.PAGES, f"the pages were not written: {error}")
        finally:
            lock.close()

    def _write(
        self, projection: PageProjection, strand: ProjectionPosition, stamp: LogEndStamp, unrecorded: set[str]
    ) -> None:
        card = read_listing(self._disk, self._layout) or ListingFile()
        self._since = card.end
        if stamp.end < card.end <= self._layout.chronicle.stat().st_size:
            # Another process was first with a later turn: its pages are newer.
            return
        press = prepare_writer(self._disk, self._layout, projection, self._read_history)
        try:
            press.write(projection, strand)
        finally:
            unrecorded.update(press.touched)
            self._keep(press.notices)
        self._put_card(card, stamp)

    def _read_history(self, paths: Iterable[str]) -> Mapping[str, bytes]:
        """The pages as last committed to git; empty without git."""
        try:
            return {} if self._history is None else self._history.read_pages(paths)
        except GitError:
            return {}

    def _tell(self, projection: PageProjection, stamp: LogEndStamp, unrecorded: set[str]) -> None:
        assert self._history is not None
        files = frozenset(unrecorded)
        chapter = GitTurnCommit(projection.heading, stamp.at, files, stamp.end, stamp.chain)
        self._history.record(chapter, lambda: find_pages(self._layout), self._since)
        unrecorded -= files
        self._recorded = True

    def _update_card(self, stamp: LogEndStamp) -> None:
        card = read_listing(self._disk, self._layout) or ListingFile()
        newly_lost = self.lost is not None and card.lost is None
        if stamp.end > card.end or stamp.damaged != card.damaged or newly_lost:
            self._put_card(card, stamp)

    def _put_card(self, card: ListingFile, stamp: LogEndStamp) -> None:
        at, damaged = stamp.at or card.at, stamp.damaged
        lost = self.lost or card.lost
        new = replace(card, at=at, end=stamp.end, chain=stamp.chain, damaged=damaged, lost=lost)
        new = replace(new, records=stamp.records)
        write_listing(self._disk, self._layout, new)
