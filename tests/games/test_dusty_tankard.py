"""The Dusty Tankard: every scene and ending is reached, people live, and rumours come by two mouths."""

import asyncio
import random
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

from talewright.common.json_values import Json
from talewright.kernel.chance import Fate
from talewright.kernel.game import Game
from talewright.kernel.state.state import Position, begin
from talewright.kernel.story.scene_rules import is_over
from talewright.pack.compiler import check_folder
from talewright.systems import world
from talewright.systems.world.authored.world_builder import build_world
from talewright.turn.inputs.player_inputs import Choose, Opening
from tests.games.walking import endings_of, options, search, take
from tests.kernel.scene_walk import Played, begin_story
from tests.turn.making import lay_bench, play_edition

FOLDER = Path(__file__).parents[2] / "games" / "dusty_tankard"
SECRET = b"a wet week at Pellow Lock"
SEARCH_SECONDS_MAX = 60
WALKS_MIN = 40
WALKERS = 10
TURNS = 200
TOLD_TURNS = 40


@cache
def tankard() -> Game:
    compiled = check_folder(FOLDER, {"world": world.system()})
    assert compiled.faults == ()
    assert compiled.game is not None
    return compiled.game


def read(position: Position, *path: str) -> Json:
    """A value, None where there is none."""
    value: Json = position.state.document
    for name in path:
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


class Playthrough:
    """Somebody who knows the game and plays it without a storyteller."""

    def __init__(self) -> None:
        self.game = tankard()
        self.turn: Played = begin_story(self.game, begin(self.game), Fate(SECRET, 1))

    @property
    def position(self) -> Position:
        return self.turn.position

    @property
    def scene(self) -> str:
        return self.turn.scene.id if self.turn.scene is not None else ""

    def do(self, *names: str) -> None:
        """Take choices of the scene, of the finale or of the world, one after another."""
        for name in names:
            offered = options(self.game, self.position)
            option = name if name in offered else f"world.{name}"
            assert option in offered, f"{name} is not among {offered} of {self.scene!r}"
            self.turn = take(self.game, self.position, option, Fate(SECRET, self.position.turn))

    def wait_for(self, scene: str) -> None:
        """Wait hour by hour until a scene opens."""
        for _ in range(60):
            if self.scene == scene:
                return
            self.do("wait")
        raise AssertionError(f"{scene} does not open; it is {self.scene!r}")

    def earn_elevenpence(self) -> None:
        """Dry pots and fetch wood until the letter can be paid for."""
        while self.scene != "elevenpence_down":
            offered = options(self.game, self.position)
            self.do(next(name for name in ("dry", "errand", "carry") if name in offered))


def test_the_town_has_its_size() -> None:
    files = tankard().files["world"]
    for language in ("en", "zh-CN"):
        town = build_world(files, language)
        people = [one for one in town.people.values() if one.id != "player"]
        assert len(town.places) == 8
        assert len(people) == 12
        assert all(one.description and one.goals and one.knows and one.relationships for one in people)
        assert {one.owner for one in town.agendas.values()} == {one.id for one in people}
        assert {one.id for one in people if one.hidden} == {"loft_man", "wick"}


@pytest.mark.slow
@pytest.mark.timeout(3 * SEARCH_SECONDS_MAX)
def test_every_scene_and_ending_is_reached() -> None:
    game = tankard()
    survey = search(game, WALKS_MIN, SEARCH_SECONDS_MAX)
    print(f"{survey.states} states, seed 1")
    assert set(game.scenes) - set(survey.scenes) == set()
    assert endings_of(game) - set(survey.endings) == set()
    assert survey.dead_ends == []
    assert survey.repeats == []
    assert not survey.refused


def test_the_letter_brings_him_in() -> None:
    """Letter, loft, forty yards: the hidden people and the hidden place are found on the way."""
    play = Playthrough()
    play.do("bed", "ask_ibby", "praise")
    play.earn_elevenpence()
    play.do("shelf")
    play.wait_for("reading")
    play.do("window", "go-lock")
    play.wait_for("wick")
    play.do("hat")
    play.wait_for("washing")
    play.do("basket")
    assert play.scene == "warm_straw"
    play.do("sit")
    met = read(play.position, "world", "met")
    assert isinstance(met, Mapping)
    assert {"loft_man", "wick"} <= met.keys()
    assert play.scene == "cross_the_road"
    play.do("dust", "go-lock", "go-taproom")
    play.wait_for("he_comes_in")
    play.do("door", "take_down")
    assert read(play.position, "_engine", "ending") == "elevenpence"


def test_the_pots_are_measured_once_the_brewer_has_called_in_the_debt() -> None:
    """The notice is put up by an agenda, while the player is elsewhere."""
    play = Playthrough()
    play.do("bed", "ask_ibby", "pot", "go-measure_house", "pint", "go-taproom", "go-cellar", "lift", "pour")
    assert read(play.position, "known", "pots") is True
    play.do("go-taproom", "go-lock")
    play.wait_for("washing")
    play.do("wring")
    play.wait_for("ducks_at_lock")
    play.do("ask", "go-brewery")
    play.wait_for("haythe_room")
    play.do("refuse", "read", "go-lock", "go-taproom")
    play.wait_for("notice")
    play.do("ask")
    play.wait_for("measuring")
    assert read(play.position, "world", "agendas", "nail_up_a_notice", "done") != -1
    play.do("ledger", "read_out")
    assert read(play.position, "_engine", "ending") == "the_towns_slate"


def walk(seed: int) -> Iterator[Position]:
    """Random turns, in a new game whenever one has ended."""
    game, choose = tankard(), random.Random(seed)
    secret = seed.to_bytes(16, "big")
    turn = begin_story(game, begin(game), Fate(secret, 1))
    for number in range(TURNS):
        offered = options(game, turn.position)
        assert len(offered) >= 2, f"seed {seed}, turn {number}"
        turn = take(game, turn.position, choose.choice(offered), Fate(secret, turn.position.turn))
        yield turn.position
        if is_over(turn.position):
            turn = begin_story(game, begin(game), Fate(secret, 1))


@pytest.mark.slow
def test_there_is_always_something_to_do_and_rumours_come_by_two_mouths() -> None:
    heard = 0
    for seed in range(WALKERS):
        *_, last = walk(seed)
        knowledge = read(last, "world", "knowledge", "player")
        for fact, row in knowledge.items() if isinstance(knowledge, Mapping) else ():
            teller = str(row["by"]) if isinstance(row, Mapping) else ""
            heard += read(last, "world", "knowledge", teller, fact, "source") == "told"
    print(f"{heard} rumours by two mouths, seeds 0 to {WALKERS - 1}")
    assert heard > 0


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_nothing_is_told_three_times_running(language: str) -> None:
    async def run(seed: int) -> list[str]:
        choose = random.Random(seed)
        bench = await lay_bench(play_edition("games/dusty_tankard"), language=language)
        body = await bench.commit(Opening(), "op-0")
        told = [body.narration]
        for number in range(TOLD_TURNS):
            if not body.choices:
                break
            body = await bench.commit(Choose(choose.choice(body.choices).id), f"op-{number + 1}")
            told.append(body.narration)
        return told

    for seed in (1, 2):
        told = asyncio.run(run(seed))
        assert all(told)
        for number in range(2, len(told)):
            assert not told[number] == told[number - 1] == told[number - 2], f"seed {seed}, turn {number}"
