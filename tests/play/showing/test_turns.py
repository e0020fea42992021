"""Turns in words: what was refused stands beside what was changed."""

from talewright.chronicle.records import Commit
from talewright.kernel.changes import Change
from talewright.kernel.documents import Json
from talewright.kernel.texts import Texts
from talewright.play.showing.turns import show_turn
from talewright.play.showing.wording import Wording
from talewright.play.viewers import Viewer
from talewright.turn.bodies import Body
from tests.play.scenes import WORDS, room_game

EN = Wording(Texts("en", WORDS), "en")
COMMIT = Commit("c1", "c0", "main", 3, "op", "now", "game", "state")


def _refuse(path: str, grade: str = "drop") -> Json:
    return {"ruling": "refused", "grade": grade, "move": {"op": "set", "path": path, "value": 1}}


def test_a_turn_tells_what_was_refused_where_the_player_knows_the_place() -> None:
    body = Body(
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
