"""Upkeep: the campaign's own copy of the rules, and what follows from an author's writing."""

from dataclasses import replace

from talewright.common.json_values import Json
from talewright.kernel.state.state import Position, advance
from talewright.systems.spiral.spiral_state import read_spiral_state
from talewright.systems.spiral.spiral_system import tidy_up
from tests.systems.spiral.making import (
    FIRST,
    PROMPT,
    PROMPT_CHINESE,
    READY,
    call,
    end_turn,
    game_with,
    read,
    sight,
    write,
)


def test_a_new_campaign_takes_its_own_copy_of_the_prompt() -> None:
    position = end_turn(FIRST).position
    assert read(position, "spiral.prompt") == PROMPT
    assert read(position, "spiral.rules") == "---\nflush_on: failure\n---"
    changed = game_with("another")
    assert read(end_turn(position, changed).position, "spiral.prompt") == PROMPT


def test_a_chinese_campaign_takes_the_chinese_one() -> None:
    seen = sight(FIRST, "zh-CN")
    updates = list(tidy_up(read_spiral_state(seen), seen.files, "zh-CN"))
    assert updates[0].value == PROMPT_CHINESE
    assert list(tidy_up(read_spiral_state(replace(seen, files={})), {}, "zh-CN")) == []


def test_a_campaign_that_a_scene_made_ready_begins_with_the_next_turn() -> None:
    started = write(FIRST, {"meta.setup_complete": True})
    position = end_turn(started).position
    assert read(position, "spiral.segment_starts") == [2]
    assert read(position, "spiral.day_start") == 2
    assert read(position, "spiral.opened") is False
    assert (read(position, "spiral.noted_day"), read(position, "spiral.noted_segment")) == (1, 1)


STARTED = end_turn(write(FIRST, {"meta.setup_complete": True, "spiral.opened": True})).position
"""As a scene has made it ready in the first turn."""


def starts(position: Position) -> tuple[Json, Json, Json]:
    """The beginnings that are known: of segments, of the day, of the day before."""
    return (
        read(position, "spiral.segment_starts"),
        read(position, "spiral.day_start"),
        read(position, "spiral.day_before_start"),
    )


def test_time_that_scenes_move_begins_segments_and_days() -> None:
    position, found = STARTED, []
    for day, segment in ((1, 1), (1, 2), (1, 2), (1, 4), (2, 1), (2, 3), (4, 1), (4, 2)):
        moved = write(advance(position), {"meta.day": day, "meta.segment": segment})
        position = end_turn(moved).position
        found.append(starts(position))
    assert found == [
        ([2], 2, 0),
        ([2, 4], 2, 0),
        ([2, 4], 2, 0),
        ([2, 4, 6], 2, 0),
        ([2, 4, 6, 7], 7, 2),
        ([2, 4, 6, 7, 8], 7, 2),
        ([4, 6, 7, 8, 9], 9, 7),
        ([6, 7, 8, 9, 10], 9, 7),
    ]


def test_a_storyteller_goes_on_where_scenes_have_led() -> None:
    noon = end_turn(write(advance(STARTED), {"meta.segment": 4})).position
    step = call("advance_time", {"reason": "sleep"}, position=advance(noon))
    assert starts(step.position) == ([2, 3, 4], 4, 2)
    # What a tool has noted is not noted again.
    assert starts(end_turn(step.position).position) == ([2, 3, 4], 4, 2)


def test_a_campaign_from_before_moments_were_noted_begins_no_segment() -> None:
    older = write(advance(READY), {"meta.segment": 2, "spiral.segment_starts": [1, 2]})
    position = end_turn(older).position
    assert starts(position) == ([1, 2], 1, 0)
    assert (read(position, "spiral.noted_day"), read(position, "spiral.noted_segment")) == (1, 2)
    later = call("advance_time", {"reason": "on"}, position=older).position
    assert starts(later) == ([1, 2, 3], 1, 0)


def test_a_quiet_turn_changes_nothing() -> None:
    settled = end_turn(READY).position
    assert end_turn(settled).changes == ()
