"""Turns in words: what was refused stands beside what was changed."""

import pytest

from talewright.chronicle.records import Commit
from talewright.common.json_values import Json
from talewright.kernel.state.changes import Change
from talewright.kernel.story.game_texts import Texts
from talewright.play.campaign_view import Viewer
from talewright.play.presentation.value_wording import Wording
from talewright.play.presentation.view_assembly import show_turn
from talewright.turn.records.commit_body import MODEL, OUTSIDE, SCENES, TurnBody
from tests.play.scenes import WORDS, room_game

EN = Wording(Texts("en", WORDS), "en")
COMMIT = Commit("c1", "c0", "main", 3, "op", "now", "game", "state")


def _refuse(path: str, grade: str = "drop") -> Json:
    return {"ruling": "refused", "grade": grade, "move": {"op": "set", "path": path, "value": 1}}


ROLL: Json = {"kind": "roll", "text": "d6 (1) = 1"}
TRIAL: Json = {"kind": "trial", "skill": "x", "hidden": True}
CALL: Json = {"kind": "call", "result": {"text": "d6 (2) = 2"}}
TELL: Json = {"purpose": "tell"}


@pytest.mark.parametrize(
    ("body", "late"),
    [
        (TurnBody(told=SCENES, rolls=(ROLL,)), [False]),
        (TurnBody(told=OUTSIDE, rolls=(CALL,)), [False]),
        (TurnBody(told=MODEL, exchanges=(TELL,), rolls=(ROLL, CALL)), [False, True]),
        (TurnBody(told=MODEL, exchanges=(TELL,), rolls=(TRIAL, CALL)), [True]),
        (TurnBody(told=MODEL, exchanges=(TELL, {"purpose": "round"}), rolls=(CALL, CALL)), [False, False]),
        (TurnBody(told=MODEL, exchanges=({"purpose": "moves"}, TELL), rolls=(CALL,)), [False]),
        (
            TurnBody(told=MODEL, exchanges=(TELL,), input={"kind": "answer"}, rolls=(CALL, CALL)),
            [False, True],
        ),
        (TurnBody(told=MODEL, exchanges=(TELL,), input={"kind": "say"}, rolls=(CALL,)), [True]),
        (TurnBody(told=MODEL, exchanges=(TELL,), input={"kind": "answer"}), []),
    ],
)
def test_dice_are_late_where_the_story_was_told_before_they_fell(body: TurnBody, late: list[bool]) -> None:
    turn = show_turn(COMMIT, body, room_game(), EN, Viewer.PLAYER)
    assert [roll.late for roll in turn.rolls] == late


def test_a_turn_tells_what_was_refused_where_the_player_knows_the_place() -> None:
    body = TurnBody(
        said="jump\x1b",
        narration="You fall.",
        changes=(Change("replace", "/hp", 25, 30, "", "model"),),
        rulings=(_refuse("hp"), _refuse("code"), _refuse("plan"), _refuse("place", "mend")),
        rolls=({"kind": "roll", "text": "1d6 (3) = 3", "total": 3},),
    )
    turn = show_turn(COMMIT, body, room_game(), EN, Viewer.PLAYER)
    assert (turn.commit, turn.version, turn.said, turn.narration) == ("c1", 3, "jump", "You fall.")
    assert [change.text for change in turn.changes] == ["Health 30 -> 25"]
    assert [roll.faces for roll in turn.rolls] == [(3,)]
    (refusal,) = turn.refusals
    assert refusal.startswith("Health ")
    assert len(show_turn(COMMIT, body, room_game(), EN, Viewer.AUTHOR).refusals) == 3
