"""Game covers: a small picture for each game, drawn from its motif and colours; no image files are needed.

Every value in a drawing is a number, a path of numbers or a checked colour. A game without colours gets some
from its id.
"""

import colorsys
import hashlib
import re

from talewright.common.colors import BLACK, WHITE, find_contrast, mix_colors, write_color
from talewright.common.frozen_values import frozen
from talewright.faces.web.cover_motifs import (
    COVER_HEIGHT,
    COVER_WIDTH,
    DEFAULT_MOTIF,
    MOTIFS,
    CoverShape,
    Tone,
)

__all__ = ["COVER_HEIGHT", "COVER_WIDTH", "CoverDrawing", "CoverPalette", "draw_cover"]

CONTRAST_MIN = 1.6
"""Between the foreground and the sky behind it, so that the two can be told apart."""

STEPS_MAX = 12
_COLOR = re.compile("#[0-9a-f]{6}")


@frozen
class CoverPalette:
    """The colours of a cover."""

    sky: str
    light: str
    ground: str

    def mix(self, tone: Tone) -> str:
        """The colour of a tone."""
        match tone:
            case Tone.LIGHT:
                return self.light
            case Tone.GLOW:
                return mix_colors(self.sky, self.light, 0.35)
            case Tone.FAR:
                return mix_colors(self.ground, self.horizon, 0.55)
            case Tone.MIDDLE:
                return mix_colors(self.ground, self.horizon, 0.25)
            case _:
                return self.ground

    @property
    def horizon(self) -> str:
        """The colour of the sky where it meets the land."""
        return mix_colors(self.sky, self.light, 0.3)


@frozen
class CoverDrawing:
    """What a cover shows."""

    sky: tuple[str, str]
    """The colours of the sky, above and below."""

    shapes: tuple[tuple[CoverShape, str], ...]
    """The shapes with their colours, the farthest first."""


def draw_cover(game: str, motif: str = "", colors: tuple[str, ...] = ()) -> CoverDrawing:
    """The cover of a game, the same each time; unknown motifs and colours are replaced."""
    seed = hashlib.sha256(game.encode("utf-8", "replace")).digest()
    palette = find_palette(game, colors)
    draw = MOTIFS.get(motif, MOTIFS[DEFAULT_MOTIF])
    return CoverDrawing(
        (palette.sky, palette.horizon), tuple((shape, palette.mix(shape.tone)) for shape in draw(seed))
    )


def find_palette(game: str, colors: tuple[str, ...] = ()) -> CoverPalette:
    """The palette of a game: its author's or, without one, that of its id."""
    seed = hashlib.sha256(game.encode("utf-8", "replace")).digest()
    return keep_apart(read_palette(colors) or make_palette(seed))


def read_palette(colors: tuple[str, ...]) -> CoverPalette | None:
    """The palette of three colours; None if they are not."""
    if len(colors) != 3 or not all(_COLOR.fullmatch(color) for color in colors):
        return None
    return CoverPalette(*colors)


def make_palette(seed: bytes) -> CoverPalette:
    """A palette for a game that has none: evening colours of one hue."""
    hue = seed[0] / 256
    return CoverPalette(
        write_color(*colorsys.hls_to_rgb(hue, 0.45, 0.3)),
        write_color(*colorsys.hls_to_rgb((hue + 0.1) % 1, 0.85, 0.7)),
        write_color(*colorsys.hls_to_rgb(hue, 0.14, 0.35)),
    )


def keep_apart(palette: CoverPalette) -> CoverPalette:
    """The palette with a ground that stands out from the sky, darker or brighter as needed."""
    sky, ground = palette.sky, palette.ground

    def stands_out(color: str) -> bool:
        return min(find_contrast(color, sky), find_contrast(color, palette.horizon)) >= CONTRAST_MIN

    # A dark sky leaves no room below it.
    goal = BLACK if stands_out(mix_colors(BLACK, sky, 0.1)) else WHITE
    for _ in range(STEPS_MAX):
        if stands_out(ground):
            break
        ground = mix_colors(ground, goal, 0.25)
    return CoverPalette(sky, palette.light, ground)
