"""The log fold: branch heads, marks and waiting inputs, computed from the records.

It trusts its input: every frame was verified before. Its size does not grow with the story.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple, TypeAlias, assert_never

from talewright.chronicle.chained_lines import GENESIS
from talewright.chronicle.record_fold import RecordFold
from talewright.chronicle.records import Accepted, Aside, Attempt, Commit, Pointing, Record
from talewright.stores.folder.log.log_file import FramePlace, PlacedFrame


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


SEQUENCE_STRIDE = 16
"""One in this many commits is indexed by its sequence number; the others are found by reading from there."""


def sequence_key(sequence: int) -> str:
    """The key of the commit with a sequence number; only every sixteenth is indexed."""
    return f"n{sequence}"


@dataclass(slots=True)
class LogFold(RecordFold[FramePlace]):
    """The state at some point of the log; waiting inputs are stored as places."""

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
