"""Walks through Mist Harbor at random: each ends, none meets a scene twice in a row, half last 20 turns."""

import statistics
from collections.abc import Callable
from functools import cache
from pathlib import Path

from talewright.kernel.game import Game
from talewright.pack.compiler import compile_folder
from tests.games.walking import Walk, walk

FULL_COUNT = 10_000
CHUNK = 250
MEDIAN_TURNS_MIN = 20

FOLDER = Path(__file__).parents[2] / "games" / "mist_harbor"


@cache
def harbor() -> Game:
    game = compile_folder(FOLDER, {}).game
    assert game is not None
    return game


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Take `count` walks and look at each, and at their median."""
    walks: list[Walk] = []
    for number in range(count):
        taken = walk(harbor(), seed * FULL_COUNT + number)
        for before, after in zip(taken.scenes, taken.scenes[1:], strict=False):
            assert before != after, f"walk {seed * FULL_COUNT + number} meets {before} twice in a row"
        walks.append(taken)
        if progress:
            progress(number + 1)
    median = statistics.median(taken.turns for taken in walks)
    assert median >= MEDIAN_TURNS_MIN, f"seed {seed}: the median walk lasts {median} turns"
    return count
