"""Ledgers: what follows from records, question by question."""

from dataclasses import replace

import pytest

from talewright.chronicle.record_fold import FoldedRecords, RecordFold, place_input
from talewright.chronicle.records import MAIN, AttemptVerdict, Record
from talewright.chronicle.spending_totals import SpendingTotals
from talewright.chronicle.store import (
    CampaignStatus,
    ChronicleError,
    HeadMovedError,
    OperationTrail,
    UnknownCommitError,
)
from tests.chronicle.tales import ROOT, aside, attempt, branch, mark, turn, wish

ONE = turn(ROOT, "c1", 1, operation="a")
TWO = turn(ONE, "c2", 2)
ELSE = turn(ONE, "e2", 3, branch="else")


def fold(*records: Record) -> FoldedRecords:
    """A ledger of these records."""
    ledger = FoldedRecords()
    for record in records:
        ledger.take(record)
    return ledger


def test_nothing_yet() -> None:
    ledger = FoldedRecords()
    assert ledger.look() == CampaignStatus(MAIN, "", -1)
    assert ledger.next_sequence == 0
    assert ledger.find_head(MAIN) is None
    assert ledger.trail("a") == OperationTrail()
    assert ledger.asides(frozenset({"c0"})) == ()
    assert not ledger.has("c0")


def test_commits_move_their_branch() -> None:
    ledger = fold(ROOT)
    assert ledger.look() == CampaignStatus(MAIN, "c0", 0)
    assert ledger.next_sequence == 1
    ledger.take(ONE)
    ledger.take(TWO)
    assert ledger.look() == CampaignStatus(MAIN, "c2", 2)
    ledger.take(ELSE)
    assert ledger.look() == CampaignStatus("else", "e2", 3)
    assert ledger.look(MAIN) == CampaignStatus(MAIN, "c2", 3)
    assert (ledger.head(MAIN), ledger.head("else"), ledger.find_head("none")) == ("c2", "e2", None)
    assert ledger.next_sequence == 4


def test_pointings_move_branches_and_marks() -> None:
    ledger = fold(ROOT, ONE, branch(MAIN, "c0"), mark(MAIN, "c1"), branch("else", "c1"), mark("quick", "c0"))
    assert (ledger.branches, ledger.marks) == ({MAIN: "c0", "else": "c1"}, {MAIN: "c1", "quick": "c0"})
    ledger.take(mark("quick", "c1"))
    assert ledger.marks["quick"] == "c1"


def test_the_branch_that_moved_last_stands_last() -> None:
    ledger = fold(ROOT, ONE, branch("else", "c1"))
    assert list(ledger.branches) == [MAIN, "else"]
    ledger.take(TWO)
    assert list(ledger.branches) == ["else", MAIN]
    ledger.take(branch("else", "c0"))
    assert list(ledger.branches) == [MAIN, "else"]


def test_an_outlook_stays_as_it_was() -> None:
    ledger = fold(ROOT, wish("a", "c0"))
    before = ledger.look()
    for record in (ONE, mark("quick", "c1")):
        ledger.take(record)
    assert before == CampaignStatus(MAIN, "c0", 0, (wish("a", "c0"),))


def test_reading_commits() -> None:
    ledger = fold(ROOT, ONE)
    assert ledger.commit("c1") is ONE
    assert ledger.has("c1")
    for ask in (ledger.commit, lambda name: ledger.lineage(name, 3), lambda name: ledger.lineage(name, 0)):
        with pytest.raises(UnknownCommitError) as caught:
            ask("c9")
        assert caught.value.message == "there is no commit 'c9' in this campaign"
        assert caught.value.hint == "The campaign's tree lists the commits."


def test_lineage() -> None:
    ledger = fold(ROOT, ONE, TWO, ELSE)
    assert ledger.lineage("c2", 9) == (TWO, ONE, ROOT)
    assert ledger.lineage("e2", 3) == (ELSE, ONE, ROOT)
    assert ledger.lineage("e2", 2) == (ELSE, ONE)
    assert ledger.lineage("c0", 1) == (ROOT,)
    assert ledger.lineage("c2", 0) == ()
    assert ledger.lineage("c2", -1) == ()


def test_trails() -> None:
    tries = (attempt("1", "a", AttemptVerdict.FAILED), attempt("2", "a"))
    ledger = fold(ROOT, wish("a", "c0"), tries[0], ONE, tries[1], attempt("3", "b"))
    assert ledger.trail("a") == OperationTrail(wish("a", "c0"), ONE, tries)
    assert ledger.trail("b") == OperationTrail(None, None, (attempt("3", "b"),))
    # In any order nothing is forgotten.
    ledger = fold(ROOT, tries[0], ONE, wish("a", "c0"), tries[1])
    assert ledger.trail("a") == OperationTrail(wish("a", "c0"), ONE, tries)


def test_asides() -> None:
    made = [aside("z", "c1"), aside("y", "c0"), aside("x", "c1"), aside("w", "c2")]
    ledger = fold(ROOT, ONE, *made)
    assert ledger.asides(frozenset({"c1", "c0", "c9"})) == tuple(made[:3])
    assert ledger.asides(frozenset({"c1"})) == (made[0], made[2])
    assert ledger.asides(frozenset()) == ()
    assert ledger.branches == {MAIN: "c1"}


