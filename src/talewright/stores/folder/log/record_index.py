"""The record index: finds every record, in the index file and in the newer frames that are not in it yet.

It opens no log and verifies no frame; `campaign_log` gives it valid frames. The index file, `index.bin`, is a
cache: if anything in it is missing, damaged or foreign, it is discarded and rebuilt from the log. It is
append-only, and its answers are tied by hashes to the records it was made from.
"""

import hashlib
import json
import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from struct import Struct
from typing import TypeAlias, assert_never

from talewright.chronicle.chained_lines import GENESIS, RecordFrame
from talewright.chronicle.record_fold import RecordFold
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, Pointing, Record
from talewright.chronicle.spending_totals import read_totals, write_totals
from talewright.common.frozen_values import frozen
from talewright.common.plain_files import OddFileError
from talewright.stores.folder.disk import Disk, put_file, read_all, write_all
from talewright.stores.folder.log.index_trie import (
    IndexedKind,
    IndexEntries,
    IndexEntry,
    TrieGrowth,
    TrieRef,
    UnfitError,
    check_node,
    find_in_trie,
    hash_node,
)
from talewright.stores.folder.log.log_file import FramePlace, LogFile, PlacedFrame

SEQUENCE_STRIDE = 16
"""One in this many commits is indexed by its sequence number; the others are found by reading from there."""

BATCH_FRAMES = 64
"""Frames not in the index that may be read again at each opening; more are written to the index."""

ANSWERS_MAX = 256
"""Cached lookups in the index file."""

MAGIC = b"talewright index 3\n"
"""How a footer begins. The number is raised when the format changes; older files are rebuilt."""

SEARCH_BYTES_MAX = 1024 * 1024
"""How far from the end to search for a footer, if a crash left an unfinished write after it."""

NODE_BYTES_MAX = 64 * 1024 * 1024
"""The maximum size of a node in bytes."""

NODES_MAX = 1024
"""Nodes cached in memory, about half a kilobyte each."""

TIDY_BYTES_MIN = 1024 * 1024
"""A smaller file is never compacted."""

TIDY_RATIO = 4
"""A file is compacted when it is this many times as large as its live nodes."""

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND

_FOOTER = Struct(f">{len(MAGIC)}sQI16s32s")
"""The magic, then offset, size and hash of the head's node, then the checksum."""

Finder: TypeAlias = Callable[[str], Sequence[IndexEntry]]
"""Looks up the entries under a key."""


def commit_key(commit: str) -> str:
    """The key of a commit, by its id."""
    return f"c{commit}"


def operation_key(operation_id: str) -> str:
    """The key of all records of an operation."""
    return f"o{operation_id}"


def asides_key(commit: str) -> str:
    """The key of the asides made for a commit."""
    return f"s{commit}"


def sequence_key(sequence: int) -> str:
    """The key of the commit with a sequence number; only every sixteenth is indexed."""
    return f"n{sequence}"


@dataclass(slots=True)
class LogFold(RecordFold[FramePlace]):
    """The state at some point of the log: branch heads, marks and waiting inputs, which are stored as places.

    It trusts its input: every frame was verified before. Its size does not grow with the story.
    """

    end: int = 0
    chain: bytes = GENESIS
    last: FramePlace | None = None
    """The last frame, which proves that an index belongs to the log."""

    at: str = ""
    """The time of the last record."""

    def take_frame(self, placed: PlacedFrame, record: Record, find: Finder) -> list[tuple[str, IndexEntry]]:
        """Add one frame; returns the keys under which it is found."""
        place = placed.place
        self.end, self.chain, self.last, self.at = place.end, placed.frame.chain, place, record.at
        self.take(record, place, lambda operation_id: _is_committed(find(operation_key(operation_id))))
        return _list_entries(record, place)


def _is_committed(found: Sequence[IndexEntry]) -> bool:
    return any(one.kind is IndexedKind.COMMIT for one in found)


