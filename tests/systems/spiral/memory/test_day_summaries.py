"""Compression: the errand after a day, what its answer changes, and what of it is left out."""

import pytest

from talewright.common.json_schema import fits, read_schema
from talewright.common.json_values import Json
from talewright.kernel.judging.move_resolution import carry_out
from talewright.kernel.judging.moves import Update
from talewright.kernel.judging.rulings import Errand, ErrandWeight
from talewright.kernel.state.state import Position
from talewright.systems.spiral.memory.day_summaries import DAY_TEXT_LENGTH_MAX
from talewright.systems.spiral.slots import REVIEW_ENTRIES_MAX, SUMMARIES_MAX, SUMMARY_LENGTH_MAX
from tests.systems.spiral.making import FIRST, GAME, READY, SPIRAL, past, read, sight, took, write

SECOND_DAY = write(
    READY,
    {
        "meta.day": 2,
        "spiral.day_before_start": 1,
        "spiral.scratchpad": "## Active Threads\n- the ferry\n",
        "spiral.segment_starts": [1, 3],
    },
)
TURNS = (
    past(1, "I look", "Mist."),
    past(2, "sleep", changes=[took("/meta/day", 1, 2)]),
    past(3, "wake", "Smoke."),
)
REVIEW: dict[str, Json] = {
    "stale": [{"section": "Active Threads", "entry": "the ferry", "reason": "burnt"}],
    "consolidate": [{"entries": ["a", "b"], "suggested": "ab"}],
    "contradictions": [{"a": "x", "b": "y", "note": "which?"}],
    "missing": ["the promise"],
}
ANSWER: dict[str, Json] = {"summaries": {"day_1": " Kael\nlooked. "}, "logbook_review": REVIEW}


def errand(position: Position = SECOND_DAY, language: str = "en") -> Errand:
    (found,) = SPIRAL.errands(sight(position, language), TURNS)
    return found


def take(answer: Json, name: str = "day-1", position: Position = SECOND_DAY) -> Position:
    step = carry_out(GAME, position, SPIRAL.take(name, answer, sight(position)), "aside:x")
    assert not step.events
    return step.position


def test_a_finished_day_is_to_be_summed_up_by_a_cheap_model() -> None:
    found = errand()
    assert (found.id, found.weight) == ("day-1", ErrandWeight.CHEAP)
    assert "Day 1 is over" in found.question
    assert "[SCRATCHPAD]\n## Active Threads\n- the ferry" in found.question
    assert "[CLOCKS]\nZogar Sag: capture outsiders (2/4)\nGorm: burn the ferry (3/4)" in found.question
    assert found.question.endswith(
        "[TURNS]\nTurn 1, segment 1. Player: I look\nStory: Mist.\n\n"
        "Turn 2, segment 1. Player: sleep\nStory: So it goes."
    )
    assert "story_so_far" not in found.question
    assert "第 1 天已过" in errand(language="zh-CN").question


def test_the_answer_has_the_form_of_the_original_design() -> None:
    schema = read_schema(errand().answer_schema)
    assert fits(ANSWER, schema)
    assert not fits({**ANSWER, "summaries": {}}, schema)
    assert not fits({**ANSWER, "logbook_review": {}}, schema)


def test_nothing_is_asked_before_a_day_is_over_or_once_it_is_done() -> None:
    assert SPIRAL.errands(sight(FIRST), TURNS) == ()
    assert SPIRAL.errands(sight(READY), TURNS) == ()
    assert SPIRAL.errands(sight(SECOND_DAY), TURNS[2:]) == ()
    assert SPIRAL.errands(sight(SECOND_DAY), ()) == ()
    done = write(SECOND_DAY, {"spiral.summaries": {"1": "x"}})
    assert SPIRAL.errands(sight(done), TURNS) == ()


def test_an_answer_becomes_a_summary_and_a_review_for_this_one_turn() -> None:
    position = take(ANSWER)
    assert read(position, "spiral.summaries") == {"1": "Kael\nlooked."}
    assert read(position, "spiral.review") == {"for_turn": 1, **REVIEW}
    assert read(position, "spiral.story_so_far") == ""


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("day-x", ANSWER),
        ("day-1", "words"),
        ("day-1", {"summaries": "x"}),
        ("day-1", {"summaries": {"day_1": " "}}),
        ("day-1", {"summaries": {"day_2": "x"}}),
        ("day-1", {}),
    ],
)
def test_what_is_not_understood_changes_nothing(name: str, answer: Json) -> None:
    assert take(answer, name) == SECOND_DAY


