"""Reading: the log and its catalogue, as one process sees them while it holds the campaign's lock.

Every frame that is read is verified. Nothing is written but what was torn: it is set aside and cut off.
"""

import hashlib
import re
from collections.abc import Collection, Iterator

from talewright.chronicle.chained_lines import GENESIS, RecordFrame, TornFrame
from talewright.chronicle.record_codec import RecordCodecError
from talewright.chronicle.records import Accepted, Record
from talewright.chronicle.save_format import SaveFormat, format_of
from talewright.chronicle.store import CampaignStatus, ChronicleDamage, ChronicleError
from talewright.stores.folder.catalogue import Catalogue
from talewright.stores.folder.disk import Disk, write_file
from talewright.stores.folder.index import Index
from talewright.stores.folder.layout import CHRONICLE, Layout
from talewright.stores.folder.log import Log, Place, Placed, Stop, walk
from talewright.stores.folder.standing import ALL_KINDS, Entry, Kind, Standing
from talewright.stores.folder.trie import UnfitError

_KIND = re.compile(rb'\{"kind":"([a-z]+)"')
"""How a record begins that says its kind first, as all do that this program writes."""


class Reading:
    """The records of one open campaign. Whoever calls holds the lock, if not said otherwise."""

    def __init__(self, disk: Disk, layout: Layout) -> None:
        self._disk = disk
        self._layout = layout
        self._unknown = False
        """A sync failed, and what is on the disk is not known: nothing is read on or written."""

        self._format = SaveFormat()
        self._catalogue = Catalogue()
        self.damage: ChronicleDamage | None = None
        self._log = Log(disk, layout.chronicle)
        try:
            self._open()
        except (OSError, ChronicleError):
            self.close()
            raise

    @property
    def standing(self) -> Standing:
        """How the campaign stands."""
        return self._catalogue.standing

    def catch_up(self) -> bool:
        """Read what other processes wrote since; False where another chronicle lies in its place now."""
        if self._unknown:
            return True
        size = self._log.glance()
        if size is None:
            return False
        if size != self._catalogue.standing.end and self.damage is None:
            self._read_on_or_rebuild()
        return True

    def rebuild(self) -> None:
        """Read the whole log, as nothing that the index says can be trusted."""
        self._catalogue.forget()
        self.damage = None
        self._read_on()
        # An index that ends before the damage lets every later opening find the damage at once.
        self._catalogue.flush()

    def fetch(self, key: str, kinds: frozenset[Kind] = ALL_KINDS) -> list[tuple[Entry, Record]]:
        """The records of some kinds under a key, oldest first."""
        try:
            found = self._catalogue.find(key)
            # Most who ask want to be sure that there is nothing.
            return self._read_all(found, kinds) if found else []
        except UnfitError:
            self.rebuild()
            return self._read_all(self._catalogue.find(key), kinds)

    def look(self) -> CampaignStatus:
        """How the campaign stands, with the inputs that wait."""
        try:
            waiting = [self._read(place) for place in self.standing.waiting.values()]
        except UnfitError:
            self.rebuild()
            waiting = [self._read(place) for place in self.standing.waiting.values()]
        return CampaignStatus(
            branches=dict(self.standing.branches),
            marks=dict(self.standing.marks),
            sequence=self.standing.sequence,
            waiting=tuple(record for record in waiting if isinstance(record, Accepted)),
            damage=self.damage,
        )

    def scan(self, kinds: Collection[bytes] = ()) -> Iterator[Record | None]:
        """Every record from the first on, verified; None is the last where one is not good. Needs no lock.

        Where kinds are named, records that plainly say they are of another are passed over unread.
        """
        end = self._log.size if self.damage is not None else self.standing.end
        for item in walk(self._log.read, 0, GENESIS, end):
            if isinstance(item, Stop):
                yield None
                return
            if kinds and (said := _KIND.match(item.frame.record)) and said[1] not in kinds:
                continue
            try:
                record = self._format.read(item.frame.record)
            except RecordCodecError:
                yield None
                return
            yield record

    def tidy(self) -> None:
        """Tell the index of everything, so that the next opening is quick."""
        self._catalogue.tidy()

    def close(self) -> None:
        """Let go of the files."""
        self._log.close()
        self._catalogue.close()

    def _open(self) -> None:
        """Find out how the campaign stands: from the index and the log's end, or from the whole log."""
        first = next(walk(self._log.read, 0, GENESIS, self._log.size), Stop(0, TornFrame(0)))
        if isinstance(first, Placed):
            try:
                self._format = format_of(first.frame.record)
                index = Index(self._disk, self._layout.index, first.frame.chain)
            except RecordCodecError as error:
                self._note(0, error.message)
            except OSError:
                # Without an index everything is found by reading the whole log.
                self._catalogue = Catalogue()
            else:
                self._catalogue = Catalogue(index)
                self._catalogue.load(self._log)
        if self.damage is None:
            self._read_on_or_rebuild()

    def _read_on_or_rebuild(self) -> None:
        try:
            self._read_on()
        except UnfitError:
            self.rebuild()

    def _read_on(self) -> None:
        """Take up every frame behind the standing; set what is torn aside, and note what is broken."""
        size, begin = self._log.size, self.standing.end
        if size < begin:
            # This process knew of frames that are gone now. No crash of a program does that.
            self.rebuild()
            self._note(size, "the file has lost its end while the campaign was open")
        if size <= begin:
            if size == 0:
                self._note(0, "the file is empty")
            return
        # Whoever wrote it may have died before the sync: nothing is believed that is not on the disk.
        self._log.sync()
        for item in walk(self._log.read, begin, self.standing.chain, size):
            if isinstance(item, Stop):
                if not isinstance(item.why, TornFrame):
                    self._note(item.offset, item.why.reason)
                elif item.offset == 0:
                    # A campaign is put in its place whole, with its first record: no write was cut short.
                    self._note(0, "the first record is not whole")
                else:
                    set_torn_aside(self._disk, self._layout, self._log, item.offset, size)
                return
            try:
                self._catalogue.take(item, self._format.read(item.frame.record))
            except RecordCodecError as error:
                self._note(item.place.offset, error.message)
                return
        self._catalogue.settle(self._log)

    def _read_all(self, found: list[Entry], kinds: frozenset[Kind]) -> list[tuple[Entry, Record]]:
        return [(entry, self._read(entry.place)) for entry in found if entry.kind in kinds]

    def _read(self, place: Place) -> Record:
        found = self._log.read_at(place)
        if not isinstance(found, RecordFrame):
            raise UnfitError("a frame is not where it was, or not what it was")
        return self._format.read(found.record)

    def _note(self, offset: int, reason: str) -> None:
        self.damage = ChronicleDamage(f"{CHRONICLE}, byte {offset}", reason, self.standing.newest)


def set_torn_aside(disk: Disk, layout: Layout, log: Log, offset: int, size: int) -> None:
    """Keep the beginning of a frame that was never finished, then cut it off."""
    data = log.read(size - offset, offset)
    folder = layout.set_aside
    disk.make_folder(folder)
    write_file(disk, folder / f"{offset}-{hashlib.sha256(data).hexdigest()[:8]}.torn", data)
    disk.sync_folder(folder)
    disk.sync_folder(layout.folder)
    log.cut(offset)
