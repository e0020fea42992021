"""The folder store: creates, opens, lists and removes campaigns, each in its own folder.

A campaign appears completely or not at all. Nothing is deleted: to restore a removed campaign, move its
folder back from the bin under its old name.
"""

import errno
import os
import re
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from talewright.chronicle.chained_lines import GENESIS
from talewright.chronicle.pagination import cut_page
from talewright.chronicle.readable_pages import StoreNotice, StoreNoticeKind
from talewright.chronicle.save_format import SaveFormat
from talewright.chronicle.store import (
    CAMPAIGNS_PAGE_MAX,
    BlobKind,
    CampaignListing,
    DamagedError,
    Founding,
    NameTakenError,
    StorageLimits,
    UnfitNameError,
    UnknownCampaignError,
    UnsavedError,
    check_campaign_name,
    is_campaign_name,
)
from talewright.common.plain_files import OddFileError
from talewright.stores.folder.blobs import seal_secret, seal_value
from talewright.stores.folder.disk import (
    IGNORE_TEXT,
    IGNORED,
    SHELVES,
    Disk,
    FolderLayout,
    note_last,
    read_last,
    write_file,
)
from talewright.stores.folder.file_lock import FileLock
from talewright.stores.folder.folder_book import FolderBook
from talewright.stores.folder.listing_file import (
    ListingFile,
    LostEnd,
    encode_listing,
    read_listing,
    update_listing,
)
from talewright.stores.folder.log.campaign_log import CampaignLog, LockedCampaignLog
from talewright.stores.folder.log.log_file import chain_frames
from talewright.stores.folder.lost_records import find_lost_end, tell_lost
from talewright.stores.folder.pages.page_projector import PageProjector

BIN = ".bin"
"""The folder for removed campaigns. No campaign can have this name, so it is never listed."""

_TAKEN = (errno.ENOTEMPTY, errno.EEXIST)
_UNFIT = re.compile("[^0-9A-Za-z]")
_DEVICE = re.compile("con|prn|aux|nul|com[0-9]|lpt[0-9]")
_STAMP_LENGTH = 15
"""How many characters of a time are used: `20260131T235959`."""


async def put_into_bin(disk: Disk, layout: FolderLayout, at: str) -> Path:
    """Move a campaign's folder to the bin while no process is writing to it; returns its new path."""
    folder = layout.folder
    place = folder.parent / BIN
    name = f"{folder.name}-{_UNFIT.sub('', at)[:_STAMP_LENGTH]}"
    with ExitStack() as undo:
        # If the lock cannot even be opened, no process is writing there.
        with suppress(OSError):
            lock = FileLock(disk, layout.lock)
            undo.callback(lock.close)
            await lock.take()
        if os.name == "nt":  # pragma: no cover - another system, where a folder with open files cannot move
            undo.close()
        try:
            disk.make_folder(place)
            target = _move(disk, folder, place, name)
            disk.sync_folder(place)
            disk.sync_folder(folder.parent)
        except OSError as error:
            raise UnsavedError(
                f"the campaign {folder.name!r} could not be moved to the bin: {error.strerror or error}",
                f"Close any program that uses it, check the disk and your permissions for {folder.parent}, "
                "then try again. The campaign was not changed.",
            ) from error
    return target


def _move(disk: Disk, folder: Path, place: Path, name: str) -> Path:
    """Move the folder to the first free name; two of the same name may be removed within a second."""
    target, number = place / name, 1
    while True:
        try:
            if not target.exists():
                disk.move_folder(folder, target)
                return target
        except OSError as error:
            if error.errno not in _TAKEN:
                raise
        number += 1
        target = place / f"{name}-{number}"


DISK = Disk()
"""This machine's disk; it holds no state."""

FOUNDING = ".founding-"
"""The name prefix of an unfinished campaign's folder; it is never listed."""


