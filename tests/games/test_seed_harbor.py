"""The first game this engine was asked to run, as its author wrote it: numbers, conditions and rules.

Acceptance points 3, 5 and 7 of its specification: deltas, clamps, carried minutes, triggers with events,
winning, losing, and a midnight that can be reached.
"""

from functools import cache
from pathlib import Path

import pytest

from talewright.common.json_values import Json
from talewright.kernel.game import Game
from talewright.kernel.judging.move_resolution import JudgedStep, judge, settle
from talewright.kernel.judging.moves import MODEL, Op, Update
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import Position, advance, begin
from talewright.pack.compiler import compile_folder
from tests.kernel.making import Scripted

FOLDER = Path(__file__).parent / "seed_harbor"


@cache
def harbor() -> Game:
    compiled = compile_folder(FOLDER, {})
    assert compiled.game is not None, compiled.faults
    return compiled.game


def take(*updates: tuple[Op, str, Json], position: Position | None = None) -> tuple[JudgedStep, JudgedStep]:
    """One answer of a model, judged and settled."""
    game = harbor()
    moves = [Update(op, path, value) for op, path, value in updates]
    judged = judge(game, position or begin(game), moves, MODEL, Scripted())
    assert not judged.mends, judged.mends
    return judged, settle(game, judged.position, Scripted())


def at(step: JudgedStep, path: str) -> object:
    return step.position.state.read(tuple(path.split(".")))


def delta(change: Change) -> int:
    assert isinstance(change.value, int)
    assert isinstance(change.was, int)
    return change.value - change.was


def test_it_starts_as_written() -> None:
    document = dict(begin(harbor()).state.document)
    document.pop("_engine")
    assert document == {
        "hp": 80,
        "energy": 70,
        "gold": 12,
        "time": {"day": 1, "hour": 20, "minute": 10},
        "suspicion": 10,
        "clues": 0,
        "truth_map": [],
        "location": "鸦巢酒吧",
        "relationships": {"lian": 35, "mayor": -10, "dockmaster": 5},
        "inventory": ["旧怀表", "纸烟", "折叠小刀"],
        "flags": {"met_lian": False, "power_sabotage_confirmed": False, "chased": False},
    }
    assert [ending.id for ending in harbor().endings] == ["win_1", "lose_1", "lose_2", "lose_3"]


def test_a_change_shows_its_delta() -> None:
    judged, _ = take((Op.INC, "clues", 1), (Op.DEC, "relationships.mayor", 5))
    assert [delta(change) for change in judged.changes] == [1, -5]


def test_the_first_turn_of_the_specification() -> None:
    judged, settled = take(
        (Op.INC, "clues", 1),
        (Op.PUSH, "truth_map", "有人在停电前进过电厂。"),
        (Op.SET, "flags.met_lian", True),
        (Op.INC, "time.minute", 10),
    )
    assert at(settled, "time") == {"day": 1, "hour": 20, "minute": 20}
    assert at(settled, "truth_map") == ["有人在停电前进过电厂。"]
    assert at(settled, "flags.met_lian") is True
    assert len(judged.changes) == 4
    assert settled.changes == ()


def test_values_are_clamped() -> None:
    judged, _ = take((Op.DEC, "energy", 500), (Op.INC, "clues", 50), (Op.SET, "gold", 1000))
    assert [(change.value, change.clamped) for change in judged.changes] == [
        (0, True),
        (12, True),
        (999, True),
    ]


@pytest.mark.parametrize(
    ("op", "minutes", "hour", "minute"),
    [
        (Op.INC, 49, 20, 59),
        (Op.INC, 50, 21, 0),
        (Op.INC, 55, 21, 5),
        (Op.INC, 130, 22, 20),
        (Op.DEC, 10, 20, 0),
        (Op.DEC, 11, 19, 59),
        (Op.DEC, 130, 18, 0),
        (Op.SET, 75, 21, 15),
    ],
)
def test_minutes_carry_into_hours_both_ways(op: Op, minutes: int, hour: int, minute: int) -> None:
    _, settled = take((op, "time.minute", minutes))
    assert at(settled, "time") == {"day": 1, "hour": hour, "minute": minute}


def test_hours_never_carry_into_days_so_midnight_comes() -> None:
    judged, settled = take((Op.INC, "time.minute", 230))
    assert at(judged, "time") == {"day": 1, "hour": 24, "minute": 0}
    assert at(settled, "_engine.ending") == "lose_3"
    assert [event.type for event in settled.events] == ["end", "game_over"]


def test_suspicion_brings_pursuers_once() -> None:
    _, first = take((Op.SET, "suspicion", 80))
    assert at(first, "flags.chased") is True
    assert at(first, "energy") == 60
    assert [(event.type, event.cause) for event in first.events] == [
        ("danger", "trigger:chased_when_suspicion_high")
    ]
    _, second = take((Op.INC, "suspicion", 5), position=advance(first.position))
    assert at(second, "energy") == 60
    assert second.events == ()


def test_eight_clues_confirm_the_sabotage_and_win_in_the_same_turn() -> None:
    _, settled = take((Op.SET, "clues", 8))
    assert at(settled, "flags.power_sabotage_confirmed") is True
    assert at(settled, "truth_map") == ["灯不是自己灭的，旧电厂里有人动过手。"]
    assert (at(settled, "_engine.ending"), at(settled, "_engine.outcome")) == ("win_1", "win")
    assert [event.type for event in settled.events] == ["breakthrough", "game_over"]


@pytest.mark.parametrize(
    ("path", "value", "ending"),
    [("hp", 0, "lose_1"), ("suspicion", 100, "lose_2"), ("time.hour", 24, "lose_3")],
)
def test_the_ways_to_lose(path: str, value: int, ending: str) -> None:
    _, settled = take((Op.SET, path, value))
    assert (at(settled, "_engine.ending"), at(settled, "_engine.outcome")) == (ending, "lose")


def test_a_place_can_only_be_set() -> None:
    judged, _ = take((Op.SET, "location", "旧电厂"))
    assert at(judged, "location") == "旧电厂"
    game = harbor()
    refused = judge(game, begin(game), [Update(Op.SET, "location", "月球")], MODEL, Scripted())
    assert [ruling.reason for ruling in refused.mends] == [
        "location is one of 码头, 灯塔, 旧电厂, 钟楼街, 鸦巢酒吧, 报社, not '月球'"
    ]
