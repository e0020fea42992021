"""Cover motifs: what the picture of a game can show, as shapes with a tone each, the farthest first.

Shapes only; the colours come from the palette of the game. The digest of its id varies each motif.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from itertools import pairwise

from talewright.common.frozen_values import frozen

COVER_WIDTH = 240
COVER_HEIGHT = 96
RIDGE_STEP = 8
DEFAULT_MOTIF = "hills"


class Tone(StrEnum):
    """Which colour of the palette a shape has."""

    LIGHT = "light"
    GLOW = "glow"
    FAR = "far"
    MIDDLE = "middle"
    NEAR = "near"
    WAX = "wax"
    """Candles, and other pale things by lamplight; in bands only, as the others below."""

    SKY = "sky"
    HAZE = "haze"
    DIM = "dim"
    """An unlit window."""

    TEXT = "text"
    """What must stand out from the sky like the title."""


@frozen
class CoverShape:
    """One shape of a cover."""

    tone: Tone
    path: str = ""
    """Empty for a circle."""

    circle: tuple[float, float, float] = (0, 0, 0)
    """Middle and radius."""

    opacity: float = 1.0
    within: str = ""
    """A path outside of which nothing of it is seen; it stays where it is while the shape moves."""


Shapes = tuple[CoverShape, ...]


def draw_hills(seed: bytes) -> Shapes:
    """Three ridges under a moon."""
    return (
        *_moon(30 + seed[1] % 180, 20 + seed[2] % 14, 8 + seed[3] % 6),
        *(
            CoverShape(tone, _ridge(52 + at * 14, 11 - at * 2, seed[4 + at * 4 : 8 + at * 4]))
            for at, tone in enumerate((Tone.FAR, Tone.MIDDLE, Tone.NEAR))
        ),
    )


def draw_harbor(seed: bytes) -> Shapes:
    """A lighthouse with its beam, a boat, and water that carries the light."""
    x = 178
    ripples = "".join(
        f"M{40 + seed[at] % 110} {68 + at * 4}h{14 + seed[at + 8] % 26}v.8h-{14 + seed[at + 8] % 26}z"
        for at in range(6)
    )
    return (
        *_stars(seed, 14, 34),
        CoverShape(Tone.FAR, _ridge(62, 4, seed[4:8])),
        CoverShape(Tone.LIGHT, f"M{x} 24L0 2V34z", opacity=0.17),
        CoverShape(Tone.LIGHT, f"M{x} 24L240 10V36z", opacity=0.17),
        CoverShape(Tone.MIDDLE, f"M0 64H{COVER_WIDTH}V{COVER_HEIGHT}H0z"),
        CoverShape(Tone.GLOW, ripples, opacity=0.7),
        CoverShape(
            Tone.NEAR, f"M{x - 46} 96Q{x - 30} 66 {x - 8} 66H{x + 10}Q{x + 40} 66 {COVER_WIDTH} 78V96z"
        ),
        CoverShape(Tone.NEAR, f"M{x - 6} 68L{x - 4} 29H{x + 4}L{x + 6} 68zM{x - 6} 29H{x + 6}V27H{x - 6}z"),
        CoverShape(Tone.NEAR, f"M{x - 4} 20L{x} 15L{x + 4} 20z"),
        CoverShape(Tone.LIGHT, f"M{x - 3} 20H{x + 3}V27H{x - 3}z"),
        CoverShape(Tone.NEAR, "M52 74H86L80 81H58zM68 73V48h1.4V73zM71 52L84 71H71zM66 55V71H56z"),
    )


def draw_road(seed: bytes) -> Shapes:
    """A road that winds up between hills, with lanterns along it."""
    lamps = ((58, 84, 1.0), (150, 71, 0.75), (98, 60, 0.55), (134, 51, 0.4))
    return (
        *_stars(seed, 18, 30),
        *_moon(196, 20, 9),
        CoverShape(Tone.FAR, _ridge(46, 10, seed[4:8])),
        CoverShape(Tone.MIDDLE, _ridge(60, 7, seed[8:12])),
        CoverShape(Tone.NEAR, _ridge(68, 5, seed[12:16])),
        CoverShape(
            Tone.GLOW,
            "M66 96C92 82 172 84 158 74C146 66 92 68 100 60C106 54 136 56 128 47H131C142 57 112 56 110 61"
            "C108 67 168 66 176 75C184 87 120 84 118 96z",
            opacity=0.75,
        ),
        *(shape for x, y, size in lamps for shape in _lamp(x, y, size)),
    )


def draw_tavern(seed: bytes) -> Shapes:
    """Roofs in the evening, and one house with lit windows and a sign."""
    house = "M84 96V58H78L98 34H142L162 58H156V96zM130 36V22H138V40z"
    windows = "M94 64h10v10h-10zM136 64h10v10h-10zM115 46h10v8h-10zM114 96V78Q120 71 126 78V96z"
    smoke = "M134 21q-4 -5 0 -9t1 -9q5 5 1 10t1 8z"
    return (
        *_moon(40 + seed[1] % 20, 24, 9),
        CoverShape(Tone.FAR, _roofs(seed, 52, 14, 0)),
        CoverShape(Tone.MIDDLE, _roofs(seed[8:], 66, 11, 9)),
        CoverShape(Tone.GLOW, smoke, opacity=0.6),
        CoverShape(Tone.NEAR, house),
        CoverShape(Tone.NEAR, f"M0 88Q120 82 {COVER_WIDTH} 88V96H0z"),
        CoverShape(Tone.NEAR, "M156 64H176V65.6H174V78H164V65.6H156z"),
        CoverShape(Tone.LIGHT, windows),
        CoverShape(Tone.NEAR, "M98.4 64h1.2v10h-1.2zM140.4 64h1.2v10h-1.2zM119.4 46h1.2v8h-1.2z"),
        CoverShape(Tone.LIGHT, "M167 69h4v5h-4z"),
    )


def draw_chapel(seed: bytes) -> Shapes:
    """A chapel with one lit window, stones in the grass, and a large moon behind the spire."""
    stones = "".join(
        f"M{x} 90v-{6 + seed[at] % 5}q3.5 -5 7 0v{6 + seed[at] % 5}z"
        for at, x in enumerate((28, 48, 66, 176, 196, 214))
    )
    return (
        *_stars(seed, 16, 40),
        *_moon(142, 32, 19),
        CoverShape(Tone.FAR, _ridge(66, 5, seed[4:8])),
        CoverShape(Tone.MIDDLE, _ridge(76, 4, seed[8:12])),
        CoverShape(
            Tone.NEAR, "M92 92V60L118 44L128 50V34L137 12L146 34V92zM136.3 13V4h1.4V13zM134 6.6h6v1.4h-6z"
        ),
        CoverShape(Tone.NEAR, stones),
        CoverShape(Tone.NEAR, _ridge(89, 2, seed[12:16])),
        CoverShape(Tone.LIGHT, "M106 82V70q4 -6 8 0V82zM134.5 46v-5q2.5 -4 5 0v5z"),
    )


def draw_forest(seed: bytes) -> Shapes:
    """Firs in three rows, with mist between them."""
    return (
        *_moon(60 + seed[1] % 120, 22, 10),
        CoverShape(Tone.FAR, _firs(seed, 70, 26, 13)),
        CoverShape(Tone.GLOW, "M0 66Q60 58 120 66T240 64V76H0z", opacity=0.35),
        CoverShape(Tone.MIDDLE, _firs(seed[6:], 84, 34, 19)),
        CoverShape(Tone.GLOW, "M0 82Q70 74 140 82T240 80V90H0z", opacity=0.25),
        CoverShape(Tone.NEAR, _firs(seed[12:], 98, 46, 31)),
    )


def draw_city(seed: bytes) -> Shapes:
    """Towers with lit windows."""
    windows = "".join(
        f"M{10 + at * 15 + seed[at] % 6} {58 + seed[at + 12] % 26}h2.6v3.6h-2.6z" for at in range(15)
    )
    return (
        *_moon(48 + seed[1] % 150, 20, 8),
        CoverShape(Tone.FAR, _towers(seed, 40, 17)),
        CoverShape(Tone.MIDDLE, _towers(seed[7:], 54, 23)),
        CoverShape(Tone.NEAR, _towers(seed[14:], 70, 29)),
        CoverShape(Tone.LIGHT, windows, opacity=0.85),
    )


def draw_mountains(seed: bytes) -> Shapes:
    """Peaks with snow, and a trail of firs below."""
    return (
        CoverShape(Tone.LIGHT, circle=(52, 24, 10), opacity=0.9),
        CoverShape(Tone.FAR, "M-10 96L44 40L70 60L112 20L150 56L176 40L250 96z"),
        CoverShape(Tone.LIGHT, "M112 20L99 32L106 36L112 31L119 38L125 33zM44 40L37 47L43 51L48 47L53 47z"),
        CoverShape(Tone.MIDDLE, "M-10 96L30 66L66 82L138 44L196 80L222 62L250 80V96z"),
        CoverShape(Tone.LIGHT, "M138 44L124 52L132 56L138 52L146 58L152 53zM222 62L213 69L221 72L230 68z"),
        CoverShape(Tone.NEAR, _firs(seed, 97, 18, 15)),
        CoverShape(Tone.LIGHT, _flakes(seed), opacity=0.8),
    )


def draw_stars(seed: bytes) -> Shapes:
    """A wide sky with a constellation, and someone looking up."""
    points = [(24 + at * 27 + seed[at] % 14, 14 + seed[at + 8] % 34) for at in range(7)]
    line = "".join(
        f"M{x} {y}L{to_x} {to_y}L{to_x} {to_y + 0.7}L{x} {y + 0.7}z"
        for (x, y), (to_x, to_y) in pairwise(points)
    )
    return (
        *_stars(seed[3:], 26, 62),
        CoverShape(Tone.LIGHT, line, opacity=0.4),
        *(CoverShape(Tone.LIGHT, circle=(x, y, 1.8)) for x, y in points),
        CoverShape(Tone.FAR, _ridge(70, 8, seed[4:8])),
        CoverShape(Tone.MIDDLE, _ridge(79, 5, seed[8:12])),
        CoverShape(Tone.NEAR, f"M0 92Q110 74 {COVER_WIDTH} 92V96H0z"),
        CoverShape(Tone.NEAR, "M112 84L114 68Q117 64 120 68L122 84zM122.5 86V62h1.2V86z"),
        CoverShape(Tone.NEAR, circle=(117, 63, 3)),
        CoverShape(Tone.LIGHT, circle=(123.1, 61, 1.7)),
    )


MOTIFS: Mapping[str, Callable[[bytes], Shapes]] = {
    "hills": draw_hills,
    "harbor": draw_harbor,
    "road": draw_road,
    "tavern": draw_tavern,
    "chapel": draw_chapel,
    "forest": draw_forest,
    "city": draw_city,
    "mountains": draw_mountains,
    "stars": draw_stars,
}
"""How each motif is drawn."""


def _moon(x: float, y: float, radius: float) -> Shapes:
    halo = CoverShape(Tone.LIGHT, circle=(x, y, radius * 1.7), opacity=0.14)
    return halo, CoverShape(Tone.LIGHT, circle=(x, y, radius))


def _lamp(x: float, y: float, size: float) -> Shapes:
    high = 20 * size
    return (
        CoverShape(Tone.NEAR, f"M{x} {y}v-{high:.1f}h{1.4 * size:.1f}v{high:.1f}z"),
        CoverShape(Tone.LIGHT, circle=(x, y - high, 7 * size), opacity=0.3),
        CoverShape(Tone.LIGHT, circle=(x, y - high, 2.8 * size)),
    )


def _stars(seed: bytes, count: int, depth: int) -> Shapes:
    spots = ((at * 97 + seed[at % 24] * 7) % COVER_WIDTH for at in range(count))
    places = ((x, 3 + (seed[(at * 5) % 24] + at * 13) % depth) for at, x in enumerate(spots))
    return (CoverShape(Tone.LIGHT, _squares(places, 0.9), opacity=0.6),)


def _flakes(seed: bytes) -> str:
    return _squares(
        ((at * 53 + seed[at % 24]) % COVER_WIDTH, (at * 29 + seed[(at * 3) % 24]) % 90) for at in range(34)
    )


def _squares(places: Iterable[tuple[int, int]], size: float = 1.1) -> str:
    return "".join(f"M{x} {y}h{size}v{size}h-{size}z" for x, y in places)


def _ridge(base: int, height: int, seed: bytes) -> str:
    """A ridge as a closed path: two waves of different length, one over the other."""
    long, short = 90 + seed[0] % 80, 30 + seed[1] % 30
    points = []
    for x in range(0, COVER_WIDTH + RIDGE_STEP, RIDGE_STEP):
        wave = math.sin((x + seed[2]) / long * math.tau) + 0.4 * math.sin((x + seed[3]) / short * math.tau)
        points.append(f"{x} {base + height * wave:.1f}")
    return f"M0 {COVER_HEIGHT}L{'L'.join(points)}L{COVER_WIDTH} {COVER_HEIGHT}Z"


def _firs(seed: bytes, base: int, height: int, step: int) -> str:
    trees = []
    for at, x in enumerate(range(-4, COVER_WIDTH + step, step)):
        high = height * (0.7 + seed[at % 16] / 850)
        crown, skirt, notch = high * 0.156, high * 0.169, high * 0.065
        trees.append(
            f"M{x} {base - high:.1f}l{crown:.1f} {high * 0.4:.1f}h-{notch:.1f}l{skirt:.1f} {high * 0.6:.1f}"
            f"h-{high * 0.52:.1f}l{skirt:.1f} -{high * 0.6:.1f}h-{notch:.1f}z"
        )
    return f"{''.join(trees)}M0 {base - 1}H{COVER_WIDTH}V{COVER_HEIGHT + 4}H0z"


def _roofs(seed: bytes, base: int, height: int, shift: int) -> str:
    parts = []
    for at, x in enumerate(range(-shift, COVER_WIDTH, 30)):
        top = base - seed[at % 16] % height
        parts.append(f"M{x} {COVER_HEIGHT}V{top + 10}L{x + 15} {top}L{x + 30} {top + 10}V{COVER_HEIGHT}z")
    return "".join(parts)


def _towers(seed: bytes, base: int, step: int) -> str:
    parts = []
    for at, x in enumerate(range(-4, COVER_WIDTH, step)):
        top = base - seed[at % 16] % 24
        spire = (
            f"L{x + step / 2:g} {top - 9}L{x + step - 3} {top}"
            if seed[(at + 3) % 16] % 3 == 0
            else f"H{x + step - 3}"
        )
        parts.append(f"M{x} {COVER_HEIGHT}V{top}{spire}V{COVER_HEIGHT}z")
    return f"{''.join(parts)}M0 88H{COVER_WIDTH}V{COVER_HEIGHT}H0z"
