"""Record fold: branches, marks, waiting inputs and trails, brought on record by record.

It believes what it is given; whether the records agree with one another is `record_consistency`'s question.
"""

from typing import assert_never

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
from talewright.chronicle.store import CampaignStatus, OperationTrail, UnknownCommitError


class RecordFold:
    """The records of one campaign, as they answer the questions of a Book."""

    def __init__(self) -> None:
        self._branches: dict[str, str] = {}
        self._marks: dict[str, str] = {}
        self._commits: dict[str, Commit] = {}
        self._asides: list[Aside] = []
        self._asides_of: dict[str, list[int]] = {}
        """Places in the list, by the commit they were made for."""

        self._trails: dict[str, OperationTrail] = {}
        self._waiting: dict[str, Accepted] = {}
        self._sequence = -1

    @property
    def outlook(self) -> CampaignStatus:
        """How the campaign stands; a value of its own that later records do not alter."""
        return CampaignStatus(
            branches=dict(self._branches),
            marks=dict(self._marks),
            sequence=self._sequence,
            waiting=tuple(self._waiting.values()),
        )

    @property
    def next_sequence(self) -> int:
        """The counter of the commit to come: 0 for the first, then one more each time."""
        return self._sequence + 1

    def take(self, record: Record) -> None:
        """Bring the ledger on by one record."""
        match record:
            case Accepted():
                self._take_accepted(record)
            case Commit():
                self._take_commit(record)
            case Attempt():
                self._take_attempt(record)
            case Aside():
                self._asides_of.setdefault(record.commit, []).append(len(self._asides))
                self._asides.append(record)
            case Pointing():
                _point(self._branches if record.kind is PointerKind.BRANCH else self._marks, record)
            case _:
                assert_never(record)

    def head(self, branch: str) -> str | None:
        """The id of the commit a branch points at; None where there is no such branch."""
        return self._branches.get(branch)

    def has(self, commit: str) -> bool:
        """Whether there is a commit of this id."""
        return commit in self._commits

    def commit(self, commit: str) -> Commit:
        """A commit by its id; UnknownCommitError where there is none."""
        if commit not in self._commits:
            raise UnknownCommitError(
                f"there is no commit {commit!r} in this campaign",
                "Look at the tree of the campaign for the commits there are.",
            )
        return self._commits[commit]

    def lineage(self, commit: str, count: int) -> tuple[Commit, ...]:
        """A commit and those before it, newest first, at most `count`."""
        newest = self.commit(commit)
        line: list[Commit] = []
        following: Commit | None = newest
        while following is not None and len(line) < count:
            line.append(following)
            following = self._commits.get(following.parent)
        return tuple(line)

    def trail(self, operation_id: str) -> OperationTrail:
        """What became of an operation."""
        return self._trails.get(operation_id, OperationTrail())

    def asides(self, commits: frozenset[str]) -> tuple[Aside, ...]:
        """The asides made for any of these commits, oldest first."""
        places = sorted(place for commit in commits for place in self._asides_of.get(commit, ()))
        return tuple(self._asides[place] for place in places)

    def _take_accepted(self, accepted: Accepted) -> None:
        trail = self.trail(accepted.operation_id)
        self._trails[accepted.operation_id] = OperationTrail(accepted, trail.commit, trail.attempts)
        if trail.commit is None:
            self._waiting[accepted.operation_id] = accepted

    def _take_commit(self, commit: Commit) -> None:
        trail = self.trail(commit.operation_id)
        self._trails[commit.operation_id] = OperationTrail(trail.accepted, commit, trail.attempts)
        self._commits[commit.id] = commit
        _point(self._branches, Pointing(PointerKind.BRANCH, commit.branch, commit.id, commit.at))
        self._sequence = commit.sequence
        self._waiting.pop(commit.operation_id, None)

    def _take_attempt(self, attempt: Attempt) -> None:
        trail = self.trail(attempt.operation_id)
        attempts = (*trail.attempts, attempt)
        self._trails[attempt.operation_id] = OperationTrail(trail.accepted, trail.commit, attempts)
        if attempt.verdict in CLOSING_VERDICTS:
            self._waiting.pop(attempt.operation_id, None)


def _point(pointers: dict[str, str], pointing: Pointing) -> None:
    """Let a name point at a commit; the name that moved last stands last."""
    pointers.pop(pointing.name, None)
    pointers[pointing.name] = pointing.commit
