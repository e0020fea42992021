"""The scenario reader: every mistake is named with what would be right, and no file does any harm."""

import json
import random
import time
import tracemalloc
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest

from talewright.kernel.system import ScenarioError
from talewright.systems.world.scenarios.scenario_reader import SCENARIO_BYTES_MAX, read_scenario
from tests.systems.world.making import WORLD
from tests.systems.world.scenarios.tankard import BARE, TANKARD, compile_scenario, spell

SEED = 1904
MUTANTS = 200


def refuse(data: bytes) -> ScenarioError:
    with pytest.raises(ScenarioError) as caught:
        read_scenario(data)
    assert caught.value.hint
    return caught.value


def changed(**members: Any) -> bytes:
    return spell({**TANKARD, **members})


def with_person(**members: Any) -> bytes:
    people = [*TANKARD["characters"], {"name": "Bran", **members}]
    return changed(characters=people)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "the scenario is not JSON in UTF-8"),
        (b"\xff\xfe{}", "the scenario is not JSON in UTF-8"),
        (b"[1]", "the scenario is not a JSON object"),
        (b'{"title": NaN}', "NaN is not valid JSON"),
        (b"[" * 200_000, "the scenario is not JSON in UTF-8"),
        (b'{"a": ' * 200_000, "the scenario is not JSON in UTF-8"),
        (b'{"title": ' + b"9" * 10_000 + b"}", "the scenario is not JSON in UTF-8"),
        (b" " * (SCENARIO_BYTES_MAX + 1), "the scenario is larger than 4 MB"),
        (b"{}", "title is missing"),
        (b"{}", "locations needs at least one location with a name"),
        (changed(title=7), "title must be a text, not 7"),
        (changed(initialNarrativeTime="x" * 81), "initialNarrativeTime has 81 characters; at most 80"),
        (changed(title="x" * 101), "title has 101 characters; at most 100 are allowed"),
        (changed(locations={}), "locations must be a list, not an object"),
        (changed(locations=["inn"]), "locations[0] must be an object, not 'inn'"),
        (changed(locations=[{"name": "A"}, {"name": "a"}]), "locations[1].name is used twice: a"),
        (changed(locations=[{"name": "A", "aliases": [1]}]), "locations[0].aliases must be a list of texts"),
        (changed(locations=[{}] * 5_001), "locations has 5001 entries; at most 5000 are allowed"),
        (changed(playerStartingLocation="The Crossroad"), "do you mean The Crossroads?"),
        (changed(playerStartingLocation="Mars"), "there are: The Dusty Tankard, The Crossroads, 酒窖"),
        (changed(initialClock="soon"), "initialClock must be a time such as 16:30"),
        (changed(characters=[{"isPlayer": True}] * 2), "isPlayer is true for more than one character"),
        (with_person(name=""), "characters[3].name is missing"),
        (with_person(isPlayer="no"), "characters[3].isPlayer must be true or false, not 'no'"),
        (with_person(encounterChance=3), "encounterChance must be a number from 0 to 1, not 3"),
        (with_person(encounterChance=True), "encounterChance must be a number from 0 to 1, not true"),
        (with_person(initialLocationName="酒"), "characters[3].initialLocationName names no location: 酒"),
        (with_person(knowledge=[{}]), "characters[3].knowledge[0].content is missing"),
        (
            with_person(knowledge=[{"content": "x", "source": "dreamt"}]),
            "knowledge[0].source must be one of: witnessed, told, inferred",
        ),
        (
            with_person(relationships=[{"characterId": "Grimm"}]),
            "relationships[0].characterId names no character: Grimm; do you mean grim?",
        ),
    ],
)
def test_a_wrong_member_is_named(data: bytes, message: str) -> None:
    assert message in refuse(data).message


def test_all_problems_are_told_at_once_up_to_a_limit() -> None:
    lines = refuse(changed(characters=[7] * 40)).message.splitlines()
    assert len(lines) == 12
    assert lines[-1] == "  and 30 more"


def test_what_has_no_place_is_left_out_and_named() -> None:
    people = [{**person, "portrait": "x.png"} for person in BARE["characters"]]
    scenario = read_scenario(spell({**BARE, "music": "slow", "empty": [], "characters": people}))
    assert scenario.left_out == ("characters.portrait", "music")


def test_unknown_ways_make_neighbours_and_the_time_is_guessed() -> None:
    files = WORLD.read_scenario(spell(BARE)).files
    assert "exits: [the_crossroads, place_1]" in files["world/places.yaml"]
    assert 'time: "16:00"' in files["world/rules.yaml"]
    many = [{"name": f"Room {number}"} for number in range(40)]
    wide = WORLD.read_scenario(spell({"title": "Many", "locations": many})).files["world/places.yaml"]
    assert wide.count("room_0") == 1 + 39


