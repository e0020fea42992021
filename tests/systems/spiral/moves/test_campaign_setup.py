"""Setup: what is taken down, what is warned of, what must be there before play begins."""

import pytest

from talewright.common.json_values import Json
from talewright.kernel.state.state import Position, advance
from tests.systems.spiral.making import FIRST, READY, SPIRAL, call, end_turn, granted, read, refused, sight
from tests.systems.spiral.moves.test_npcs import MIRA

KAEL: dict[str, Json] = {
    "name": "Kael",
    "concept": "A hunter",
    "inherent_tags": ["keen tracker", "father's longbow", "wilderness hardened"],
}
SECTIONS = ("Principles", "Active Threads", "Opening Scene")


def agree() -> Position:
    """Everything that the player agrees to."""
    position = call("set_genre", {"genre": "frontier fantasy"}, position=FIRST).position
    position = call("set_character", KAEL, position=position).position
    return call("set_companion", {"none": True}, position=position).position


def make_world(position: Position) -> Position:
    """Everything that the player does not see."""
    for name in SECTIONS:
        said = {"operation": "write", "section": name, "content": f"- of {name}"}
        position = call("scratchpad", said, position=position).position
    for name in ("mira", "gorm"):
        position = call("create_npc", {**MIRA, "id": name}, position=position).position
    return position


def test_what_is_agreed_is_taken_down() -> None:
    step = call("set_genre", {"genre": " frontier \n fantasy "}, position=FIRST)
    assert granted(step) == {"genre": "frontier fantasy"}
    step = call("set_character", KAEL, position=step.position)
    assert granted(step) == {
        "player": {**KAEL, "glitch_tags": [], "conditions": [], "resist": {"current": 2, "max": 2}}
    }
    assert read(step.position, "player.name") == "Kael"
    toren: dict[str, Json] = {"name": "Toren", "concept": "A sage", "inherent_tags": ["frail body"]}
    step = call("set_companion", toren, position=step.position)
    assert granted(step) == {"gm_pc": {**toren, "glitch_tags": [], "conditions": []}}
    assert read(step.position, "gm_pc") == {**toren, "glitch_tags": [], "conditions": []}
    alone = call("set_companion", {"none": True}, position=step.position)
    assert granted(alone) == {"gm_pc": None}
    assert read(alone.position, "gm_pc") is None


@pytest.mark.parametrize(
    ("count", "warning"),
    [
        (2, "Few tags (2): the dice will be hard. Warn the player, then let them choose."),
        (3, None),
        (5, None),
        (6, "Many tags (6): 3 to 5 are usual. Ask which ones matter."),
    ],
)
def test_too_few_and_too_many_tags_are_warned_of(count: int, warning: str | None) -> None:
    said = {**KAEL, "inherent_tags": [f"t{n}" for n in range(count)]}
    assert granted(call("set_character", said, position=FIRST)).get("warning") == warning


@pytest.mark.parametrize(
    ("tool", "said", "reason"),
    [
        ("set_genre", {}, "set_genre needs `genre`: the world and its tone, in a sentence"),
        ("set_character", {**KAEL, "name": ""}, "set_character needs `name`: what they are called"),
        (
            "set_character",
            {**KAEL, "concept": None},
            "set_character needs `concept`: who they are, in a line",
        ),
        (
            "set_character",
            {**KAEL, "inherent_tags": []},
            "set_character needs `inherent_tags`: a list of 3 to 5 tags",
        ),
        (
            "set_character",
            {**KAEL, "inherent_tags": [f"t{n}" for n in range(9)]},
            "set_character: `inherent_tags`: at most 8 tags stand here, this would make 9; remove some first",
        ),
        ("set_companion", {}, "set_companion needs `inherent_tags`: a list of 3 to 5 tags"),
        ("set_companion", {"none": "yes"}, "set_companion: `none` is true or false, not 'yes'"),
    ],
)
def test_what_cannot_be_taken_down(tool: str, said: dict[str, Json], reason: str) -> None:
    assert refused(call(tool, said, position=FIRST)) == reason


def test_setup_ends_when_everything_is_there() -> None:
    position = make_world(advance(agree()))
    step = call("finish_setup", {}, position=position)
    assert granted(step) == {"setup_complete": True}
    assert read(step.position, "meta.setup_complete") is True
    assert read(step.position, "spiral.segment_starts") == [3]
    assert read(step.position, "spiral.day_start") == 3
    told = end_turn(step.position).position
    assert read(told, "spiral.opened") is False
    assert SPIRAL.phase(sight(advance(told))).opens is True
    opened = end_turn(advance(told)).position
    assert read(opened, "spiral.opened") is True
    assert SPIRAL.phase(sight(advance(opened))).opens is False


def test_few_tags_are_warned_of_at_the_end_again() -> None:
    few = call("set_character", {**KAEL, "inherent_tags": "brave"}, position=agree()).position
    position = make_world(advance(few))
    assert "Few tags (1)" in str(granted(call("finish_setup", {}, position=position))["warning"])


def test_everything_that_is_missing_is_named() -> None:
    assert refused(call("finish_setup", {}, position=FIRST)) == (
        "finish_setup: something is missing yet: what kind of story it is (set_genre); "
        "the player's character (set_character); "
        "whether somebody goes along (set_companion, with none: true for nobody); "
        "the section `Principles` (scratchpad); the section `Active Threads` (scratchpad); "
        "the section `Opening Scene` (scratchpad); "
        "2 people or factions with goals, now 0 (create_npc)"
    )


def test_the_player_must_have_seen_the_sheet() -> None:
    assert refused(call("finish_setup", {}, position=make_world(agree()))) == (
        "finish_setup: something is missing yet: the player's yes to the sheet, which this turn has changed "
        "(show it, wait for the answer)"
    )


def test_an_empty_section_is_missing() -> None:
    position = make_world(advance(agree()))
    said = {"operation": "write", "section": "Principles", "content": ""}
    position = call("scratchpad", said, position=position).position
    assert "the section `Principles`" in refused(call("finish_setup", {}, position=position))


def test_each_phase_has_its_tools() -> None:
    assert refused(call("roll_check", {}, position=FIRST)).startswith("'roll_check' cannot be called now")
    assert refused(call("set_genre", {"genre": "x"})).startswith("'set_genre' cannot be called now")
    setup, play = SPIRAL.phase(sight(FIRST)), SPIRAL.phase(sight(READY))
    assert (setup.name, play.name) == ("setup", "play")
    assert setup.text.startswith("# Before the story")
    assert SPIRAL.phase(sight(FIRST, "zh-CN")).text.startswith("# 开篇之前")
    assert play.text == "# The Book\n\nBe fair."
    assert play.tools is not None
    assert len(play.tools) == 10
    assert (setup.opens, play.opens) == (False, False)


@pytest.mark.parametrize("language", ["en", "zh-CN"])
def test_the_setup_prompt_names_every_tool_and_section_that_is_needed(language: str) -> None:
    text = SPIRAL.phase(sight(FIRST, language)).text
    for word in ("set_genre", "set_character", "set_companion", "finish_setup", "create_npc", "scratchpad"):
        assert f"`{word}`" in text
    for name in SECTIONS:
        assert f"`{name}`" in text


def test_a_campaign_that_a_scene_makes_ready_is_opened_too() -> None:
    from_scene = call("set_genre", {"genre": "x"}, position=FIRST).position
    assert end_turn(from_scene).position.state.read(("spiral", "segment_starts")) == []
