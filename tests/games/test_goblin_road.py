"""Goblin Road: its rules in two languages, its fights by scenes alone, and every way it can end."""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import cast

import pytest

from talewright.common.json_values import Json
from talewright.kernel.chance import Fate
from talewright.kernel.game import Game
from talewright.kernel.state.state import Position, begin
from talewright.kernel.story.endings import Outcome
from talewright.kernel.story.game_texts import Texts
from talewright.kernel.story.scenes import Choice, Trial
from talewright.pack.compiler import check_folder
from talewright.systems import tabletop
from talewright.systems.tabletop.author_files import labels_of, rules_of
from tests.games.walking import Rigged, endings_of, options, search, take, walk
from tests.kernel.scene_walk import Played, begin_story
from tests.sweep import goblin_walks

FOLDER = Path(__file__).parents[2] / "games" / "goblin_road"
SCENE_WORDS = range(60, 171)
SCENE_CHARACTERS = range(80, 301)
SEARCH_SECONDS_MAX = 60
WALKS_MIN = 60


@cache
def load() -> tuple[Game, Mapping[str, Texts]]:
    """The game and its texts, compiled and linted by the first test that asks."""
    compiled = check_folder(FOLDER, {"tabletop": tabletop.system()})
    assert compiled.faults == ()
    assert compiled.game is not None
    return compiled.game, compiled.texts


def the_game() -> Game:
    return load()[0]


def choices() -> Iterator[tuple[str, Choice]]:
    for scene in the_game().scenes.values():
        for choice in scene.choices:
            yield f"scene.{scene.id}.{choice.id}", choice


def test_the_rules_are_the_same_in_both_languages() -> None:
    files = the_game().files["tabletop"]
    assert isinstance(files, Mapping)
    rules = rules_of(files)
    assert rules is not None
    assert rules.faults == ()
    assert (len(rules.book.attributes), len(rules.book.skills), len(rules.book.templates)) == (6, 7, 9)
    labels = labels_of(files, "zh-CN")
    assert set(labels.skills) == {skill.name for skill in rules.book.skills}
    assert set(labels.creatures) == {template.name for template in rules.book.templates}
    assert labels.creature("Road Goblin 2", "Road Goblin") == "筑路地精乙"
    assert labels.thing("Billhook") == "钩镰"
    assert labels.thing("bacon pasty") == "咸肉饼"
    assert labels.thing("silver pennies") == "银角"
    assert labels.thing("slashing") == "挥砍"


@pytest.mark.parametrize("calling", ["drover", "poacher", "clerk"])
def test_every_carter_has_the_sheet_of_the_rulebook(calling: str) -> None:
    rules = rules_of(the_game().files["tabletop"])
    assert rules is not None
    template = next(one for one in rules.book.templates if one.name.casefold() == calling)
    trial = next(choice.check for name, choice in choices() if name == f"scene.yard.{calling}")
    assert isinstance(trial, Trial)
    said = cast(Mapping[str, Mapping[str, Json]], trial.arguments)
    assert said["stats"] == dict(template.stats)
    assert said["skills"] == dict(template.skills)
    assert said["hp"]["max"] == template.hp
    assert trial.arguments["ac"] == template.ac
    started = start(calling)
    assert value(started.position, "tabletop.character.hp.current") == template.hp
    assert started.scene is not None
    assert started.scene.id == "loading"


def start(calling: str = "drover") -> Played:
    game = the_game()
    return take(game, begin_story(game, begin(game), Rigged(0.5)).position, calling, Rigged(0.5))


def value(position: Position, path: str) -> Json:
    found: Json = position.state.document
    for name in path.split("."):
        found = cast(Mapping[str, Json], found)[name]
    return found


def go(*ways: str, height: float = 1.0) -> Played:
    """Take these ways one after the other, with dice that all show the same height."""
    turn = start()
    for way in ways:
        turn = take(the_game(), turn.position, way, Rigged(height))
    return turn


TO_THE_GANG = ("brandy", "refuse", "marsh", "past")


