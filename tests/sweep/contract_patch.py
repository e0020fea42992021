"""Contracts under fire: generated answers at the reader of patch bundles, cut at every or at random bytes.

The ordinary test in `tests/contract/test_patch_fire.py` runs the first of them.
"""

import random
from collections.abc import Callable
from dataclasses import replace

from talewright.contract.patch.dialect import PatchDialect
from tests.contract.chapel import ground, trying
from tests.contract.fire import SMALL_BYTES, fire
from tests.contract.patch_shots import make_shot

FULL_COUNT = 20_000
"""Answers."""


def run(
    count: int, seed: int, progress: Callable[[int], None] | None = None, alone: int = SMALL_BYTES
) -> int:
    """Fire `count` answers; those of at most `alone` bytes are also cut at each byte alone."""
    grounds = (ground(), trying(), trying(), trying(updates_only=True), trying(moves_only=True))
    for number in range(count):
        rng = random.Random(f"{seed}:{number}")
        where = rng.choice(grounds)
        shot = make_shot(rng)
        silent = where.updates_only or where.moves_only
        try:
            fire(PatchDialect(), where, replace(shot, prose="") if silent else shot, rng, alone)
        except Exception as error:
            raise AssertionError(f"seed {seed}, number {number}: {error!r}") from error
        if progress:
            progress(number + 1)
    return count
