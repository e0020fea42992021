"""Hostile games, swept: the first turns of generated games and saves, none of which may take 2 s.

How much such a turn delays those of other players is measured by `bench/hostile.py`.
"""

import asyncio

from tests.sweep.parts import Progress
from tests.turn.hostile_games import make_hostile, play_hostile

FULL_COUNT = 2_000
CHUNK = 20

CPU_SECONDS_MAX = 2.0
"""What a turn may take of the processor."""


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Play so many games."""
    for number in range(count):
        one = seed * CHUNK + number
        for turn in asyncio.run(play_hostile(make_hostile(one))):
            assert turn.cpu_seconds <= CPU_SECONDS_MAX, f"game {one}: {turn.cpu_seconds:.2f} s"
        if progress:
            progress(number + 1)
    return count
