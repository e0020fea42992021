"""Lookups: the questions of a Book, answered from the annals.

They write nothing.
"""

from talewright.chronicle.records import Accepted, Aside, Attempt, Commit
from talewright.chronicle.store import ChronicleError, HeadMovedError, OperationTrail, UnknownCommitError
from talewright.stores.folder.annals import Annals, damaged
from talewright.stores.folder.standing import Kind, asides_key, commit_key, operation_key

_ACCEPTED = frozenset({Kind.ACCEPTED})
_COMMIT = frozenset({Kind.COMMIT})


def find_trail(annals: Annals, operation_id: str) -> OperationTrail:
    """What became of an operation."""
    records = [record for _, record in annals.fetch(operation_key(operation_id))]
    return OperationTrail(
        accepted=next((record for record in records if isinstance(record, Accepted)), None),
        commit=next((record for record in records if isinstance(record, Commit)), None),
        attempts=tuple(record for record in records if isinstance(record, Attempt)),
    )


def find_accepted(annals: Annals, operation_id: str) -> Accepted | None:
    """The input of an operation."""
    for _, record in annals.fetch(operation_key(operation_id), _ACCEPTED):
        if isinstance(record, Accepted):
            return record
    return None


def find_committed(annals: Annals, operation_id: str) -> Commit | None:
    """The commit of an operation."""
    for _, record in annals.fetch(operation_key(operation_id), _COMMIT):
        if isinstance(record, Commit):
            return record
    return None


def find_commit(annals: Annals, campaign: str, commit: str) -> Commit:
    """A commit by its id."""
    for _, record in annals.fetch(commit_key(commit)):
        if isinstance(record, Commit):
            return record
    raise _unknown(annals, campaign, f"there is no commit {commit!r} in this campaign", "commits")


def find_line(annals: Annals, campaign: str, commit: str, count: int) -> tuple[Commit, ...]:
    """A commit and those before it, newest first."""
    following = find_commit(annals, campaign, commit)
    line: list[Commit] = []
    while len(line) < count:
        line.append(following)
        if not following.parent:
            break
        following = find_commit(annals, campaign, following.parent)
    return tuple(line[: max(0, count)])


def find_parting(annals: Annals, campaign: str, commit: str, other: str) -> Commit:
    """The newest commit that is on the lines of both."""
    one, two = find_commit(annals, campaign, commit), find_commit(annals, campaign, other)
    while one.id != two.id:
        if one.version < two.version:
            one, two = two, one
        one = find_commit(annals, campaign, one.parent)
    return one


def find_asides(annals: Annals, commits: frozenset[str]) -> tuple[Aside, ...]:
    """The asides made for any of these commits, oldest first."""
    found = [one for commit in commits for one in annals.fetch(asides_key(commit))]
    found.sort(key=lambda one: one[0].place.offset)
    return tuple(record for _, record in found if isinstance(record, Aside))


def expect_head(annals: Annals, campaign: str, branch: str, commit: str) -> None:
    """Refuse where a branch does not point at a commit."""
    head = annals.standing.branches.get(branch)
    if head is None:
        raise _unknown(annals, campaign, f"there is no branch {branch!r} in this campaign", "branches")
    if head != commit:
        raise HeadMovedError(head)


def _unknown(annals: Annals, campaign: str, what: str, things: str) -> ChronicleError:
    """What is not there: because it never was, or because it stands behind damage."""
    if annals.damage is not None:
        return damaged(campaign, annals.damage)
    return UnknownCommitError(what, f"Look at the tree of the campaign for the {things} there are.")
