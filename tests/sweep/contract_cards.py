"""Contracts under fire: generated answers at the reader of cards, cut at every byte or at random ones.

The ordinary test in `tests/contract/test_cards_fire.py` runs the first of them.
"""

import random
from collections.abc import Callable
from dataclasses import replace

from talewright.contract.cards.dialect import CardsDialect
from talewright.contract.dialect import AnswerGround
from talewright.kernel.state.state import begin
from tests.contract.cards_shots import make_shot
from tests.contract.fire import SMALL_BYTES, fire
from tests.kernel.making import boolean, integer, listing, make_game, make_layout, record, string

FULL_COUNT = 20_000
"""Answers."""


def make_ground(*, updates_only: bool = False, moves_only: bool = False) -> AnswerGround:
    """A small game to answer in."""
    slots = {"hp": integer(80, 0, 100), "flags": record(met=boolean()), "notes": listing(string())}
    game = make_game(make_layout(slots))
    return AnswerGround(game, begin(game), updates_only=updates_only, moves_only=moves_only)


def run(
    count: int, seed: int, progress: Callable[[int], None] | None = None, alone: int = SMALL_BYTES
) -> int:
    """Fire `count` answers; those of at most `alone` bytes are also cut at each byte alone."""
    grounds = (make_ground(), make_ground(), make_ground(updates_only=True), make_ground(moves_only=True))
    for number in range(count):
        rng = random.Random(f"{seed}:{number}")
        ground = rng.choice(grounds)
        shot = make_shot(rng)
        silent = ground.updates_only or ground.moves_only
        try:
            fire(CardsDialect(), ground, replace(shot, prose="") if silent else shot, rng, alone)
        except Exception as error:
            raise AssertionError(f"seed {seed}, number {number}: {error!r}") from error
        if progress:
            progress(number + 1)
    return count
