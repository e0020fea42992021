"""Records and errors: what stands in them when nothing was said."""

from dataclasses import replace

from talewright.chronicle.readable_pages import PageProjection
from talewright.chronicle.records import CLOSING_VERDICTS, MAIN, QUICK, Aside, Attempt, AttemptVerdict, Commit
from talewright.chronicle.store import (
    BlobKind,
    CampaignListing,
    CampaignStatus,
    ChronicleError,
    Founding,
    HeadMovedError,
    OperationTrail,
)
from talewright.errors import TalewrightError


def test_defaults() -> None:
    commit = Commit("c", "", MAIN, 0, "op", "t", "g", "s")
    assert (commit.body, commit.sequence) == ({}, 0)
    assert Attempt("a", "op", MAIN, "c", "t", AttemptVerdict.FAILED).body == {}
    assert Aside("a", "c", "t").body == {}
    assert Founding("harbor", commit, b"").about == {}
    assert CampaignListing("harbor", {}, "t").damaged is False
    status = CampaignStatus(MAIN, "c", 0)
    assert (status.waiting, status.newest_attempt, status.damage, status.notices) == ((), None, None, ())
    assert OperationTrail() == OperationTrail(None, None, ())
    assert PageProjection("c", "h", {}).removed == ()


def test_a_sequence_number_changes_nothing_else() -> None:
    commit = Commit("c", "b", MAIN, 1, "op", "t", "g", "s", {"said": "x"}, 0, "d")
    assert commit.with_sequence(7) == replace(commit, sequence=7)


def test_words() -> None:
    assert (MAIN, QUICK) == ("main", "quick")
    assert list(BlobKind) == ["game", "snapshot"]
    assert sorted(CLOSING_VERDICTS) == [*("cancelled", "committed", "degraded", "failed", "lost", "unspent")]


def test_a_moved_head() -> None:
    error = HeadMovedError("c7")
    assert isinstance(error, ChronicleError)
    assert isinstance(error, TalewrightError)
    assert error.head == "c7"
    assert error.message == "another turn was taken in this campaign in the meantime"
    assert error.hint == "See where the story is now, and repeat your input if you still want to."
