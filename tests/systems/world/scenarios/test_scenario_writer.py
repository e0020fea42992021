"""The scenario writer: what goes in comes out again, and the player gets only what play has shown."""

import json
import random
import re
from typing import Any, cast

import pytest

from talewright.kernel.game import Game
from talewright.systems.world.people.knowledge import knowledge_of, word_fact
from talewright.systems.world.people.whereabouts import list_visible
from talewright.systems.world.scenarios.scenario_reader import read_scenario
from tests.systems.world.making import WORLD, Play, make_world
from tests.systems.world.random_worlds import carry_out, make_deeds, make_files, make_world_game
from tests.systems.world.scenarios.tankard import BARE, TANKARD, compile_scenario, only, spell, write_start


def write_now(play: Play, *, spoilers: bool) -> dict[str, Any]:
    return cast(dict[str, Any], WORLD.write_scenario(play.sight, spoilers=spoilers))


@pytest.mark.parametrize("scenario", [TANKARD, BARE])
def test_everything_comes_back(scenario: Any) -> None:
    compiled = compile_scenario(spell(scenario))
    assert compiled.faults == ()
    written = write_start(compiled)
    assert only(TANKARD, write_start(compile_scenario(spell(TANKARD)))) == TANKARD
    again = compile_scenario(spell(written))
    assert write_start(again) == written
    assert again.game is not None
    assert compiled.game is not None
    assert again.game.files["world"] == compiled.game.files["world"]


@pytest.mark.parametrize(
    "text",
    ["", "One line.", "Two\nlines.", "x" * 450, "word " * 900 + "end", "Ends so …", "{title} NAME_ID %s"],
)
def test_a_description_of_any_length_comes_back(text: str) -> None:
    written = write_start(compile_scenario(spell({**TANKARD, "description": text})))
    assert written["description"] == text


def test_play_is_in_the_file() -> None:
    play = Play(cast(Game, compile_scenario(spell(TANKARD)).game))
    play.end_turn()
    play.go("酒窖")
    play.do("discoverCharacter", characterName="Sera", introduction="From the dark.", goals="")
    play.do("noteFact", characters=["Sera"], fact="The traveller has a lamp.", source="told", by="player")
    play.wait(3, "Deep night")
    written = {**write_now(play, spoilers=True), "title": "Later"}
    assert written["playerStartingLocation"] == "酒窖"
    assert written["initialNarrativeTime"] == "Deep night"
    sera = next(one for one in written["characters"] if one["id"] == "sera")
    assert sera["isDiscovered"] is True
    assert sera["initialLocationName"] == "酒窖"
    (lamp,) = (one for one in sera["knowledge"] if one["content"] == "The traveller has a lamp.")
    assert lamp["acquiredAt"] > 0
    start = write_start(compile_scenario(spell(written)))
    assert only({"playerStartingLocation": "", "initialClock": ""}, start) == only(
        {"playerStartingLocation": "", "initialClock": ""}, written
    )


def test_the_player_gets_only_what_play_has_shown() -> None:
    compiled = compile_scenario(spell(TANKARD))
    written = write_start(compiled, spoilers=False)
    text = json.dumps(written, ensure_ascii=False)
    for secret in (
        "Sera",
        "冷。",
        "A signpost",
        "Keep the peace",
        "hoard",
        "nests",
        "dragon_",
        "0.3",
        "aliases",
    ):
        assert secret not in text, secret
    assert [one["name"] for one in written["characters"]] == ["You", "Grim"]
    (known,) = written["characters"][0]["knowledge"]
    assert known["content"] == "A dragon was seen."
    assert known["sourceCharacterId"] == written["characters"][1]["id"] == "person_1"
    assert compile_scenario(spell(written)).faults == ()


def test_places_of_the_same_name_are_told_apart() -> None:
    places = "- {id: a, name: Room, exits: [b]}\n- {id: b, name: room, exits: [a]}\n"
    files = {
        "world/places.yaml": places,
        "world/people.yaml": "",
        "world/facts.yaml": "",
        "world/rules.yaml": "",
    }
    written = write_now(Play(make_world(files)), spoilers=True)
    assert [one["name"] for one in written["locations"]] == ["Room", "room (2)"]
    assert written["locations"][0]["exits"] == [{"to": "room (2)"}]


@pytest.mark.parametrize("seed", range(30))
def test_every_world_at_every_moment_is_a_scenario(seed: int) -> None:
    """Also with improvised people and places: both files can be read again."""
    chance = random.Random(seed)
    files = make_files(chance)
    play = Play(make_world_game(files))
    for deed in make_deeds(chance, files, 12):
        carry_out(play, deed)
    everything = write_now(play, spoilers=True)
    scenario = read_scenario(spell({**everything, "title": "A world"}))
    assert len(scenario.people) == len(play.state.people) + 1
    assert len(scenario.places) == len(play.state.places)
    compiled = compile_scenario(spell({**everything, "title": "A world"}))
    assert compiled.faults == ()
    again = write_start(compiled)
    for name in ("locations", "playerStartingLocation", "initialClock"):
        assert again[name] == everything[name], name
    assert compile_scenario(spell({**write_now(play, spoilers=False), "title": "A world"})).faults == ()


@pytest.mark.parametrize("seed", range(30, 70))
def test_nothing_that_the_player_cannot_know_is_in_the_players_file(seed: int) -> None:
    """Every text and id of the author is unique here, so that it can be looked for."""
    chance = random.Random(seed)
    files = make_files(chance)
    for place in files["world/places.yaml"]:
        place["description"] = f"View of {place['id']}."
        place["also"] = [f"alias of {place['id']}"]
    for person in files["world/people.yaml"]:
        person["also"] = [f"alias of {person['id']}"]
    play = Play(make_world_game(files))
    for deed in make_deeds(chance, files, 12):
        carry_out(play, deed)
        if chance.random() < 0.2:
            play.end_turn(f"Somebody speaks of Name{chance.choice(list(play.state.people)).upper()}.")
    state, mine = play.state, write_now(play, spoilers=False)
    text = json.dumps(mine)
    known, here = knowledge_of(state, "player"), {one.id for one in list_visible(state)}
    for name, fact in state.world.facts.items():
        wordings = {fact.text, *fact.twists} - {word_fact(fact, known[name].twist) if name in known else ""}
        assert not any(wording and wording in text for wording in wordings), name
    for name, place in state.world.places.items():
        assert place.description not in text or name in state.part("visited") or name == state.at, name
    for name, person in state.world.people.items():
        seen = name in here or (not person.hidden and name in state.part("met"))
        assert f'"The person {name}."' not in text or seen, name
        assert f'"{person.name}"' not in text or name in state.part("met") or name in here, name
    assert "alias of" not in text
    assert "the goal of" not in text
    people = {one["name"]: one for one in mine["characters"] if not one["isPlayer"]}
    assert all(one["initialLocationName"] in ("", mine["playerStartingLocation"]) for one in people.values())
    ids = re.findall(r'"(?:id|characterId|sourceCharacterId)": "([^"]*)"', text)
    assert all(re.fullmatch(r"player|(person|fact)_\d+", name) for name in ids), ids
