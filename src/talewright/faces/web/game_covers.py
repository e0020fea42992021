"""Game covers: a small landscape for each game, drawn from its id; no pictures are needed.

Numbers only; the style sheet has the colours.
"""

import hashlib
import math

from talewright.common.frozen_values import frozen

COVER_TINTS = 6
COVER_WIDTH = 240
COVER_HEIGHT = 96
HILLS = 3
HILL_STEP = 12


@frozen
class CoverDrawing:
    """What a cover shows."""

    tint: int
    """Which colours it has."""

    moon: tuple[int, int, int]
    """Middle and radius."""

    hills: tuple[str, ...]
    """The path of each ridge, the farthest first."""


def draw_cover(game: str) -> CoverDrawing:
    """The cover of a game, the same each time."""
    digest = hashlib.sha256(game.encode("utf-8", "replace")).digest()
    moon = (30 + digest[1] % 180, 16 + digest[2] % 22, 8 + digest[3] % 8)
    hills = tuple(_draw_hill(at, digest[4 + at * 4 : 8 + at * 4]) for at in range(HILLS))
    return CoverDrawing(1 + digest[0] % COVER_TINTS, moon, hills)


def _draw_hill(at: int, seed: bytes) -> str:
    """A ridge as a closed path: two waves of different length, one over the other."""
    base = 48 + at * 14
    long, short = 90 + seed[0] % 80, 30 + seed[1] % 30
    points = []
    for x in range(0, COVER_WIDTH + HILL_STEP, HILL_STEP):
        wave = 10 * math.sin((x + seed[2]) / long * math.tau) + 4 * math.sin((x + seed[3]) / short * math.tau)
        points.append(f"{x} {base + wave:.0f}")
    return f"M0 {COVER_HEIGHT}L{'L'.join(points)}L{COVER_WIDTH} {COVER_HEIGHT}Z"
