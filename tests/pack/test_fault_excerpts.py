"""Excerpts: the line of a fault, in pieces, whatever its length and its line ends."""

from talewright.errors import Fault, SourcePlace
from talewright.pack.fault_excerpts import EXCERPT_LENGTH_MAX, cut_excerpt, find_line, split_lines
from talewright.pack.faults import FaultCode


def make_fault(line: int, column: int, code: str = "bad-value") -> Fault:
    return Fault(code, "no", SourcePlace("game.yaml", line, column))


def test_a_line_in_three_pieces() -> None:
    files = {"game.yaml": "\ufefftitle: 井\r\nversion: 1\rlanguage: en\n".encode()}
    lines = split_lines(files, "game.yaml")
    assert lines == ["title: 井", "version: 1", "language: en", ""]
    assert cut_excerpt(make_fault(1, 8), lines) == ("title: ", "井", "")
    assert cut_excerpt(make_fault(3, 1), lines) == ("", "l", "anguage: en")
    # A place behind the end of its line, or of the file.
    assert cut_excerpt(make_fault(2, 40), lines) == ("version: 1", "", "")
    assert cut_excerpt(make_fault(9, 1), lines) == ("", "", "")
    assert split_lines(files, "other.yaml") == [""]


def test_a_fault_of_a_whole_file_has_no_line() -> None:
    lines = ["label: x"]
    for code in (FaultCode.UNEXPECTED_FILE, FaultCode.MISSING_TEXT):
        assert find_line(make_fault(1, 1, code.text), lines) == ""
        assert find_line(make_fault(1, 2, code.text), lines) == "label: x"
    assert find_line(make_fault(1, 1), lines) == "label: x"
    assert find_line(make_fault(1, 1), ["   "]) == ""


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "a" * 5000 + "!" + "b" * 5000
    before, at, after = cut_excerpt(make_fault(1, 5001), [text])
    assert (before, at, after) == (
        "…" + "a" * EXCERPT_LENGTH_MAX,
        "!",
        "b" * EXCERPT_LENGTH_MAX + "…",
    )