def _list_entries(record: Record, place: FramePlace) -> list[tuple[str, IndexEntry]]:
    match record:
        case Accepted():
            return [(operation_key(record.operation_id), IndexEntry(IndexedKind.ACCEPTED, place))]
        case Commit():
            entry = IndexEntry(IndexedKind.COMMIT, place)
            keys = [(commit_key(record.id), entry), (operation_key(record.operation_id), entry)]
            if record.sequence % SEQUENCE_STRIDE == 0:
                keys.append((sequence_key(record.sequence), entry))
            return keys
        case Attempt():
            return [(operation_key(record.operation_id), IndexEntry(IndexedKind.ATTEMPT, place))]
        case Aside():
            return [(asides_key(record.commit), IndexEntry(IndexedKind.ASIDE, place))]
        case Pointing():
            return []
        case _:
            assert_never(record)


@frozen
class IndexHead:
    """One complete index: the state of the log, and a trie of everything before its end."""

    standing: LogFold
    root: TrieRef | None
    live: int
    """Bytes of the trie's nodes; all others in the file belong to earlier tries."""


class IndexFile:
    """The index file of one campaign, which finds records without reading the whole log."""

    def __init__(self, disk: Disk, path: Path, identity: bytes) -> None:
        self._disk = disk
        self._path = path
        self._file = _open(disk, path)
        self._identity = identity
        """The chain of the first frame, which is unique to the campaign."""

        self._root: TrieRef | None = None
        self._live = 0
        self._seen = 0
        """The size of the file when it was last looked at or written."""

        self._nodes: dict[bytes, bytes] = {}

    def look(self) -> IndexHead | None:
        """The newest complete head, whichever process wrote it; None if there is none."""
        size = self._seen = self._disk.size(self._file)
        begin = max(0, size - _FOOTER.size)
        head = self._read_footer(self._read(_FOOTER.size, begin))
        if head is None and size > _FOOTER.size:
            begin = max(0, size - SEARCH_BYTES_MAX)
            head = self._search(self._read(size - begin, begin))
        return head

    def has_grown(self) -> bool:
        """Whether another process has written since this one looked or wrote."""
        return self._disk.size(self._file) != self._seen

    def go_on_from(self, head: IndexHead) -> None:
        """Use a head for lookups and as the base of the next write."""
        self._root, self._live = head.root, head.live

    def find(self, key: str) -> list[IndexEntry]:
        """The entries under a key, oldest first. Raises UnfitError if the index is damaged."""
        return find_in_trie(self._read_node, self._root, key)

    def write(self, standing: LogFold, entries: IndexEntries) -> None:
        """Add the entries that are new since the current head."""
        size = self._disk.size(self._file)
        growth = TrieGrowth(self._read_node, size)
        root = growth.grow(self._root, entries)
        head = IndexHead(standing, root, self._live + growth.size - growth.replaced)
        nodes = tuple(growth.parts)
        data = self._finish(growth, head)
        write_all(self._disk, self._file, data)
        self._seen = size + len(data)
        self.go_on_from(head)
        for data in nodes:
            self._remember(hash_node(data), data)

    def tidy(self, standing: LogFold) -> None:
        """Compact the file if most of it is no longer used.

        The state is the one written last. Other processes continue to use the old file, which stays valid.
        """
        size = self._disk.size(self._file)
        if size < TIDY_BYTES_MIN or size < TIDY_RATIO * self._live:
            return
        growth = TrieGrowth(self._read_node, 0, size_max=size)
        root = growth.copy(self._root)
        head = IndexHead(standing, root, growth.size)
        data = self._finish(growth, head)
        # Not every system replaces a file that is open.
        self.close()
        try:
            put_file(self._disk, self._path, data)
        finally:
            self._file = _open(self._disk, self._path)
        self._seen = len(data)
        self.go_on_from(head)

    def forget(self) -> None:
        """Start over with nothing; the file keeps its content, and the next write replaces it logically."""
        self._root, self._live = None, 0

    def close(self) -> None:
        """Close the file. The descriptor is cleared, since the system may reuse the number."""
        file, self._file = self._file, -1
        if file >= 0:
            self._disk.close(file)

    def _read(self, size: int, offset: int) -> bytes:
        return read_all(self._disk, self._file, size, offset)

    def _read_node(self, ref: TrieRef) -> bytes:
        # The content of a node never changes, so a verified node stays valid.
        data = self._nodes.get(ref.hash)
        if data is None:
            if ref.size > NODE_BYTES_MAX:
                raise UnfitError("a node is larger than any of ours")
            data = check_node(self._read(ref.size, ref.offset), ref)
            self._remember(ref.hash, data)
        return data

    def _remember(self, digest: bytes, data: bytes) -> None:
        if len(self._nodes) >= NODES_MAX:
            # The oldest: usually a newer node has replaced it.
            del self._nodes[next(iter(self._nodes))]
        self._nodes[digest] = data

    def _finish(self, growth: TrieGrowth, head: IndexHead) -> bytes:
        """The bytes of new nodes, followed by the head and the footer."""
        ref = growth.add(_encode_head(head))
        body = _FOOTER.pack(MAGIC, *ref, b"")[: -hashlib.sha256().digest_size]
        return b"".join((*growth.parts, body, _seal(self._identity, body)))

    def _read_footer(self, data: bytes) -> IndexHead | None:
        if (
            len(data) != _FOOTER.size
            or not data.startswith(MAGIC)
            or _seal(self._identity, data[:-32]) != data[-32:]
        ):
            return None
        _, offset, size, digest, _ = _FOOTER.unpack(data)
        try:
            return _decode_head(self._read_node(TrieRef(offset, size, digest)))
        except (UnfitError, ValueError, LookupError, TypeError, AttributeError):
            # Also a crafted head with values that no real head has.
            return None

    def _search(self, data: bytes) -> IndexHead | None:
        at = data.rfind(MAGIC)
        while at >= 0:
            head = self._read_footer(data[at : at + _FOOTER.size])
            if head is not None:
                return head
            at = data.rfind(MAGIC, 0, at)
        return None