def test_waiting_oldest_first() -> None:
    waiting = [wish("b", "c0"), wish("a", "c0"), wish("c", "c0")]
    assert fold(ROOT, *waiting).look().waiting == tuple(waiting)


@pytest.mark.parametrize("verdict", AttemptVerdict)
def test_a_closing_try_ends_waiting(verdict: AttemptVerdict) -> None:
    wishes = (wish("a", "c0"), wish("b", "c0"))
    left = fold(ROOT, *wishes, attempt("1", "a", verdict)).look().waiting
    assert left == (wishes if verdict is AttemptVerdict.INTERRUPTED else wishes[1:])


def test_a_commit_ends_waiting() -> None:
    assert fold(ROOT, wish("a", "c0"), wish("b", "c0"), ONE).look().waiting == (wish("b", "c0"),)
    assert fold(ROOT, ONE, wish("a", "c0")).look().waiting == ()
    assert fold(ROOT, ONE, attempt("1", "a", AttemptVerdict.CANCELLED)).look().waiting == ()


def test_an_earlier_try_does_not_end_waiting() -> None:
    ledger = fold(ROOT, attempt("1", "a", AttemptVerdict.FAILED), wish("a", "c0"))
    assert ledger.look().waiting == (wish("a", "c0"),)


def test_a_fold_keeps_for_an_input_what_it_is_given() -> None:
    standing = RecordFold[int]()
    asked = []

    def is_committed(operation_id: str) -> bool:
        asked.append(operation_id)
        return operation_id == "z"

    wishes = [wish(operation, "c0") for operation in "abz"]
    records: list[Record] = [ROOT, *wishes, ONE, aside("y", "c1")]
    for place, record in enumerate(records):
        standing.take(record, place, is_committed)
    assert standing == RecordFold({MAIN: "c1"}, {}, {"b": (MAIN, 2)}, {}, 6, 1, "c1")
    assert asked == ["a", "b", "z"]


def test_a_mark_that_moves_keeps_its_place() -> None:
    ledger = fold(ROOT, ONE, mark("quick", "c0"), mark("tower", "c0"), mark("quick", "c1"))
    assert list(ledger.marks.items()) == [("quick", "c1"), ("tower", "c0")]


def test_the_first_input_of_an_operation_counts() -> None:
    first, second = wish("a", "c0"), wish("a", "c1")
    assert fold(ROOT, first, second).trail("a").accepted is first


def test_the_newest_try_since_the_head_moved() -> None:
    ledger = fold(ROOT, attempt("1", "a", AttemptVerdict.FAILED), attempt("2", "a", AttemptVerdict.DEGRADED))
    assert ledger.look().newest_attempt == attempt("2", "a", AttemptVerdict.DEGRADED)
    ledger.take(ONE)
    ledger.take(attempt("3", "a"))
    assert ledger.look().newest_attempt is None
    ledger.take(attempt("4", "b", AttemptVerdict.LOST))
    assert ledger.look().newest_attempt == attempt("4", "b", AttemptVerdict.LOST)
    ledger.take(branch(MAIN, "c0"))
    assert ledger.look().newest_attempt is None


def test_an_input_that_takes_the_place_of_a_turn() -> None:
    ledger = fold(ROOT, ONE)
    again = replace(wish("b", ""), replaces="c1")
    assert place_input(again, "c1", ledger.commit) == replace(again, base="c0")
    assert place_input(replace(again, base="c0"), "c1", ledger.commit) == replace(again, base="c0")
    for wrong in (replace(again, base="c1"), replace(again, base="c9")):
        with pytest.raises(ChronicleError, match="another one with the same parent"):
            place_input(wrong, "c1", ledger.commit)
    with pytest.raises(ChronicleError, match="another one with the same parent"):
        place_input(replace(again, replaces="c0"), "c0", ledger.commit)
    with pytest.raises(HeadMovedError) as caught:
        place_input(again, "c2", ledger.commit)
    assert caught.value.head == "c2"


def test_records_that_were_taken_already() -> None:
    ledger = fold(ROOT, ONE, attempt("1", "a"), aside("x", "c1"))
    assert ledger.has_record(attempt("1", "a"))
    assert ledger.has_record(aside("x", "c1"))
    assert not ledger.has_record(attempt("2", "a"))
    assert not ledger.has_record(aside("y", "c1"))


def test_answers_to_inputs() -> None:
    ledger = fold(ROOT, wish("a", "c0"), attempt("1", "a", AttemptVerdict.FAILED))
    answer = ledger.answer(wish("a", "c9"))
    assert (answer.accepted, answer.commit, answer.attempts) == (wish("a", "c0"), None, 1)
    assert (answer.head, answer.sequence, answer.spent) == ("c0", 0, SpendingTotals())
    ledger.take(ONE)
    assert ledger.answer(wish("a", "c0")).commit == ONE
    with pytest.raises(UnknownCommitError, match="there is no branch 'nowhere' in this campaign"):
        ledger.look("nowhere")


def test_an_input_for_wherever_the_branch_stands() -> None:
    ledger = fold(ROOT)
    assert place_input(wish("a", ""), "c0", ledger.commit) == wish("a", "c0")
    assert place_input(wish("a", "c0"), "c0", ledger.commit) == wish("a", "c0")
