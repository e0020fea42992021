"""Sayings: differences and moves in words, and who may read them."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.state.documents import ABSENT
from talewright.kernel.story.cards import Card
from talewright.play.campaign_view import Viewer
from talewright.play.history.state_blame import tell_move
from talewright.play.history.state_diff import StateDifference, seen_differences, tell_differences
from talewright.play.presentation.value_wording import Wording
from tests.kernel.making import integer, make_layout, record
from tests.play.history.tiny import TINY

DIFFERENCES = (
    StateDifference(("gold",), 10, 12),
    StateDifference(("bag", "1"), ABSENT, "rope"),
    StateDifference(("time", "hour"), 8, 9),
    StateDifference(("time", "minute"), 0, 5),
    StateDifference(("plot",), "a", "b"),
    StateDifference(("truth",), "a", "b"),
    StateDifference(("_engine", "scene"), "a", "b"),
)


@pytest.mark.parametrize(
    ("viewer", "count"), [(Viewer.PLAYER, 4), (Viewer.MASTER, 5), (Viewer.AUTHOR, 7), (Viewer.OPERATOR, 7)]
)
def test_each_viewer_sees_what_is_theirs(viewer: Viewer, count: int) -> None:
    game = replace(TINY.game, cards=tuple(Card(name) for name in TINY.game.layout.roots))
    assert seen_differences(game, DIFFERENCES, viewer) == DIFFERENCES[:count]


def test_players_are_not_told_of_what_has_no_card() -> None:
    cards = tuple(Card(name, visible=name != "gold") for name in TINY.game.layout.roots)
    game = replace(TINY.game, cards=cards, status_bar=())
    assert seen_differences(game, DIFFERENCES, Viewer.PLAYER) == DIFFERENCES[1:4]


def test_object_that_differs_only_in_what_is_hidden_is_the_same() -> None:
    layout = make_layout({"box": record(open=integer(), trap=integer(hidden=True))})
    game = replace(TINY.game, layout=layout, cards=(Card("box"),))
    trap = StateDifference(("box",), {"open": 1, "trap": 0}, {"open": 1, "trap": 9})
    assert seen_differences(game, (trap,), Viewer.PLAYER) == ()
    both = StateDifference(("box",), {"open": 1, "trap": 0}, {"open": 2, "trap": 9})
    assert seen_differences(game, (both,), Viewer.PLAYER) == (
        StateDifference(("box",), {"open": 1}, {"open": 2}),
    )
    gone = StateDifference(("box",), {"open": 1, "trap": 0}, ABSENT)
    assert seen_differences(game, (gone,), Viewer.PLAYER) == (StateDifference(("box",), {"open": 1}, ABSENT),)


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
