"""Attacks by a game master outside, swept: every field it can fill, over and over.

An example is a campaign of a few turns in which everything that is handed in is hostile.
"""

from tests.injections.outside_attacks import attack_inn
from tests.sweep.parts import Progress

FULL_COUNT = 2_000


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Attack so many campaigns."""
    for number in range(count):
        wrong = attack_inn(f"{seed}:{number}").wrong
        assert not wrong, "; ".join(wrong[:3])
        if progress:
            progress(number + 1)
    return count