def test_a_fight_offers_the_systems_moves_beside_the_stunts() -> None:
    fight = go(*TO_THE_GANG, height=0.5)
    assert fight.scene is not None
    assert fight.scene.id == "gang_fight"
    offered = options(the_game(), fight.position)
    assert offered[:3] == ["sand", "sorry", "heave"]
    attacks = ["tabletop.attack-road-goblin-1", "tabletop.attack-road-goblin-2"]
    assert offered[3:5] == attacks
    assert {"tabletop.defend", "tabletop.flee"} <= set(offered)


@pytest.mark.parametrize(
    ("way", "height", "outcome", "follows"),
    [
        ("sorry", 0.8, "won", "after_gang"),
        ("tabletop.flee", 0.8, "fled", "after_gang"),
    ],
)
def test_what_follows_a_fight_depends_on_how_it_ended(
    way: str, height: float, outcome: str, follows: str
) -> None:
    over = take(the_game(), go(*TO_THE_GANG, height=0.5).position, way, Rigged(height))
    assert value(over.position, "tabletop.combat.outcome") == outcome
    assert over.scene is not None
    assert over.scene.id == follows


def test_whoever_loses_a_fight_is_carried_on_once() -> None:
    turn = go(*TO_THE_GANG, height=0.0)
    for number in range(40):
        if value(turn.position, "tabletop.combat.active") is False:
            break
        # The player's dice are bad; those of the enemies come from elsewhere.
        turn = take(the_game(), turn.position, "tabletop.defend", Fate(bytes([9]), number))
    assert value(turn.position, "tabletop.combat.outcome") == "lost"
    assert turn.scene is not None
    assert turn.scene.id == "handcart"
    up = take(the_game(), turn.position, "thank", Rigged(0.5))
    assert value(up.position, "tabletop.character.hp.current") == 10
    assert value(up.position, "place") == "ford"
    assert value(up.position, "flags.carried") is True
    assert up.scene is not None
    assert up.scene.id == "ford"


@pytest.mark.slow
@pytest.mark.timeout(3 * SEARCH_SECONDS_MAX)
def test_every_scene_and_ending_is_reached() -> None:
    survey = search(the_game(), WALKS_MIN, SEARCH_SECONDS_MAX)
    print(f"{survey.states} states, seed 1")
    assert set(the_game().scenes) - set(survey.scenes) == set()
    assert endings_of(the_game()) - set(survey.endings) == set()
    assert survey.dead_ends == []
    assert {scene for scene in survey.repeats if not scene.endswith("_fight")} == set()
    assert survey.refused == Counter()


@pytest.mark.slow
def test_walks_last_an_evening_and_end() -> None:
    print("seed 1")
    assert goblin_walks.run(100, seed=1) == 100


def test_a_walk_that_once_stopped_at_the_quarry_goes_on() -> None:
    """Somebody ate there, after the sergeant had left without a fight."""
    assert walk(the_game(), 6_009_066).ending


def test_it_can_be_won_and_lost_in_many_ways() -> None:
    kinds = [ending.kind for ending in the_game().endings if not ending.finale]
    kinds += [route.kind for ending in the_game().endings for route in ending.finale]
    assert (kinds.count(Outcome.WIN), kinds.count(Outcome.LOSE)) == (7, 7)
    assert len(endings_of(the_game())) == 13


def test_no_stunt_is_tried_twice_and_no_trial_names_what_is_not_there() -> None:
    for name, choice in choices():
        if "_fight." in name:
            assert choice.when is not None, name
            assert "not in tried" in choice.when.source, name


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_every_choice_can_be_typed_in_other_words(language: str) -> None:
    texts = load()[1][language]
    assert [name for name, _ in choices() if not texts.lists.get(f"{name}.also")] == []


@pytest.mark.parametrize(("language", "lengths"), [("en", SCENE_WORDS), ("zh-CN", SCENE_CHARACTERS)])
def test_no_scene_is_too_short_or_too_long(language: str, lengths: range) -> None:
    entries = load()[1][language].entries
    told = {key: text for key, text in entries.items() if key.startswith("scene.") and ".text." in key}
    sizes = {
        key: len(text.split()) if language == "en" else len("".join(text.split()))
        for key, text in told.items()
    }
    assert {key: size for key, size in sizes.items() if size not in lengths} == {}
