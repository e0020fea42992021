"""Sayings: differences and moves in words, and who may read them."""

from dataclasses import replace

import pytest

from talewright.kernel.state.documents import ABSENT, Json
from talewright.play.looking_back.differences import Difference
from talewright.play.looking_back.sayings import seen_differences, tell_differences, tell_move
from talewright.play.showing.wording import Wording
from talewright.play.viewers import Viewer
from tests.kernel.making import integer, make_layout, record
from tests.play.looking_back.tiny import TINY

DIFFERENCES = (
    Difference(("gold",), 10, 12),
    Difference(("bag", "1"), ABSENT, "rope"),
    Difference(("time", "hour"), 8, 9),
    Difference(("time", "minute"), 0, 5),
    Difference(("plot",), "a", "b"),
    Difference(("truth",), "a", "b"),
    Difference(("_engine", "scene"), "a", "b"),
)


@pytest.mark.parametrize(
    ("viewer", "count"), [(Viewer.PLAYER, 4), (Viewer.MASTER, 5), (Viewer.AUTHOR, 7), (Viewer.OPERATOR, 7)]
)
def test_each_viewer_sees_what_is_theirs(viewer: Viewer, count: int) -> None:
    assert seen_differences(TINY.game, DIFFERENCES, viewer) == DIFFERENCES[:count]


def test_object_that_differs_only_in_what_is_hidden_is_the_same() -> None:
    layout = make_layout({"box": record(open=integer(), trap=integer(hidden=True))})
    game = replace(TINY.game, layout=layout)
    trap = Difference(("box",), {"open": 1, "trap": 0}, {"open": 1, "trap": 9})
    assert seen_differences(game, (trap,), Viewer.PLAYER) == ()
    both = Difference(("box",), {"open": 1, "trap": 0}, {"open": 2, "trap": 9})
    assert seen_differences(game, (both,), Viewer.PLAYER) == (Difference(("box",), {"open": 1}, {"open": 2}),)
    gone = Difference(("box",), {"open": 1, "trap": 0}, ABSENT)
    assert seen_differences(game, (gone,), Viewer.PLAYER) == (Difference(("box",), {"open": 1}, ABSENT),)


def test_differences_in_words() -> None:
    lines = tell_differences(TINY.game, DIFFERENCES[:4], Wording(TINY.words("en"), "en"))
    assert len(lines) == 3
    assert "Gold" in lines[0]
    assert "a rope" in lines[1]
    assert "09:05" in lines[2]


@pytest.mark.parametrize(
    ("ruling", "told"),
    [
        (None, ""),
        ({}, ""),
        ({"move": {"call": "roll", "arguments": {}}}, "call roll"),
        ({"move": {"end": "midnight"}}, "end midnight"),
        ({"move": {"op": "inc", "path": "gold", "value": 3}}, "inc gold 3"),
    ],
)
def test_moves_in_words(ruling: Json, told: str) -> None:
    assert tell_move(ruling) == told