def _open(disk: Disk, path: Path) -> int:
    """The file, or a new one if the path is not a regular file: the index can be rebuilt."""
    try:
        file = disk.open(path, _FLAGS)
        if os.fstat(file).st_nlink <= 1:
            return file
        disk.close(file)
    except OddFileError:
        # A folder cannot be removed this way; the log is then read without an index.
        pass
    path.unlink()
    return disk.open(path, _FLAGS)


def _seal(identity: bytes, body: bytes) -> bytes:
    """The checksum that ties a footer to its campaign."""
    return hashlib.sha256(identity + body).digest()


def _encode_head(head: IndexHead) -> bytes:
    standing = head.standing
    form = {
        "end": standing.end,
        "chain": standing.chain.hex(),
        "last": _place_form(standing.last) if standing.last else None,
        "branches": standing.branches,
        "marks": standing.marks,
        "waiting": {
            operation: [branch, _place_form(place)] for operation, (branch, place) in standing.waiting.items()
        },
        "tries": {branch: _place_form(place) for branch, place in standing.tries.items()},
        "count": standing.count,
        "sequence": standing.sequence,
        "newest": standing.newest,
        "at": standing.at,
        "spent": write_totals(standing.spent),
        "live": head.live,
        "root": [head.root.offset, head.root.size, head.root.hash.hex()] if head.root else None,
    }
    return json.dumps(form).encode()


def _decode_head(data: bytes) -> IndexHead:
    """Parse a head from verified bytes: they are exactly what was once encoded."""
    form = json.loads(data)
    standing = LogFold(
        end=form["end"],
        chain=bytes.fromhex(form["chain"]),
        last=_read_place(form["last"]) if form["last"] else None,
        branches=form["branches"],
        marks=form["marks"],
        waiting={
            operation: (branch, _read_place(place)) for operation, (branch, place) in form["waiting"].items()
        },
        tries={branch: _read_place(place) for branch, place in form["tries"].items()},
        count=form["count"],
        sequence=form["sequence"],
        newest=form["newest"],
        at=form["at"],
        spent=read_totals(form["spent"]),
    )
    root = form["root"]
    return IndexHead(
        standing, TrieRef(root[0], root[1], bytes.fromhex(root[2])) if root else None, form["live"]
    )


