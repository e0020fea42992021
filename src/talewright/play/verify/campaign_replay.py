"""Replay of a campaign: every state made again from the recorded changes, and its digest compared.

It knows no rule and no game. It also gives a campaign as one JSON Patch, which any library can follow.
"""

from collections.abc import Iterable, Mapping

from talewright.chronicle.pages_port import RecordWitness
from talewright.chronicle.record_fold import RecordFold
from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.state.changes import Change, apply, to_operation
from talewright.kernel.state.document_draft import DraftError
from talewright.kernel.state.state import State
from talewright.play.history.campaign_history import Progress, keep_quiet, read_changes


@frozen
class Fold:
    """One turn made again."""

    commit: Commit
    before: Mapping[str, Json] | None
    """None for the first turn, and where the turns before could not be made again."""

    state: State | None
    """What its changes come to; None where they cannot be made."""

    changes: tuple[Change, ...] = ()
    fault: str = ""
    """What is wrong with it; empty where the digest is the recorded one."""

    inherited: bool = False
    """Whether a turn before it was wrong already, so that this one could not be right."""

    @property
    def after(self) -> Mapping[str, Json] | None:
        """The document after it."""
        return None if self.state is None else self.state.document


class Folding:
    """All turns of a campaign made again, one after the other, parents first.

    The document of every turn is kept, for any of them may be forked from; they share what did not change.
    """

    def __init__(self) -> None:
        self._documents: dict[str, Mapping[str, Json] | None] = {}
        self._wrong: set[str] = set()

    def take(self, commit: Commit) -> Fold:
        """Make the next turn again."""
        fold = self._make(commit)
        self._documents[commit.id] = fold.after
        if fold.fault:
            self._wrong.add(commit.id)
        return fold

    def document(self, commit: str) -> Mapping[str, Json] | None:
        """The document after a turn that was taken; None where it could not be made."""
        return self._documents[commit]

    def _make(self, commit: Commit) -> Fold:
        inherited = commit.parent in self._wrong
        before = self._documents.get(commit.parent)
        changes: tuple[Change, ...] = ()
        try:
            changes = read_changes(commit)
            if commit.parent == "":
                ground = _read_root(commit)
            elif before is None:
                return Fold(commit, None, None, changes, "the state before it is not known", inherited=True)
            else:
                ground = before
            state = State(apply(ground, changes), commit.version)
            digest = state.digest
        except (DraftError, ValueError) as error:
            return Fold(commit, before, None, changes, f"its changes cannot be made: {error}", inherited)
        fault = "" if digest == commit.state_digest else "its changes do not give the recorded state"
        return Fold(commit, before, state, changes, fault, inherited)


def _read_root(commit: Commit) -> Mapping[str, Json]:
    root = commit.body.get("root")
    document = root.get("document") if isinstance(root, Mapping) else None
    if not isinstance(document, Mapping):
        raise ValueError("the first turn holds no state")
    return document


def commitment_of(root: Commit) -> str:
    """What the first turn says of the secret of chance; empty where it says nothing."""
    held = root.body.get("root")
    return str(held.get("commitment", "")) if isinstance(held, Mapping) else ""


@frozen
class ReplayMismatch:
    """A turn that does not come out as it was recorded."""

    commit: str
    branch: str
    version: int
    why: str


@frozen
class Replay:
    """What came of making a campaign again."""

    turns: int
    """How many were made again, on all branches; the first commit counts."""

    branches: Mapping[str, int]
    """The version at which each branch ends."""

    mismatches: tuple[ReplayMismatch, ...]
    """The first wrong turn of each line; those after it cannot be right and are not listed."""

    lost: tuple[str, ...] = ()
    """Who knows of records that are no longer there."""


async def find_lost(book: CampaignBook) -> tuple[str, ...]:
    """Who knows of records that are no longer there; nothing where the store has nobody to ask."""
    return await book.find_lost() if isinstance(book, RecordWitness) else ()


async def replay(book: CampaignBook, progress: Progress = keep_quiet) -> Replay:
    """Make every turn of every branch again; a DamagedError where the record cannot be read."""
    outlook = await book.look()
    folding = Folding()
    versions: dict[str, int] = {}
    mismatches: list[ReplayMismatch] = []
    branches = RecordFold[None]()
    async for record in book.records():
        branches.take(record, None, lambda _: True)
        if not isinstance(record, Commit):
            continue
        fold = folding.take(record)
        versions[record.id] = record.version
        if fold.fault and not fold.inherited:
            mismatches.append(ReplayMismatch(record.id, record.branch, record.version, fold.fault))
        progress(len(versions), outlook.sequence + 1)
    ends = {name: versions[commit] for name, commit in branches.branches.items() if commit in versions}
    return Replay(len(versions), ends, tuple(mismatches), await find_lost(book))


def to_patch(turns: Iterable[Commit]) -> list[dict[str, Json]]:
    """The changes of turns, oldest first, as one RFC 6902 patch."""
    return [to_operation(change) for turn in turns for change in read_changes(turn)]
