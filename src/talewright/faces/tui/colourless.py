"""Colourless: the screen for whoever sets NO_COLOR: no colour at all, and what was lit up is turned round.

Textual turns colours into greys there, which are colours still. Only drawing; nothing is decided here.
"""

from functools import lru_cache
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

LIT_BRIGHTNESS: Final = 0.25
"""From here on a ground is lit: a cursor, a chosen tab, a button. The theme with black grounds is drawn."""

STYLES_MAX: Final = 1_024
"""Styles that are remembered."""


class Colourless(LineFilter):
    """Takes the colours away."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same words without colours."""
        return [
            Segment(text, None if style is None else drain(style), control)
            for text, style, control in segments
        ]


@lru_cache(STYLES_MAX)
def drain(style: Style) -> Style:
    """A style without its colours."""
    ground = style.bgcolor
    is_lit = ground is not None and Color.from_rich_color(ground).brightness >= LIT_BRIGHTNESS
    # What a click on it means is kept; Rich would drop it along with the colours.
    drained = style.without_color + Style.from_meta(style.meta)
    return drained + Style(reverse=True) if is_lit else drained
