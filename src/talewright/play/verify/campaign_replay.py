"""Campaign replay: recomputes every state from the recorded changes and compares its digest.

It needs no rules and no game. It can also write a campaign as one JSON Patch, which any library can apply.
"""

from collections.abc import Mapping

from talewright.chronicle.readable_pages import RecordWitness
from talewright.chronicle.record_fold import RecordFold
from talewright.chronicle.records import Commit
from talewright.chronicle.store import CampaignBook
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.state.changes import Change, apply
from talewright.kernel.state.documents import DraftError
from talewright.kernel.state.state import State
from talewright.play.history.campaign_history import Progress, keep_quiet, read_changes


@frozen
class Fold:
    """One turn, recomputed."""

    commit: Commit
    before: Mapping[str, Json] | None
    """None for the first turn, and if the turns before could not be recomputed."""

    state: State | None
    """The result of its changes; None if they cannot be applied."""

    changes: tuple[Change, ...] = ()
    fault: str = ""
    """What is wrong with it; empty if its digest matches the record."""

    inherited: bool = False
    """Whether an earlier turn was already wrong, so that this one cannot be right."""

    @property
    def after(self) -> Mapping[str, Json] | None:
        """The document after it."""
        return None if self.state is None else self.state.document


class Folding:
    """Recomputes all turns of a campaign in order, parents first.

    The document of every turn is kept, since any turn can be forked; documents share their unchanged parts.
    """

    def __init__(self) -> None:
        self._documents: dict[str, Mapping[str, Json] | None] = {}
        self._wrong: set[str] = set()

    def take(self, commit: Commit) -> Fold:
        """Recompute the next turn."""
        fold = self._make(commit)
        self._documents[commit.id] = fold.after
        if fold.fault:
            self._wrong.add(commit.id)
        return fold

    def document(self, commit: str) -> Mapping[str, Json] | None:
        """The document after a turn; None if it could not be computed."""
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
                return Fold(commit, None, None, changes, "the state before it is unknown", inherited=True)
            else:
                ground = before
            state = State(apply(ground, changes), commit.version)
            digest = state.digest
        except (DraftError, ValueError) as error:
            return Fold(commit, before, None, changes, f"its changes cannot be applied: {error}", inherited)
        fault = "" if digest == commit.state_digest else "its changes do not lead to the recorded state"
        return Fold(commit, before, state, changes, fault, inherited)


def _read_root(commit: Commit) -> Mapping[str, Json]:
    root = commit.body.get("root")
    document = root.get("document") if isinstance(root, Mapping) else None
    if not isinstance(document, Mapping):
        raise ValueError("the first turn has no state")
    return document


def commitment_of(root: Commit) -> str:
    """The commitment in the first turn; empty if there is none."""
    held = root.body.get("root")
    return str(held.get("commitment", "")) if isinstance(held, Mapping) else ""


@frozen
class ReplayMismatch:
    """A turn that differs from its record."""

    commit: str
    branch: str
    version: int
    why: str


@frozen
class Replay:
    """The result of replaying a campaign."""

    turns: int
    """How many turns were replayed, on all branches, including the first commit."""

    branches: Mapping[str, int]
    """The version at which each branch ends."""

    mismatches: tuple[ReplayMismatch, ...]
    """The first wrong turn of each line; later ones cannot be right and are not listed."""

    lost: tuple[str, ...] = ()
    """Reports of missing records."""


async def find_lost(book: CampaignBook) -> tuple[str, ...]:
    """Reports of missing records; empty if the store cannot tell."""
    return await book.find_lost() if isinstance(book, RecordWitness) else ()


async def replay(book: CampaignBook, progress: Progress = keep_quiet) -> Replay:
    """Replay every turn of every branch. Raises DamagedError if the record cannot be read."""
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
