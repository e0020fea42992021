"""Terminal text: quotes lines with a mark under a column; wraps, shortens and escapes text.

It opens no files.
"""

import sys
from unicodedata import category, east_asian_width

from talewright.common.safe_text import COMMAND_OUTPUT, make_safe
from talewright.kernel.dice.dice_tree import DiceError

ROOM_MIN = 24
"""Minimum cells of a quoted line, however narrow the terminal."""

_CUT = "..."
_INVISIBLE = frozenset({"Mn", "Me"})
"""Combining characters, which share the cell of the character before them."""


def quote(text: str, line: int, column: int, columns: int) -> list[str]:
    """A line of a file, cut to the width of the terminal, and a mark under the column."""
    number = f"{line:>6} | "
    room = max(ROOM_MIN, columns - len(number))
    at = min(column - 1, len(text))
    # A line may be as long as a file, so only the part that can be shown is processed.
    before = printable(text[max(0, at - room) : at])
    after = printable(text[at : at + room + 1])
    if at > room or width(before) > room - ROOM_MIN // 2:
        before = _CUT + _last_cells(before, room // 2)
    left = room - width(before)
    if width(after) > left:
        after = _first_cells(after, left - len(_CUT)) + _CUT
    mark = " " * (len(number) - 2) + "| " + " " * width(before) + "^"
    return [(number + before + after).rstrip(), mark]


def wrap(text: str, columns: int, indent: str) -> str:
    """Wrap a sentence between words; every line but the first is indented."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and width(lines[-1]) + 1 + width(word) <= columns:
            lines[-1] += f" {word}"
        else:
            lines.append(f"{indent}{word}" if lines else word)
    return "\n".join(lines)


def printable(text: str) -> str:
    """Escape control characters and those that change the direction of writing."""
    return make_safe(text, COMMAND_OUTPUT)


def width(text: str) -> int:
    """The width of a text in terminal cells."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def _cells(char: str) -> int:
    if category(char) in _INVISIBLE:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


def _first_cells(text: str, cells: int) -> str:
    """As much of the start of a text as fits."""
    for index, char in enumerate(text):
        cells -= _cells(char)
        if cells < 0:
            return text[:index]
    return text


def _last_cells(text: str, cells: int) -> str:
    """As much of the end of a text as fits."""
    return _first_cells(text[::-1], cells)[::-1]


REFUSED = 2
"""The exit code for invalid dice."""

SHOWN_MAX = 60
"""Characters of the text to show around the place."""

REFUSAL_COLUMNS = 80


def tell_refusal(text: str, error: DiceError) -> int:
    """Print the error to standard error and return the exit code."""
    lines = [wrap(f"talewright: {error.message}", REFUSAL_COLUMNS, "  "), *mark_column(text, error.column)]
    if error.hint:
        lines.append(wrap(error.hint, REFUSAL_COLUMNS, "  "))
    print("\n".join(lines), file=sys.stderr)
    return REFUSED


def mark_column(text: str, column: int) -> list[str]:
    """The text with a caret under the column; a long text is cut around it."""
    at = min(column - 1, len(text))
    start = max(0, min(at - SHOWN_MAX // 2, len(text) - SHOWN_MAX))
    shown = printable(text[start : start + SHOWN_MAX])
    return [f"  {shown}", f"  {' ' * width(shown[: at - start])}^"]


LINE_CELLS = 100
"""Cells of a line that summarizes a turn."""

_SHORTENED = "..."


def shorten(text: str, cells: int) -> str:
    """Put a text on one line and cut it if it is too long."""
    line = (text[:6] + " ".join(printable(text[6:]).split())).rstrip()
    if width(line) <= cells:
        return line
    while width(line) > cells - len(_SHORTENED):
        line = line[:-1]
    return line.rstrip() + _SHORTENED
