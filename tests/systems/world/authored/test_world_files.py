"""The author's files: every mistake has its place, and the nearest right name."""

import pytest

from talewright.errors import Fault
from talewright.systems.world.authored.authored_world import ScheduleEntry
from talewright.systems.world.authored.world_builder import world_of
from tests.systems.world.making import (
    FACTS,
    FILES,
    GAME,
    PEOPLE,
    PLACES,
    RULES,
    WORLD,
    compile_world,
    make_world,
)


def told(fault: Fault) -> str:
    return f"{fault.place.file}:{fault.place.line} {fault.code}: {fault.suggestion}"


def faults_of(file: str, text: str) -> list[str]:
    return [told(fault) for fault in compile_world({f"world/{file}.yaml": text}).faults]


@pytest.mark.parametrize(
    ("file", "text", "expected"),
    [
        ("places", PLACES + "- {id: tor, name: Tor, exit: [inn]}", "world-field: Write `exits`."),
        (
            "places",
            PLACES + "- {name: Inn}",
            "world-missing: Add `id`: an id of lower-case letters, digits and _.",
        ),
        (
            "places",
            PLACES + "- inn",
            "world-record: The fields are: id, name, also, description, exits, hidden.",
        ),
        ("places", PLACES + "- {id: inn, name: Inn}\n", "world-twice: Rename one of the two."),
        ("places", PLACES.replace("[square, {", "[squar, {"), "world-place: Write `square`."),
        (
            "places",
            PLACES.replace("ticks: 9", "ticks: soon"),
            "world-value: Write a whole number from 1 to 10000.",
        ),
        ("people", PEOPLE.replace("at: cellar\n", "at: celar\n"), "world-place: Write `cellar`."),
        ("people", PEOPLE.replace("[dragon]", "[dragn]"), "world-fact: Write `dragon`."),
        ("people", PEOPLE.replace("sera: 40", "sara: 40"), "world-person: Write `sera`."),
        ("people", PEOPLE.replace("[hide_coins]", "[hide_coin]"), "world-agenda: Write `hide_coins`."),
        (
            "people",
            PEOPLE.replace("moves: {bran: cellar}", "moves: {bran: sellar}"),
            "world-place: Write `cellar`.",
        ),
        ("people", PEOPLE.replace('"18:00"', "18"), "world-value: Write a time such as 06:30, in quotes."),
        ("people", PEOPLE.replace("0.5", "5"), "world-value: Write a number from 0 to 1."),
        ("people", PEOPLE.replace("id: ann", "id: player"), "world-player: Use world/rules.yaml for it."),
        (
            "people",
            PEOPLE.replace("id: ann", "id: Ann!"),
            "world-value: Write an id of lower-case letters, digits and _.",
        ),
        (
            "facts",
            FACTS.replace("trust: 50", "trust: 500"),
            "world-value: Write a whole number from -100 to 100.",
        ),
        ("facts", FACTS.replace("trust: 50", "about: [brann]"), "world-person: Write `bran`."),
        ("rules", RULES.replace("at: inn", "at: in"), "world-place: Write `inn`."),
        ("rules", RULES.replace("chance: 1", "chances: 1"), "world-field: Write `chance`."),
    ],
)
def test_a_mistake_is_told_at_its_place(file: str, text: str, expected: str) -> None:
    (fault,) = faults_of(file, text)[:1]
    place, _, rest = fault.partition(" ")
    assert rest == expected
    name, line = place.split(":")
    assert name == f"world/{file}.yaml"
    changed = [at for at, row in enumerate(text.split("\n"), 1) if row not in FILES[name].split("\n")]
    assert int(line) in changed


def test_a_file_is_a_list() -> None:
    assert "world/places.yaml:1 world-list: Start every entry with `- id: ...`." in faults_of(
        "places", "inn: 1"
    )


def test_a_world_needs_places() -> None:
    _, (fault,) = WORLD.read_yaml({})
    assert told(fault).startswith("world/places.yaml:1 world-places: Add it")
    compiled = compile_world({"world/places.yaml": ""})
    # An empty file has no places: everything that names one is wrong.
    assert compiled.game is None
    assert {fault.code for fault in compiled.faults} == {"world-place"}


def test_numbers_are_those_of_the_original_design() -> None:
    rules = world_of(make_world({"world/rules.yaml": ""}).files["world"], "en").rules
    assert (rules.message_ticks, rules.move_ticks) == (1, 5)
    assert (rules.prompt_knowledge, rules.prompt_events) == (3, 5)
    assert rules.start_at == "inn"


def test_texts_of_another_language_win_and_numbers_never() -> None:
    game = make_world(
        {
            "texts/zh-CN/world/places.yaml": "- {id: inn, name: 灰扑扑酒馆, description: 梁很低。}\n",
            "texts/zh-CN/world/people.yaml": (
                "- {id: bran, name: 布兰,"
                " agendas: [{id: hide_coins, outcome: {event: 布兰把一个口袋搬进地窖。}}]}\n"
            ),
            "texts/zh-CN/world/facts.yaml": "- {id: dragon, text: 有人看见了龙。}\n",
            "texts/zh-CN/world/rules.yaml": "player: {name: 信使}\nstart: {narrative_time: 午后}\n",
        }
    )
    world = world_of(game.files["world"], "zh-CN")
    assert world.places["inn"].name == "灰扑扑酒馆"
    assert world.places["inn"].exits == world_of(GAME.files["world"], "en").places["inn"].exits
    assert (world.people["bran"].name, world.people["grim"].name) == ("布兰", "Grim")
    assert world.facts["hide_coins"].text == "布兰把一个口袋搬进地窖。"
    assert world.agendas["hide_coins"].segments == 2
    assert (world.facts["dragon"].text, world.rules.player.name) == ("有人看见了龙。", "信使")
    assert world.rules.narrative_time == "午后"
    assert world_of(game.files["world"], "en").places["inn"].name == "The Dusty Tankard"


def test_numbers_in_a_translation_are_told() -> None:
    compiled = compile_world({"texts/zh-CN/world/people.yaml": "- {id: bran, at: inn}\n"})
    assert [fault.code for fault in compiled.faults] == ["world-field"]


def test_a_schedule_may_go_past_midnight_and_name_days() -> None:
    late = ScheduleEntry(18 * 60, 2 * 60, "inn", (4,))
    assert late.covers(4, 23 * 60)
    assert late.covers(5, 60)
    assert not late.covers(4, 60)
    assert not late.covers(5, 23 * 60)
    assert ScheduleEntry(0, 60, "inn").covers(9, 59)
    assert not ScheduleEntry(0, 60, "inn").covers(9, 60)