@pytest.mark.parametrize(
    ("words", "clock"),
    [
        ("Noon", "12:00"),
        ("the afternoon", "14:00"),
        ("深夜", "22:00"),
        ("At 7:15 sharp", "7:15"),
        ("", "08:00"),
    ],
)
def test_the_clock_follows_the_words(words: str, clock: str) -> None:
    rules = WORLD.read_scenario(spell({**BARE, "initialNarrativeTime": words})).files["world/rules.yaml"]
    assert f'time: "{clock}"' in rules


def test_odd_names_become_good_ids() -> None:
    people = [
        {"name": name} for name in ("true", "no", "Player", "Grim", "Grim", "葛林", "3 Musketeers", "é")
    ]
    compiled = compile_scenario(
        spell({"title": "Ids", "locations": [{"name": "null"}], "characters": people})
    )
    assert compiled.game is not None, compiled.faults
    rows: Any = compiled.game.files["world"]["world/people.yaml"]
    assert [row["id"] for row in rows] == [
        *("true_2", "no_2", "player_2", "grim", "grim_2", "person_1", "musketeers", "e"),
    ]
    assert [row["name"] for row in rows] == [person["name"] for person in people]


@pytest.mark.slow
def test_a_large_scenario_is_read_in_bounded_time_and_memory() -> None:
    """Files at the limit: many equal facts, many unknown names, many tiny objects."""
    entry = {"content": "", "source": "told", "sourceCharacterId": "nobody"}
    knowing = [
        {"name": "A", "knowledge": [{**entry, "content": f"a b c d {who} {n}"} for n in range(40)]}
        for who in range(400)
    ]
    unknown = [
        {"name": "A", "relationships": [{"characterId": f"b{n}"} for n in range(70)]} for _ in range(500)
    ]
    files = (
        spell({"title": "T", "locations": [{"name": "A"}], "characters": knowing}),
        spell({"title": "T", "locations": [{"name": "A"}], "characters": unknown}),
        b'{"title":"T","locations":[' + b"{}," * 1_300_000 + b"{}]}",
    )
    for data in files:
        assert len(data) <= SCENARIO_BYTES_MAX
        tracemalloc.start()
        begun = time.process_time()
        with suppress(ScenarioError):
            WORLD.read_scenario(data)
        spent, (_, peak) = time.process_time() - begun, tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert spent < 20, spent
        assert peak < 150 * 1024 * 1024, peak


ODD: tuple[Any, ...] = (
    *(None, True, 0, -1, 1e308, 10**30, "", " ", "\x00\x1b[2J", "\ud800", "\ufffe\u2028\u202e", "x" * 3_000),
    *([], {}, [[]], [None], [{}], {"name": {}}, "- a: &b *c", "NAME_ID {title} %s", "'\"\\\n#:", "true"),
)


def mutate(chance: random.Random) -> bytes:
    """A scenario with some values replaced, removed or doubled, or with damaged bytes."""
    scenario = json.loads(json.dumps(TANKARD))
    for _ in range(chance.randint(1, 4)):
        spots: list[Callable[[], None]] = []
        _collect(scenario, chance, spots)
        chance.choice(spots)()
    data = bytearray(spell(scenario))
    if chance.random() < 0.3:
        for _ in range(chance.randint(1, 6)):
            data[chance.randrange(len(data))] = chance.randrange(256)
    return bytes(data[: chance.randrange(len(data))] if chance.random() < 0.1 else data)


def _collect(value: Any, chance: random.Random, spots: list[Callable[[], None]]) -> None:
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        odd = chance.choice(ODD)
        spots.append(lambda key=key, odd=odd: value.__setitem__(key, odd))  # type: ignore[misc]
        spots.append(lambda key=key: value.__delitem__(key))  # type: ignore[misc]
        if isinstance(value, list):
            spots.append(lambda key=key: value.append(value[key]))  # type: ignore[misc]
        _collect(value[key], chance, spots)


def test_mutated_files_give_a_game_or_an_error() -> None:
    """Whatever is accepted compiles without a fault."""
    print("seed", SEED)
    chance = random.Random(SEED)
    accepted = 0
    for number in range(MUTANTS):
        data = mutate(chance)
        try:
            compiled = compile_scenario(data)
        except ScenarioError:
            error = refuse(data)
            assert len(error.message.encode()) < 5_000, number
            continue
        assert compiled.game is not None, (number, compiled.faults, data)
        assert not compiled.faults, (number, compiled.faults)
        accepted += 1
    assert 20 < accepted < MUTANTS - 20
