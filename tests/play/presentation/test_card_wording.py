"""Deltas: what the changes of a turn come to for one variable."""

import pytest

from talewright.common.json_values import Json
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import ABSENT, Absent
from talewright.kernel.story.game_texts import Texts
from talewright.play.presentation.card_wording import tell_delta
from talewright.play.presentation.value_wording import Wording
from tests.play.scenes import WORDS, room_game

GAME = room_game()
EN = Wording(Texts("en", WORDS), "en")


def put(path: str, was: Json | Absent, value: Json | Absent) -> Change:
    op = "add" if was is ABSENT else "remove" if value is ABSENT else "replace"
    return Change(op, path, value, was, "", "model")  # type: ignore[arg-type]  # one of the three


@pytest.mark.parametrize(
    ("path", "changes", "expected"),
    [
        ("hp", [], ""),
        ("hp", [put("/hp", 30, 40)], "+10"),
        ("hp", [put("/hp", 30, 40), put("/hp", 40, 25)], "-5"),
        ("hp", [put("/hp", 30, 40), put("/hp", 40, 30)], ""),
        ("hp", [put("/place", "home", "dock")], ""),
        ("weight", [put("/weight", 0.1, 0.3)], "+0.2"),
        ("weight", [put("/weight", 0.1, 0.1 + 8.881784197e-16)], ""),
        ("weight", [put("/weight", 8.881784197e-16, 0)], ""),
        ("marks", [put("/marks/seen", False, True)], "seen: yes"),
        ("place", [put("/place", "home", "dock")], "home -> The dock"),
        ("lit", [put("/lit", False, True)], "no -> yes"),
        ("bag", [put("/bag/1", ABSENT, "rope"), put("/bag/0", "coin", ABSENT)], "+a rope, -coin"),
        ("bag", [put("/bag/1", ABSENT, "rope"), put("/bag/1", "rope", ABSENT)], ""),
        ("bag", [put("/bag/0", "coin", "rope")], "+a rope, -coin"),
        ("bag", [put("/bag", ["coin", "coin"], ["coin", "rope"])], "+a rope, -coin"),
        ("ties", [put("/ties/lian", 5, 8)], "Lian +3"),
        ("ties.lian", [put("/ties/lian", 5, 8)], "+3"),
        ("time", [put("/time/minute", 50, 5), put("/time/hour", 22, 23)], "22:50 -> 23:05"),
        ("time", [put("/time/minute", 50, 55)], "5 minutes later"),
        ("time", [put("/time/hour", 3, 2)], "1 hour earlier"),
        ("time.hour", [put("/time/minute", 50, 5), put("/time/hour", 22, 23)], "+1"),
        ("notes", [put("/notes/a", ABSENT, "x"), put("/notes/a", "x", ABSENT)], ""),
        ("time", [put("/time", {"hour": 1, "minute": 2}, {"hour": 3, "minute": 4})], "01:02 -> 03:04"),
        ("notes", [put("/notes/a", ABSENT, "x")], "a none -> x"),
        ("notes", [put("/notes/a", "x", ABSENT)], "a x -> none"),
        ("notes", [put("/notes", {"a": "x", "b": "y"}, {"a": "x", "b": "z"})], "b y -> z"),
    ],
)
def test_changes_come_to_a_few_characters(path: str, changes: list[Change], expected: str) -> None:
    assert tell_delta(GAME, changes, tuple(path.split(".")), EN) == expected
