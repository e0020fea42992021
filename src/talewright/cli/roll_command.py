"""`talewright roll`: rolls dice in the terminal and shows every draw.

No game is involved. The seed is printed with --json, so any roll can be repeated.
"""

import argparse
import json
import secrets
from dataclasses import asdict

from talewright.cli.command_options import read_hex
from talewright.cli.help.help_texts import Commands, add_command
from talewright.cli.terminal_text import tell_refusal
from talewright.kernel.chance import Draw, Fate, commitment
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_rolls import Roll, roll
from talewright.kernel.dice.dice_tree import DiceError

TIMES_MAX = 10_000
"""Maximum rolls per command."""

SEED_BYTES = 32
"""Length of a generated seed."""

VERSION = 0
"""The version used for the draws; a command has no turns."""


def add_roll(commands: Commands) -> None:
    """Add this command to the parser."""
    parser = add_command(
        commands,
        "roll",
        "Roll dice and show every die.\n\n"
        "  2d6+3, (d8+1)*2    arithmetic; / divides and rounds down\n"
        "  d%, 4dF            d100; Fate dice with the faces -1, 0 and +1\n"
        "  4d6kh3, 4d6dl1     keep the three highest, drop the lowest; also kl and dh\n"
        "  d20adv, d20dis     the higher or the lower of two\n"
        "  6d6e6, 6d6!        each 6 adds another die; ! does so for the highest face\n"
        "  4d6ro1, 4d6ro<3    reroll each 1 once; reroll each face below 3 once\n"
        "  4d6mi2, 4d6ma5     faces below 2 count as 2; faces above 5 count as 5\n"
        "  6d10s>=8           count the dice that show 8 or more\n"
        "  2d6[fire]          a label",
        "talewright roll '4d6kh3' -n 6",
        "talewright roll 'd20adv+5' --json",
        "talewright roll -- '-d4'",
    )
    parser.add_argument("dice", metavar="DICE", help="the dice to roll, in quotes")
    parser.add_argument(
        "-n", "--times", type=_read_times, default=1, metavar="N", help="how many times to roll (default: 1)"
    )
    parser.add_argument(
        "--seed", type=read_hex, metavar="HEX", help="repeat a roll: the seed that --json printed"
    )
    parser.add_argument(
        "--json", action="store_true", help="print JSON for programs: rolls, seed, commitment and draws"
    )
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Roll and print the results."""
    text: str = arguments.dice
    try:
        dice = parse(text)
    except DiceError as error:
        return tell_refusal(text, error)
    seed: bytes = secrets.token_bytes(SEED_BYTES) if arguments.seed is None else arguments.seed
    fate = Fate(seed, VERSION)
    rolls = [roll(dice, fate) for _ in range(arguments.times)]
    if arguments.json:
        print(json.dumps(_report(text, seed, rolls, fate), indent=2, ensure_ascii=False))
    else:
        _tell(rolls)
    return 0


def _report(text: str, seed: bytes, rolls: list[Roll], fate: Fate) -> dict[str, object]:
    return {
        "dice": text,
        "rolls": [one.to_json() for one in rolls],
        "seed": seed.hex(),
        "commitment": commitment(seed),
        "draws": [_show_draw(draw) for draw in fate.draws],
    }


def _show_draw(draw: Draw) -> dict[str, object]:
    return {name: value for name, value in asdict(draw).items() if name != "name"}


def _tell(rolls: list[Roll]) -> None:
    if len(rolls) == 1:
        print(rolls[0])
        return
    digits = len(str(len(rolls)))
    for number, one in enumerate(rolls, 1):
        print(f"{number:>{digits}}. {one}")
    totals = [one.total for one in rolls]
    print(f"\nlowest {min(totals)}, highest {max(totals)}, average {sum(totals) / len(totals):.2f}")


def _read_times(text: str) -> int:
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= TIMES_MAX):
        raise argparse.ArgumentTypeError(f"expected a number from 1 to {TIMES_MAX}, not {text!r}")
    return int(text)
