"""Walks without a model and without scenes: there is always something to do, and it is told in words."""

import asyncio
import random

from talewright.kernel.game import Game
from talewright.turn.inputs.player_inputs import Choose, Opening, Say
from talewright.turn.turn_outcomes import OutcomeReason, Unspent
from tests.systems.world.making import GAME
from tests.turn.making import lay_bench, make_edition

TURNS = 60


async def walk(game: Game, seed: int) -> list[str]:
    """Take random choices; what was told."""
    chance = random.Random(seed)
    bench = await lay_bench(make_edition(game))
    body = await bench.commit(Opening(), "op-0")
    told = [body.narration]
    for number in range(1, TURNS + 1):
        assert len(body.choices) >= 3, f"seed {seed}, turn {number}"
        body = await bench.commit(Choose(chance.choice(body.choices).id), f"op-{number}")
        told.append(body.narration)
    return told


def test_a_world_without_a_scene_is_walked_through() -> None:
    for seed in range(4):
        told = asyncio.run(walk(GAME, seed))
        assert all(told)
        for number, text in enumerate(told[2:], 2):
            assert not text == told[number - 1] == told[number - 2], f"seed {seed}, turn {number}: {text}"


def test_the_same_walk_is_told_the_same_way() -> None:
    assert asyncio.run(walk(GAME, 9)) == asyncio.run(walk(GAME, 9))


def test_words_are_matched_to_what_is_offered() -> None:
    async def run() -> None:
        bench = await lay_bench(make_edition(GAME))
        opening = await bench.commit(Opening(), "op-0")
        assert opening.narration == "Low beams and a long fire. You see Grim."
        moved = await bench.commit(Say("go to the market square"), "op-1")
        assert "Stalls under striped cloth." in moved.narration
        assert await bench.value("world.at") == "square"
        unmatched = await bench.take(Say("I dance on the roof"), "op-2")
        assert unmatched == Unspent(OutcomeReason.UNMATCHED)
        assert await bench.value("world.tick") == 6

    asyncio.run(run())
