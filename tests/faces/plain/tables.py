"""A table for the face to sit at: what is typed goes in, what was shown comes out."""

import io
from typing import TextIO

from talewright.faces.plain.desk import Desk
from talewright.faces.plain.english import ENGLISH
from talewright.faces.plain.keyboard import Keyboard
from talewright.faces.plain.sheet import Sheet
from talewright.faces.plain.words import Words

COLUMNS = 200
"""Wide enough that nothing is folded."""


class Table(Desk):
    """A desk in memory."""

    __slots__ = ("out",)

    def __init__(
        self,
        *typed: str,
        terminal: bool = False,
        words: Words = ENGLISH,
        shown: str = "",
        source: TextIO | None = None,
    ) -> None:
        self.out = io.StringIO()
        source = source or io.StringIO("".join(f"{line}\n" for line in typed))
        sheet = Sheet(self.out, COLUMNS if terminal else None)
        super().__init__(sheet, Keyboard(source), words, shown)

    @property
    def blocks(self) -> list[str]:
        """What was written, block by block."""
        return self.out.getvalue().rstrip("\n").split("\n\n")
