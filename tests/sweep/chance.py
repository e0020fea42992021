"""Chance: a chi-square test over many draws of each die, at both ends of the curve.

Draws that are spread too evenly are as suspicious as draws that are not spread enough.
"""

from collections import Counter
from collections.abc import Callable
from math import sqrt

from talewright.kernel.chance import Fate
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_rolls import roll

DICE = ("d2", "d3", "d4", "d6", "d8", "d10", "d12", "d20", "d100", "d1000", "dF")

DRAWS = 1_000_000
"""Draws of one die."""

SIGMAS = 4.0
"""How far the chi-square may lie from where it is expected, on the scale of a normal curve."""

FULL_COUNT = len(DICE)
"""Dice."""

CHUNK = 1


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Check `count` dice, beginning with the one that belongs to the seed."""
    for done in range(count):
        check(DICE[(seed + done) % len(DICE)], seed, DRAWS)
        if progress is not None:
            progress(done + 1)
    return count


def check(die: str, seed: int, draws: int) -> None:
    """Draw, and look how the faces are spread. A Fate die is rolled, since its faces are not those drawn."""
    fate = Fate(f"chance {die}".encode(), seed)
    if die == "dF":
        dice, faces = parse(die), range(-1, 2)
        fallen = Counter(roll(dice, fate).total for _ in range(draws))
    else:
        faces = range(1, int(die[1:]) + 1)
        fallen = Counter(fate.draw(len(faces)) for _ in range(draws))
    assert set(fallen) <= set(faces), f"seed {seed}: a {die} showed {sorted(fallen)}"
    expected = draws / len(faces)
    chi_square = sum((fallen[face] - expected) ** 2 / expected for face in faces)
    distance = normal_distance(chi_square, len(faces) - 1)
    assert abs(distance) <= SIGMAS, f"seed {seed}: {die} has chi-square {chi_square}, {distance} sigmas off"


def normal_distance(chi_square: float, freedom: int) -> float:
    """Where a chi-square lies on the normal curve, after Wilson and Hilferty."""
    spread = 2 / (9 * freedom)
    return float(((chi_square / freedom) ** (1 / 3) - (1 - spread)) / sqrt(spread))
