"""Steps: the named difficulties of `odds.md`, and what can be wrong in it."""

import pytest

from talewright.common.json_values import Json
from talewright.systems.odds.rulebook import (
    DEFAULT_STEPS,
    NAME_LENGTH_MAX,
    STEPS_MAX,
    DifficultyStep,
    find_step,
    read_steps,
    steps_of,
)

PAGE = """# Difficulties

What the numbers mean stands beside them: nobody has to learn them by heart.

- easy: 0.2, in daylight, with time
*   hard : 0.6
- hopeless：blocked，门是石头
- nought: 0
"""


def read(text: str) -> tuple[DifficultyStep, ...]:
    rows, faults = read_steps(text, "odds.md")
    assert faults == ()
    return steps_of({"odds.md": rows})


def test_steps_are_read_from_the_lines_with_a_dash() -> None:
    assert read(PAGE) == (
        DifficultyStep("easy", 2_000, "in daylight, with time"),
        DifficultyStep("hard", 6_000),
        DifficultyStep("hopeless", None, "门是石头"),
        DifficultyStep("nought", 0),
    )
    assert [str(step) for step in read(PAGE)] == [
        "easy 0.2 (in daylight, with time)",
        "hard 0.6",
        "hopeless blocked (门是石头)",
        "nought 0",
    ]
    assert read(PAGE.replace("\n", "\r\n")) == read(PAGE)


FAULTS = {
    "": "odds.md:1:1 odds-none: Write it like `- hard: 0.6`.",
    "Only prose.": "odds.md:1:1 odds-none: Write it like `- hard: 0.6`.",
    "- easy": "odds.md:1:3 odds-step: Write it like `- hard: 0.6`.",
    "- easy:": "odds.md:1:3 odds-step: Write it like `- hard: 0.6`.",
    "- easy: , words": "odds.md:1:3 odds-step: Write it like `- hard: 0.6`.",
    "\n  - Very hard: 0.6": "odds.md:2:5 odds-name: Write it like `very_hard`.",
    "- 难: 0.6": "odds.md:1:3 odds-name: Write it like `very_hard`.",
    "- : 0.6": "odds.md:1:3 odds-name: Write it like `very_hard`.",
    f"- {'a' * (NAME_LENGTH_MAX + 1)}: 0.6": "odds.md:1:3 odds-name: Write it like `very_hard`.",
    "- easy: 1.01": "odds.md:1:9 odds-difficulty: Write it like `- hard: 0.6`.",
    "- easy:  -0.2": "odds.md:1:10 odds-difficulty: Write it like `- hard: 0.6`.",
    "- easy: 0.20001": "odds.md:1:9 odds-difficulty: Write it like `- hard: 0.6`.",
    "- easy: block": "odds.md:1:9 odds-difficulty: Write it like `- hard: 0.6`.",
    "- easy : 0.2 0.3": "odds.md:1:10 odds-difficulty: Write it like `- hard: 0.6`.",
    "- easy: 0.2\n- easy: 0.3": "odds.md:2:3 odds-twice: Delete one of the two, or change it.",
    "- easy: 0.2\n- soft: 0.20": "odds.md:2:3 odds-twice: Delete one of the two, or change it.",
    "- easy: 0.2\n hard: 0.6": "odds.md:2:2 odds-step: Write `- hard: 0.6`.",
    "- easy: 0.2\nhopeless：blocked": "odds.md:2:1 odds-step: Write `- hopeless：blocked`.",
}


@pytest.mark.parametrize("text", FAULTS, ids=range(len(FAULTS)))
def test_a_mistake_is_told_at_its_place(text: str) -> None:
    _, faults = read_steps(text, "odds.md")
    assert [f"{fault.place} {fault.code}: {fault.suggestion}" for fault in faults] == [FAULTS[text]]


def test_several_steps_may_be_blocked_and_there_is_a_limit() -> None:
    assert [step.difficulty for step in read("- a: blocked\n- b: blocked\n")] == [None, None]
    lines = [f"- s{number}: 0.{number:02}" for number in range(STEPS_MAX)]
    assert len(read("\n".join(lines))) == STEPS_MAX
    rows, faults = read_steps("\n".join([*lines, "- more: 0.9", "- most: 1"]), "odds.md")
    assert isinstance(rows, list)
    assert len(rows) == STEPS_MAX
    assert [fault.code for fault in faults] == ["odds-many"]


def test_messages_say_what_is_wrong() -> None:
    text = "- easy: 2\n- Hard: 0.6\n- a: 0.1\n- a: 0.3\nb: 0.4\n- c"
    _, faults = read_steps(text, "odds.md")
    assert [fault.message for fault in faults] == [
        "a difficulty is a number from 0 to 1 with at most four decimals, or `blocked`",
        "a step's name has at most 40 lower-case ASCII letters, digits and _",
        "`a` is the same as `a`: names and numbers must be unique",
        "this looks like a step but does not start with a dash",
        "this is not a step",
    ]


def test_a_game_without_the_file_has_steps_of_its_own() -> None:
    assert steps_of({}) == DEFAULT_STEPS
    assert [step.name for step in DEFAULT_STEPS] == ["easy", "moderate", "hard", "desperate", "impossible"]


FOUND: list[tuple[Json, str]] = [
    ("hard", "hard"),
    (" Hard ", "hard"),
    (0.6, "hard"),
    ("0.6", "hard"),
    (0.2, "easy"),
    (0, "nought"),
    ("hopeless", "hopeless"),
    (0.61, ""),
    ("harder", ""),
    ("blocked", ""),
    (None, ""),
    (True, ""),
    (["hard"], ""),
]


@pytest.mark.parametrize(("said", "name"), FOUND, ids=range(len(FOUND)))
def test_a_step_is_found_by_name_and_by_number(said: Json, name: str) -> None:
    step = find_step(read(PAGE), said)
    assert ("" if step is None else step.name) == name


def test_a_long_line_is_read_at_once() -> None:
    read_steps("- " + " " * 200_000 + ":" * 200_000 + "\n" + "a" * 200_000, "odds.md")
