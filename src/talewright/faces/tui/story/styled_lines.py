"""Styled lines: the text of one row of the story, the tone of its parts, and how each tone is painted.

The styles come from the widget's component classes, so a theme is all there is to change.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from rich.segment import Segment
from rich.style import Style
from textual.content import Content
from textual.strip import Strip
from textual.style import Style as VisualStyle
from textual.widget import Widget

from talewright.common.frozen_values import frozen
from talewright.faces.tui.story.markdown_blocks import TextMark

MEASURE_MAX: Final = 100
"""Maximum width of a line of text, in cells: longer lines are hard to read."""


class LineTone(StrEnum):
    """The role of a piece of text; the widget's component classes end in the same names."""

    SAID = "said"
    TOLD = "told"
    HEADING = "heading"
    QUOTE = "quote"
    CODE = "code"
    SIGN = "sign"
    """Bullets, rules and bars that are only decoration."""

    EVENT = "event"
    GOOD = "good"
    BAD = "bad"
    """Events that are good or bad for the player."""

    REFUSAL = "refusal"
    CHANGE = "change"
    NOTICE = "notice"
    TROUBLE = "trouble"


class LinePiece(NamedTuple):
    """Text of one tone."""

    text: str
    tone: LineTone
    mark: TextMark = TextMark.NONE


class StoryLine(NamedTuple):
    """One row."""

    pieces: tuple[LinePiece, ...] = ()
    glue: str | None = None
    """The text between this line and the previous one where a paragraph was wrapped; else None."""

    indent: int = 0
    """How many characters at its start are decoration, and are not copied when lines are joined."""

    drawn: Content | None = None
    """A row drawn elsewhere; it has no pieces."""

    @property
    def text(self) -> str:
        """The row as plain text."""
        return "".join(piece.text for piece in self.pieces) if self.drawn is None else self.drawn.plain


BLANK = StoryLine()

MARKS: Final = {
    TextMark.EMPHASIS: "story--emphasis",
    TextMark.STRONG: "story--strong",
    TextMark.CODE: "story--literal",
}
TONES: Final = {tone: f"story--{tone.value}" for tone in LineTone}
COMPONENTS: Final = frozenset({*TONES.values(), *MARKS.values()})
"""The component classes a widget must have to provide a palette."""


def read_style(style: str | VisualStyle) -> VisualStyle:
    """Return a style by its name, with the colours of the app's theme."""
    return style if isinstance(style, VisualStyle) else VisualStyle.parse(style)


@frozen
class StoryPalette:
    """Styles by tone, and what each mark adds."""

    base: Style
    """The style where there is no text."""

    tones: Mapping[LineTone, Style]
    marks: Mapping[TextMark, Style]
    drawn: VisualStyle
    """The background of rows drawn elsewhere."""

    read: Callable[[str | VisualStyle], VisualStyle] = read_style
    """Resolves the names of styles in rows drawn elsewhere."""

    def style(self, tone: LineTone, mark: TextMark) -> Style:
        """Return the style of a tone with marks."""
        style = self.tones[tone]
        if mark:
            for one, added in self.marks.items():
                if mark & one:
                    style += added
        return style


def make_palette(widget: Widget) -> StoryPalette:
    """Return the palette of a widget in its current theme."""
    return StoryPalette(
        widget.rich_style,
        {tone: widget.get_component_rich_style(name) for tone, name in TONES.items()},
        {mark: widget.get_component_rich_style(name, partial=True) for mark, name in MARKS.items()},
        widget.visual_style,
    )


def paint(line: StoryLine, palette: StoryPalette) -> Strip:
    """Paint a line as a strip as long as its text."""
    if line.drawn is not None:
        parts = line.drawn.render(palette.drawn, end="", parse_style=palette.read)
        return Strip([Segment(text, style.rich_style) for text, style in parts if text])
    return Strip([Segment(text, palette.style(tone, mark)) for text, tone, mark in line.pieces if text])


def highlight(strip: Strip, start: int, end: int, style: Style) -> Strip:
    """Highlight some characters of a strip as selected; an end of -1 means all the rest."""
    cells = strip.cell_length
    left = strip.index_to_cell_position(start) if start else 0
    right = cells if end < 0 or end >= len(strip.text) else strip.index_to_cell_position(end)
    chosen = Strip(list(Segment.apply_style(strip.crop(left, right), post_style=style)))
    return Strip.join([strip.crop(0, left), chosen, strip.crop(right, cells)])
