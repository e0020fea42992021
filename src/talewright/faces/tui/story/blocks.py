"""Blocks: what a narration is made of, once its Markdown is read.

Plain values with plain text in them; no colours, no widths, no addresses to be followed.
"""

from enum import IntFlag
from typing import NamedTuple, TypeAlias


class Mark(IntFlag):
    """How a stretch of text is marked; marks add up."""

    NONE = 0
    EMPHASIS = 1
    STRONG = 2
    CODE = 4


class Span(NamedTuple):
    """A stretch of text with its marks; a line end in it is meant."""

    text: str
    mark: Mark = Mark.NONE


Spans: TypeAlias = tuple[Span, ...]


class Paragraph(NamedTuple):
    """Text that flows."""

    spans: Spans


class Heading(NamedTuple):
    """A title within the narration."""

    level: int
    spans: Spans


class Code(NamedTuple):
    """Text whose line ends and spaces are meant."""

    text: str


class Rule(NamedTuple):
    """A break between two parts."""


class Quote(NamedTuple):
    """Blocks that somebody else speaks or writes."""

    blocks: "Blocks"


class Listing(NamedTuple):
    """Points, with numbers from `start` on or without any."""

    start: int | None
    items: tuple["Blocks", ...]


class Grid(NamedTuple):
    """A table as plain text; the first row is its head."""

    rows: tuple[tuple[str, ...], ...]


Block: TypeAlias = Paragraph | Heading | Code | Rule | Quote | Listing | Grid
Blocks: TypeAlias = tuple[Block, ...]
