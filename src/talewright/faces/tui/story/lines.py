"""Lines: what one row of the story shows, before it has colours.

A line knows its words and what they are for; how that looks is the palette's business.
"""

from enum import StrEnum
from typing import NamedTuple

from textual.content import Content

from talewright.faces.tui.story.blocks import Mark


class Tone(StrEnum):
    """What words are for; the same names end the component classes of the widget."""

    SAID = "said"
    TOLD = "told"
    HEADING = "heading"
    QUOTE = "quote"
    CODE = "code"
    SIGN = "sign"
    """Bullets, rules and bars that only give form."""

    EVENT = "event"
    REFUSAL = "refusal"
    CHANGE = "change"
    NOTICE = "notice"
    TROUBLE = "trouble"


class Piece(NamedTuple):
    """Words of one kind."""

    text: str
    tone: Tone
    mark: Mark = Mark.NONE


class Line(NamedTuple):
    """One row."""

    pieces: tuple[Piece, ...] = ()
    glue: str | None = None
    """What stood between this line and the one before it, where a paragraph was folded; else None."""

    indent: int = 0
    """Characters at its start that only give form, and are not copied where lines are glued."""

    drawn: Content | None = None
    """A row that somebody else has drawn; it has no pieces."""

    @property
    def text(self) -> str:
        """The row as plain text."""
        return "".join(piece.text for piece in self.pieces) if self.drawn is None else self.drawn.plain


BLANK = Line()
