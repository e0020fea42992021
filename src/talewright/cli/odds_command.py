"""`talewright odds`: shows the exact odds of each total of a roll, as a histogram.

It rolls nothing; the kernel computes the odds.
"""

import argparse
import json
import sys
from fractions import Fraction
from itertools import accumulate
from shutil import get_terminal_size

from talewright.cli.command_options import add_json
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.terminal_text import printable, tell_refusal
from talewright.common.frozen_values import frozen
from talewright.kernel.dice.dice_odds import Distribution, distribution
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_tree import DiceError

COLUMNS = 80
"""Maximum columns of a row."""

ROOM_MIN = 10
"""Minimum columns of the longest bar, however narrow the terminal."""

ROWS_MAX = 30
"""Maximum rows, each for one total or a range of totals."""

TAIL = Fraction(1, 1000)
"""If there are too many totals, those at either end that are rarer than this share one row."""

ROUNDED_AWAY = Fraction(5, 100_000)
"""Chances below this could be shown as 0.00%."""

INK = ("\u2588", "\u2592", "\u00b7")
"""Characters for a row that meets the target, for one that does not, and for one too short to draw."""

PLAIN_INK = ("#", "-", ".")
"""The same for terminals that only support ASCII."""


@frozen
class HistogramRow:
    """Totals that share a row."""

    label: str
    first: int
    """The lowest of them."""

    chance: Fraction


def make_rows(odds: Distribution, target: int | None) -> list[HistogramRow]:
    """One row per total, or per range of totals if there are too many; a range starts at the target."""
    items = odds.items()
    if len(items) <= ROWS_MAX:
        return [HistogramRow(str(total), total, chance) for total, chance in items]
    low, high = _middle(items)
    if target is not None and items[0][0] <= target <= items[-1][0]:
        low, high = min(low, target), max(high, target)
    step = -(-(high - low + 1) // ROWS_MAX)
    origin = low if target is None else target
    # Ranges are numbered from the origin; those beyond the middle are combined into one at either end.
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
        rows.append(HistogramRow(label, first, chance))
    return rows


def draw_rows(
    rows: list[HistogramRow], target: int | None, heading: str, columns: int, ink: tuple[str, ...]
) -> list[str]:
    """The rows as lines, with the heading above the first row that meets the target."""
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
    """A chance in percent; only 0 and 1 are shown as 0% and 100%."""
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


FRACTION_MAX = 10**6
"""The largest denominator to show as a fraction."""

EXACT_MAX = 10**100
"""The largest denominator to write in JSON; above it, only the decimal number is given."""


def add_odds(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "odds",
        "Compute the exact odds of every total of a roll, and of reaching a target. Nothing is rolled.",
        "talewright odds '2d6+3' --vs 10",
        "talewright odds '4d6kh3' --json",
    )
    parser.add_argument(
        "dice", metavar="DICE", help="the dice, in quotes; talewright roll --help explains how to write them"
    )
    parser.add_argument("--vs", type=int, metavar="N", help="also show the chance of N or more")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Compute and print the odds."""
    text: str = arguments.dice
    try:
        odds = distribution(parse(text))
    except DiceError as error:
        return tell_refusal(text, error)
    if arguments.json:
        print(json.dumps(_report(text, odds, arguments.vs), indent=2, ensure_ascii=False))
    else:
        _tell(text, odds, arguments.vs)
    return 0


def _tell(text: str, odds: Distribution, target: int | None) -> None:
    low, high = odds.weights[0][0], odds.weights[-1][0]
    reach = f"always {low}" if low == high else f"{low} to {high}"
    print(
        f"{printable(text)}: {reach}, mean {_tell_number(float(odds.mean))}, "
        f"deviation {_tell_number(odds.deviation)}\n"
    )
    heading = "" if target is None else f"  --- {target} or more: {_tell_chance(odds.at_least(target))} ---"
    rows = make_rows(odds, target)
    print("\n".join(draw_rows(rows, target, heading, get_terminal_size().columns, _choose_ink())))


def _tell_chance(chance: Fraction) -> str:
    told = tell_percent(chance)
    if chance in (0, 1) or chance.denominator > FRACTION_MAX:
        return told
    return f"{told}, {chance.numerator} in {chance.denominator}"


def _tell_number(number: float) -> str:
    return f"{number:.2f}".rstrip("0").rstrip(".")


def _choose_ink() -> tuple[str, ...]:
    try:
        "".join(INK).encode(sys.stdout.encoding or "ascii")
    except UnicodeEncodeError:
        return PLAIN_INK
    return INK


def _report(text: str, odds: Distribution, target: int | None) -> dict[str, object]:
    report: dict[str, object] = {
        "dice": text,
        "mean": float(odds.mean),
        "deviation": odds.deviation,
        "totals": [{"total": total, **_write_chance(chance)} for total, chance in odds.items()],
    }
    if target is not None:
        report["at_least"] = {"target": target, **_write_chance(odds.at_least(target))}
    return report


def _write_chance(chance: Fraction) -> dict[str, float | str]:
    written: dict[str, float | str] = {"chance": float(chance)}
    if chance.denominator <= EXACT_MAX:
        written["exact"] = str(chance)
    return written
