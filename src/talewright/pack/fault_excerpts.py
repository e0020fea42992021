"""Fault excerpts: the line of an author's file that a fault is about, and where in it the fault is.

The files are those that `folder_reader` has read; no link or pipe is opened to quote a line.
"""

from collections.abc import Mapping, Sequence

from talewright.errors import Fault, SourcePlace
from talewright.pack.faults import FaultCode

EXCERPT_LENGTH_MAX = 120
"""Characters of an excerpt before and after the place; a line may be as long as a file."""

_CUT = "…"
_OF_WHOLE_FILES = frozenset({FaultCode.UNEXPECTED_FILE.text, FaultCode.MISSING_TEXT.text})
"""Faults that may concern a whole file rather than its first line."""


def split_lines(files: Mapping[str, bytes], file: str) -> list[str]:
    """The lines of a file, as the compiler counts them."""
    text = files.get(file, b"").decode("utf-8-sig", "replace")
    return text.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def find_line(fault: Fault, lines: Sequence[str]) -> str:
    """The line of a fault; empty if the fault is about the whole file or the line is blank."""
    place = fault.place
    text = lines[place.line - 1] if place.line <= len(lines) else ""
    whole = place == SourcePlace(place.file) and fault.code in _OF_WHOLE_FILES
    return text if text.strip() and not whole else ""


def cut_excerpt(fault: Fault, lines: Sequence[str]) -> tuple[str, str, str]:
    """The line of a fault in three pieces: before the place, the character there, and the rest."""
    text = find_line(fault, lines)
    at = min(fault.place.column - 1, len(text))
    before, after = text[:at], text[at + 1 :]
    if len(before) > EXCERPT_LENGTH_MAX:
        before = _CUT + before[-EXCERPT_LENGTH_MAX:]
    if len(after) > EXCERPT_LENGTH_MAX:
        after = after[:EXCERPT_LENGTH_MAX] + _CUT
    return before, text[at : at + 1], after
