"""Eight-bit colours: the nearest of the 240 fixed colours, for terminals without true colour.

Rich matches by hue, which turns cream into pink and paper into yellow. The 16 colours that users can
redefine are never used.
"""

from functools import cache, lru_cache
from typing import Final

from rich.color import Color as RichColor
from rich.color import ColorType
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

EIGHT_BIT: Final = "256"
"""What Rich calls such a terminal."""

STYLES_MAX: Final = 1_024
"""How many styles are cached."""

_LEVELS: Final = (0, 95, 135, 175, 215, 255)
"""The levels of red, green and blue in the colour cube."""

_CUBE_START: Final = 16
_GREYS_START: Final = 232


@cache
def list_eight_bit() -> dict[int, tuple[int, int, int]]:
    """The fixed colours by number: a cube of 216 and 24 greys."""
    cube = [(red, green, blue) for red in _LEVELS for green in _LEVELS for blue in _LEVELS]
    greys = [(level, level, level) for level in range(8, 248, 10)]
    return dict(enumerate(cube, _CUBE_START)) | dict(enumerate(greys, _GREYS_START))


@lru_cache(STYLES_MAX)
def find_nearest(color: tuple[int, int, int]) -> int:
    """The number of the fixed colour nearest to a colour."""
    return min(list_eight_bit().items(), key=lambda each: _measure(color, each[1]))[0]


def _measure(one: tuple[int, int, int], other: tuple[int, int, int]) -> float:
    """The perceived distance between two colours."""
    red = (one[0] + other[0]) / 2
    parts = [(a - b) ** 2 for a, b in zip(one, other, strict=True)]
    return (2 + red / 256) * parts[0] + 4 * parts[1] + (2 + (255 - red) / 256) * parts[2]


class EightBitFilter(LineFilter):
    """Draws with the fixed colours only."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same words in the nearest colours."""
        return [
            Segment(text, None if style is None else reduce_style(style), control)
            for text, style, control in segments
        ]


@lru_cache(STYLES_MAX)
def reduce_style(style: Style) -> Style:
    """A style with the nearest colours and everything else unchanged."""
    ink, ground = _reduce(style.color), _reduce(style.bgcolor)
    return style if ink is ground is None else style + Style(color=ink, bgcolor=ground)


def _reduce(color: RichColor | None) -> RichColor | None:
    if color is None or color.type is not ColorType.TRUECOLOR or color.triplet is None:
        return None
    return RichColor.from_ansi(find_nearest(tuple(color.triplet)))
