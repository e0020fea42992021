"""What people know at the start: seen, heard from somebody, or worked out, as the author says."""

import pytest

from talewright.systems.world.people.knowledge import knowledge_of
from tests.systems.world.making import PEOPLE, RULES, Play, compile_world, make_world

HEARD = PEOPLE.replace(
    "  knows: [dragon]\n  relationships: {sera: 40, bran: -30}",
    "  heard: {dragon: sera, false_coins: somebody}\n  relationships: {sera: 40, bran: -30, player: 25}",
).replace("  knows: [false_coins]\n", "  knows: [false_coins]\n  inferred: [dragon]\n")
STARTED = RULES.replace(
    "narrative_time: Late afternoon", "narrative_time: Late afternoon, heard: {dragon: grim}"
).replace("A courier.", "A courier., goals: deliver the letter")


def test_sources_are_known_from_the_start() -> None:
    play = Play(make_world({"world/people.yaml": HEARD, "world/rules.yaml": STARTED}))
    grim = knowledge_of(play.state, "grim")
    assert [(one.fact, one.source, one.by) for one in grim.values()] == [
        ("dragon", "told", "sera"),
        ("false_coins", "told", ""),
    ]
    assert [(one.fact, one.source) for one in knowledge_of(play.state, "bran").values()] == [
        ("false_coins", "witnessed"),
        ("dragon", "inferred"),
    ]
    (known,) = knowledge_of(play.state, "player").values()
    assert (known.fact, known.source, known.by) == ("dragon", "told", "grim")
    assert play.state.relation("grim", "player") == 25
    assert play.state.world.rules.player.goals == "deliver the letter"
    assert "Sera" in "\n".join(play.notes())


@pytest.mark.parametrize(
    ("file", "text", "code"),
    [
        ("people", HEARD.replace("{dragon: sera,", "{dragn: sera,"), "world-fact"),
        ("people", HEARD.replace("{dragon: sera,", "{dragon: sara,"), "world-person"),
        ("people", HEARD.replace("inferred: [dragon]", "inferred: [dragn]"), "world-fact"),
        ("people", HEARD.replace("player: 25", "plaier: 25"), "world-person"),
        ("rules", STARTED.replace("heard: {dragon: grim}", "heard: {dragon: grimm}"), "world-person"),
        ("rules", STARTED.replace("heard: {dragon: grim}", "heard: [dragon]"), "world-value"),
    ],
)
def test_unknown_names_have_a_fault(file: str, text: str, code: str) -> None:
    (fault,) = compile_world({f"world/{file}.yaml": text}).faults
    assert fault.code == code
