"""Layout: entries and a width made into lines.

Pure: the same entries and width give the same lines. It draws no dice itself and knows no colours.
"""

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from rich.cells import cell_len

from talewright.faces.tui.folding import fold
from talewright.faces.tui.story.blocks import (
    Block,
    Code,
    Grid,
    Heading,
    Listing,
    Paragraph,
    Quote,
    Rule,
    Span,
)
from talewright.faces.tui.story.entries import (
    Changed,
    Dice,
    Entry,
    Event,
    Narration,
    Notice,
    Refusal,
    Said,
)
from talewright.faces.tui.story.lines import BLANK, Line, Piece, Tone
from talewright.faces.tui.story.markdown import read_markdown
from talewright.faces.tui.table.dice import draw

MEASURE_MAX: Final = 100
"""Cells of a line of text at most: longer ones are hard to read."""

RULE_CELLS: Final = 24
NARROW: Final = 16
"""Cells below which quotes and lists no longer take room at the left."""


def lay_out(entries: Sequence[Entry], width: int) -> list[Line]:
    """The lines of a turn or a note, with a blank one before it."""
    lines: list[Line] = []
    small = False
    for entry in entries:
        # What a turn did stands close together; what was said and told stands apart.
        was_small, small = small, isinstance(entry, Event | Refusal | Changed | Notice)
        if not (was_small and small):
            lines.append(BLANK)
        lines += lay_entry(entry, min(width, MEASURE_MAX))
    return lines


def lay_entry(entry: Entry, width: int) -> list[Line]:
    """The lines of one entry."""
    match entry:
        case Said(text):
            return _lay_signed("› ", text.strip(), width, Tone.SAID)
        case Narration(text):
            return lay_blocks(read_markdown(text), width)
        case Dice(roll):
            return [Line(drawn=row) for row in draw(roll, width)]
        case Event(text):
            return _lay_signed("· ", text, width, Tone.EVENT)
        case Refusal(text):
            return _lay_signed("✗ ", text, width, Tone.REFUSAL)
        case Changed(text):
            return _lay_signed("± ", text, width, Tone.CHANGE)
        case Notice(text, trouble):
            return _lay_signed(
                "! " if trouble else "– ", text, width, Tone.TROUBLE if trouble else Tone.NOTICE
            )
        case _:
            assert_never(entry)


def lay_blocks(blocks: Iterable[Block], width: int, tone: Tone = Tone.TOLD) -> list[Line]:
    """Blocks with a blank line between them."""
    lines: list[Line] = []
    for block in blocks:
        if lines:
            lines.append(BLANK)
        lines += lay_block(block, width, tone)
    return lines


def lay_block(block: Block, width: int, tone: Tone = Tone.TOLD) -> list[Line]:
    """The lines of one block."""
    match block:
        case Paragraph(spans):
            return lay_spans(spans, width, tone)
        case Heading(_, spans):
            return lay_spans(spans, width, Tone.HEADING)
        case Code(text):
            return _indent(lay_spans((Span(text),), width - 2, Tone.CODE), "  ", "  ", width)
        case Rule():
            return [Line((Piece("─" * min(width, RULE_CELLS), Tone.SIGN),))]
        case Quote(blocks):
            return _indent(lay_blocks(blocks, width - 2, Tone.QUOTE), "│ ", "│ ", width)
        case Listing():
            return _lay_list(block, width, tone)
        case Grid(rows):
            return _lay_grid(rows, width)
        case _:
            assert_never(block)


def lay_spans(spans: Sequence[Span], width: int, tone: Tone) -> list[Line]:
    """Text that flows, folded; marks go on over the end of a line."""
    text = "".join(span.text for span in spans)
    lines: list[Line] = []
    number, span_start, last = 0, 0, 0
    for start, end in fold(text, width):
        glue = None if start == 0 or text[last:start].endswith("\n") else text[last:start]
        last = end
        pieces: list[Piece] = []
        while start < end:
            span = spans[number]
            span_end = span_start + len(span.text)
            if span_end <= start:
                number, span_start = number + 1, span_end
                continue
            stop = min(end, span_end)
            pieces.append(Piece(text[start:stop], tone, span.mark))
            start = stop
        lines.append(Line(tuple(pieces), glue))
    return lines


def _lay_signed(sign: str, text: str, width: int, tone: Tone) -> list[Line]:
    """Plain text behind a sign, which says without colour what it is."""
    return _indent(lay_spans((Span(text),), width - len(sign), tone), sign, " " * len(sign), width, tone)


def _lay_list(block: Listing, width: int, tone: Tone) -> list[Line]:
    lines: list[Line] = []
    last = len(block.items) - 1 + (block.start or 0)
    room = 2 if block.start is None else len(f"{last}. ")
    for number, item in enumerate(block.items, block.start or 0):
        sign = "• " if block.start is None else f"{number}. ".rjust(room)
        inner: list[Line] = []
        for part in item:
            if inner and not isinstance(part, Listing):
                inner.append(BLANK)
            inner += lay_block(part, width - room, tone)
        lines += _indent(inner or [BLANK], sign, " " * room, width)
    return lines


def _lay_grid(rows: tuple[tuple[str, ...], ...], width: int) -> list[Line]:
    columns = [max(map(cell_len, column)) for column in zip(*rows, strict=False)]
    if sum(columns) + 3 * (len(columns) - 1) > width:
        return [
            line
            for row in rows
            for line in _indent(lay_spans((Span(" │ ".join(row)),), width - 2, Tone.TOLD), "", "  ", width)
        ]
    lines = [
        Line(
            (
                Piece(
                    " │ ".join(_pad(cell, size) for cell, size in zip(row, columns, strict=False)), Tone.TOLD
                ),
            )
        )
        for row in rows
    ]
    lines.insert(1, Line((Piece("─┼─".join("─" * size for size in columns), Tone.SIGN),)))
    return lines


def _pad(text: str, cells: int) -> str:
    return text + " " * (cells - cell_len(text))


def _indent(lines: list[Line], first: str, rest: str, width: int, tone: Tone = Tone.SIGN) -> list[Line]:
    """Lines with something before them; where there is hardly room for the text, only the first has it."""
    indented = []
    for number, (pieces, glue, indent, drawn) in enumerate(lines):
        before = rest if number else first
        if number and width < NARROW:
            before = ""
        added = (Piece(before, tone), *pieces) if before else pieces
        indented.append(Line(added, glue, indent + len(before), drawn))
    return indented
