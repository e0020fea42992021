"""The index trie: maps keys to the places of frames, with nodes that refer to one another by hash.

Bytes in, bytes out: `record_index` reads and writes the file. Nodes are only added. If the hash of the root
is trusted, every answer can be, including that there is nothing under a key.
"""

import hashlib
import struct
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from struct import Struct
from typing import NamedTuple, TypeAlias

from talewright.stores.folder.log.log_file import FramePlace

FAN_OUT = 16
"""Children of an inner node, one for each half byte of a key's hash."""

LEAF_KEYS_MAX = 8
"""The maximum number of keys in a leaf; a larger one becomes an inner node."""

DEPTH_MAX = 64
"""Half bytes in a key's hash."""

HASH_BYTES = 16
"""The length of a node's hash."""

_REF = Struct(f">QI{HASH_BYTES}s")
_KEY = Struct(">32sI")
_ENTRY = Struct(">cQI32s")
_LEAF, _INNER = b"L", b"I"
_LEAF_BYTE = _LEAF[0]
_INNER_BYTES = len(_INNER) + FAN_OUT * _REF.size
_FORGED = "a node has the hash it should have, but not the form: it was made by hand"
_CHILDREN = {f"{nibble:x}": len(_INNER) + nibble * _REF.size for nibble in range(FAN_OUT)}
"""The offset of each child in an inner node, by the hexadecimal digit of the key's hash."""


class IndexedKind(StrEnum):
    """The kind of a frame, as far as lookups need it."""

    ACCEPTED = "a"
    COMMIT = "c"
    ATTEMPT = "t"
    ASIDE = "s"


ALL_KINDS = frozenset(IndexedKind)


class IndexEntry(NamedTuple):
    """One frame under a key. A tuple, because many are created and few are used."""

    kind: IndexedKind
    place: FramePlace


IndexEntries: TypeAlias = dict[str, list[IndexEntry]]
"""By key, oldest first."""


class UnfitError(Exception):
    """An index that is damaged or belongs to other records. Always handled inside this package, by
    rebuilding.
    """


class TrieRef(NamedTuple):
    """The place and hash of a node. A tuple, because many are created and few are kept."""

    offset: int
    size: int
    hash: bytes


Leaf: TypeAlias = dict[bytes, list[IndexEntry]]
Inner: TypeAlias = list[TrieRef | None]

_NOTHING = TrieRef(0, 0, bytes(HASH_BYTES))
"""The reference for a missing child in an inner node."""


def hash_node(data: bytes) -> bytes:
    """The hash of a node."""
    return hashlib.blake2b(data, digest_size=HASH_BYTES).digest()


def check_node(data: bytes, ref: TrieRef) -> bytes:
    """The bytes of a node. Raises UnfitError if they do not match the reference."""
    if not data or hash_node(data) != ref.hash:
        raise UnfitError("a node is not what it was")
    return data


def find_in_trie(read: Callable[[TrieRef], bytes], root: TrieRef | None, key: str) -> list[IndexEntry]:
    """The entries under a key, oldest first. In inner nodes, only the matching child is decoded."""
    ref = root or _NOTHING
    digest = _digest(key)
    path = digest.hex()
    depth = 0
    while ref.size:
        data = read(ref)
        if data[0] == _LEAF_BYTE:
            return _decode_leaf(data).get(digest, []) if digest in data else []
        if depth == DEPTH_MAX or len(data) != _INNER_BYTES:
            raise UnfitError(_FORGED)
        ref = TrieRef._make(_REF.unpack_from(data, _CHILDREN[path[depth]]))
        depth += 1
    return []


