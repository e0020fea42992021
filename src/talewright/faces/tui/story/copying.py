"""Copying: the text of selected rows, with folded paragraphs whole again.

It sees lines only; the clipboard is Textual's business.
"""

from collections.abc import Sequence

from textual.geometry import Offset
from textual.selection import Selection

from talewright.faces.tui.story.lines import Line


def copy_lines(lines: Sequence[Line], first: int, selection: Selection) -> str:
    """The selected part of some lines, the first of which stands on row `first`."""
    parts: list[str] = []
    for row, line in enumerate(lines, first):
        span = selection.get_span(row)
        if span is None:
            continue
        start, end = span
        glued = bool(parts) and line.glue is not None
        if glued:
            start = max(start, line.indent)
        text = line.text[start:] if end < 0 else line.text[start:end]
        parts.append((line.glue or "") + text if glued else "\n" * bool(parts) + text)
    return "".join(parts)


def shift_selection(selection: Selection, rows: int) -> Selection:
    """The same selection, when what is selected stands so many rows further down."""
    start, end = (edge and edge + Offset(0, rows) for edge in selection)
    return Selection(start, end)
