"""Memories, retention and reach: what stands before the storyteller, and how far back anybody looks."""

import pytest

from talewright.common.json_values import Json
from talewright.kernel.system import Retention, SystemMemory
from tests.systems.spiral.making import FIRST, READY, SPIRAL, sight, write
from tests.systems.spiral.memory.test_spiral_pages import at


def test_scratchpad_story_and_later_days_in_order() -> None:
    assert SPIRAL.memories(sight(FIRST)) == ()
    days: dict[str, Json] = {"10": "ten", "9": "nine", "2": "two"}
    values: dict[str, Json] = {
        "spiral.scratchpad": "## A\nx\n",
        "spiral.story_so_far": "Once.",
        "spiral.story_upto": 2,
        "spiral.summaries": days,
    }
    told = write(READY, values)
    assert SPIRAL.memories(sight(told)) == (
        SystemMemory("Scratchpad (yours alone; later changes stand in the turns below)", "## A\nx"),
        SystemMemory("The story so far", "Once.", told=True),
        SystemMemory("Day 9", "nine", told=True),
        SystemMemory("Day 10", "ten", told=True),
    )
    assert [memory.title for memory in SPIRAL.memories(sight(told, "zh-CN"))][1:] == [
        "前情",
        "第 9 天",
        "第 10 天",
    ]


@pytest.mark.parametrize(
    ("starts", "segment", "retention"),
    [
        ([], 1, None),
        ([4], 1, Retention(4, due=True)),
        ([4, 9], 2, Retention(4, due=False)),
        ([4, 9, 12, 15, 20], 1, Retention(4, due=True)),
        ([9, 12, 15, 20, 22], 2, Retention(9, due=False)),
    ],
)
def test_the_current_and_four_segments_stay_and_a_day_goes_at_once(
    starts: list[Json], segment: int, retention: Retention | None
) -> None:
    position = write(READY, {"spiral.segment_starts": starts, "meta.segment": segment})
    assert SPIRAL.retention(sight(position)) == retention


def test_before_play_everything_stays() -> None:
    assert SPIRAL.retention(sight(FIRST)) is None


def test_reach_goes_to_the_beginning_of_the_log_and_of_a_day_without_summary() -> None:
    assert SPIRAL.reach(sight(FIRST)) == 1
    values: dict[str, Json] = {
        "meta.day": 2,
        "meta.segment": 2,
        "spiral.segment_starts": [9, 12, 15, 20],
        "spiral.day_start": 15,
        "spiral.day_before_start": 3,
    }
    now = at(22, write(READY, values))
    assert SPIRAL.reach(sight(now)) == 3
    assert SPIRAL.reach(sight(at(17, write(READY, {**values, "spiral.summaries": {"1": "x"}})))) == 15
    assert SPIRAL.reach(sight(at(22, write(READY, {**values, "spiral.summaries": {"1": "x"}})))) == 20