@dataclass(slots=True)
class TrieGrowth:
    """New nodes, to be written after the existing ones."""

    read: Callable[[TrieRef], bytes]
    base: int
    """The offset of the first new node."""

    parts: list[bytes] = field(default_factory=list)
    size: int = 0
    """Bytes of the new nodes."""

    size_max: int = sys.maxsize
    """A limit against crafted files whose nodes refer to the same nodes again and again."""

    replaced: int = 0
    """Bytes of old nodes that new ones replace."""

    def add(self, data: bytes) -> TrieRef:
        """Append a node; returns its reference."""
        if self.size > self.size_max:
            raise UnfitError(_FORGED)
        ref = TrieRef(self.base + self.size, len(data), hash_node(data))
        self.parts.append(data)
        self.size += len(data)
        return ref

    def grow(self, root: TrieRef | None, entries: IndexEntries) -> TrieRef | None:
        """The root of a trie that also holds these entries, after existing ones with the same keys."""
        return self._grow(root, {_digest(key): found for key, found in entries.items()}, 0)

    def copy(self, ref: TrieRef | None) -> TrieRef | None:
        """The root of a copy of a trie, with new places for all nodes."""
        if ref is None:
            return None
        data = self.read(ref)
        if data[0] != _LEAF_BYTE:
            data = _encode_inner([self.copy(child) for child in _decode_inner(data)])
        return self.add(data)

    def _grow(self, ref: TrieRef | None, more: Leaf, depth: int) -> TrieRef | None:
        if not more:
            return ref
        data = self.read(ref) if ref is not None else _LEAF
        self.replaced += ref.size if ref is not None else 0
        children: Inner = [None] * FAN_OUT
        if data[0] == _LEAF_BYTE:
            leaf = _decode_leaf(data)
            leaf |= {digest: leaf.get(digest, []) + found for digest, found in more.items()}
            if len(leaf) <= LEAF_KEYS_MAX or depth == DEPTH_MAX:
                return self.add(_encode_leaf(leaf))
            more = leaf
        elif depth == DEPTH_MAX:
            raise UnfitError(_FORGED)
        else:
            children = _decode_inner(data)
        groups: list[Leaf] = [{} for _ in range(FAN_OUT)]
        for digest, found in more.items():
            groups[_nibble(digest, depth)][digest] = found
        pairs = zip(children, groups, strict=True)
        return self.add(_encode_inner([self._grow(child, group, depth + 1) for child, group in pairs]))


def _digest(key: str) -> bytes:
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).digest()


def _nibble(digest: bytes, depth: int) -> int:
    byte = digest[depth // 2]
    return byte & 15 if depth % 2 else byte >> 4


def _encode_leaf(leaf: Leaf) -> bytes:
    parts = [_LEAF]
    for digest, found in leaf.items():
        parts.append(_KEY.pack(digest, len(found)))
        for entry in found:
            place = entry.place
            parts.append(_ENTRY.pack(entry.kind.value.encode(), place.offset, place.size, place.previous))
    return b"".join(parts)


def _encode_inner(children: Inner) -> bytes:
    refs = [child or _NOTHING for child in children]
    return _INNER + b"".join(_REF.pack(ref.offset, ref.size, ref.hash) for ref in refs)


def _decode_inner(data: bytes) -> Inner:
    if len(data) != _INNER_BYTES:
        raise UnfitError(_FORGED)
    refs = map(TrieRef._make, _REF.iter_unpack(data[len(_INNER) :]))
    return [ref if ref.size else None for ref in refs]


def _decode_leaf(data: bytes) -> Leaf:
    """Parse a leaf. Raises UnfitError if the bytes are not a leaf, although their hash matches."""
    leaf: Leaf = {}
    at = len(_LEAF)
    try:
        while at < len(data):
            digest, count = _KEY.unpack_from(data, at)
            at += _KEY.size
            found = []
            for _ in range(count):
                kind, offset, size, previous = _ENTRY.unpack_from(data, at)
                found.append(IndexEntry(IndexedKind(kind.decode()), FramePlace(offset, size, previous)))
                at += _ENTRY.size
            leaf[digest] = found
    except (struct.error, ValueError):
        raise UnfitError(_FORGED) from None
    return leaf
