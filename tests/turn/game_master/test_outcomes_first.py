"""A game master gets the outcome of an input before narrating it: a share of all choices of every game."""

import asyncio
import random

import pytest

from talewright.chronicle.records import MAIN
from talewright.turn.game_master.master_brief import brief_master
from talewright.turn.inputs.player_inputs import Opening
from tests.sweep.authored_outcomes import (
    GAMES,
    NARRATION,
    check_choice,
    check_end,
    find_positions,
    read_situation,
)
from tests.turn.making import lay_bench, play_edition
from tests.turn.mastering import begin_master

WALKS = 4
CHOICES = 8


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_authored_passages_come_first(name: str) -> None:
    met = find_positions(name, WALKS)
    for scene, choice in random.Random(name).sample(sorted(met), CHOICES):
        check_choice(name, scene, choice, met[scene, choice])


@pytest.mark.parametrize("name", GAMES)
def test_the_opening_comes_with_the_intro_and_the_first_scene(name: str) -> None:
    edition = play_edition(f"games/{name}")
    texts = edition.words("")

    async def run() -> None:
        bench = await lay_bench(edition)
        brief = await brief_master(bench.road, MAIN)
        intro = texts.find("intro")
        assert not intro or intro in [one.text for one in brief.sections if one.name == "intro"]
        master = await begin_master(bench.road, MAIN, Opening(), "op")
        told = read_situation(master.opened)
        assert intro in told
        # The engine narrates it: nobody is told to do so.
        assert "[HAPPENED]" not in told
        await master.finish(NARRATION)
        await check_end(bench, texts, told)
        after = await brief_master(bench.road, MAIN)
        assert "intro" not in [one.name for one in after.sections]

    asyncio.run(run())
