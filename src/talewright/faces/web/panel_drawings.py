"""Panel drawings: positions of lines and names of maps and graphs in an SVG, and how full a meter is.

Numbers and text only; the templates write the markup. Anything that cannot be drawn is shown as text.
"""

import math
from collections.abc import Sequence
from itertools import zip_longest
from unicodedata import east_asian_width

from talewright.common.frozen_values import frozen
from talewright.play.campaign_past import CardTrend, VariableTrail
from talewright.play.campaign_view import PartKind, PartView, RollView
from talewright.play.presentation.roll_chances import SUCCESSES

SPOTS_MAX = 64
"""Places of a drawing; larger ones are shown as words."""

CELL_WIDTH = 120
CELL_HEIGHT = 64
BOX_HEIGHT = 36
BOX_GAP = 12
NAME_CELLS_MAX = 14
"""The width of a name on one line, in half-width characters."""

DOTS_MAX = 6
"""A meter with at most so many whole steps is drawn as dots."""


@frozen
class DrawnPlace:
    """A place or node: its box, and its name on one or two lines."""

    x: int
    y: int
    lines: tuple[str, ...]
    is_here: bool = False


@frozen
class DrawnPart:
    """A map or graph."""

    width: int
    height: int
    places: tuple[DrawnPlace, ...]
    ways: tuple[tuple[int, int, int, int], ...]
    """Lines from point to point."""


