"""Plain output: text written block by block, wrapped to the width of the terminal while it arrives.

Control characters never get through. What is written is somebody else's business.
"""

import os
import re
from collections.abc import Iterable, Mapping
from typing import TextIO
from unicodedata import category, east_asian_width

from talewright.common.safe_text import PLAIN_FACE_TEXT, make_safe

COLUMNS_MIN = 20
"""Columns a line has at least, however narrow the terminal is."""

NOT_FIRST = frozenset(",.;:!?)]}%，。、；：！？）】》」』”’…—·％")
"""What may not begin a line: it stays with what stands before it."""

NOT_LAST = frozenset("([{（【《「『“‘")
"""What may not end a line: it goes with what comes after it."""

NO_BREAK = "\u00a0"
"""A space that holds what stands on either side of it together."""

_INVISIBLE = frozenset({"Mn", "Me", "Cf"})
"""Accents and joiners, which take no cell of their own."""


def clean_text(text: str) -> str:
    """Text that no terminal obeys: line ends stay, tabs become spaces, other controls go.

    Character by character: pieces cleaned one by one are the whole cleaned at once.
    """
    return make_safe(text, PLAIN_FACE_TEXT)


def width(text: str) -> int:
    """The cells that a text takes in a terminal."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def wrap_text(text: str, columns: int, indent: str = "") -> str:
    """A text in lines that fit; those that had to be broken go on with the indent."""
    folder = StreamWrapper(columns, indent)
    return folder.feed(text) + folder.end()


class StreamWrapper:
    """Folds a text as it arrives; however it is cut, the lines come out the same."""

    def __init__(self, columns: int, indent: str = "") -> None:
        self._columns = max(columns, COLUMNS_MIN)
        self._indent = indent
        self._used = 0
        """Cells filled on the line."""

        self._spaces = ""
        """Spaces that are written only if something follows on the same line."""

        self._held = ""
        """Characters that belong together, and may still grow."""

    def feed(self, text: str) -> str:
        """Take more text; give what is certain by now."""
        return "".join(map(self._take, text))

    def end(self) -> str:
        """Give what was held back."""
        return self._release()

    def _take(self, char: str) -> str:
        if char == "\n":
            out = self._release() + char
            self._used, self._spaces = 0, ""
            return out
        if char == " ":
            out = self._release()
            self._spaces += char
            return out
        out = self._release() if self._held and _may_break(self._held[-1], char) else ""
        self._held += char
        return out

    def _release(self) -> str:
        held, spaces = self._held, self._spaces
        if not held:
            return ""
        self._held = self._spaces = ""
        cells = width(held)
        if self._used and self._used + len(spaces) + cells > self._columns:
            # A word longer than the line is the terminal's to break, and then counts from there.
            self._used = (len(self._indent) + cells) % self._columns
            return f"\n{self._indent}{held}"
        self._used = self._used + len(spaces) + cells
        return spaces + held


def _may_break(before: str, after: str) -> bool:
    if after in NOT_FIRST or before in NOT_LAST or NO_BREAK in (before, after):
        return False
    if category(after) in _INVISIBLE:
        return False
    return _cells(before) == 2 or _cells(after) == 2


def _cells(char: str) -> int:
    if category(char) in _INVISIBLE:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1


HANGING = "   "
"""How a broken line of a list goes on."""

GOES_ON = "…"
"""Before the rest of a text that was interrupted."""

COLUMNS = 80
"""How wide a terminal is taken to be that does not say."""

_GAPS = re.compile("\n{3,}")
"""More than one blank line, which tells a reader nothing."""


def terminal_columns(out: TextIO, environment: Mapping[str, str]) -> int | None:
    """How wide the terminal is to which something is written; None where it is none."""
    if not out.isatty():
        return None
    named = environment.get("COLUMNS", "")
    if named.isdecimal() and int(named) > 0:
        return int(named)
    try:
        return os.get_terminal_size(out.fileno()).columns or COLUMNS
    except (OSError, ValueError):
        return COLUMNS


class PlainOutput:
    """The text written so far, as far as it matters for what comes next."""

    def __init__(self, out: TextIO, columns: int | None) -> None:
        self._out = out
        self.columns = columns
        """How wide the terminal is; None where it is none."""

        self._begun = False
        self._open: StreamWrapper | None = None
        """The text that is arriving."""

        self._interrupted = False
        """Whether something else was written in the middle of a text that is arriving."""

        self._carried = ""
        """The beginning of a word in which it was interrupted."""

        self._line_ends = ""
        """Line ends that are written only if more of the text follows."""

    @property
    def is_terminal(self) -> bool:
        """Whether a person sees the text as it comes."""
        return self.columns is not None

    def block(self, lines: Iterable[str], hanging: str = "") -> None:
        """Write lines that belong together, set off by a blank line; no lines, no block."""
        folded = [self._fold(line, hanging) for line in lines]
        if folded:
            self._part()
            self._out.write("\n".join(folded) + "\n")
            self._out.flush()

    def text(self, text: str) -> None:
        """Write a text of one or more paragraphs; an empty one is no block."""
        text = _GAPS.sub("\n\n", clean_text(text)).strip("\n")
        if text.strip():
            self.block([text])

    def stream(self, text: str) -> None:
        """Write more of a text that is arriving."""
        text = _GAPS.sub("\n\n", self._line_ends + clean_text(text))
        bare = text.rstrip("\n")
        if self._open is None:
            bare = bare.lstrip("\n")
            if not bare:
                return
            if self._interrupted:
                bare = GOES_ON + (self._carried + bare).lstrip()
                self._carried = ""
            self._part()
            self._open = StreamWrapper(self.columns or 0)
        self._line_ends = text[len(text.rstrip("\n")) :]
        self._out.write(bare if self.columns is None else self._open.feed(bare))
        self._out.flush()

    def interrupt(self, lines: Iterable[str]) -> None:
        """Write lines in the middle of a text that is arriving; what follows of it is marked."""
        interrupted, carried, self._carried = self._interrupted, self._carried, ""
        if self._open is not None:
            interrupted, carried = True, self._open.end().lstrip()
            self._out.write("\n")
            self._open, self._line_ends = None, ""
        self.block(lines)
        self._interrupted, self._carried = interrupted, carried

    def end_stream(self) -> None:
        """The text that was arriving has ended, and its line with it."""
        carried, self._carried, self._interrupted = self._carried, "", False
        if carried:
            self._out.write(f"\n{GOES_ON}{carried}\n")
        if self._open is not None:
            self._out.write(self._open.end() + "\n")
            self._open, self._line_ends = None, ""
            self._out.flush()

    def prompt(self, text: str) -> None:
        """Ask for a line; what is typed stands beside it."""
        if self.is_terminal:
            self._part()
            self._out.write(text)
            self._out.flush()

    def leave_prompt(self) -> None:
        """Nothing was typed at the prompt: its line ends here."""
        if self.is_terminal:
            self._out.write("\n")

    def _part(self) -> None:
        self.end_stream()
        if self._begun:
            self._out.write("\n")
        self._begun = True

    def _fold(self, line: str, hanging: str) -> str:
        line = clean_text(line)
        return line if self.columns is None else wrap_text(line, self.columns, hanging)
