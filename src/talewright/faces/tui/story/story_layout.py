"""Story layout: turns entries and a width into lines.

Pure functions: the same entries and width give the same lines. Dice are drawn elsewhere, and colours are
unknown.
"""

from collections.abc import Iterable, Sequence
from typing import Final, assert_never

from rich.cells import cell_len

from talewright.faces.tui.story.dice_drawing import draw_rolls
from talewright.faces.tui.story.markdown_blocks import (
    CodeBlock,
    HeadingBlock,
    ListBlock,
    MarkdownBlock,
    ParagraphBlock,
    QuoteBlock,
    RuleBlock,
    TableBlock,
    TextSpan,
    read_markdown,
)
from talewright.faces.tui.story.story_entries import (
    ChangesEntry,
    EventEntry,
    FoldedRollsEntry,
    NarrationEntry,
    NoticeEntry,
    RefusalEntry,
    RollEntry,
    SaidEntry,
    StoryEntry,
)
from talewright.faces.tui.story.styled_lines import BLANK, MEASURE_MAX, LinePiece, LineTone, StoryLine
from talewright.faces.tui.widgets.text_wrap import wrap_ranges

RULE_CELLS: Final = 24
NARROW: Final = 16
"""In fewer cells than this, quotes and lists are not indented."""


def lay_out(entries: Sequence[StoryEntry], width: int) -> list[StoryLine]:
    """Lay out a turn or a note, with a blank line before it."""
    lines: list[StoryLine] = []
    small = False
    for entry in entries:
        # The effects of a turn are set close together; input and narration are set apart.
        was_small, small = small, isinstance(entry, EventEntry | RefusalEntry | ChangesEntry | NoticeEntry)
        if not (was_small and small):
            lines.append(BLANK)
        lines += lay_entry(entry, min(width, MEASURE_MAX))
    return lines


_FAVORS: Final = {"good": ("✓ ", LineTone.GOOD), "bad": ("▼ ", LineTone.BAD)}
"""The sign and tone of what is good or bad for the player."""


def lay_entry(entry: StoryEntry, width: int) -> list[StoryLine]:
    """Lay out one entry."""
    match entry:
        case SaidEntry(text):
            return _lay_signed("› ", text.strip(), width, LineTone.SAID)
        case NarrationEntry(text):
            return lay_blocks(read_markdown(text), width)
        case RollEntry(rolls):
            return [StoryLine(drawn=row) for row in draw_rolls(rolls, width)]
        case FoldedRollsEntry(text):
            return _lay_signed("⚄ ", text, width, LineTone.NOTICE)
        case EventEntry(text, favor):
            sign, tone = _FAVORS.get(favor, ("· ", LineTone.EVENT))
            return _lay_signed(sign, text, width, tone)
        case RefusalEntry(text):
            return _lay_signed("✗ ", text, width, LineTone.REFUSAL)
        case ChangesEntry(text):
            return _lay_signed("± ", text, width, LineTone.CHANGE)
        case NoticeEntry(text, trouble):
            return _lay_signed(
                "! " if trouble else "– ", text, width, LineTone.TROUBLE if trouble else LineTone.NOTICE
            )
        case _:
            assert_never(entry)


def lay_blocks(
    blocks: Iterable[MarkdownBlock], width: int, tone: LineTone = LineTone.TOLD
) -> list[StoryLine]:
    """Lay out blocks with a blank line between them."""
    lines: list[StoryLine] = []
    for block in blocks:
        if lines:
            lines.append(BLANK)
        lines += lay_block(block, width, tone)
    return lines


