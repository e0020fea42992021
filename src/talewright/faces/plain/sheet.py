"""The sheet: where the plain face writes, block by block with a blank line between.

It cleans whatever it is given, and folds lines only for a terminal: a pipe gets them whole.
"""

import os
import re
from collections.abc import Iterable, Mapping
from typing import TextIO

from talewright.faces.plain.folding import Folder, clean, fold

HANGING = "   "
"""How a broken line of a list goes on."""

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


class Sheet:
    """The text written so far, as far as it matters for what comes next."""

    def __init__(self, out: TextIO, columns: int | None) -> None:
        self._out = out
        self.columns = columns
        """How wide the terminal is; None where it is none."""

        self._begun = False
        self._open: Folder | None = None
        """The text that is arriving."""

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
        text = _GAPS.sub("\n\n", clean(text)).strip("\n")
        if text.strip():
            self.block([text])

    def stream(self, text: str) -> None:
        """Write more of a text that is arriving."""
        text = _GAPS.sub("\n\n", self._line_ends + clean(text))
        bare = text.rstrip("\n")
        if self._open is None:
            bare = bare.lstrip("\n")
            if not bare:
                return
            self._part()
            self._open = Folder(self.columns or 0)
        self._line_ends = text[len(text.rstrip("\n")) :]
        self._out.write(bare if self.columns is None else self._open.feed(bare))
        self._out.flush()

    def end_stream(self) -> None:
        """The text that was arriving has ended, and its line with it."""
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
        line = clean(line)
        return line if self.columns is None else fold(line, self.columns, hanging)
