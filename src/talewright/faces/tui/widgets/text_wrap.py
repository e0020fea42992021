"""Text wrap: breaks lines to a width in terminal cells, and a widget that does so.

Chinese breaks between characters and keeps its punctuation together (Textual would break before a comma);
other scripts break between words.
"""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from rich.cells import cell_len, split_graphemes
from textual.content import Content
from textual.css.styles import RulesMap
from textual.geometry import Size
from textual.strip import Strip
from textual.style import Style
from textual.visual import RenderOptions, Visual
from textual.widgets import Static

CELLS_MIN: Final = 4
"""The minimum width of a line in cells, however narrow the terminal is."""

_OPENING: Final = r"(\[{（【《「『〈〔“‘"
_CLOSING: Final = r",.;:!?)\]}%，。、；：！？）】》」』〉〕”’…—·～％"
_OPENING_WIDE: Final = "（【《「『〈〔"
_CLOSING_WIDE: Final = "，。、；：！？）】》」』〉〕～％"
_WIDE: Final = (
    "\u1100-\u115f\u2e80-\u3000\u3003-\u3007\u3012\u3013\u3016-\u303e\u3041-\ua4c6\ua960-\ua97c\uac00-\ud7a3"
    "\uf900-\ufaff\ufe30-\ufe6b\uff02-\uff04\uff06\uff07\uff0a\uff0b\uff0d-\uff19\uff1c-\uff1e"
    "\uff20-\uff5d\uff5f\uff60\uffe0-\uffe6\U0001f300-\U0001f3fa\U0001f400-\U0001f64f\U0001f680-\U0001faff"
    "\U00016fe0-\U0001b2fb\U00020000-\U0003fffd"
)
_TRAIL: Final = "\u0300-\u036f\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe0f\U0001f3fb-\U0001f3ff"
_WIDE_ONE: Final = f"[{_WIDE}](?:[{_TRAIL}]|\u200d.)*"
_NO_BREAK: Final = "\u00a0"
_WORD: Final = f"[^ {_NO_BREAK}{_WIDE}{_OPENING_WIDE}{_CLOSING_WIDE}]+"

_UNIT: Final = f"[{_OPENING}]*(?:{_WIDE_ONE}|{_WORD})[{_CLOSING}{_TRAIL}]*"
_PARTS: Final = re.compile(
    f"(?P<gap> +)|{_NO_BREAK}*{_UNIT}(?:{_NO_BREAK}+(?:{_UNIT})?)*|[{_OPENING}{_CLOSING}]+|.",
    re.DOTALL,
)
"""A run of spaces, or the smallest unit that stays together; a no-break space binds both its neighbours."""

_NARROW: Final = re.compile(
    "[\x20-\x7e\xa0-\xac\xae-\u02ff\u0370-\u0482\u2010-\u2027\u2030-\u205e\u2500-\u25fc]*"
)
"""Text of single-cell characters, which needs no measuring."""


class LineRange(NamedTuple):
    """One line of a wrapped text: its start and end."""

    start: int
    end: int


def wrap_ranges(text: str, width: int) -> list[LineRange]:
    """Wrap a text into lines; spaces at a break belong to no line."""
    width = max(width, CELLS_MIN)
    ranges: list[LineRange] = []
    start = 0
    for row in text.split("\n"):
        whole = LineRange(start, start + len(row))
        if len(row) * 2 <= width:
            ranges.append(whole)
        elif _NARROW.fullmatch(row):
            ranges += _fold_narrow(text, whole, width)
        else:
            ranges += _fold_mixed(text, whole, width)
        start = whole.end + 1
    return ranges


def wrap_content(content: Content, width: int) -> list[Content]:
    """Wrap a styled text into lines."""
    return [content[start:end] for start, end in wrap_ranges(content.plain, width)]


def _fold_narrow(text: str, whole: LineRange, width: int) -> Iterator[LineRange]:
    start, end = whole
    while end - start > width:
        cut = text.rfind(" ", start, start + width + 1)
        if cut <= start:
            cut = start + width
        stop = cut
        while stop > start and text[stop - 1] == " ":
            stop -= 1
        yield LineRange(start, stop)
        start = cut
        while start < end and text[start] == " ":
            start += 1
    yield LineRange(start, end)


def _fold_mixed(text: str, whole: LineRange, width: int) -> Iterator[LineRange]:
    start = stop = whole.start
    used = gap = 0
    for part in _PARTS.finditer(text, whole.start, whole.end):
        if part.lastgroup == "gap":
            gap += part.end() - part.start()
            continue
        cells = cell_len(part.group())
        if used + gap + cells > width and stop > start:
            yield LineRange(start, stop)
            start, used, gap = part.start(), 0, 0
        if used + gap + cells > width:
            *full, rest = _chop(text, LineRange(start, part.end()), width)
            yield from full
            start, used = rest.start, cell_len(text[rest.start : rest.end])
        else:
            used += gap + cells
        stop, gap = part.end(), 0
    yield LineRange(start, stop)


def _chop(text: str, whole: LineRange, width: int) -> Iterator[LineRange]:
    """Break a stretch that has no break opportunity anywhere."""
    start, used = whole.start, 0
    for left, _, cells in split_graphemes(text[whole.start : whole.end])[0]:
        if used + cells > width:
            yield LineRange(start, whole.start + left)
            start, used = whole.start + left, 0
        used += cells
    yield LineRange(start, whole.end)


class WrappedVisual(Visual):
    """Flowing text for widgets that draw their rows themselves, such as lists."""

    def __init__(self, content: Content) -> None:
        self.content = content

    def render_strips(
        self, width: int, height: int | None, style: Style, options: RenderOptions
    ) -> list[Strip]:
        """Draw the lines at a width."""
        return self._wrap(width).render_strips(width, height, style, options)

    def get_optimal_width(self, rules: RulesMap, container_width: int) -> int:
        """Return the width of the longest line, unwrapped."""
        return self.content.get_optimal_width(rules, container_width)

    def get_minimal_width(self, rules: RulesMap) -> int:
        """Return the minimal width: text can break anywhere."""
        return CELLS_MIN

    def get_height(self, rules: RulesMap, width: int) -> int:
        """Return the number of lines."""
        return len(wrap_content(self.content, width))

    def _wrap(self, width: int) -> Content:
        return Content("\n").join(wrap_content(self.content, width))


class WrappedText(Static):
    """A widget with flowing text."""

    def render(self) -> Visual:
        """Wrap the text to the current width."""
        visual, width = self.visual, self.content_size.width
        return Content("\n").join(wrap_content(visual, width)) if isinstance(visual, Content) else visual

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines."""
        visual = self.visual
        if isinstance(visual, Content):
            return len(wrap_content(visual, width))
        return super().get_content_height(container, viewport, width)
