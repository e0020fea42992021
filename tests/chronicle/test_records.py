"""Records and errors: what stands in them when nothing was said."""

from talewright.chronicle.errors import ChronicleError, HeadMovedError
from talewright.chronicle.records import CLOSING, MAIN, QUICK, Aside, Attempt, Commit, Verdict
from talewright.chronicle.store import Founding, Listing, Outlook, Projection, Shelf, Trail
from talewright.errors import TalewrightError


def test_defaults() -> None:
    commit = Commit("c", "", MAIN, 0, "op", "t", "g", "s")
    assert (commit.body, commit.sequence) == ({}, 0)
    assert Attempt("a", "op", MAIN, "c", "t", Verdict.FAILED).body == {}
    assert Aside("a", "c", "t").body == {}
    assert Founding("harbor", commit, b"").about == {}
    assert Listing("harbor", {}, "t").damaged is False
    assert (Outlook({}, {}, 0).waiting, Outlook({}, {}, 0).damage) == ((), None)
    assert Trail() == Trail(None, None, ())
    assert Projection("c", "h", {}).removed == ()


def test_words() -> None:
    assert (MAIN, QUICK) == ("main", "quick")
    assert list(Shelf) == ["game", "snapshot"]
    assert sorted(CLOSING) == ["committed", "degraded", "failed", "lost", "unspent"]


def test_a_moved_head() -> None:
    error = HeadMovedError("c7")
    assert isinstance(error, ChronicleError)
    assert isinstance(error, TalewrightError)
    assert error.head == "c7"
    assert error.message == "another turn has been taken in this campaign meanwhile"
    assert error.hint == "Look at where the story stands now, and say it again if you still want to."
