"""Contracts under fire: generated answers at the reader of tools, text and calls cut at any byte.

The ordinary test in `tests/contract/test_tool_fire.py` runs the first of them.
"""

import random
from collections.abc import Callable
from dataclasses import replace

from talewright.contract.tools.dialect import ToolsDialect
from tests.contract.chapel import ground, tolled
from tests.contract.fire import SMALL_BYTES
from tests.contract.tool_shots import fire_calls, make_shot

FULL_COUNT = 20_000
"""Answers."""


def run(
    count: int, seed: int, progress: Callable[[int], None] | None = None, alone: int = SMALL_BYTES
) -> int:
    """Fire `count` answers; those of at most `alone` bytes are also cut at each byte alone."""
    grounds = (ground(), tolled(), tolled(), tolled(updates_only=True), tolled(moves_only=True))
    for number in range(count):
        rng = random.Random(f"{seed}:{number}")
        where = rng.choice(grounds)
        shot = make_shot(rng)
        silent = where.updates_only or where.moves_only
        try:
            fire_calls(ToolsDialect(), where, replace(shot, prose="") if silent else shot, rng, alone)
        except Exception as error:
            raise AssertionError(f"seed {seed}, number {number}: {error!r}") from error
        if progress:
            progress(number + 1)
    return count
