"""Short records for tests of ledgers and inspections: one letter or two says enough."""

from dataclasses import replace

from talewright.chronicle.records import (
    MAIN,
    Accepted,
    Aside,
    Attempt,
    AttemptVerdict,
    Commit,
    PointerKind,
    Pointing,
)

ROOT = Commit("c0", "", MAIN, 0, "begin", "t0", "g", "s0")


def wish(operation: str, base: str, branch: str = MAIN) -> Accepted:
    """An accepted input."""
    return Accepted(operation, branch, base, f"do {operation}", "t")


def turn(parent: Commit, name: str, sequence: int, *, operation: str = "", branch: str = MAIN) -> Commit:
    """A commit that follows another."""
    commit = replace(parent, id=name, parent=parent.id, branch=branch, version=parent.version + 1)
    return replace(commit, operation_id=operation or f"op {name}", sequence=sequence)


def attempt(name: str, operation: str, verdict: AttemptVerdict = AttemptVerdict.COMMITTED) -> Attempt:
    """A try."""
    return Attempt(name, operation, MAIN, "c0", "t", verdict)


def aside(name: str, commit: str) -> Aside:
    """A background result."""
    return Aside(name, commit, "t", {"name": name})


def branch(name: str, commit: str) -> Pointing:
    """A branch made to point somewhere."""
    return Pointing(PointerKind.BRANCH, name, commit, "t")


def mark(name: str, commit: str) -> Pointing:
    """A mark made to point somewhere."""
    return Pointing(PointerKind.MARK, name, commit, "t")
