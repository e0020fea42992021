"""The log's fold: heads, marks, waiting inputs: what follows from the records, as places in it.

It believes what it is given; every frame was verified before. Small: it does not grow with the story.
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
    """What a frame holds, as far as finding it goes."""

    ACCEPTED = "a"
    COMMIT = "c"
    ATTEMPT = "t"
    ASIDE = "s"


ALL_KINDS = frozenset(IndexedKind)


class IndexEntry(NamedTuple):
    """One frame that is found under a key. A tuple, as many are read for each that is wanted."""

    kind: IndexedKind
    place: FramePlace


IndexEntries: TypeAlias = dict[str, list[IndexEntry]]
"""By key, oldest first."""

Finder: TypeAlias = Callable[[str], Sequence[IndexEntry]]
"""What is found under a key so far."""


def commit_key(commit: str) -> str:
    """The key of the commit of an id."""
    return f"c{commit}"


def operation_key(operation_id: str) -> str:
    """The key of everything that became of an operation."""
    return f"o{operation_id}"


def asides_key(commit: str) -> str:
    """The key of the asides made for a commit."""
    return f"s{commit}"


SEQUENCE_STRIDE = 16
"""Every so many commits one is found by its counter: from there on the rest is read."""


def sequence_key(sequence: int) -> str:
    """The key of the commit with a counter; only every sixteenth is kept."""
    return f"n{sequence}"


@dataclass(slots=True)
class LogFold(RecordFold[FramePlace]):
    """How the campaign stands at the end of a stretch of the log; inputs wait as places in it."""

    end: int = 0
    chain: bytes = GENESIS
    last: FramePlace | None = None
    """The last frame: by it an index proves that it belongs to the file."""

    at: str = ""
    """When the last record was made."""

    def take_frame(self, placed: PlacedFrame, record: Record, find: Finder) -> list[tuple[str, IndexEntry]]:
        """Go on by one frame; under which keys it is found from now on."""
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