def _place_form(place: FramePlace) -> list[int | str]:
    return [place.offset, place.size, place.previous.hex()]


def _read_place(form: list[int | str]) -> FramePlace:
    return FramePlace(int(form[0]), int(form[1]), bytes.fromhex(str(form[2])))


class RecordIndex:
    """What is known about the log, from its start."""

    def __init__(self, index: IndexFile | None = None) -> None:
        self._index = index
        self._tail: IndexEntries = {}
        """Entries of the frames that the index file does not contain yet."""

        self._tail_count = 0
        self._patience = BATCH_FRAMES
        self._answers: IndexEntries = {}
        self.standing = LogFold()

    def load(self, log: LogFile) -> LogFold | None:
        """Start where the index file ends; returns its state if the log no longer contains it."""
        if self._index is None:
            return None
        try:
            head = self._index.look()
        except OSError:
            head = None
        if head is not None and _fits(head.standing, log):
            self._index.go_on_from(head)
            self.standing = head.standing
            return None
        self._index.forget()
        return head.standing if head is not None else None

    def take(self, placed: PlacedFrame, record: Record) -> None:
        """Add one frame."""
        for key, entry in self.standing.take_frame(placed, record, self.find):
            self._tail.setdefault(key, []).append(entry)
        self._tail_count += 1

    def find(self, key: str) -> list[IndexEntry]:
        """The entries under a key, oldest first. Raises UnfitError if the index is damaged."""
        known = self._answers.get(key)
        if known is None:
            known = self._index.find(key) if self._index is not None else []
            if len(self._answers) >= ANSWERS_MAX:
                self._answers.clear()
            self._answers[key] = known
        return known + self._tail.get(key, [])

    def forget(self) -> None:
        """Start over at the beginning of the log."""
        if self._index is not None:
            self._index.forget()
        self.standing, self._tail, self._tail_count = LogFold(), {}, 0
        self._answers.clear()

    def settle(self, log: LogFile) -> None:
        """Bring the index file up to date if much is new: adopt another process's work, or write."""
        if self._tail_count >= self._patience:
            self._take_over(log)
        if self._tail_count >= self._patience:
            self.flush()

    def flush(self) -> None:
        """Write new entries to the index file. If that fails, the next opening reads more of the log."""
        if self._index is None or self._tail_count == 0:
            return
        try:
            self._index.write(self.standing, self._tail)
        except (OSError, UnfitError):
            self._patience = self._tail_count + BATCH_FRAMES
            return
        self._tail, self._tail_count, self._patience = {}, 0, BATCH_FRAMES
        self._answers.clear()

    def tidy(self) -> None:
        """Write everything to the index file, and compact it."""
        self.flush()
        if self._index is not None and self._tail_count == 0:
            with suppress(OSError, UnfitError, RecursionError):
                self._index.tidy(self.standing)

    def _take_over(self, log: LogFile) -> None:
        """Adopt what another process has written to the index file, if anything.

        Without this, every process would write the same entries.
        """
        if self._index is None:
            return
        try:
            head = self._index.look() if self._index.has_grown() else None
            if head is None or head.standing.end > self.standing.end or not _fits(head.standing, log):
                return
        except OSError:
            return
        self._index.go_on_from(head)
        end = head.standing.end
        tail = {key: [one for one in found if one.place.offset >= end] for key, found in self._tail.items()}
        self._tail = {key: found for key, found in tail.items() if found}
        self._tail_count = len({one.place.offset for found in self._tail.values() for one in found})
        self._answers.clear()

    def close(self) -> None:
        """Close the index file."""
        if self._index is not None:
            self._index.close()


def _fits(standing: LogFold, log: LogFile) -> bool:
    """Whether a log contains the records of a state: the chain at its end covers all of them."""
    last = standing.last
    if last is None or last.end != standing.end or standing.end > log.size:
        return False
    found = log.read_at(last)
    return isinstance(found, RecordFrame) and found.chain == standing.chain
