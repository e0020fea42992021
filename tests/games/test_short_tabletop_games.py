"""Two short games by other rules than d20: Night Ferry (PbtA) and The Paper Crown (Fate)."""

from functools import cache
from pathlib import Path

import pytest

from talewright.kernel.chance import Chance
from talewright.kernel.game import Game
from talewright.kernel.state.state import begin
from talewright.kernel.story.game_texts import Texts
from talewright.pack.compiler import check_folder
from talewright.systems import tabletop
from talewright.systems.tabletop.author_files import rules_of
from talewright.systems.tabletop.checks import CheckRule
from tests.games.walking import endings_of, search, take, walk
from tests.kernel.making import Scripted
from tests.kernel.scene_walk import begin_story

NAMES = ("night_ferry", "paper_crown")
SEARCH_SECONDS_MAX = 30
WALKS = 100
TURNS_MAX = 60


@cache
def load(name: str) -> tuple[Game, Texts]:
    compiled = check_folder(Path(__file__).parent / name, {"tabletop": tabletop.system()})
    assert compiled.faults == ()
    assert compiled.game is not None
    return compiled.game, compiled.texts["en"]


@pytest.mark.parametrize(
    ("name", "rule", "skills", "templates"),
    [("night_ferry", CheckRule.PBTA, 5, 2), ("paper_crown", CheckRule.FATE, 7, 2)],
)
def test_the_rulebook_is_understood(name: str, rule: CheckRule, skills: int, templates: int) -> None:
    rules = rules_of(load(name)[0].files["tabletop"])
    assert rules is not None
    assert rules.faults == ()
    assert rules.book.check is rule
    assert (len(rules.book.skills), len(rules.book.templates)) == (skills, templates)
    assert rules.ready_made is not None


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.timeout(3 * SEARCH_SECONDS_MAX)
def test_every_scene_and_ending_is_reached(name: str) -> None:
    game = load(name)[0]
    assert 6 <= len(game.scenes) <= 10
    survey = search(game, WALKS, SEARCH_SECONDS_MAX)
    assert set(game.scenes) - set(survey.scenes) == set()
    assert endings_of(game) - set(survey.endings) == set()
    assert survey.dead_ends == []


@pytest.mark.parametrize("name", NAMES)
def test_every_walk_ends(name: str) -> None:
    walks = [walk(load(name)[0], seed) for seed in range(WALKS)]
    assert max(taken.turns for taken in walks) < TURNS_MAX


def tell(name: str, ways: tuple[str, ...], chance: Chance) -> list[str]:
    """What the last of these ways is told by."""
    game, texts = load(name)
    turn = begin_story(game, begin(game), chance)
    for way in ways:
        turn = take(game, turn.position, way, chance)
    return [texts.get(key) for key in turn.texts]


@pytest.mark.parametrize(
    ("name", "way", "dice", "told"),
    [
        ("night_ferry", "look", (4, 4), "You know that bell."),
        ("night_ferry", "look", (2, 3), "the glass has cracked"),
        ("night_ferry", "look", (1, 1), "drops it in the river"),
        ("paper_crown", "sidle", (3, 2, 2, 2), "The door is oiled."),
        ("paper_crown", "sidle", (1, 2, 2, 2), "your left sleeve is not"),
        ("paper_crown", "sidle", (1, 1, 2, 2), "A hanger goes down"),
    ],
)
def test_three_results_of_a_check(name: str, way: str, dice: tuple[int, ...], told: str) -> None:
    assert told in tell(name, (way,), Scripted(*dice))[1]
