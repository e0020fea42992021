"""The log's fold: heads, marks, waiting inputs: what follows from the records, as places in it.

It believes what it is given; every frame was verified before. Small: it does not grow with the story.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple, TypeAlias, assert_never

from talewright.chronicle.chained_lines import GENESIS
from talewright.chronicle.records import (
    CLOSING_VERDICTS,
    Accepted,
    Aside,
    Attempt,
    Commit,
    PointerKind,
    Pointing,
    Record,
)
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


@dataclass(slots=True)
class LogFold:
    """How the campaign stands at the end of a stretch of the log."""

    end: int = 0
    chain: bytes = GENESIS
    last: FramePlace | None = None
    """The last frame: by it an index proves that it belongs to the file."""

    branches: dict[str, str] = field(default_factory=dict)
    """The branch that moved last stands last."""

    marks: dict[str, str] = field(default_factory=dict)
    waiting: dict[str, FramePlace] = field(default_factory=dict)
    """Accepted inputs by operation, neither committed nor given up, oldest first."""

    sequence: int = -1
    newest: str = ""
    """The id of the commit written last."""

    at: str = ""
    """When the last record was made."""

    def take(self, placed: PlacedFrame, record: Record, find: Finder) -> list[tuple[str, IndexEntry]]:
        """Go on by one frame; under which keys it is found from now on."""
        place = placed.place
        self.end, self.chain, self.last, self.at = place.end, placed.frame.chain, place, record.at
        match record:
            case Accepted():
                entry = IndexEntry(IndexedKind.ACCEPTED, place)
                key = operation_key(record.operation_id)
                if not any(one.kind is IndexedKind.COMMIT for one in find(key)):
                    self.waiting[record.operation_id] = place
                return [(key, entry)]
            case Commit():
                entry = IndexEntry(IndexedKind.COMMIT, place)
                self._move(record.branch, record.id)
                self.sequence, self.newest = record.sequence, record.id
                self.waiting.pop(record.operation_id, None)
                return [(commit_key(record.id), entry), (operation_key(record.operation_id), entry)]
            case Attempt():
                if record.verdict in CLOSING_VERDICTS:
                    self.waiting.pop(record.operation_id, None)
                return [(operation_key(record.operation_id), IndexEntry(IndexedKind.ATTEMPT, place))]
            case Aside():
                return [(asides_key(record.commit), IndexEntry(IndexedKind.ASIDE, place))]
            case Pointing():
                if record.kind is PointerKind.BRANCH:
                    self._move(record.name, record.commit)
                else:
                    self.marks[record.name] = record.commit
                return []
            case _:
                assert_never(record)

    def _move(self, branch: str, commit: str) -> None:
        self.branches.pop(branch, None)
        self.branches[branch] = commit