def lay_block(block: MarkdownBlock, width: int, tone: LineTone = LineTone.TOLD) -> list[StoryLine]:
    """Lay out one block."""
    match block:
        case ParagraphBlock(spans):
            return lay_spans(spans, width, tone)
        case HeadingBlock(_, spans):
            return lay_spans(spans, width, LineTone.HEADING)
        case CodeBlock(text):
            return _indent(lay_spans((TextSpan(text),), width - 2, LineTone.CODE), "  ", "  ", width)
        case RuleBlock():
            return [StoryLine((LinePiece("─" * min(width, RULE_CELLS), LineTone.SIGN),))]
        case QuoteBlock(blocks):
            return _indent(lay_blocks(blocks, width - 2, LineTone.QUOTE), "│ ", "│ ", width)
        case ListBlock():
            return _lay_list(block, width, tone)
        case TableBlock(rows):
            return _lay_grid(rows, width)
        case _:
            assert_never(block)


def lay_spans(spans: Sequence[TextSpan], width: int, tone: LineTone) -> list[StoryLine]:
    """Wrap flowing text; marks continue across line breaks."""
    text = "".join(span.text for span in spans)
    lines: list[StoryLine] = []
    number, span_start, last = 0, 0, 0
    for start, end in wrap_ranges(text, width):
        glue = None if start == 0 or text[last:start].endswith("\n") else text[last:start]
        last = end
        pieces: list[LinePiece] = []
        while start < end:
            span = spans[number]
            span_end = span_start + len(span.text)
            if span_end <= start:
                number, span_start = number + 1, span_end
                continue
            stop = min(end, span_end)
            pieces.append(LinePiece(text[start:stop], tone, span.mark))
            start = stop
        lines.append(StoryLine(tuple(pieces), glue))
    return lines


def _lay_signed(sign: str, text: str, width: int, tone: LineTone) -> list[StoryLine]:
    """Lay out plain text after a sign that shows its kind without colour."""
    return _indent(lay_spans((TextSpan(text),), width - len(sign), tone), sign, " " * len(sign), width, tone)


def _lay_list(block: ListBlock, width: int, tone: LineTone) -> list[StoryLine]:
    lines: list[StoryLine] = []
    last = len(block.items) - 1 + (block.start or 0)
    room = 2 if block.start is None else len(f"{last}. ")
    for number, item in enumerate(block.items, block.start or 0):
        sign = "• " if block.start is None else f"{number}. ".rjust(room)
        inner: list[StoryLine] = []
        for part in item:
            if inner and not isinstance(part, ListBlock):
                inner.append(BLANK)
            inner += lay_block(part, width - room, tone)
        lines += _indent(inner or [BLANK], sign, " " * room, width)
    return lines


def _lay_grid(rows: tuple[tuple[str, ...], ...], width: int) -> list[StoryLine]:
    columns = [max(map(cell_len, column)) for column in zip(*rows, strict=False)]
    if sum(columns) + 3 * (len(columns) - 1) > width:
        return [
            line
            for row in rows
            for line in _indent(
                lay_spans((TextSpan(" │ ".join(row)),), width - 2, LineTone.TOLD), "", "  ", width
            )
        ]
    lines = [
        StoryLine(
            (
                LinePiece(
                    " │ ".join(_pad(cell, size) for cell, size in zip(row, columns, strict=False)),
                    LineTone.TOLD,
                ),
            )
        )
        for row in rows
    ]
    lines.insert(1, StoryLine((LinePiece("─┼─".join("─" * size for size in columns), LineTone.SIGN),)))
    return lines


def _pad(text: str, cells: int) -> str:
    return text + " " * (cells - cell_len(text))


def _indent(
    lines: list[StoryLine], first: str, rest: str, width: int, tone: LineTone = LineTone.SIGN
) -> list[StoryLine]:
    """Put a prefix before lines; where there is hardly room for the text, only before the first."""
    indented = []
    for number, (pieces, glue, indent, drawn) in enumerate(lines):
        before = rest if number else first
        if number and width < NARROW:
            before = ""
        added = (LinePiece(before, tone), *pieces) if before else pieces
        indented.append(StoryLine(added, glue, indent + len(before), drawn))
    return indented
