"""Working: what a try holds, and rulings and moves as they are kept."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.chance import Fate
from talewright.kernel.dice.dice_parser import parse
from talewright.kernel.dice.dice_rolls import roll
from talewright.kernel.judging.move_resolution import JudgedStep
from talewright.kernel.judging.moves import Call, End, Move, Op, Update
from talewright.kernel.judging.rulings import Decision, Errand, Grade, Granted, Refused, Ruling, Waiting
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.state.changes import Change
from talewright.kernel.state.state import begin
from talewright.kernel.story.scenes import Check, Ladder, Rung, SceneResult, Trial
from talewright.kernel.story.triggers import Event
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.records.commit_body import write_move, write_ruling, write_rulings
from talewright.turn.turn_progress import TurnDraws, TurnProgress
from tests.plugs.toll import Toll
from tests.turn.making import SECRET
from tests.turn.stories import GAME

CHANGE = Change("replace", "/coins", 2, 3, "paid", "model")
PAY = Call("pay", {"coins": 2}, "c1")
WRITTEN: dict[str, Json] = {"call": "pay", "arguments": {"coins": 2}, "id": "c1"}


def test_a_judgement_that_stands_is_added_to_what_was() -> None:
    working = TurnProgress(GAME, begin(GAME), TurnDraws(SECRET, 1))
    step = JudgedStep(begin(GAME), (Granted(PAY),), (CHANGE,), (Event("toll", "paid", "model"),))
    working.take(step)
    working.take(step)
    assert working.position is step.position
    assert (len(working.rulings), len(working.changes), len(working.events)) == (2, 2, 2)


def test_rolls_are_noted_as_the_player_is_shown_them() -> None:
    working = TurnProgress(GAME, begin(GAME), TurnDraws(SECRET, 1))
    rolled = roll(parse("2d6+1"), Fate(SECRET, 1))
    check = Check("2d6+1", rolled.total + 1, SceneResult(), SceneResult())
    working.note_roll(rolled, None, check)
    working.note_roll(None, {"outcome": "fail", "p": 0.5}, Trial("attempt", {}, SceneResult(), SceneResult()))
    working.note_roll(None, None, None)
    assert working.rolls == [
        {
            "kind": "roll",
            "text": str(rolled),
            "total": rolled.total,
            "needed": rolled.total + 1,
            "success": False,
        },
        {"kind": "trial", "outcome": "fail", "p": 0.5},
    ]


@pytest.mark.parametrize(
    ("rung", "judged"),
    [
        (Rung(7, True, "yes_and", SceneResult()), {"success": True, "word": "yes_and"}),
        (Rung(7, False, "no_but", SceneResult()), {"success": False, "word": "no_but"}),
        (Rung(8, True, "too high", SceneResult()), {"success": False}),
    ],
)
def test_a_roll_with_several_results_says_which_it_came_to_and_needs_nothing(
    rung: Rung, judged: dict[str, Json]
) -> None:
    working = TurnProgress(GAME, begin(GAME), TurnDraws(SECRET, 1))
    ladder = Ladder("7", (rung, Rung(None, False, "", SceneResult())))
    working.note_roll(roll(parse("7"), Fate(SECRET, 1)), None, ladder)
    assert working.rolls == [{"kind": "roll", "text": "7 = 7", "total": 7, **judged}]


MOVES: list[tuple[Move, Json]] = [
    (
        Update(Op.INC, "coins", 2, "found"),
        {"op": "inc", "path": "coins", "value": 2, "reason": "found"},
    ),
    (PAY, WRITTEN),
    (End("across", "done"), {"end": "across", "reason": "done"}),
]


@pytest.mark.parametrize(("move", "form"), MOVES)
def test_moves_as_they_are_kept(move: Move, form: Json) -> None:
    assert write_move(move) == form


RULINGS: list[tuple[Ruling, Json]] = [
    (Granted(PAY), {"ruling": "granted", "move": WRITTEN}),
    (
        Granted(PAY, (CHANGE,), {"paid": 2}),
        {
            "ruling": "granted",
            "move": WRITTEN,
            "result": {"paid": 2},
        },
    ),
    (
        Refused(PAY, Grade.MEND, "too few"),
        {"ruling": "refused", "grade": "mend", "reason": "too few", "move": WRITTEN},
    ),
    (Waiting(PAY, Decision("d", "?", ())), {"ruling": "waiting", "for": "d", "move": WRITTEN}),
    (Waiting(PAY, Errand("e", "?", {})), {"ruling": "waiting", "for": "e", "move": WRITTEN}),
]


@pytest.mark.parametrize(("ruling", "form"), RULINGS)
def test_rulings_as_they_are_kept(ruling: Ruling, form: Json) -> None:
    assert write_ruling(ruling) == form


def test_what_a_ruling_changed_is_kept_by_number() -> None:
    other = replace(CHANGE, path="/mood")
    rulings = (Refused(PAY, Grade.DROP, "no"), Granted(PAY, (CHANGE, other)), Granted(PAY))
    refused, granted, idle = write_rulings(rulings, (replace(CHANGE), other, CHANGE))
    assert refused == {"ruling": "refused", "grade": "drop", "reason": "no", "move": WRITTEN}
    assert granted == {"ruling": "granted", "move": WRITTEN, "changes": [2, 1]}
    assert idle == {"ruling": "granted", "move": WRITTEN}


def test_systems_are_told_by_which_engine_a_turn_is_judged() -> None:
    for engine in (3, ENGINE_NUMBER):
        working = TurnProgress(GAME, begin(GAME), TurnDraws(SECRET, 1), engine)
        table = WorkingState(GAME, working.position)
        sight = WorkingState(GAME, table.position()).sight(Toll())
        assert (sight.engine, sight.since(3), sight.since(engine + 1)) == (engine, True, False)
    assert WorkingState(GAME, begin(GAME)).sight(Toll()).since(ENGINE_NUMBER), "as this program judges"
