"""Discretion: sentences that repeat something hidden are left out of a summary, and no others."""

import pytest

from talewright.systems.spiral.memory.day_summaries import NOTHING_LEFT, RUN_LETTERS, withhold

NOTES = "## Principles\n- The lamp keeper himself put it out, for a price.\n- Nobody counts the boats."
BOATS = "She rows out at night. She pays in salt. Nobody asks."
CHINESE = "灯是守灯人自己吹灭的，他收了港务局三袋盐，答应在大雾最浓的那一夜什么也不看见，什么也不记得。"


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("They slept. It rained.", "They slept. It rained."),
        ("They slept. The lamp keeper himself put it out, for a price. It rained.", "They slept. It rained."),
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


def test_a_stretch_has_its_length() -> None:
    hidden = "abcdefghijklmnopqrstuvwxyz0123456789"
    assert withhold(hidden[: RUN_LETTERS - 1], [hidden]) == hidden[: RUN_LETTERS - 1]
    assert withhold(hidden[:RUN_LETTERS], [hidden]) == NOTHING_LEFT
    assert withhold(hidden[-RUN_LETTERS:], [hidden]) == NOTHING_LEFT
    # Of Chinese half as many are enough, and a mixed stretch is weighed.
    assert withhold(CHINESE[:14], [CHINESE]) == CHINESE[:14]
    assert withhold(CHINESE[:15], [CHINESE]) == NOTHING_LEFT
    assert withhold(CHINESE[7:22], [CHINESE]) == NOTHING_LEFT
    assert withhold(hidden[-16:] + CHINESE[:7], [hidden + CHINESE]) == NOTHING_LEFT
    assert withhold(hidden[-15:] + CHINESE[:7], [hidden + CHINESE]) == hidden[-15:] + CHINESE[:7]
    # Two hidden texts do not make a third.
    assert withhold(hidden, [hidden[:20], hidden[20:]]) == hidden
