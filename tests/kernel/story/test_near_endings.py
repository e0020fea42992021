"""Which values stand close to an ending that loses."""

from collections.abc import Mapping

import pytest

from talewright.common.json_values import Json
from talewright.common.work_meter import UNLIMITED, limit_work
from talewright.kernel.slots.slot_types import Slot
from talewright.kernel.state.state_paths import Path
from talewright.kernel.story.endings import Outcome
from talewright.kernel.story.near_endings import find_near_losses
from tests.kernel.making import (
    boolean,
    enum,
    integer,
    listing,
    make_ending,
    make_game,
    make_layout,
    number,
    record,
    string,
)

SLOTS: Mapping[str, Slot] = {
    "suspicion": integer(10, 0, 100),
    "hp": integer(80, 0, 100),
    "lives": integer(1, 0, 9),
    "warmth": number(0.5, 0, 1),
    "time": record(hour=integer(20), minute=integer(10)),
    "wounds": listing(string()),
    "place": enum("gate", "shore"),
    "alone": boolean(),
    "lit": integer(0, 0, 4),
}
LAYOUT = make_layout(SLOTS)


def near(
    when: str, values: Mapping[str, Json], kind: Outcome = Outcome.LOSE, hidden: str = "", turn: int = 3
) -> set[Path]:
    game = make_game(LAYOUT, endings=[make_ending(LAYOUT, "over", when, kind)])
    document = {**game.initial, **values}
    return set(find_near_losses(game, document, turn, lambda path: path[0] != hidden))


@pytest.mark.parametrize(
    ("when", "values", "expected"),
    [
        # A fifth of the way from 10 to 100 is 18.
        ("suspicion >= 100", {"suspicion": 81}, set()),
        ("suspicion >= 100", {"suspicion": 82}, {("suspicion",)}),
        ("suspicion >= 100", {"suspicion": 93}, {("suspicion",)}),
        ("suspicion >= 100", {"suspicion": 100}, {("suspicion",)}),
        ("100 <= suspicion", {"suspicion": 93}, {("suspicion",)}),
        ("suspicion == 100", {"suspicion": 93}, {("suspicion",)}),
        ("hp <= 0", {"hp": 80}, set()),
        ("hp <= 0", {"hp": 16}, {("hp",)}),
        ("not (hp > 0)", {"hp": 16}, {("hp",)}),
        # Whole numbers are near one step before, however short the way is.
        ("time.hour >= 24", {"time": {"hour": 22, "minute": 59}}, set()),
        ("time.hour >= 24", {"time": {"hour": 23, "minute": 0}}, {("time", "hour")}),
        ("len(wounds) >= 3", {"wounds": ["arm"]}, set()),
        ("len(wounds) >= 3", {"wounds": ["arm", "leg"]}, {("wounds",)}),
        # Fractions are not whole steps.
        ("warmth <= 0", {"warmth": 0.2}, set()),
        ("warmth <= 0", {"warmth": 0.1}, {("warmth",)}),
        # What begins one step away is no warning before it has moved.
        ("lives <= 0", {"lives": 1}, set()),
        ("lives <= 0", {"lives": 0}, {("lives",)}),
        # Two values that are held against each other are both near.
        ("suspicion >= hp", {"suspicion": 70, "hp": 75}, {("suspicion",), ("hp",)}),
        # Texts do not come nearer, and neither do flags.
        ('place == "shore"', {"place": "gate"}, set()),
        ("alone", {"alone": False}, set()),
        ("alone == true", {"alone": False}, set()),
    ],
)
def test_near_is_the_last_part_of_the_way(when: str, values: Mapping[str, Json], expected: set[Path]) -> None:
    assert near(when, values) == expected


@pytest.mark.parametrize(
    ("when", "values", "expected"),
    [
        ("suspicion >= 100 and alone", {"suspicion": 93, "alone": False}, set()),
        ("suspicion >= 100 and alone", {"suspicion": 93, "alone": True}, {("suspicion",)}),
        ("suspicion >= 100 and not alone", {"suspicion": 93, "alone": True}, set()),
        ("suspicion >= 100 and not alone", {"suspicion": 93, "alone": False}, {("suspicion",)}),
        # What has no answer does not hold, and neither does its opposite.
        ("suspicion >= 100 and not (hp / lit <= 1)", {"suspicion": 93, "lit": 0}, set()),
        ("suspicion >= 100 and not (hp / lit <= 1)", {"suspicion": 93, "lit": 1}, {("suspicion",)}),
        ("suspicion >= 100 or hp <= 0", {"suspicion": 93, "hp": 5}, {("suspicion",), ("hp",)}),
        ("suspicion >= 100 or hp <= 0", {"suspicion": 93, "hp": 0}, {("hp",)}),
        ('place == "shore" and lit < 3', {"place": "gate", "lit": 2}, set()),
    ],
)
def test_a_bound_counts_while_the_ending_depends_on_it_alone(
    when: str, values: Mapping[str, Json], expected: set[Path]
) -> None:
    assert near(when, values) == expected


def test_a_victory_is_no_warning() -> None:
    assert near("suspicion >= 100", {"suspicion": 93}, Outcome.WIN) == set()


def test_an_ending_that_reads_what_is_hidden_gives_nothing_away() -> None:
    assert near("suspicion >= 100 and alone", {"suspicion": 93, "alone": True}, hidden="alone") == set()


def test_the_turn_has_no_card() -> None:
    assert near("turn >= 30", {}, turn=29) == set()


def test_what_has_no_answer_is_not_near() -> None:
    assert near("hp / lit <= 1", {"hp": 1, "lit": 0}) == set()


def test_each_part_of_a_deep_condition_is_evaluated_once() -> None:
    text = "hp > 0"
    for depth in range(40):
        text = f"({text} and hp > {depth - 90})" if depth % 2 else f"({text} or hp < {-depth})"
    layout = make_layout({"hp": integer(10, 0, 99)})
    game = make_game(layout, endings=[make_ending(layout, "lost", text)])
    with limit_work(UNLIMITED) as meter:
        find_near_losses(game, game.initial, 1, lambda path: True)
    # Three nodes in each of 41 comparisons; those that decide are also measured, now and in the beginning.
    assert meter.steps <= 41 * (3 + 4)
