"""`talewright odds`: how likely each total of a roll is, exactly.

It rolls nothing.
"""

import argparse
import json
import sys
from fractions import Fraction
from shutil import get_terminal_size

from talewright.cli.histograms import INK, PLAIN_INK, draw_rows, make_rows, tell_percent
from talewright.cli.parsers import Commands
from talewright.cli.quotes import printable
from talewright.cli.refusals import tell_refusal
from talewright.kernel.dice.dice_odds import Distribution, distribution
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_tree import DiceError

FRACTION_MAX = 10**6
"""Largest denominator that is told as a fraction for people."""

EXACT_MAX = 10**100
"""Largest denominator that is written out in JSON; beyond it the decimal number stands alone."""


def add(commands: Commands) -> None:
    """Teach the parser this command."""
    parser = commands.add_parser(
        "odds",
        help="the exact odds of a roll",
        description="Work out how likely each total of a roll is, and how likely a target is met.",
        epilog="examples: talewright odds '2d6+3' --vs 10\n          talewright odds '4d6kh3' --json",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("dice", metavar="DICE", help="the roll, in quotes, as for talewright roll")
    parser.add_argument("--vs", type=int, metavar="N", help="the target: tell the chance of N or more")
    parser.add_argument("--json", action="store_true", help="print the odds as JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Work out and print."""
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
