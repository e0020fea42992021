"""Store: a folder of campaigns, one folder each.

A campaign appears whole or not at all.
"""

import errno
import os
from contextlib import ExitStack, suppress
from dataclasses import replace
from pathlib import Path

from talewright.chronicle.chained_lines import GENESIS
from talewright.chronicle.pages_port import StoreNotice, StoreNoticeKind
from talewright.chronicle.save_format import SaveFormat
from talewright.chronicle.store import (
    BlobKind,
    CampaignListing,
    ChronicleError,
    DamagedError,
    Founding,
    UnknownCampaignError,
    UnsavedError,
    check_campaign_name,
    is_campaign_name,
)
from talewright.stores.folder.annals import Annals
from talewright.stores.folder.bin import put_into_bin
from talewright.stores.folder.book import FolderBook
from talewright.stores.folder.cards import Card, bring_up, encode_card, read_card
from talewright.stores.folder.disk import Disk, write_file
from talewright.stores.folder.hold import Hold
from talewright.stores.folder.layout import IGNORE_TEXT, IGNORED, SHELVES, Layout
from talewright.stores.folder.lock import Lock
from talewright.stores.folder.log import bind
from talewright.stores.folder.projector import Projector
from talewright.stores.folder.shelves import seal_secret, seal_value

DISK = Disk()
"""The disk of this machine; it holds no state."""

FOUNDING = ".founding-"
"""How the folder of a campaign is called that is not finished yet; it is in no list."""

SHORTER = (
    "the chronicle is shorter than it was: the newest records are gone. Before you play on, "
    "`talewright saves recover {}` may bring them back from git"
)
"""No crash of this program does that, so whoever opens the campaign is told."""


class FolderStore:
    """Campaigns beneath one folder."""

    def __init__(self, root: Path, *, git: bool = True, disk: Disk = DISK) -> None:
        self._root = root
        self._git = git
        self._disk = disk

    async def found(self, founding: Founding) -> FolderBook:
        """Begin a campaign; a ChronicleError where the name is taken."""
        check_campaign_name(founding.campaign)
        target = self._root / founding.campaign
        root = SaveFormat().write(replace(founding.root, sequence=0))
        try:
            self._disk.make_folder(self._root)
            if target.exists():
                raise _taken(founding.campaign)
            new = self._root / f"{FOUNDING}{os.urandom(8).hex()}"
            new.mkdir(0o700)
            try:
                self._fill(Layout(new), founding, root)
                self._disk.move_folder(new, target)
            except OSError as error:
                _take_away(new)
                if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
                    raise _taken(founding.campaign) from error
                raise
            self._disk.sync_folder(self._root)
        except OSError as error:
            raise UnsavedError(
                f"the campaign {founding.campaign!r} could not be begun: {error.strerror or error}",
                f"Make room on the disk or see to it ({self._root}), then try again.",
            ) from error
        book = await self.open(founding.campaign)
        book.note_game(founding.root.game_digest)
        return book

    async def open(self, campaign: str) -> FolderBook:
        """Open a campaign; UnknownCampaignError where there is none."""
        layout = self._find(campaign)
        try:
            with ExitStack() as undo:
                lock = Lock(self._disk, layout.lock)
                undo.callback(lock.close)
                await lock.take()
                annals = Annals(self._disk, layout)
                undo.pop_all()
            lock.free()
        except FileNotFoundError as error:
            raise DamagedError(
                f"the campaign {campaign!r} has lost its chronicle ({layout.chronicle})",
                f"Run `talewright saves recover {campaign}`, or bring the file back from a backup.",
            ) from error
        except OSError as error:
            raise UnsavedError(
                f"the campaign {campaign!r} could not be opened: {error.strerror or error}",
                f"See to the disk and to who may write in {layout.folder}, then try again.",
            ) from error
        projector = Projector(self._disk, layout, git=self._git)
        card = read_card(self._disk, layout)
        if card is not None and card.end > annals.standing.end and annals.damage is None:
            projector.note(StoreNoticeKind.SHORTER, SHORTER.format(campaign))
        return FolderBook(self._disk, layout, Hold(self._disk, layout, lock, annals), projector)

    async def campaigns(self) -> tuple[CampaignListing, ...]:
        """All campaigns, the one written last first."""
        found = []
        for folder in self._root.iterdir() if self._root.is_dir() else ():
            if is_campaign_name(folder.name) and folder.is_dir():
                layout = Layout(folder)
                kept = read_card(self._disk, layout)
                card = bring_up(self._disk, layout, kept)
                listing = CampaignListing(
                    folder.name, card.about, card.at, card.damaged, _notice(layout, kept)
                )
                found.append((_written(layout), listing))
        found.sort(key=lambda one: (one[1].at, one[0], one[1].campaign), reverse=True)
        return tuple(listing for _, listing in found)

    async def remove(self, campaign: str, at: str) -> str:
        """Put a campaign into the bin, a folder beside the campaigns; its new place."""
        return str(await put_into_bin(self._disk, self._find(campaign), at))

    def _find(self, campaign: str) -> Layout:
        layout = Layout(self._root / campaign)
        if not is_campaign_name(campaign) or not layout.folder.is_dir():
            raise UnknownCampaignError(
                f"there is no campaign {campaign!r}", "Look at the list of campaigns for those there are."
            )
        return layout

    def _fill(self, layout: Layout, founding: Founding, root: bytes) -> None:
        """Write everything of a new campaign."""
        (frame,) = bind(GENESIS, [root])
        card = Card(founding.about, founding.root.at, frame.size, frame.chain)
        write_file(self._disk, layout.chronicle, frame.line)
        write_file(self._disk, layout.secret, seal_secret(founding.secret), 0o600)
        write_file(self._disk, layout.listing, encode_card(card))
        write_file(self._disk, layout.folder / IGNORED, IGNORE_TEXT.encode())
        write_file(self._disk, layout.lock, b"")
        for shelf in SHELVES.values():
            self._disk.make_folder(layout.folder / shelf)
        if founding.game is not None:
            digest = founding.root.game_digest
            write_file(
                self._disk,
                layout.kept(BlobKind.GAME, digest),
                seal_value(BlobKind.GAME, digest, founding.game),
            )
        self._disk.sync_folder(layout.folder)


def _take_away(folder: Path) -> None:
    """Remove a folder that never became a campaign, as far as the disk lets us."""
    with suppress(OSError):
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        folder.rmdir()


def _taken(campaign: str) -> ChronicleError:
    return ChronicleError(f"there is a campaign {campaign!r} already", "Take another name, or open that one.")


def _notice(layout: Layout, card: Card | None) -> tuple[StoreNotice, ...]:
    """What can be noticed without opening a campaign."""
    try:
        if card is None or card.end <= layout.chronicle.stat().st_size:
            return ()
    except OSError:
        return ()
    return (StoreNotice(StoreNoticeKind.SHORTER, SHORTER.format(layout.campaign)),)


def _written(layout: Layout) -> int:
    """When the chronicle was last written, where records of two campaigns have the same time."""
    try:
        return layout.chronicle.stat().st_mtime_ns
    except OSError:
        return 0
