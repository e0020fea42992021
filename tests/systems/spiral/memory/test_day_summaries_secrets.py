"""Discretion: sentences that repeat something hidden are left out of a summary, and no others."""

import pytest

from talewright.common.json_values import Json
from talewright.systems.spiral.memory.day_summaries import NOTHING_LEFT, withhold
from tests.systems.spiral.making import GORM, READY, SPIRAL, sight, write

NOTES = "## Principles\n- The lamp keeper himself put it out, for a price.\n- Nobody counts the boats."
BOATS = "She rows out at night. She pays in salt. Nobody asks."
CHINESE = "灯是守灯人自己吹灭的，他收了港务局三袋盐，答应在大雾最浓的那一夜什么也不看见，什么也不记得。"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("They slept. It rained.", "They slept. It rained."),
        ("They slept. The lamp keeper himself put it out, for a price. It rained.", "They slept. It rained."),
        ("They slept. Тhe `lаmр` kеереr <b>himself</b> put it out. It rained.", "They slept. It rained."),
        (
            "They slept! THE LAMP *keeper* himself  put it\nout, for a price? It rained.",
            "They slept! It rained.",
        ),
        ("They heard that the lamp keeper himself put it out, for a price.", NOTHING_LEFT),
        (
            "The lamp keeper slept. Nobody counts the sheep.",
            "The lamp keeper slept. Nobody counts the sheep.",
        ),
        ('He said: "The lamp keeper himself put it out, for a price." She left.', "She left."),
        # A stretch that runs over two sentences takes both.
        ("One. She rows out at night. She pays in salt. Two.", "One. Two."),
        (f"他们睡了。{CHINESE}后来下雨了。", "他们睡了。后来下雨了。"),
        ("3.5 coins. No end", "3.5 coins. No end"),
        ("", NOTHING_LEFT),
    ],
)
def test_sentences_out_of_the_notes_are_left_out(text: str, kept: str) -> None:
    assert withhold(text, [NOTES, CHINESE, BOATS]) == kept


def test_it_is_the_guard_of_the_engine() -> None:
    hidden = "abcdefghijknopqrstuvwxyz"
    assert withhold(hidden[:19], [hidden]) == hidden[:19]
    assert withhold(hidden[:20], [hidden]) == NOTHING_LEFT
    assert withhold(CHINESE[:7], [CHINESE]) == CHINESE[:7]
    assert withhold(CHINESE[:8], [CHINESE]) == NOTHING_LEFT
    # Pieces of twelve letters that come to half of it.
    notes = "The lamp keeper himself put it out for a price that nobody counted"
    told = withhold(f"{notes[:18]} so. And {notes[24:44]} so. It rained.", [notes])
    assert told == "The lamp keeper hi so. It rained."
    # Two hidden texts do not make a third, and what is known is none.
    assert withhold(hidden, [hidden[:12], hidden[12:]]) == hidden
    assert withhold(hidden, [f"{hidden} more of it"], [hidden]) == hidden


def test_the_story_so_far_tells_nothing_of_the_notes_either() -> None:
    values: dict[str, Json] = {
        "meta.day": 12,
        "spiral.scratchpad": NOTES,
        "spiral.summaries": {str(day): f"of {day}" for day in range(1, 11)},
    }
    story = "They came. The lamp keeper himself put it out, for a price. They stayed."
    answer: Json = {"summaries": {"day_11": "Rain."}, "story_so_far": story}
    updates = SPIRAL.take("day-11", answer, sight(write(READY, values)))
    kept = {update.path: update.value for update in updates}
    assert kept["spiral.story_so_far"] == "They came. They stayed."


def test_names_that_stand_on_cards_stay_and_earlier_summaries_make_nothing_known() -> None:
    notes = "- Harbourmaster Bartholomew put out the lamp of Saint Brannock himself."
    person: dict[str, Json] = {**GORM, "name": "Harbourmaster Bartholomew"}
    values: dict[str, Json] = {
        "meta.day": 3,
        "spiral.scratchpad": notes,
        "spiral.summaries": {"1": notes},
        "npcs": {"bart": person},
    }
    told = "Harbourmaster Bartholomew was kind. He put out the lamp of Saint Brannock himself. It rained."
    answer: Json = {"summaries": {"day_2": told}}
    updates = SPIRAL.take("day-2", answer, sight(write(READY, values)))
    assert [update.value for update in updates][:1] == ["Harbourmaster Bartholomew was kind. It rained."]
