"""The palette: how each tone looks, and lines painted with it.

The styles come from the widget's component classes, so that a theme is all there is to change.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.style import Style as VisualStyle
from textual.widget import Widget

from talewright.faces.tui.story.blocks import Mark
from talewright.faces.tui.story.lines import Line, Tone

MARKS: Final = {
    Mark.EMPHASIS: "story--emphasis",
    Mark.STRONG: "story--strong",
    Mark.CODE: "story--literal",
}
TONES: Final = {tone: f"story--{tone.value}" for tone in Tone}
COMPONENTS: Final = frozenset({*TONES.values(), *MARKS.values()})
"""The component classes that a widget must have to give a palette."""


def read_style(style: str | VisualStyle) -> VisualStyle:
    """A style by its name, with the colours of the app's theme."""
    return style if isinstance(style, VisualStyle) else VisualStyle.parse(style)


@dataclass(frozen=True, slots=True)
class Palette:
    """Styles by tone, and what each mark adds."""

    base: Style
    """Where there are no words."""

    tones: Mapping[Tone, Style]
    marks: Mapping[Mark, Style]
    drawn: VisualStyle
    """Beneath what others have drawn."""

    read: Callable[[str | VisualStyle], VisualStyle] = read_style
    """Reads the names of styles in what others have drawn."""

    def style(self, tone: Tone, mark: Mark) -> Style:
        """How words of a tone with some marks look."""
        style = self.tones[tone]
        if mark:
            for one, added in self.marks.items():
                if mark & one:
                    style += added
        return style


def make_palette(widget: Widget) -> Palette:
    """The palette of a widget, as its theme has it now."""
    return Palette(
        widget.rich_style,
        {tone: widget.get_component_rich_style(name) for tone, name in TONES.items()},
        {mark: widget.get_component_rich_style(name, partial=True) for mark, name in MARKS.items()},
        widget.visual_style,
    )


def paint(line: Line, palette: Palette) -> Strip:
    """A line as a strip, as long as its words are."""
    if line.drawn is not None:
        parts = line.drawn.render(palette.drawn, end="", parse_style=palette.read)
        return Strip([Segment(text, style.rich_style) for text, style in parts if text])
    return Strip([Segment(text, palette.style(tone, mark)) for text, tone, mark in line.pieces if text])


def highlight(strip: Strip, start: int, end: int, style: Style) -> Strip:
    """A strip with some of its characters shown as selected; -1 as end means all the rest."""
    cells = strip.cell_length
    left = strip.index_to_cell_position(start) if start else 0
    right = cells if end < 0 or end >= len(strip.text) else strip.index_to_cell_position(end)
    chosen = Strip(list(Segment.apply_style(strip.crop(left, right), post_style=style)))
    return Strip.join([strip.crop(0, left), chosen, strip.crop(right, cells)])
