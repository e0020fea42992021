"""Place resolution: exactly, by alias, by likeness, by a model that is sure enough, else a new name."""

import pytest

from talewright.common.json_schema import fits, read_schema
from talewright.common.json_values import Json
from talewright.kernel.judging.rulings import Errand
from talewright.systems.world.authored.world_builder import world_of
from talewright.systems.world.places.place_resolution import (
    ANSWER_SCHEMA,
    ASKED_MAX,
    ResolvedPlace,
    ask_place,
    canonical_name,
    find_place,
    take_answer,
)
from talewright.systems.world.time_words import world_phrases_in
from tests.systems.world.making import GAME, WORLD, Play, make_world

PLACES = world_of(GAME.files["world"], "en").places


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("The Dusty Tankard", "inn"),
        ("dusty tankard", "inn"),
        ("ＤＵＳＴＹ　ＴＡＮＫＡＲＤ", "inn"),
        ("inn", "inn"),
        ("back to the pub", "inn"),
        ("酒馆", "inn"),
        ("the dusty tankerd", "inn"),
        ("tankard, dusty", "inn"),
        ("the square", "square"),
        ("market sqare", "square"),
        ("into the cellar", "cellar"),
        ("the old mill", "mill"),
        ("the road behind the mill", ""),
        ("the harbour", ""),
        ("", ""),
    ],
)
def test_words_mean_a_place(said: str, meant: str) -> None:
    found = find_place(said, PLACES)
    assert (found.id if found else "") == meant


def test_two_places_of_one_name_are_not_guessed() -> None:
    game = make_world({"world/places.yaml": (
        "- {id: inn, name: The North Gate, exits: [square]}\n- {id: square, name: The South Gate}\n"
        "- {id: mill, name: Mill, also: [the gate]}\n- {id: cellar, name: Cellar, also: [the gate]}\n"
    )})  # fmt: skip
    places = world_of(game.files["world"], "en").places
    assert find_place("the gate", places) is None
    assert find_place("gate north", places) is places["inn"]


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ({"matchedClusterId": "mill", "canonicalName": "Mill", "confidence": 0.6}, ResolvedPlace("mill")),
        (
            {"matchedClusterId": "mill", "canonicalName": "The Weir", "confidence": 0.59},
            ResolvedPlace("", "The Weir"),
        ),
        (
            {"matchedClusterId": None, "canonicalName": "The Weir", "confidence": 1},
            ResolvedPlace("", "The Weir"),
        ),
        ({"matchedClusterId": "moon", "canonicalName": "old mill", "confidence": 1}, ResolvedPlace("mill")),
        (
            {"matchedClusterId": None, "canonicalName": " ", "confidence": 1},
            ResolvedPlace("", "Weir Below Town"),
        ),
        (None, ResolvedPlace("", "Weir Below Town")),
        ("mill", ResolvedPlace("", "Weir Below Town")),
    ],
)
def test_a_model_is_believed_from_0_6(answer: Json, expected: ResolvedPlace) -> None:
    assert take_answer("the weir below town", answer, PLACES) == expected


def test_a_name_is_made_from_words() -> None:
    assert canonical_name("down to the old bridge over the mill stream") == "Old Bridge Over The"
    assert canonical_name("a  glade") == "Glade"
    assert canonical_name("老桥") == "老桥"


def test_a_model_is_asked_about_a_few_places() -> None:
    rows = "".join(f"- {{id: p{number}, name: Place {number}}}\n" for number in range(99))
    places = world_of(make_world({"world/places.yaml": rows, **EMPTY}).files["world"], "en").places
    errand = ask_place("plaza", places, world_phrases_in("en"))
    assert errand.optional
    assert errand.question.count("(id: ") == ASKED_MAX
    fine: Json = {"matchedClusterId": None, "canonicalName": "Plaza", "confidence": 0.5}
    assert fits(fine, read_schema(ANSWER_SCHEMA))
    assert not fits({"canonicalName": "Plaza"}, read_schema(ANSWER_SCHEMA))


EMPTY = {"world/people.yaml": "", "world/rules.yaml": ""}


def test_a_move_to_an_unknown_place_asks_and_then_makes_it() -> None:
    play = Play()
    where: dict[str, Json] = {"destination": "the weir", "narrativeTime": "", "accompaniedBy": []}
    need = play.wait_for("moveToLocation", **where).need
    assert isinstance(need, Errand)
    assert play.own["at"] == "inn"
    sure: Json = {"matchedClusterId": "mill", "canonicalName": "Mill", "confidence": 0.9}
    assert play.do("moveToLocation", {need.id: sure}, **where)["place"] == "Old Mill"
    assert play.do("moveToLocation", {need.id: None}, **where)["place"] == "Weir"
    assert play.own["places"] == {"new_1": {"name": "Weir", "way": "mill"}}
    # The way back is known, and so is the place from now on.
    offered = [choice.label for choice in WORLD.choices(play.sight)]
    assert [label for label in offered if label.startswith("Go")] == ["Go to Old Mill"]
    play.go("mill")
    assert play.go("the weir")["place"] == "Weir"


def test_an_author_may_forbid_new_places() -> None:
    play = Play(make_world({"world/rules.yaml": "new_places: false\n"}))
    reason = play.refuse("moveToLocation", destination="the moon", narrativeTime="", accompaniedBy=[])
    assert reason == (
        "moveToLocation: there is no place 'the moon'; there is The Dusty Tankard, Market Square"
    )
