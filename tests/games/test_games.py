"""The games that are shipped: no faults, every scene and ending reached, every walk ends."""

import asyncio
import time
from collections import Counter
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.pack.compiler import check_folder
from talewright.systems import odds, spiral, tabletop, world
from talewright.turn.inputs.player_inputs import Opening
from talewright.turn.records.commit_body import TurnBody
from tests.games.walking import endings_of, search, walk
from tests.processor_speed import measure_slowdown
from tests.sweep import walks
from tests.turn.making import lay_bench, play_edition

GAMES = Path(__file__).parents[2] / "games"
SEARCH_SECONDS_MAX = 60
WALKS_MIN = 300
CHECK_SECONDS_MAX = 1.0

SYSTEMS = {
    "odds": odds.system(),
    "spiral": spiral.system(),
    "tabletop": tabletop.system(),
    "world": world.system(),
}


def load(name: str) -> Game:
    compiled = check_folder(GAMES / name, SYSTEMS)
    assert compiled.faults == ()
    assert compiled.game is not None
    return compiled.game


load_once = cache(load)


@pytest.mark.parametrize(
    "name", ["mist_harbor", "lantern_road", "chapel_watch", "goblin_road", "dusty_tankard", "solo"]
)
def test_a_game_has_no_faults_and_is_checked_quickly(name: str) -> None:
    load_once(name)
    started = time.process_time()
    load(name)
    assert time.process_time() - started < CHECK_SECONDS_MAX * measure_slowdown()


# The scenes of solo are sought in `test_solo`: some of them only open once a storyteller has told a turn.
@pytest.mark.parametrize(
    ("name", "scenes_min"), [("mist_harbor", 40), ("lantern_road", 10), ("chapel_watch", 12)]
)
@pytest.mark.timeout(3 * SEARCH_SECONDS_MAX)
def test_every_scene_and_ending_is_reached(name: str, scenes_min: int) -> None:
    game = load_once(name)
    assert len(game.scenes) >= scenes_min
    survey = search(game, WALKS_MIN, SEARCH_SECONDS_MAX)
    print(f"{name}: {survey.states} states, seed 1")
    assert set(game.scenes) - set(survey.scenes) == set()
    assert endings_of(game) - set(survey.endings) == set()
    assert survey.dead_ends == []
    assert survey.repeats == []
    assert survey.refused == Counter()


def test_walks_through_mist_harbor_last_and_end() -> None:
    print("seed 1")
    assert walks.run(100, seed=1) == 100


@pytest.mark.parametrize(("name", "count"), [("lantern_road", 100), ("chapel_watch", 300)])
def test_walks_end_in_every_way_there_is(name: str, count: int) -> None:
    game = load_once(name)
    endings = {walk(game, seed).ending for seed in range(count)}
    assert endings == endings_of(game)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_lantern_road_tells_its_finale_as_it_opens(language: str) -> None:
    edition = play_edition("games/lantern_road")
    initial = edition.game.initial
    company = initial["company"]
    assert isinstance(company, Mapping)
    ready: dict[str, Json] = {**initial, "place": "high_door", "company": {**company, "guest": 3}}

    async def run() -> TurnBody:
        bench = await lay_bench(edition, document=ready, language=language)
        return await bench.commit(Opening(), "op")

    body = asyncio.run(run())
    told = edition.words(language).find("finale.at_the_door")
    assert told
    assert body.narration.endswith(f"\n\n{told}")
    assert [choice.id for choice in body.choices] == ["hold", "arm", "lamp"]