class FolderStore:
    """Campaigns in subfolders of one folder."""

    def __init__(
        self, root: Path, *, git: bool = True, disk: Disk = DISK, limits: StorageLimits | None = None
    ) -> None:
        """`limits` are checked when a campaign is created; turns on the user's own disk always fit."""
        # Git runs in the campaign's folder, where a relative path would be wrong.
        self._root = Path(os.path.abspath(root))
        self._git = git
        self._disk = disk
        self._limits = limits or StorageLimits()

    async def found(self, founding: Founding) -> FolderBook:
        """Create a campaign. Raises ChronicleError if the name is taken."""
        check_campaign_name(founding.campaign)
        _refuse_device(founding.campaign)
        target = self._root / founding.campaign
        root = SaveFormat().write(replace(founding.root, sequence=0))
        try:
            self._disk.make_folder(self._root)
            if target.exists():
                raise _taken(founding.campaign)
            # Nothing is awaited from here until the campaign is there, so no other can take its place.
            self._check_room()
            new = self._root / f"{FOUNDING}{os.urandom(8).hex()}"
            new.mkdir(0o700)
            try:
                self._fill(FolderLayout(new), founding, root)
                self._disk.move_folder(new, target)
            except OSError as error:
                _take_away(new)
                if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                    raise _taken(founding.campaign) from error
                raise
            self._disk.sync_folder(self._root)
        except OSError as error:
            raise UnsavedError(
                f"the campaign {founding.campaign!r} could not be created: {error.strerror or error}",
                f"Free some disk space or check the disk ({self._root}), then try again.",
            ) from error
        note_last(self._disk, target)
        book = await self.open(founding.campaign)
        for digest in {founding.root.game_digest, *founding.games}:
            book.note_game(digest)
        return book

    async def open(self, campaign: str) -> FolderBook:
        """Open a campaign. Raises UnknownCampaignError if there is none."""
        layout = self._find(campaign)
        try:
            with ExitStack() as undo:
                lock = FileLock(self._disk, layout.lock)
                undo.callback(lock.close)
                await lock.take()
                # Read this before the chronicle: a record written meanwhile must not look lost.
                card = read_listing(self._disk, layout)
                annals = CampaignLog(self._disk, layout)
                undo.pop_all()
            lock.free()
        except FileNotFoundError as error:
            raise DamagedError(
                f"the campaign {campaign!r} has no chronicle any more: {layout.chronicle} is missing",
                f"Run `talewright saves recover {campaign}`, or restore the file from a backup.",
            ) from error
        except OddFileError as error:
            raise DamagedError(
                f"the campaign {campaign!r} could not be opened: {error}",
                "Nothing was changed. Put a regular file there, or run "
                f"`talewright saves recover {campaign}`.",
            ) from error
        except OSError as error:
            hint = f"Check the disk and your permissions for {layout.folder}, then try again."
            if error.errno == errno.EROFS:
                hint = f"Copy {layout.folder} to a writable disk, and pass its parent folder as --saves."
            raise UnsavedError(
                f"the campaign {campaign!r} could not be opened: {error.strerror or error}", hint
            ) from error
        projector = PageProjector(self._disk, layout, git=self._git)
        projector.lost = lost = find_lost_end(annals, card)
        if lost is not None and not lost.sought:
            projector.note(StoreNoticeKind.SHORTER, tell_lost(campaign, lost, annals.standing.end))
        return FolderBook(self._disk, layout, LockedCampaignLog(self._disk, layout, lock, annals), projector)

    async def listing(self, campaign: str) -> CampaignListing:
        """One campaign as it is listed."""
        return self._list(self._find(campaign), read_last(self._disk, self._root))

    async def campaigns(
        self, owner: str = "", after: str = "", limit: int = CAMPAIGNS_PAGE_MAX
    ) -> tuple[CampaignListing, ...]:
        """A page of the campaigns, in the order of their names."""
        last = read_last(self._disk, self._root)
        found = [
            self._list(FolderLayout(folder), last)
            for folder in (self._root.iterdir() if self._root.is_dir() else ())
            if is_campaign_name(folder.name) and folder.is_dir()
        ]
        return cut_page(found, owner, after, limit)

    async def remove(self, campaign: str, at: str) -> str:
        """Move a campaign to the bin, a folder next to the campaigns; returns its new path."""
        return str(await put_into_bin(self._disk, self._find(campaign), at))

    def _list(self, layout: FolderLayout, last: str) -> CampaignListing:
        """A campaign as it is listed; `last` is the one that was played last on this machine."""
        name = layout.folder.name
        kept = read_listing(self._disk, layout)
        card = update_listing(self._disk, layout, kept)
        recency = name == last, card.at, _written(layout), name
        return CampaignListing(
            name, card.about, card.at, card.damaged, _notice(layout, kept), card.owner, recency
        )

    def _check_room(self) -> None:
        """Raise TooManyCampaignsError or StorageFullError if there is no room for another campaign."""
        if self._limits.campaigns is not None:
            found = (one for one in self._root.iterdir() if is_campaign_name(one.name) and one.is_dir())
            self._limits.check_campaigns(sum(1 for _ in found) + 1)
        if self._limits.bytes is not None:
            self._limits.check_bytes(measure_folder(self._root) + 1)

    def _find(self, campaign: str) -> FolderLayout:
        layout = FolderLayout(self._root / campaign)
        if not is_campaign_name(campaign) or not layout.folder.is_dir():
            raise UnknownCampaignError(
                f"there is no campaign {campaign!r}", "Run `talewright saves` to list the campaigns."
            )
        return layout

    def _fill(self, layout: FolderLayout, founding: Founding, root: bytes) -> None:
        """Write all files of a new campaign."""
        lines = founding.lines or [root, *map(SaveFormat().write, founding.past)]
        frames = chain_frames(GENESIS, list(lines))
        newest, size = (founding.root, *founding.past)[-1], sum(frame.size for frame in frames)
        card = ListingFile(
            founding.about, newest.at, size, frames[-1].chain, owner=founding.owner, records=len(frames)
        )
        write_file(self._disk, layout.chronicle, b"".join(frame.line for frame in frames))
        if founding.secret:
            write_file(self._disk, layout.secret, seal_secret(founding.secret), 0o600)
        write_file(self._disk, layout.listing, encode_listing(card))
        write_file(self._disk, layout.folder / IGNORED, IGNORE_TEXT.encode())
        write_file(self._disk, layout.lock, b"")
        for shelf in SHELVES.values():
            self._disk.make_folder(layout.folder / shelf)
        for digest, game in {founding.root.game_digest: founding.game, **founding.games}.items():
            if game is not None:
                blob = seal_value(BlobKind.GAME, digest, game)
                write_file(self._disk, layout.kept(BlobKind.GAME, digest), blob)
        self._disk.sync_folder(layout.folder)


