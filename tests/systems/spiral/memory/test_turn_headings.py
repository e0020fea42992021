"""The diary: turns belong to the moment at which they were taken, and are called after it."""

from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT
from talewright.systems.spiral.memory.turn_headings import heading_of, write_diary
from talewright.systems.spiral.spiral_state import read_spiral_state
from tests.systems.spiral.making import FIRST, READY, SPIRAL, past, sight, took, write

TURNS = (
    past(
        1,
        "hello",
        changes=[took("/meta/genre", "", "noir"), Change("add", "/npcs/gorm", {}, ABSENT, "", "model")],
    ),
    past(2, "yes", changes=[took("/meta/setup_complete", False, True)]),
    past(3, "", "It begins."),
    past(4, "on", changes=[took("/meta/segment", 3, 4)]),
    past(
        5,
        "sleep",
        changes=[took("/meta/day", 1, 2), took("/meta/segment", 4, 1), took("/meta/segment", 1, 2)],
    ),
    past(6, "wake"),
)
NOW = write(READY, {"meta.day": 2, "meta.segment": 2})


def test_each_turn_has_the_moment_at_which_it_was_taken() -> None:
    moments = [entry.moment for entry in write_diary(TURNS, read_spiral_state(sight(NOW)))]
    assert [(moment.is_play, moment.day, moment.segment) for moment in moments] == [
        (False, 1, 3),
        (False, 1, 3),
        (True, 1, 3),
        (True, 1, 3),
        (True, 1, 4),
        (True, 2, 2),
    ]
    assert write_diary((), read_spiral_state(sight(NOW))) == ()


def test_a_heading_is_that_of_the_original_design() -> None:
    standing = read_spiral_state(sight(NOW))
    assert heading_of(TURNS[-1], standing) == "Day 2 Seg 2: wake"
    assert heading_of(TURNS[-2], standing) == "Day 1 Seg 4: sleep"
    long = past(7, "I creep  past\nthe guard, who has been asleep for hours, and then run")
    assert heading_of(long, standing) == "Day 2 Seg 2: I creep past the guard, who has been asleep for ho"
    assert len("I creep past the guard, who has been asleep for ho") == 50


def test_a_turn_without_words_of_the_player_is_called_after_the_story() -> None:
    assert (
        heading_of(past(7, " ", "Mist\nover the ford."), read_spiral_state(sight(NOW)))
        == "Day 2 Seg 2: Mist over the ford."
    )
    assert heading_of(past(7, "", ""), read_spiral_state(sight(NOW))) == "Day 2 Seg 2: "


def test_setup_has_a_heading_of_its_own() -> None:
    assert heading_of(past(1, "a noir city"), read_spiral_state(sight(FIRST))) == "Setup: a noir city"
    assert SPIRAL.heading(past(1, "a noir city"), sight(FIRST)) == "Setup: a noir city"
