"""Scenes and places: what the scene becomes, and what is remembered of where it was."""

import pytest

from talewright.common.json_values import Json
from talewright.systems.spiral.slots import PLACES_MAX
from talewright.systems.spiral.tags import to_slug
from tests.systems.spiral.making import READY, call, end_turn, granted, read, refused, write


def test_the_scene_is_changed_and_given_back() -> None:
    said: dict[str, Json] = {
        "location": " The  Pit ",
        "set_positive": ["torchlight", "Torchlight", "rope"],
        "add_positive": ["a friend's call"],
        "remove_positive": ["rope"],
        "remove_negative": ["Patrol route"],
        "add_negative": ["slick walls"],
    }
    step = call("update_scene", said)
    scene = granted(step)["scene"]
    assert scene == {
        "location": "The Pit",
        "positive_tags": ["torchlight", "a friend's call"],
        "negative_tags": ["strong current", "slick walls"],
        "active_npcs": [],
    }
    assert read(step.position, "scene") == scene


def test_a_place_is_remembered_with_its_visits() -> None:
    there = call(
        "update_scene", {"location": "The Pit", "set_positive": ["rope"], "set_negative": []}
    ).position
    assert read(there, "spiral.places.the-pit") == {
        "name": "The Pit",
        "first_day": 1,
        "first_segment": 1,
        "visits": 1,
        "positive_tags": ["rope"],
        "negative_tags": [],
    }
    assert read(there, "spiral.here") == "the-pit"
    stays = call("update_scene", {"add_negative": ["dark"]}, position=there).position
    assert read(stays, "spiral.places.the-pit.visits") == 1
    assert read(stays, "spiral.places.the-pit.negative_tags") == ["dark"]
    away = call("update_scene", {"location": "The Ford"}, position=stays).position
    back = call("update_scene", {"location": "the pit"}, position=away).position
    assert read(back, "spiral.places.the-pit.visits") == 2
    assert list(read(back, "spiral.places")) == ["the-pit", "the-ford"]  # type: ignore[arg-type]  # an object


def test_the_oldest_place_is_forgotten_when_there_are_too_many() -> None:
    places: dict[str, Json] = {f"p{n}": {"name": f"P{n}"} for n in range(PLACES_MAX)}
    full = write(READY, {"spiral.places": places})
    step = call("update_scene", {"location": "The Pit"}, position=full)
    kept = read(step.position, "spiral.places")
    assert isinstance(kept, dict)
    assert len(kept) == PLACES_MAX
    assert "p0" not in kept
    assert "the-pit" in kept


def test_a_place_that_an_author_wrote_is_remembered_too() -> None:
    step = end_turn(READY)
    assert read(step.position, "spiral.here") == "wolf-clan-border"
    assert read(step.position, "spiral.places.wolf-clan-border.name") == "Wolf Clan border"
    assert end_turn(step.position).changes == ()


def test_those_present_go_along() -> None:
    here = call("update_npc", {"id": "gorm", "active": True}).position
    step = call("update_scene", {"location": "The Pit"}, position=here)
    assert read(step.position, "npcs.gorm.last_location") == "the-pit"
    assert read(step.position, "npcs.zogar-sag.last_location") == ""


@pytest.mark.parametrize(
    ("said", "reason"),
    [
        (
            {},
            "update_scene changes something: location, set_positive, set_negative, add_positive, "
            "add_negative, remove_positive, remove_negative",
        ),
        ({"location": ""}, "update_scene needs `location`: the name of the place"),
        ({"location": 3}, "update_scene needs `location`: the name of the place, not 3"),
        (
            {"location": "x" * 81},
            "update_scene: `location` has at most 80 characters; this one has 81",
        ),
        (
            {"remove_positive": ["shallow fort"]},
            "update_scene: `remove_positive`: there is no tag 'shallow fort'; there is `shallow ford`",
        ),
        (
            {"set_negative": [f"t{n}" for n in range(13)]},
            "update_scene: `set_negative`: at most 12 tags stand here, this would make 13; remove some first",
        ),
        ({"add_negative": [1]}, "update_scene: `add_negative`: a tag is a text of a few words, not 1"),
        (
            {"active_npcs": []},
            "update_scene has no `active_npcs`; it takes location, set_positive, set_negative, add_positive, "
            "add_negative, remove_positive, remove_negative",
        ),
    ],
)
def test_what_the_scene_does_not_take(said: dict[str, Json], reason: str) -> None:
    assert refused(call("update_scene", said)) == reason


@pytest.mark.parametrize(
    ("name", "slug"),
    [
        ("The Pit", "the-pit"),
        ("  Wolf/Clan: border!", "wolf-clan-border"),
        ("渡口 以北", "渡口-以北"),
        ("../../etc", "etc"),
        ("...", ""),
        ("a" * 59 + " b", "a" * 59),
    ],
)
def test_a_slug_is_a_plain_file_name(name: str, slug: str) -> None:
    assert to_slug(name) == slug


def test_a_place_without_letters_has_no_page() -> None:
    step = call("update_scene", {"location": "???"})
    assert read(step.position, "spiral.places") == {}


def test_whoever_is_here_already_does_not_go_anywhere() -> None:
    here = call("update_npc", {"id": "gorm", "active": True}).position
    step = call("update_scene", {"add_positive": ["a boat"]}, position=here)
    assert read(step.position, "npcs.gorm.last_location") == "wolf-clan-border"
    assert not [change.path for change in step.changes if change.path.startswith("/npcs")]
