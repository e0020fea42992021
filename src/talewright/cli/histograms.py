"""Histograms: the odds of a roll as rows that fit a terminal.

It draws what it is given and works out no odds of its own.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from talewright.kernel.dice.dice_odds import Distribution

COLUMNS = 80
"""Columns that a row fills at most."""

ROOM_MIN = 10
"""Columns that the longest bar has however narrow the terminal is."""

ROWS_MAX = 30
"""Rows that stand for one total or one step of totals each."""

TAIL = Fraction(1, 1000)
"""What is rarer than this at either end goes into one row when there are too many totals."""

ROUNDED_AWAY = Fraction(5, 100_000)
"""What percent with two places might show as nothing."""

INK = ("\u2588", "\u2592", "\u00b7")
"""A cell of a row that meets the target, of one that does not, and of one too short to draw."""

PLAIN_INK = ("#", "-", ".")
"""The same for terminals that know no more than ASCII."""


@dataclass(frozen=True, slots=True)
class Row:
    """Totals that are shown together."""

    label: str
    first: int
    """The least of them."""

    chance: Fraction


def make_rows(odds: Distribution, target: int | None) -> list[Row]:
    """One row a total, or a step of totals where there are too many; a step begins at the target."""
    items = odds.items()
    if len(items) <= ROWS_MAX:
        return [Row(str(total), total, chance) for total, chance in items]
    low, high = _middle(items)
    if target is not None and items[0][0] <= target <= items[-1][0]:
        low, high = min(low, target), max(high, target)
    step = -(-(high - low + 1) // ROWS_MAX)
    origin = low if target is None else target
    # Steps are numbered from the origin; those beyond the middle are gathered in one at either end.
    bottom, top = (low - origin) // step, (high - origin) // step
    groups: dict[int, Fraction] = {}
    for total, chance in items:
        place = min(max((total - origin) // step, bottom - 1), top + 1)
        groups[place] = groups.get(place, Fraction()) + chance
    rows = []
    for place, chance in groups.items():
        first = origin + place * step
        last = first + step - 1
        label = f"{first} to {last}" if step > 1 else str(first)
        if place < bottom:
            first, label = items[0][0], f"to {last}"
        elif place > top:
            label = f"from {first}"
        rows.append(Row(label, first, chance))
    return rows


def draw_rows(
    rows: list[Row], target: int | None, heading: str, columns: int, ink: tuple[str, ...]
) -> list[str]:
    """The rows as lines; above the first row that meets the target stands the heading."""
    met, missed, dot = ink
    percents = [tell_percent(row.chance) for row in rows]
    labels, shares = max(len(row.label) for row in rows), max(map(len, percents))
    room = max(ROOM_MIN, min(columns, COLUMNS) - labels - shares - 6)
    most = max(row.chance for row in rows)
    lines: list[str] = []
    headed = target is None
    for row, percent in zip(rows, percents, strict=True):
        meets = target is None or row.first >= target
        if meets and not headed:
            lines.append(heading)
            headed = True
        cells = round(room * row.chance / most)
        bar = (met if meets else missed) * cells or dot
        lines.append(f"  {row.label:>{labels}}  {percent:>{shares}}  {bar}")
    return lines if headed else [*lines, heading]


def tell_percent(chance: Fraction) -> str:
    """A chance in percent; what is not nothing or all is never rounded to it."""
    if 0 < chance <= ROUNDED_AWAY:
        return "<0.01%"
    if 1 - ROUNDED_AWAY <= chance < 1:
        return ">99.99%"
    return f"{float(100 * chance):.2f}%"


def _middle(items: tuple[tuple[int, Fraction], ...]) -> tuple[int, int]:
    """The totals between the two tails."""
    return _skip_tail(items), _skip_tail(items[::-1])


def _skip_tail(items: tuple[tuple[int, Fraction], ...]) -> int:
    passed = accumulate(chance for _, chance in items)
    return next(total for (total, _), so_far in zip(items, passed, strict=True) if so_far > TAIL)
