"""Upkeep: the campaign's own copy of the rules, and what follows from an author's writing."""

from dataclasses import replace

from talewright.systems.spiral.standing import look
from talewright.systems.spiral.upkeep import tidy_up
from tests.systems.spiral.making import (
    FIRST,
    PROMPT,
    PROMPT_CHINESE,
    READY,
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
    updates = list(tidy_up(look(seen), seen.files, "zh-CN"))
    assert updates[0].value == PROMPT_CHINESE
    assert list(tidy_up(look(replace(seen, files={})), {}, "zh-CN")) == []


def test_a_campaign_that_a_scene_made_ready_begins_with_the_next_turn() -> None:
    started = write(FIRST, {"meta.setup_complete": True})
    position = end_turn(started).position
    assert read(position, "spiral.segment_starts") == [2]
    assert read(position, "spiral.day_start") == 2
    assert read(position, "spiral.opened") is False


def test_a_quiet_turn_changes_nothing() -> None:
    settled = end_turn(READY).position
    assert end_turn(settled).changes == ()
