"""One fight, fought three ways: by scenes, by a storyteller with tools, by a game master outside."""

from collections.abc import Mapping
from functools import cache
from typing import cast

import pytest

from talewright.common.json_values import Json
from talewright.kernel.judging.move_resolution import REJECTED_UPDATE
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.steps import telling
from tests.plays.expectations import list_refusals
from tests.plays.performances import Performance, perform_straight

WAYS = ("23_combat_by_scenes", "combat/by_tools", "combat/outside")
"""The plays; those in the folder differ from the first only in who moves, so one of them is crashed."""
TURNS = 9
"""The turns that all of them have; only the scenes go on to an ending."""


@cache
def performances() -> list[Performance]:
    """All three, with the same dice: those of a game master are otherwise named by what they are for."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(telling, "NAMED_SINCE_ENGINE", ENGINE_NUMBER + 1)
        return [perform_straight(name) for name in WAYS]


def test_the_same_moves_have_the_same_results() -> None:
    played = [
        [
            [
                (change.path, change.value)
                for change in told.body.changes
                if change.path.startswith("/tabletop")
            ]
            for told in performance.told[:TURNS]
        ]
        for performance in performances()
    ]
    assert played[0] == played[1] == played[2]
    assert sum(map(len, played[0])) > 40


def test_the_same_moves_are_told_the_same_way() -> None:
    told = [
        [
            [event.text for event in told.body.events if event.type.startswith("tabletop:")]
            for told in performance.told[:TURNS]
        ]
        for performance in performances()
    ]
    assert told[0] == told[1] == told[2]
    assert "Goblin 2 goes down." in told[0][3]


def test_the_same_moves_are_refused_for_the_same_reasons() -> None:
    by_scenes, *others = performances()
    events = [event for told in by_scenes.told for event in told.body.events]
    reasons = [event.text for event in events if event.type == REJECTED_UPDATE]
    assert reasons == ["take_turn: Goblin 2 is no enemy who stands; there is Goblin 1, Goblin 3"]
    for performance in others:
        assert [reason for told in performance.told for reason in list_refusals(told.body)] == reasons


def test_every_die_is_in_a_recorded_roll() -> None:
    for performance in performances():
        for told in performance.told[:TURNS]:
            faces = [face for roll in told.body.rolls for face in _faces(roll)]
            assert faces == [draw.face for draw in told.body.draws]


def _faces(roll: Json) -> list[Json]:
    entry = cast(Mapping[str, Json], roll)
    result = cast(Mapping[str, Json], entry.get("result", entry))
    rolls = cast("list[Mapping[str, Json]]", result.get("rolls", []))
    return [face for one in rolls for face in cast("list[Json]", one["individualRolls"])]
