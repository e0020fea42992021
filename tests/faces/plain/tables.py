"""A table for the face to sit at: what is typed goes in, what was shown comes out."""

import io
from typing import TextIO

from talewright.faces.plain.console import Keyboard, PlainConsole
from talewright.faces.plain.plain_output import PlainOutput
from talewright.faces.plain.plain_words import PlainWords, words_for

ENGLISH = words_for("en")

COLUMNS = 200
"""Wide enough that nothing is folded."""


class Table(PlainConsole):
    """A desk in memory."""

    __slots__ = ("out",)

    def __init__(
        self,
        *typed: str,
        terminal: bool = False,
        words: PlainWords = ENGLISH,
        shown: str = "",
        source: TextIO | None = None,
    ) -> None:
        self.out = io.StringIO()
        source = source or io.StringIO("".join(f"{line}\n" for line in typed))
        sheet = PlainOutput(self.out, COLUMNS if terminal else None)
        super().__init__(sheet, Keyboard(source), words, shown)

    @property
    def blocks(self) -> list[str]:
        """What was written, block by block."""
        return self.out.getvalue().rstrip("\n").split("\n\n")