def draw_part(part: PartView) -> DrawnPart | None:
    """A map or graph as a drawing; None if it has to be shown as words."""
    count = len(part.rows)
    links_fit = all(0 <= end < count for link in part.links for end in link)
    if not 0 < count <= SPOTS_MAX or not links_fit:
        return None
    spots = part.spots if part.kind is PartKind.MAP else spread(count)
    if len(spots) != count or any(not 0 <= at < SPOTS_MAX for spot in spots for at in spot):
        return None
    columns, rows = (1 + max(spot[axis] for spot in spots) for axis in (0, 1))
    centers = [(x * CELL_WIDTH + CELL_WIDTH // 2, y * CELL_HEIGHT + CELL_HEIGHT // 2) for x, y in spots]
    places = tuple(
        DrawnPlace(x, y, fold_name("".join(row)), at == part.current)
        for at, ((x, y), row) in enumerate(zip(centers, part.rows, strict=True))
    )
    ways = tuple((*centers[one], *centers[other]) for one, other in part.links)
    return DrawnPart(columns * CELL_WIDTH, rows * CELL_HEIGHT, places, ways)


def spread(count: int) -> tuple[tuple[int, int], ...]:
    """Spots for the nodes of a graph: around a ring, so that lines between them stay apart."""
    if count <= 3:
        return tuple((at % 2 * 2, at) for at in range(count))
    found: list[tuple[int, int]] = []
    height = math.ceil(count / 2)
    left = [(0, row) for row in range(height)]
    right = [(2, row) for row in reversed(range(count - height))]
    found.extend(left)
    found.extend(right)
    return tuple(found)


def fold_name(name: str) -> tuple[str, ...]:
    """A name on at most two lines that fit a box; the rest is cut."""
    lines, line = [], ""
    for word in _split_words(name.strip()):
        if line and _cells((line + word).rstrip()) > NAME_CELLS_MAX:
            lines.append(line.strip())
            line = ""
        line += word
    lines.append(line.strip())
    kept = lines[:2]
    if len(lines) > 2 or any(_cells(one) > NAME_CELLS_MAX + 2 for one in kept):
        kept = [_cut(one, last=at == len(kept) - 1) for at, one in enumerate(kept)]
    return tuple(kept)


def fill_share(value: float | None, minimum: float | None, maximum: float | None) -> int | None:
    """How full a meter is, from 0 to 100; None if it has no limits."""
    low = 0.0 if minimum is None else minimum
    if value is None or maximum is None or maximum <= low:
        return None
    return round(100 * min(max((value - low) / (maximum - low), 0.0), 1.0))


def draw_trail(trail: VariableTrail, until: int) -> str:
    """The values of a variable up to a turn as the points of a stepped line, 100 by 100; empty for less."""
    if len(trail.points) < 2:
        return ""
    values = [value for _, value in trail.points]
    low = min(values) if trail.minimum is None else min(trail.minimum, *values)
    high = max(values) if trail.maximum is None else max(trail.maximum, *values)
    last = max(trail.points[-1][0], until)
    return _draw_steps(trail.points, last, (low, high), (96, 92))


def draw_trend(trend: CardTrend, until: int) -> str:
    """A trend up to a turn as the points of a stepped line, 100 by 24."""
    values = [value for _, value in trend.points]
    # The newest value is as wide as a turn, too.
    last = max(trend.points[-1][0], until) + 1
    return _draw_steps(trend.points, last, (min(values), max(values)), (22, 20))


def _draw_steps(
    values: Sequence[tuple[int, float]], last: int, limits: tuple[float, float], place: tuple[int, int]
) -> str:
    """The points of a stepped line, 100 wide; `place` is where its lowest value lies, and its height."""
    low, high = limits
    bottom, height = place
    first = values[0][0]
    points: list[str] = []
    level = 0.0
    for turn, value in values:
        x = 100 * (turn - first) / max(last - first, 1)
        if points:
            points.append(f"{x:.1f},{level:.1f}")
        level = bottom - height * (value - low) / ((high - low) or 1)
        points.append(f"{x:.1f},{level:.1f}")
    return " ".join([*points, f"100.0,{level:.1f}"])


def make_dots(part: PartView) -> tuple[bool, ...]:
    """The dots of a small meter, filled ones first; empty if it is drawn as a bar."""
    value, maximum = part.value, part.maximum
    if value is None or maximum is None or not 0 < maximum <= DOTS_MAX:
        return ()
    if value != int(value) or maximum != int(maximum):
        return ()
    return tuple(at < value for at in range(int(maximum)))


STRIP_WIDTH = 400
SHARE_CELLS = 50
"""Cells of a strip for a chance that is a share, not a number of totals."""

CELLS_MAX = 60


@frozen
class DrawnStrip:
    """The odds of a check from left to right: on tall cells it succeeds."""

    cells: tuple[tuple[float, float, bool], ...]
    """Left edge, width, and whether it succeeds."""

    at: float
    """Where it fell."""


def draw_strip(roll: RollView) -> DrawnStrip | None:
    """The strip of a check, each cell as wide as it was likely; None if nobody knows what succeeds."""
    odds = roll.chances
    if odds is None or odds.success is None:
        return None
    if odds.at is not None:
        won = round(odds.success * SHARE_CELLS)
        # What was drawn just beside the chance must not stand on the other side of it.
        edge = won / SHARE_CELLS
        at = min(odds.at, edge - 0.01) if roll.outcome in SUCCESSES else max(odds.at, edge + 0.01)
        cells = [(1 / SHARE_CELLS, place < won) for place in range(SHARE_CELLS)]
        return _draw_cells(cells, min(max(at, 0.005), 0.995))
    if len(odds.totals) > CELLS_MAX or roll.total not in odds.totals:
        return None
    fell = odds.totals.index(int(roll.total))
    cells = [(share, outcome in SUCCESSES) for share, outcome in zip(odds.shares, odds.outcomes, strict=True)]
    return _draw_cells(cells, sum(odds.shares[:fell]) + odds.shares[fell] / 2)


def _draw_cells(cells: Sequence[tuple[float, bool]], at: float) -> DrawnStrip:
    drawn, left = [], 0.0
    for share, wins in cells:
        width = share * STRIP_WIDTH
        drawn.append((round(left, 1), round(max(width - 1.4, width / 2), 1), wins))
        left += width
    return DrawnStrip(tuple(drawn), round(at * STRIP_WIDTH, 1))


def place_on_arc(hour: float) -> tuple[float, float]:
    """Where the time of day stands: by day on an arc from six to six, by night on a lower one below it."""
    angle = math.pi * (1 - (hour - 6) / 12)
    height = 46 if math.sin(angle) >= 0 else 28
    return round(124 + 118 * math.cos(angle), 1), round(56 - height * math.sin(angle), 1)


def pad_rows(rows: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The rows of a table, all of one length."""
    return list(zip(*zip_longest(*rows, fillvalue=""), strict=True))


def _split_words(name: str) -> list[str]:
    """Words with the space after them; characters of Chinese one by one."""
    words = [""]
    for char in name:
        wide = east_asian_width(char) in "WF"
        if words[-1] and (wide or words[-1][-1] == " " or east_asian_width(words[-1][-1]) in "WF"):
            words.append("")
        words[-1] += char
    return words


def _cut(line: str, *, last: bool) -> str:
    while _cells(line) > NAME_CELLS_MAX:
        line = line[:-1]
        last = True
    return f"{line}…" if last else line


def _cells(text: str) -> int:
    return sum(2 if east_asian_width(char) in "WF" else 1 for char in text)
