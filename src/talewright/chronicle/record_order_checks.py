"""Record order checks: whether versions, sequences, parents and heads are consistent (I2, I3, I5, I12).

It needs no game: bodies are not interpreted. It repairs nothing.
"""

from collections.abc import Iterable
from typing import assert_never

from talewright.chronicle.record_fold import RecordFold, expected_head
from talewright.chronicle.records import (
    Accepted,
    Aside,
    Attempt,
    AttemptVerdict,
    Commit,
    Pointing,
    Record,
)
from talewright.common.frozen_values import frozen

ENDED = "I2"
"""Every accepted input ends committed, or failed with the input saved, or still waits."""

GAPLESS = "I3"
"""Versions have no gap on a branch, parents come first, and the counter increases by one."""

ONCE = "I5"
"""One operation id, one commit, one answer."""

LASTING = "I12"
"""Every commit ever written stays reachable."""


@frozen
class Violation:
    """A violated invariant."""

    invariant: str
    """Its number, such as `I3`."""

    what: str
    where: str
    """The record, counted from one, or the operation."""


def inspect_records(records: Iterable[Record]) -> tuple[Violation, ...]:
    """What is wrong with the records of a campaign, in the order written."""
    inspection = ConsistencyCheck()
    for record in records:
        inspection.take(record)
    return inspection.finish()


class ConsistencyCheck:
    """A check in progress; it holds ids and numbers of the records, not their bodies."""

    def __init__(self) -> None:
        self._count = 0
        self._violations: list[Violation] = []
        self._fold = RecordFold[None]()
        """The status of the campaign before the current record."""

        self._versions: dict[str, int] = {}
        self._parents: dict[str, str] = {}
        self._accepted: set[str] = set()
        self._committed: set[str] = set()
        self._claimed: dict[str, str] = {}
        """Operations that an attempt claims to be committed, and where."""

    def take(self, record: Record) -> None:
        """Check the next record."""
        self._count += 1
        if self._count == 1 and not isinstance(record, Commit):
            self._complain(GAPLESS, "the first record is not a commit")
        match record:
            case Accepted():
                self._take_accepted(record)
            case Commit():
                self._take_commit(record)
            case Attempt():
                self._take_attempt(record)
            case Aside():
                self._want(record.commit, f"aside {record.id!r} was made for")
            case Pointing():
                self._want(record.commit, f"{record.kind} {record.name!r} points at")
            case _:
                assert_never(record)
        self._fold.take(record, None, self._committed.__contains__)

    def finish(self) -> tuple[Violation, ...]:
        """All violations, oldest first."""
        if self._count == 0:
            return (Violation(GAPLESS, "there are no records", "record 1"),)
        unkept = [
            Violation(ENDED, f"operation {operation!r} is marked as committed but has no commit", where)
            for operation, where in self._claimed.items()
            if operation not in self._committed
        ]
        return (*self._violations, *unkept)

    def _complain(self, invariant: str, what: str) -> None:
        self._violations.append(Violation(invariant, what, self._where))

    @property
    def _where(self) -> str:
        return f"record {self._count}"

    def _want(self, commit: str, what: str) -> None:
        """Report a reference to a commit that does not come before it."""
        if commit not in self._versions:
            self._complain(LASTING, f"{what} commit {commit!r}, which does not exist")

    def _take_accepted(self, accepted: Accepted) -> None:
        if accepted.operation_id in self._accepted:
            self._complain(ONCE, f"operation {accepted.operation_id!r} was accepted before")
        self._accepted.add(accepted.operation_id)
        self._want(accepted.base, f"operation {accepted.operation_id!r} was meant for")

    def _take_attempt(self, attempt: Attempt) -> None:
        operation = attempt.operation_id
        if operation not in self._accepted and operation not in self._committed:
            self._complain(ENDED, f"operation {operation!r} was attempted but its input was not saved")
        if attempt.verdict is AttemptVerdict.COMMITTED:
            self._claimed.setdefault(operation, self._where)

    def _take_commit(self, commit: Commit) -> None:
        name = f"commit {commit.id!r}"
        if commit.operation_id in self._committed:
            self._complain(ONCE, f"{name} is the second of operation {commit.operation_id!r}")
        self._committed.add(commit.operation_id)
        sequence = self._fold.next_sequence
        if commit.sequence != sequence:
            self._complain(GAPLESS, f"{name} has the counter {commit.sequence}; expected {sequence}")
        if commit.id in self._versions:
            self._complain(LASTING, f"{name} has the id of an earlier one")
        self._check_place(commit, name)
        self._versions[commit.id] = commit.version
        self._parents[commit.id] = commit.parent

    def _check_place(self, commit: Commit, name: str) -> None:
        """Check the place of a commit: first, or on its parent at the end of its branch."""
        if commit.parent not in self._versions and (commit.parent or self._versions):
            self._complain(GAPLESS, f"the parent {commit.parent!r} of {name} does not come before it")
            return
        version = self._versions.get(commit.parent, -1) + 1
        if commit.version != version:
            self._complain(GAPLESS, f"{name} has version {commit.version}; expected {version}")
        head = self._fold.branches.get(commit.branch, "")
        expected = expected_head(commit)
        if expected != head:
            does = "replaces" if commit.replaces else "follows"
            self._complain(
                GAPLESS, f"{name} {does} {expected!r}, but branch {commit.branch!r} is at {head!r}"
            )
        if commit.replaces and self._parents.get(commit.replaces) != commit.parent:
            self._complain(GAPLESS, f"{name} replaces {commit.replaces!r}, which has another parent")
