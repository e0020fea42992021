"""Generated forgeries, swept: each is detected, or the page about the dice lists its place as not covered.

An example is a forgery: one place of one record changed, removed, swapped or added to, every hash recomputed.
In some, the engine also plays the forged turn again. Every kind of place has its turn.
"""

import random

from tests.play.verify.forgery_campaigns import open_workshop
from tests.play.verify.generated_forgeries import NotForgedError, Workshop, find_gap
from tests.sweep.parts import SEED, Progress

FULL_COUNT = 5_000
CHUNK = 50

TRIES_MAX = 200
"""Orders that may come to nothing before one does not."""

CONSEQUENCES_SHARE = 0.15
"""How often the engine plays the forged turn again."""


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Make so many forgeries in all campaigns."""
    return forge(open_workshop(), count, seed, progress)


def forge(workshop: Workshop, count: int, seed: int, progress: Progress | None = None) -> int:
    """Make so many forgeries, one order after the other from where the seed begins."""
    rng = random.Random(seed)
    orders = workshop.orders
    # The chunks of a sweep have consecutive seeds: each goes on where the one before has ended.
    at = (seed - SEED) * count % len(orders)
    for number in range(count):
        for _ in range(TRIES_MAX):
            order, at = orders[at % len(orders)], at + 1
            consequences = order[0].startswith("commit.body") and rng.random() < CONSEQUENCES_SHARE
            try:
                gap = find_gap(workshop.forge(order, rng, consequences=consequences))
            except NotForgedError:
                continue
            assert not gap, f"seed {seed}: {gap}"
            break
        else:
            raise AssertionError(f"seed {seed}: nothing could be forged")
        if progress:
            progress(number + 1)
    return count
