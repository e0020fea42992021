"""The calendar: segments, days, the world tick and its full clocks."""

import pytest

from talewright.common.json_values import Json
from talewright.systems.spiral.slots import DAYS_MAX
from tests.systems.spiral.making import PROMPT, READY, call, granted, read, refused, write

NIGHT = write(
    READY,
    {"meta.segment": 4, "player.resist.current": 0, "player.conditions": ["broken rib"]},
)
HALF = PROMPT.replace("flush_on: failure", "tick: half_day")


def test_the_next_segment_of_the_same_day() -> None:
    step = call("advance_time", {"reason": "to the river"})
    assert granted(step) == {
        "day": 1,
        "segment": 2,
        "segment_label": "Afternoon",
        "new_day": False,
        "resist_reset": False,
        "filled_clocks": [],
        "player_conditions": [],
    }
    assert read(step.position, "npcs.gorm.clock") == 3
    assert read(step.position, "spiral.segment_starts") == [1, 2]
    assert read(step.position, "spiral.day_start") == 1
    assert [event.text for event in step.events] == ["Day 1 · Afternoon"]
    assert {change.reason for change in step.changes if change.path.startswith("/meta")} == {"to the river"}


def test_a_new_day_resets_resist_and_moves_every_clock() -> None:
    step = call("advance_time", {"reason": "sleep"}, position=NIGHT)
    assert granted(step) == {
        "day": 2,
        "segment": 1,
        "segment_label": "Morning",
        "new_day": True,
        "resist_reset": True,
        "filled_clocks": [{"id": "gorm", "name": "Gorm", "goal": "burn the ferry"}],
        "player_conditions": ["broken rib"],
    }
    assert read(step.position, "player.resist.current") == 2
    assert read(step.position, "npcs.gorm.clock") == 4
    assert read(step.position, "npcs.zogar-sag.clock") == 3
    assert (read(step.position, "spiral.day_start"), read(step.position, "spiral.day_before_start")) == (2, 1)


def test_a_full_clock_stays_full_and_is_told_again() -> None:
    full = write(NIGHT, {"npcs.gorm.clock": 4})
    step = call("advance_time", {"reason": "sleep"}, position=full)
    assert read(step.position, "npcs.gorm.clock") == 4
    assert [filled["id"] for filled in granted(step)["filled_clocks"]] == ["gorm"]  # type: ignore[union-attr, call-overload, index]  # a list of objects


@pytest.mark.parametrize(("prompt", "clock"), [(PROMPT, 3), (HALF, 4)])
def test_a_world_may_move_twice_a_day(prompt: str, clock: int) -> None:
    noon = write(READY, {"meta.segment": 2, "spiral.prompt": prompt})
    step = call("advance_time", {"reason": "to the ford"}, position=noon)
    assert read(step.position, "npcs.gorm.clock") == clock
    assert len(granted(step)["filled_clocks"]) == clock - 3  # type: ignore[arg-type]  # a list
    assert granted(step)["resist_reset"] is False
    later = call("advance_time", {"reason": "on"}, position=step.position)
    assert read(later.position, "npcs.gorm.clock") == clock


def test_only_the_last_segments_are_remembered() -> None:
    position = READY
    for _ in range(7):
        position = call("advance_time", {"reason": "on"}, position=position).position
    assert read(position, "spiral.segment_starts") == [2, 2, 2, 2, 2]


def test_an_authors_own_labels_stay() -> None:
    named = write(READY, {"meta.segment_labels": ["Dawn", "Noon", "Dusk"]})
    step = call("advance_time", {"reason": "on"}, position=named)
    assert granted(step)["segment_label"] == "Noon"
    assert step.events[0].text == "Day 1 · Noon"
    late = write(named, {"meta.segment": 3})
    assert granted(call("advance_time", {"reason": "on"}, position=late))["segment_label"] == "Night"


@pytest.mark.parametrize(
    ("said", "values", "reason"),
    [
        (
            {},
            {},
            "advance_time needs `reason`: why time goes on: a journey, or a botch that throws them elsewhere",
        ),
        (
            {"reason": "x" * 401},
            {},
            "advance_time: `reason` has at most 400 characters; this one has 401",
        ),
        (
            {"reason": "on"},
            {"meta.day": DAYS_MAX, "meta.segment": 4},
            "advance_time: a campaign has at most 9999 days; bring the story to its end",
        ),
        ({"reason": "on", "segments": 2}, {}, "advance_time has no `segments`; it takes reason"),
    ],
)
def test_time_that_does_not_go_on(said: dict[str, Json], values: dict[str, Json], reason: str) -> None:
    assert refused(call("advance_time", said, position=write(READY, values))) == reason
