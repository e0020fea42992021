"""Walks through Goblin Road at random: each ends, none meets a scene twice in a row outside of fights, half
last 25 turns.
"""

import statistics
from collections.abc import Callable
from functools import cache
from pathlib import Path

from talewright.kernel.game import Game
from talewright.pack.compiler import compile_folder
from talewright.systems import tabletop
from tests.games.walking import Walk, walk

FULL_COUNT = 10_000
CHUNK = 1_000
"""Walks whose median is taken; that of a hundred varies by several turns."""
MEDIAN_TURNS_MIN = 25

FOLDER = Path(__file__).parents[2] / "games" / "goblin_road"
FIGHT = "_fight"
"""How the scenes of fights are called, in which a walk stays for some turns."""


@cache
def goblin_road() -> Game:
    game = compile_folder(FOLDER, {"tabletop": tabletop.system()}).game
    assert game is not None
    return game


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Take `count` walks and look at each, and at their median."""
    walks: list[Walk] = []
    for number in range(count):
        taken = walk(goblin_road(), seed * FULL_COUNT + number)
        scenes = [scene for scene in taken.told if not scene.endswith(FIGHT)]
        assert len(scenes) == len(set(scenes)), f"walk {seed * FULL_COUNT + number} tells a scene twice"
        walks.append(taken)
        if progress:
            progress(number + 1)
    median = statistics.median(taken.turns for taken in walks)
    assert median >= MEDIAN_TURNS_MIN, f"seed {seed}: the median walk lasts {median} turns"
    return count