def test_a_summary_repeats_nothing_of_the_notes_and_of_what_people_want() -> None:
    notes = "The ferryman is paid by the fort to forget whoever crosses at night."
    goal = "Burn the ferry on the night when the garrison is drunk, and blame the river."
    position = write(SECOND_DAY, {"spiral.scratchpad": f"## Principles\n- {notes}\n", "npcs.gorm.goal": goal})
    for secret in (notes, goal, "A trader who counts every coin twice and never in the same place."):
        known = write(
            position,
            {"npcs.gorm.concept": "A trader who counts every coin twice and never in the same place."},
        )
        told = f"Kael looked. {secret} Then it rained."
        answer: Json = {**ANSWER, "summaries": {"day_1": told}}
        assert read(take(answer, position=known), "spiral.summaries") == {"1": "Kael looked. Then it rained."}


def test_a_day_that_has_its_summary_keeps_it() -> None:
    done = write(SECOND_DAY, {"spiral.summaries": {"1": "first"}})
    assert take(ANSWER, position=done) == done


def test_a_review_is_bounded_and_forgiving() -> None:
    review: dict[str, Json] = {
        "stale": ["odd", {"section": 3, "entry": "e" * 900, "reason": "r\x1b"}],
        "consolidate": {"not": "a list"},
        "contradictions": [{}] * 99,
        "missing": ["", *["m"] * 99],
    }
    position = take({**ANSWER, "logbook_review": review})
    assert read(position, "spiral.review.stale") == [{"section": "", "entry": "e" * 400, "reason": "r"}]
    assert read(position, "spiral.review.consolidate") == []
    assert len(read(position, "spiral.review.contradictions")) == REVIEW_ENTRIES_MAX  # type: ignore[arg-type]  # a list
    assert read(position, "spiral.review.missing") == ["m"] * REVIEW_ENTRIES_MAX
    without = take({"summaries": {"day_1": "x\x00" + "y" * 9_999}, "logbook_review": None})
    assert read(without, "spiral.review.for_turn") == 0
    summary = str(read(without, "spiral.summaries.1"))
    assert len(summary) == SUMMARY_LENGTH_MAX
    assert summary.startswith("xy")
    assert summary.endswith("y…")


def many(days: int, **more: Json) -> Position:
    summaries: dict[str, Json] = {str(day): f"of {day}" for day in range(1, days + 1)}
    values: dict[str, Json] = {"meta.day": days + 2, "spiral.summaries": summaries}
    return write(SECOND_DAY, {**values, **{f"spiral.{name}": value for name, value in more.items()}})


def ask(position: Position) -> Errand:
    day = int(str(read(position, "meta.day")))
    turns = (past(1, "sleep", changes=[took("/meta/day", day - 1, day)]),)
    (found,) = SPIRAL.errands(sight(position), turns)
    return found


def test_many_summaries_become_one_story() -> None:
    assert "story_so_far" not in ask(many(9)).question
    position = many(10)
    found = ask(position)
    assert "the summaries of the days up to day 6" in found.question
    assert "[SUMMARIES]\nday_1: of 1\nday_2: of 2" in found.question
    answer: dict[str, Json] = {**ANSWER, "summaries": {"day_11": "eleven"}, "story_so_far": "Long ago."}
    assert fits(answer, read_schema(found.answer_schema))
    after = take(answer, "day-11", position)
    assert (read(after, "spiral.story_so_far"), read(after, "spiral.story_upto")) == ("Long ago.", 6)
    titles = [memory.title for memory in SPIRAL.memories(sight(after))]
    assert titles[1:] == ["The story so far", "Day 7", "Day 8", "Day 9", "Day 10", "Day 11"]
    silent = take({**answer, "story_so_far": " "}, "day-11", position)
    assert read(silent, "spiral.story_upto") == 0
    again = ask(write(after, {"meta.day": 13}))
    assert "story_so_far" not in again.question
    assert "story: Long ago.\nday_7: of 7" in again.question


def test_the_oldest_summary_goes_when_there_is_no_room() -> None:
    position = many(SUMMARIES_MAX, story_upto=SUMMARIES_MAX - 5)
    after = take({"summaries": {f"day_{SUMMARIES_MAX + 1}": "new"}}, f"day-{SUMMARIES_MAX + 1}", position)
    kept = read(after, "spiral.summaries")
    assert isinstance(kept, dict)
    assert len(kept) == SUMMARIES_MAX
    assert "1" not in kept
    assert "10" in kept


def test_long_days_are_handed_over_in_a_bounded_form() -> None:
    turns = tuple(past(n, "x" * 9_000, "y" * 9_000) for n in range(1, 90))
    last = past(90, "sleep", changes=[took("/meta/day", 1, 2)])
    (found,) = SPIRAL.errands(sight(SECOND_DAY), (*turns, last))
    assert len(found.question) < DAY_TEXT_LENGTH_MAX + 90 * 600 + 5_000


def test_taking_gives_updates_and_nothing_else() -> None:
    assert all(isinstance(update, Update) for update in SPIRAL.take("day-1", ANSWER, sight(SECOND_DAY)))
