"""Replaying: a whole campaign made again from its first state, and every digest compared.

It also gives a campaign as one JSON Patch, which any library in any language can follow.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.kernel.state.changes import to_operation
from talewright.kernel.state.documents import Json
from talewright.play.looking_back.folding import Folding, read_changes
from talewright.play.looking_back.histories import Progress, keep_quiet


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A turn that does not come out as it was recorded."""

    commit: str
    branch: str
    version: int
    why: str


@dataclass(frozen=True, slots=True)
class Replay:
    """What came of making a campaign again."""

    turns: int
    """How many were made again, on all branches; the first commit counts."""

    branches: Mapping[str, int]
    """The version at which each branch ends."""

    mismatches: tuple[Mismatch, ...]
    """The first wrong turn of each line; those after it cannot be right and are not listed."""


async def replay(book: CampaignBook, progress: Progress = keep_quiet) -> Replay:
    """Make every turn of every branch again; a DamagedError where the record cannot be read."""
    outlook = await book.look()
    folding = Folding()
    versions: dict[str, int] = {}
    mismatches: list[Mismatch] = []
    async for record in book.records():
        if not isinstance(record, Commit):
            continue
        fold = folding.take(record)
        versions[record.id] = record.version
        if fold.fault and not fold.inherited:
            mismatches.append(Mismatch(record.id, record.branch, record.version, fold.fault))
        progress(len(versions), outlook.sequence + 1)
    branches = {name: versions[commit] for name, commit in outlook.branches.items() if commit in versions}
    return Replay(len(versions), branches, tuple(mismatches))


def to_patch(turns: Iterable[Commit]) -> list[dict[str, Json]]:
    """The changes of turns, oldest first, as one RFC 6902 patch."""
    return [to_operation(change) for turn in turns for change in read_changes(turn)]
