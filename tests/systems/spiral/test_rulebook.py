"""The rulebook: rules read from the top of `prompt.md`, every mistake at its place."""

from pathlib import Path

import pytest

from talewright.systems.spiral.oracle import DEFAULT_ORACLE, FlushOn, OracleAnswer, OracleEffect
from talewright.systems.spiral.rulebook import (
    ClockTick,
    CompanionDice,
    ConditionsEndedBy,
    SpiralRulebook,
    TagRelevance,
    find_prompt,
    front_of,
    parse_file,
    read_rulebook,
    rules_in_force,
)
from talewright.systems.spiral.slots import FRONT_LENGTH_MAX, PROMPT_LENGTH_MAX

GOOD = """---
# The rules as data.
oracle:
  6: {word: "Yes, and #1", effects: [remove_glitch]}
  5: {word: 'Clean "yes"', effects: []}
  2: {word: "No...", effects: [flush, condition, flush]}   # hard
flush_on: botch        # only then
tick: half_day
companion_dice: told

relevance: strict
conditions: story
---

# The Book

---
Text.
"""


def test_everything_that_is_said_is_read() -> None:
    book, faults = read_rulebook(GOOD)
    assert faults == ()
    assert book.oracle.answers == {
        **DEFAULT_ORACLE.answers,
        6: OracleAnswer("Yes, and #1", (OracleEffect.REMOVE_GLITCH,)),
        5: OracleAnswer('Clean "yes"'),
        2: OracleAnswer("No...", (OracleEffect.FLUSH, OracleEffect.CONDITION)),
    }
    assert (book.flush_on, book.tick) == (FlushOn.BOTCH, ClockTick.HALF_DAY)
    assert (book.companion_dice, book.relevance) == (CompanionDice.TOLD, TagRelevance.STRICT)
    assert book.conditions is ConditionsEndedBy.STORY
    assert book.text == "# The Book\n\n---\nText."
    assert book.table.read(2).effects == (OracleEffect.CONDITION,)


@pytest.mark.parametrize("text", ["", "# Only words\n", "---\n---\nwords", "--- \r\n---\r\n"])
def test_what_is_not_said_is_as_in_the_original_design(text: str) -> None:
    book, faults = read_rulebook(text)
    assert faults == ()
    assert book == SpiralRulebook(text=book.text)


MISTAKES = [
    ("flush: botch", "spiral-field", 1, "there is no rule `flush`", "Did you mean `flush_on`?"),
    (
        "zzz: 1",
        "spiral-field",
        1,
        "there is no rule `zzz`",
        "There is oracle, flush_on, tick, companion_dice, relevance, conditions.",
    ),
    ("flush_on:  never", "spiral-value", 12, "`flush_on` cannot be `never`", "It is failure or botch."),
    ("conditions: never", "spiral-value", 13, "`conditions` cannot be `never`", "It is resist or story."),
    ("tick:", "spiral-value", 6, "`tick` cannot be ``", "It is day or half_day."),
    ("tick: day\ntick: day", "spiral-twice", 1, "`tick` is said twice", "Delete one of the two."),
    ("oracle:\n  7: {word: a}", "spiral-oracle", 3, "this is no line of the oracle", "Write it like"),
    ('oracle:\n  7: {word: "a"}', "spiral-oracle", 3, "a die has no face 7", "The faces are 1 to 6."),
    (
        'oracle:\n  6: {word: "a"}\n  6: {word: "b"}',
        "spiral-oracle",
        3,
        "the face 6 is answered twice",
        "Delete one of the two.",
    ),
    (
        'oracle:\n  6: {word: ""}',
        "spiral-oracle",
        3,
        "the word of 6 has 1 to 60 characters",
        "Write it like",
    ),
    (
        'oracle:\n  6: {word: "a", effects: [flush, heal]}',
        "spiral-oracle",
        35,
        "there is no effect `heal`",
        "There is remove_glitch, add_glitch, flush, condition.",
    ),
    ("oracle: [1]", "spiral-oracle", 1, "each answer of the oracle has a line of its own", "Write it like"),
    ("  tick: day", "", 0, "", ""),
]


@pytest.mark.parametrize(("front", "code", "column", "message", "hint"), MISTAKES)
def test_a_mistake_is_told_at_its_place(front: str, code: str, column: int, message: str, hint: str) -> None:
    _, faults = read_rulebook(f"---\n{front}\n---\n", "games/solo/prompt.md")
    if not code:
        assert faults == ()
        return
    (fault,) = faults
    line = 1 + len(front.split("\n"))
    assert (fault.code, str(fault.place), fault.message) == (
        code,
        f"games/solo/prompt.md:{line}:{column}",
        message,
    )
    assert fault.suggestion.startswith(hint)


def test_rules_must_be_closed_and_short() -> None:
    _, (fault,) = read_rulebook("---\ntick: day\n")
    assert (fault.code, fault.message) == ("spiral-open", "the rules are not closed")
    _, (fault,) = read_rulebook("---\n" + "# x\n" * FRONT_LENGTH_MAX)
    assert (fault.code, fault.message) == ("spiral-front", "the rules have more than 4000 characters")
    _, (fault,) = read_rulebook("x" * (PROMPT_LENGTH_MAX + 1))
    assert (fault.code, str(fault.place)) == ("spiral-long", "prompt.md:1:1")


def test_a_file_is_handed_on_whole() -> None:
    assert parse_file(GOOD, "prompt.md") == ({"text": GOOD}, ())
    assert parse_file("---\nzzz: 1\n---\n", "prompt.md")[1][0].place.line == 2


def test_the_prompt_is_found_in_its_language() -> None:
    files = {"prompt.md": {"text": "a"}, "texts/zh-CN/prompt.md": {"text": "b"}}
    assert find_prompt(files, "zh-CN") == "b"
    assert find_prompt(files, "en") == "a"
    assert find_prompt({}, "en") == ""


def test_a_campaigns_own_rules_hold_and_broken_ones_leave_those_from_before() -> None:
    files = {"prompt.md": {"text": "---\ntick: half_day\n---\nfile"}}
    assert rules_in_force({"prompt": "", "rules": ""}, files, "en").tick is ClockTick.HALF_DAY
    assert rules_in_force({"prompt": "mine", "rules": ""}, files, "en") == SpiralRulebook(text="mine")
    broken = {"prompt": "---\ntick: never\n---\nnew words", "rules": "---\nrelevance: strict\n---"}
    assert rules_in_force(broken, files, "en") == SpiralRulebook(
        relevance=TagRelevance.STRICT, text="new words"
    )


def test_the_front_is_cut_out_with_its_fences() -> None:
    assert front_of("---\na\n---\nb") == "---\na\n---"
    assert front_of("---\na") == ""
    assert front_of("a\n---\n---") == ""


def test_the_games_own_prompts_are_without_fault() -> None:
    for path in Path("games/solo").glob("**/prompt.md"):
        assert read_rulebook(path.read_text())[1] == ()
