"""Record fold: branches, marks, waiting inputs and trails, updated record by record.

It trusts its input; `record_order_checks` verifies that the records are consistent.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar, assert_never

from talewright.chronicle.records import (
    CLOSING_VERDICTS,
    MAIN,
    Accepted,
    Aside,
    Attempt,
    AttemptVerdict,
    Commit,
    PointerKind,
    Pointing,
    Record,
)
from talewright.chronicle.spending_totals import SpendingTotals
from talewright.chronicle.store import (
    WAITING_MAX,
    Acceptance,
    CampaignStatus,
    ChronicleError,
    HeadMovedError,
    OperationTrail,
    UnknownCommitError,
)

Kept = TypeVar("Kept")
"""What is remembered for a record: the record itself, its place in a file, or nothing."""


@dataclass(slots=True)
class RecordFold(Generic[Kept]):
    """The status of a campaign after its records. Small: it does not grow with the story."""

    branches: dict[str, str] = field(default_factory=dict)
    """The branch that moved last comes last."""

    marks: dict[str, str] = field(default_factory=dict)
    waiting: dict[str, tuple[str, Kept]] = field(default_factory=dict)
    """Accepted inputs by operation, with their branch, neither committed nor abandoned, oldest first."""

    tries: dict[str, Kept] = field(default_factory=dict)
    """The newest attempt on each branch since its head moved."""

    count: int = 0
    """The number of records."""

    sequence: int = -1
    newest: str = ""
    """The id of the commit written last."""

    spent: SpendingTotals = field(default_factory=SpendingTotals)
    """The cost of all attempts and asides."""

    @property
    def next_sequence(self) -> int:
        """The counter of the next commit: 0 for the first, then one more each time."""
        return self.sequence + 1

    @property
    def newest_branch(self) -> str:
        """The branch that moved last."""
        return next(reversed(self.branches), MAIN)

    def find_waiting(self, branch: str) -> list[Kept]:
        """The newest inputs waiting on a branch, oldest first."""
        return [kept for at, kept in self.waiting.values() if at == branch][-WAITING_MAX:]

    def take(self, record: Record, kept: Kept, is_committed: Callable[[str], bool]) -> None:
        """Apply one record; `is_committed` says whether an operation already has a commit."""
        self.count += 1
        match record:
            case Accepted() if is_committed(record.operation_id):
                pass
            case Accepted():
                self.waiting[record.operation_id] = record.branch, kept
            case Commit():
                self._move(record.branch, record.id)
                self.sequence, self.newest = record.sequence, record.id
                self.waiting.pop(record.operation_id, None)
            case Attempt():
                self.spent = self.spent.add(record.body)
                if record.verdict is not AttemptVerdict.COMMITTED:
                    self.tries[record.branch] = kept
                if record.verdict in CLOSING_VERDICTS:
                    self.waiting.pop(record.operation_id, None)
            case Aside():
                self.spent = self.spent.add(record.body)
            case Pointing():
                if record.kind is PointerKind.BRANCH:
                    self._move(record.name, record.commit)
                else:
                    self.marks[record.name] = record.commit
            case _:
                assert_never(record)

    def _move(self, branch: str, commit: str) -> None:
        self.branches.pop(branch, None)
        self.branches[branch] = commit
        self.tries.pop(branch, None)


def expected_head(record: Accepted | Commit) -> str:
    """The head a branch must have for an input or a turn; empty if an input accepts any head."""
    return record.replaces or (record.base if isinstance(record, Accepted) else record.parent)


def place_input(accepted: Accepted, head: str, read: Callable[[str], Commit]) -> Accepted:
    """Fill in the base of a new input; raises HeadMovedError if its branch has moved.

    `read` returns a commit by its id; it is called if the input replaces a turn.
    """
    if expected_head(accepted) not in ("", head):
        raise HeadMovedError(head)
    base = read(head).parent if accepted.replaces else head
    if accepted.replaces and (not base or accepted.base not in ("", base)):
        raise ChronicleError(
            "a turn can only replace another one with the same parent",
            "See where the story is now, and retry its last turn from there.",
        )
    return accepted if accepted.base else replace(accepted, base=base)


def cut_names(names: Mapping[str, str], after: str, limit: int) -> dict[str, str]:
    """A page of branches or marks: those after a name, sorted by name."""
    return {name: names[name] for name in sorted(name for name in names if name > after)[:limit]}


class FoldedRecords:
    """All records of one campaign in memory, answering the queries of a CampaignBook."""

    def __init__(self) -> None:
        self._fold = RecordFold[Record]()
        self.commits: dict[str, Commit] = {}
        """By id, in the order written."""

        self.accepted: dict[str, Accepted] = {}
        """By operation, the first of each."""

        self.attempts: dict[str, tuple[Attempt, ...]] = {}
        """By operation, oldest first."""

        self.all_asides: list[Aside] = []
        """Oldest first."""

        self._asides_of: dict[str, list[int]] = {}
        """Indexes into the list, by the commit they were made for."""

        self._committed: dict[str, Commit] = {}
        """By operation."""

    @property
    def branches(self) -> dict[str, str]:
        """The id of the commit each branch points at; the branch that moved last comes last."""
        return dict(self._fold.branches)

    @property
    def marks(self) -> dict[str, str]:
        """The id of the commit each mark points at."""
        return dict(self._fold.marks)

    def look(self, branch: str = "") -> CampaignStatus:
        """The status of a branch, or of the one that moved last; later records do not alter it."""
        fold = self._fold
        name = branch or fold.newest_branch
        newest = fold.tries.get(name)
        return CampaignStatus(
            name,
            self.head(name) if branch else fold.branches.get(name, ""),
            fold.sequence,
            tuple(one for one in fold.find_waiting(name) if isinstance(one, Accepted)),
            newest if isinstance(newest, Attempt) else None,
            fold.spent,
        )

    @property
    def next_sequence(self) -> int:
        """The counter of the next commit."""
        return self._fold.next_sequence

    def answer(self, accepted: Accepted) -> Acceptance:
        """A store's answer to an input that is stored, or whose operation was committed without one."""
        trail = self.trail(accepted.operation_id)
        kept = trail.accepted or accepted
        head = self._fold.branches.get(kept.branch, "")
        sequence, spent = self._fold.sequence, self._fold.spent
        return Acceptance(kept, trail.commit, len(trail.attempts), head, sequence, spent)

    def take(self, record: Record) -> None:
        """Apply one record."""
        self._fold.take(record, record, self._committed.__contains__)
        match record:
            case Accepted():
                self.accepted.setdefault(record.operation_id, record)
            case Commit():
                self.commits[record.id] = record
                self._committed[record.operation_id] = record
            case Attempt():
                self.attempts[record.operation_id] = (*self.attempts.get(record.operation_id, ()), record)
            case Aside():
                self._asides_of.setdefault(record.commit, []).append(len(self.all_asides))
                self.all_asides.append(record)
            case Pointing():
                pass
            case _:
                assert_never(record)

    def head(self, branch: str) -> str:
        """The id of the commit a branch points at; raises UnknownCommitError if there is no such branch."""
        head = self.find_head(branch)
        if head is None:
            raise UnknownCommitError(
                f"there is no branch {branch!r} in this campaign",
                "The campaign's tree lists the branches.",
            )
        return head

    def find_head(self, branch: str) -> str | None:
        """The id of the commit a branch points at; None if there is no such branch."""
        return self._fold.branches.get(branch)

    def has(self, commit: str) -> bool:
        """Whether a commit with this id exists."""
        return commit in self.commits

    def commit(self, commit: str) -> Commit:
        """A commit by its id; raises UnknownCommitError if there is none."""
        if commit not in self.commits:
            raise UnknownCommitError(
                f"there is no commit {commit!r} in this campaign",
                "The campaign's tree lists the commits.",
            )
        return self.commits[commit]

    def lineage(self, commit: str, count: int) -> tuple[Commit, ...]:
        """A commit and those before it, newest first, at most `count`."""
        newest = self.commit(commit)
        line: list[Commit] = []
        following: Commit | None = newest
        while following is not None and len(line) < count:
            line.append(following)
            following = self.commits.get(following.parent)
        return tuple(line)

    def trail(self, operation_id: str) -> OperationTrail:
        """The history of an operation."""
        return OperationTrail(
            self.accepted.get(operation_id),
            self._committed.get(operation_id),
            self.attempts.get(operation_id, ()),
        )

    def has_record(self, record: Attempt | Aside) -> bool:
        """Whether an attempt or aside with this id was already applied."""
        if isinstance(record, Attempt):
            return any(one.id == record.id for one in self.attempts.get(record.operation_id, ()))
        return any(one.id == record.id for one in self.asides(frozenset({record.commit})))

    def asides(self, commits: frozenset[str]) -> tuple[Aside, ...]:
        """The asides made for any of these commits, oldest first."""
        places = sorted(place for commit in commits for place in self._asides_of.get(commit, ()))
        return tuple(self.all_asides[place] for place in places)