def measure_folder(folder: Path) -> int:
    """The bytes of all files in a folder, the bin included."""
    measured = 0
    for place, _, names in os.walk(folder):
        for name in names:
            # Another process may just have removed it.
            with suppress(OSError):
                measured += os.lstat(os.path.join(place, name)).st_size
    return measured


def _take_away(folder: Path) -> None:
    """Remove a folder that never became a campaign, as far as the disk allows."""
    with suppress(OSError):
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        folder.rmdir()


def _refuse_device(campaign: str) -> None:
    """Raise UnfitNameError if Windows would take the name of the folder for a device."""
    if os.name == "nt" and _DEVICE.fullmatch(campaign):
        raise UnfitNameError(
            f"{campaign!r} is the name of a device on Windows, where no folder can have it",
            "Choose another name.",
        )


def _taken(campaign: str) -> NameTakenError:
    return NameTakenError(
        f"a campaign named {campaign!r} already exists", "Choose another name, or open that one."
    )


def _notice(layout: FolderLayout, card: ListingFile | None) -> tuple[StoreNotice, ...]:
    """What can be noticed without opening a campaign."""
    try:
        size = layout.chronicle.stat().st_size
    except OSError:
        return ()
    lost = None if card is None else LostEnd(card.end, card.chain) if card.end > size else card.lost
    if lost is None or lost.sought:
        return ()
    return (StoreNotice(StoreNoticeKind.SHORTER, tell_lost(layout.campaign, lost, size)),)


def _written(layout: FolderLayout) -> int:
    """When the chronicle was last written; decides when records of two campaigns have the same time."""
    try:
        return layout.chronicle.stat().st_mtime_ns
    except OSError:
        return 0
