"""Plain output: text written block by block, wrapped to the width of the terminal as it arrives.

Control characters are never written. The content is decided elsewhere.
"""

import os
import re
from collections.abc import Iterable, Mapping
from typing import TextIO
from unicodedata import category, east_asian_width

from talewright.common.safe_text import PLAIN_FACE_TEXT, make_safe

COLUMNS_MIN = 20
"""The minimum width of a line in columns, however narrow the terminal is."""

NOT_FIRST = frozenset(",.;:!?)]}%，。、；：！？）】》」』”’…—·％")
"""Characters that may not start a line: they stay with the previous one."""

NOT_LAST = frozenset("([{（【《「『“‘")
"""Characters that may not end a line: they move to the next one."""

NO_BREAK = "\u00a0"
"""A space that binds both its neighbours."""

_INVISIBLE = frozenset({"Mn", "Me", "Cf"})
"""Accents and joiners, which have no width."""


def clean_text(text: str) -> str:
    """Remove what a terminal could obey: line breaks stay, tabs become spaces, other controls are removed.

    It works per character, so cleaning the pieces gives the same as cleaning the whole.
    """
    return make_safe(text, PLAIN_FACE_TEXT)


def width(text: str) -> int:
    """Return the width of a text in terminal cells."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def wrap_text(text: str, columns: int, indent: str = "") -> str:
    """Wrap a text to a width; continued lines get the indent."""
    folder = StreamWrapper(columns, indent)
    return folder.feed(text) + folder.end()


class StreamWrapper:
    """Wraps a text as it arrives; however it is split, the lines are the same."""

    def __init__(self, columns: int, indent: str = "") -> None:
        self._columns = max(columns, COLUMNS_MIN)
        self._indent = indent
        self._used = 0
        """Cells used on the current line."""

        self._spaces = ""
        """Spaces that are written only if something follows on the same line."""

        self._held = ""
        """Characters that stay together and may still grow."""

    def feed(self, text: str) -> str:
        """Add text; return what is certain by now."""
        return "".join(map(self._take, text))

    def end(self) -> str:
        """Return what was held back."""
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
            # The terminal breaks a word longer than the line; the width is then counted from there.
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
"""The indent of a continued line of a list."""

GOES_ON = "…"
"""Before the rest of a text that was interrupted."""

COLUMNS = 80
"""The assumed width of a terminal that does not report one."""

_GAPS = re.compile("\n{3,}")
"""More than one blank line, which means nothing to a reader."""


def terminal_columns(out: TextIO, environment: Mapping[str, str]) -> int | None:
    """Return the width of the terminal that is written to; None if it is not one."""
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
    """Writes blocks of text, and tracks the spacing between them."""

    def __init__(self, out: TextIO, columns: int | None) -> None:
        self._out = out
        self.columns = columns
        """The width of the terminal; None if there is none."""

        self._begun = False
        self._run = ""
        """What the last block was part of, if more of it may follow."""

        self._open: StreamWrapper | None = None
        """The text that is arriving."""

        self._interrupted = False
        """Whether something else was written in the middle of a text that is arriving."""

        self._carried = ""
        """The beginning of a word in which it was interrupted."""

        self._line_ends = ""
        """Line breaks that are written only if more text follows."""

    @property
    def is_terminal(self) -> bool:
        """Whether a person sees the text as it arrives."""
        return self.columns is not None

    def block(self, lines: Iterable[str], hanging: str = "", run: str = "") -> None:
        """Write lines that belong together, separated by a blank line; without lines, nothing.

        Blocks of the same `run` that follow one another are not separated.
        """
        folded = [self._fold(line, hanging) for line in lines]
        if folded:
            if not run or run != self._run:
                self._part()
            self._run = run
            self._out.write("\n".join(folded) + "\n")
            self._out.flush()

    def text(self, text: str) -> None:
        """Write a text of one or more paragraphs; an empty one writes nothing."""
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
        """End the text that was arriving, and its line."""
        carried, self._carried, self._interrupted = self._carried, "", False
        if carried:
            self._out.write(f"\n{GOES_ON}{carried}\n")
        if self._open is not None:
            self._out.write(self._open.end() + "\n")
            self._open, self._line_ends = None, ""
            self._out.flush()

    def prompt(self, text: str) -> None:
        """Ask for a line; the player types after the prompt."""
        if self.is_terminal:
            self._part()
            self._out.write(text)
            self._out.flush()

    def leave_prompt(self) -> None:
        """End the line of a prompt at which nothing was typed."""
        if self.is_terminal:
            self._out.write("\n")

    def flush(self) -> None:
        """Flush the output, so that a reader sees all of it now."""
        self._out.flush()

    def _part(self) -> None:
        self.end_stream()
        self._run = ""
        if self._begun:
            self._out.write("\n")
        self._begun = True

    def _fold(self, line: str, hanging: str) -> str:
        line = clean_text(line)
        return line if self.columns is None else wrap_text(line, self.columns, hanging)
