"""The index file: `index.bin`, which tells where in the log a record stands, without reading the log.

It is no truth: whatever is missing, damaged or foreign in it is thrown away and made again from the log.
It is only ever added to. What it answers is bound by hashes to the records it was made of.
"""

import hashlib
import json
import os
from pathlib import Path
from struct import Struct

from talewright.chronicle.spending_totals import read_totals, write_totals
from talewright.common.frozen_values import frozen
from talewright.common.plain_files import OddFileError
from talewright.stores.folder.disk import Disk, put_file, read_all, write_all
from talewright.stores.folder.log.index_trie import (
    TrieGrowth,
    TrieRef,
    UnfitError,
    check_node,
    find_in_trie,
    hash_node,
)
from talewright.stores.folder.log.log_file import FramePlace
from talewright.stores.folder.log.log_fold import IndexEntries, IndexEntry, LogFold

MAGIC = b"talewright index 3\n"
"""How a footer begins; the number is raised when the form changes, and older files are made again."""

SEARCH_BYTES_MAX = 1024 * 1024
"""How far from the end a footer is looked for, where a crash left something unfinished behind it."""

NODE_BYTES_MAX = 64 * 1024 * 1024
"""Bytes of one node."""

NODES_MAX = 1024
"""Nodes that are kept in memory, of about half a kilobyte each."""

TIDY_BYTES_MIN = 1024 * 1024
"""A file smaller than this is left as it is."""

TIDY_RATIO = 4
"""How many times what is used a file may have before it is written anew."""

_FLAGS = os.O_RDWR | os.O_CREAT | os.O_APPEND

_FOOTER = Struct(f">{len(MAGIC)}sQI16s32s")
"""The magic, then offset, size and hash of the head's node, then the seal."""


@frozen
class IndexHead:
    """One whole index: a standing, and a trie of everything before its end."""

    standing: LogFold
    root: TrieRef | None
    live: int
    """Bytes of the trie's nodes; all others in the file are of earlier ones."""


class IndexFile:
    """The index file of one campaign."""

    def __init__(self, disk: Disk, path: Path, identity: bytes) -> None:
        self._disk = disk
        self._path = path
        self._file = _open(disk, path)
        self._identity = identity
        """The chain of the first frame: no other campaign has it."""

        self._root: TrieRef | None = None
        self._live = 0
        self._seen = 0
        """Bytes that the file had when it was last looked at or written."""

        self._nodes: dict[bytes, bytes] = {}

    def look(self) -> IndexHead | None:
        """The newest head that was written whole, by whatever process; None where there is none."""
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
        """Let a head be the one that answers and that the next write goes on from."""
        self._root, self._live = head.root, head.live

    def find(self, key: str) -> list[IndexEntry]:
        """What stands under a key, oldest first; an UnfitError where the index is damaged."""
        return find_in_trie(self._read_node, self._root, key)

    def write(self, standing: LogFold, entries: IndexEntries) -> None:
        """Add what is new since the head that was gone on from or written last."""
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
        """Write a new file without what is no longer used, where that is most of it.

        The standing is the one written last. Other processes go on with the old file, as good as ever.
        """
        size = self._disk.size(self._file)
        if size < TIDY_BYTES_MIN or size < TIDY_RATIO * self._live:
            return
        growth = TrieGrowth(self._read_node, 0, size_max=size)
        root = growth.copy(self._root)
        head = IndexHead(standing, root, growth.size)
        data = self._finish(growth, head)
        put_file(self._disk, self._path, data)
        self.close()
        self._file = _open(self._disk, self._path)
        self._seen = len(data)
        self.go_on_from(head)

    def forget(self) -> None:
        """Begin again with nothing; the file keeps what it has, and the next write is the one that counts."""
        self._root, self._live = None, 0

    def close(self) -> None:
        """Let go of the file; a number that another file may get must not be used again."""
        file, self._file = self._file, -1
        if file >= 0:
            self._disk.close(file)

    def _read(self, size: int, offset: int) -> bytes:
        return read_all(self._disk, self._file, size, offset)

    def _read_node(self, ref: TrieRef) -> bytes:
        # What a node's name stands for never changes, so what was verified once is good for ever.
        data = self._nodes.get(ref.hash)
        if data is None:
            if ref.size > NODE_BYTES_MAX:
                raise UnfitError("a node is larger than any of ours")
            data = check_node(self._read(ref.size, ref.offset), ref)
            self._remember(ref.hash, data)
        return data

    def _remember(self, digest: bytes, data: bytes) -> None:
        if len(self._nodes) >= NODES_MAX:
            # The one that is there longest: as a rule a newer one stands for it now.
            del self._nodes[next(iter(self._nodes))]
        self._nodes[digest] = data

    def _finish(self, growth: TrieGrowth, head: IndexHead) -> bytes:
        """The bytes of new nodes, with the head and the footer behind them."""
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
            # Also one that was made by hand and says what no head says.
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
    """The file, or a new one where what stands there is no file of its own: the index can be made again."""
    try:
        file = disk.open(path, _FLAGS)
        if os.fstat(file).st_nlink <= 1:
            return file
        disk.close(file)
    except OddFileError:
        # A folder cannot be taken away like this, and the log is then read without an index.
        pass
    path.unlink()
    return disk.open(path, _FLAGS)


def _seal(identity: bytes, body: bytes) -> bytes:
    """What binds a footer to its campaign."""
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
    """A head of its bytes, which were verified: they are what was once encoded."""
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
