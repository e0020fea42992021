"""Inspection: good records give no word, and each thing that must never happen gives its own."""

from dataclasses import replace

import pytest

from talewright.chronicle.record_order_checks import ConsistencyCheck, Violation, inspect_records
from talewright.chronicle.records import MAIN, AttemptVerdict, Record
from tests.chronicle.kept import RECORDS
from tests.chronicle.tales import ROOT, aside, attempt, branch, mark, turn, wish

ONE = turn(ROOT, "c1", 1, operation="a")
TWO = turn(ONE, "c2", 2, operation="b")
GOOD: tuple[Record, ...] = (
    ROOT,
    wish("a", "c0"),
    attempt("1", "a", AttemptVerdict.FAILED),
    attempt("2", "a", AttemptVerdict.CANCELLED),
    ONE,
    attempt("3", "a"),
    aside("x", "c1"),
    mark("quick", "c1"),
    wish("b", "c1"),
    TWO,
    attempt("4", "b"),
    branch(MAIN, "c1"),
    turn(ONE, "d2", 3),
    attempt("5", "op d2"),
    branch("else", "c0"),
    turn(ROOT, "e1", 4, branch="else"),
    mark("main", "c0"),
    wish("waits", "d2"),
)

BAD: dict[str, tuple[list[Record], list[Violation]]] = {
    "no records": ([], [Violation("I3", "there are no records", "record 1")]),
    "no first commit": (
        [wish("a", "c0")],
        [
            Violation("I3", "the first record is not a commit", "record 1"),
            Violation("I12", "operation 'a' was meant for commit 'c0', which does not exist", "record 1"),
        ],
    ),
    "in the place of another": (
        [ROOT, ONE, replace(turn(ROOT, "d1", 2), replaces="c1"), turn(turn(ROOT, "d1", 2), "d2", 3)],
        [],
    ),
    "in the place of one that is not the head": (
        [ROOT, ONE, TWO, replace(turn(ROOT, "d1", 3), replaces="c1")],
        [Violation("I3", "commit 'd1' replaces 'c1', but branch 'main' is at 'c2'", "record 4")],
    ),
    "in the place of one that began elsewhere": (
        [ROOT, ONE, TWO, replace(turn(ROOT, "d1", 3), replaces="c2")],
        [Violation("I3", "commit 'd1' replaces 'c2', which has another parent", "record 4")],
    ),
    "called committed": (
        [ROOT, wish("a", "c0"), attempt("1", "a"), attempt("2", "a"), wish("b", "c0")],
        [Violation("I2", "operation 'a' is marked as committed but has no commit", "record 3")],
    ),
    "called committed before it was": ([ROOT, wish("a", "c0"), attempt("1", "a"), ONE], []),
    "input not kept": (
        [ROOT, attempt("1", "a", AttemptVerdict.FAILED), attempt("2", "begin")],
        [Violation("I2", "operation 'a' was attempted but its input was not saved", "record 2")],
    ),
    "first version": (
        [replace(ROOT, version=1), replace(ONE, version=2)],
        [Violation("I3", "commit 'c0' has version 1; expected 0", "record 1")],
    ),
    "version left out": (
        [ROOT, replace(ONE, version=2), replace(TWO, version=3)],
        [Violation("I3", "commit 'c1' has version 2; expected 1", "record 2")],
    ),
    "version again": (
        [ROOT, ONE, replace(TWO, version=1)],
        [Violation("I3", "commit 'c2' has version 1; expected 2", "record 3")],
    ),
    "first parent": (
        [replace(ROOT, parent="c9"), ONE],
        [Violation("I3", "the parent 'c9' of commit 'c0' does not come before it", "record 1")],
    ),
    "parent missing": (
        [ROOT, TWO],
        [
            Violation("I3", "commit 'c2' has the counter 2; expected 1", "record 2"),
            Violation("I3", "the parent 'c1' of commit 'c2' does not come before it", "record 2"),
        ],
    ),
    "second beginning": (
        [ROOT, replace(ONE, parent="", version=0, branch="else")],
        [Violation("I3", "the parent '' of commit 'c1' does not come before it", "record 2")],
    ),
    "its own parent": (
        [ROOT, replace(ONE, parent="c1")],
        [Violation("I3", "the parent 'c1' of commit 'c1' does not come before it", "record 2")],
    ),
    "not the head": (
        [ROOT, ONE, turn(ROOT, "d1", 2)],
        [Violation("I3", "commit 'd1' follows 'c0', but branch 'main' is at 'c1'", "record 3")],
    ),
    "no such branch": (
        [ROOT, turn(ROOT, "d1", 1, branch="else")],
        [Violation("I3", "commit 'd1' follows 'c0', but branch 'else' is at ''", "record 2")],
    ),
    "marks move no branch": (
        [ROOT, ONE, mark(MAIN, "c0"), turn(ROOT, "d1", 2)],
        [Violation("I3", "commit 'd1' follows 'c0', but branch 'main' is at 'c1'", "record 4")],
    ),
    "first counter": (
        [replace(ROOT, sequence=1), replace(ONE, sequence=2)],
        [Violation("I3", "commit 'c0' has the counter 1; expected 0", "record 1")],
    ),
    "counter left out": (
        [ROOT, replace(ONE, sequence=2), replace(TWO, sequence=3)],
        [Violation("I3", "commit 'c1' has the counter 2; expected 1", "record 2")],
    ),
    "counter again": (
        [ROOT, replace(ONE, sequence=0), replace(TWO, sequence=1)],
        [Violation("I3", "commit 'c1' has the counter 0; expected 1", "record 2")],
    ),
    "two commits of one operation": (
        [ROOT, wish("a", "c0"), ONE, replace(TWO, operation_id="a")],
        [Violation("I5", "commit 'c2' is the second of operation 'a'", "record 4")],
    ),
    "accepted twice": (
        [ROOT, wish("a", "c0"), wish("a", "c0")],
        [Violation("I5", "operation 'a' was accepted before", "record 3")],
    ),
    "one id for two commits": (
        [ROOT, replace(ONE, id="c0")],
        [Violation("I12", "commit 'c0' has the id of an earlier one", "record 2")],
    ),
    "branch to nowhere": (
        [ROOT, branch("else", "c9")],
        [Violation("I12", "branch 'else' points at commit 'c9', which does not exist", "record 2")],
    ),
    "mark to nowhere": (
        [ROOT, mark("quick", "c9")],
        [Violation("I12", "mark 'quick' points at commit 'c9', which does not exist", "record 2")],
    ),
    "pointing before its commit": (
        [ROOT, mark("quick", "c1"), ONE],
        [Violation("I12", "mark 'quick' points at commit 'c1', which does not exist", "record 2")],
    ),
    "aside of nothing": (
        [ROOT, aside("x", "c9")],
        [Violation("I12", "aside 'x' was made for commit 'c9', which does not exist", "record 2")],
    ),
    "input for nothing": (
        [ROOT, wish("a", "c9")],
        [Violation("I12", "operation 'a' was meant for commit 'c9', which does not exist", "record 2")],
    ),
}


def test_good_records() -> None:
    assert inspect_records(GOOD) == ()
    assert inspect_records(RECORDS) == ()


@pytest.mark.parametrize("count", range(1, len(GOOD)))
def test_every_beginning_of_good_records_is_good(count: int) -> None:
    assert inspect_records(GOOD[:count]) == ()


@pytest.mark.parametrize("name", BAD)
def test_bad_records(name: str) -> None:
    records, expected = BAD[name]
    assert inspect_records(records) == tuple(expected)


def test_all_is_told_in_order() -> None:
    inspection = ConsistencyCheck()
    for record in (ROOT, wish("a", "c0"), attempt("1", "a"), mark("quick", "c9"), wish("a", "c0")):
        inspection.take(record)
    assert [violation.invariant for violation in inspection.finish()] == ["I12", "I5", "I2"]
