"""Drawings: maps and graphs fit their frame, names fit their boxes, and odd data is shown as words."""

import pytest

from talewright.faces.web.panel_drawings import (
    draw_part,
    draw_trail,
    draw_trend,
    fill_share,
    fold_name,
    make_dots,
    pad_rows,
    spread,
)
from talewright.play.campaign_past import CardTrend, VariableTrail
from talewright.play.campaign_view import PartKind, PartView


def make_map(**changes: object) -> PartView:
    given = {"rows": (("the taproom",), ("the cellar",)), "spots": ((1, 0), (0, 0)), "links": ((0, 1),)}
    return PartView(PartKind.MAP, "Known places", **{**given, **changes})  # type: ignore[arg-type]


def test_a_map_stands_in_its_frame() -> None:
    drawn = draw_part(make_map(current=0))
    assert drawn is not None
    assert (drawn.width, drawn.height) == (240, 64)
    assert [(place.x, place.is_here) for place in drawn.places] == [(180, True), (60, False)]
    assert drawn.ways == ((180, 32, 60, 32),)


@pytest.mark.parametrize(
    "changes",
    [
        {"rows": ()},
        {"spots": ((0, 0),)},
        {"spots": ((0, 0), (-1, 0))},
        {"spots": ((0, 0), (0, 10**9))},
        {"links": ((0, 2),)},
        {"rows": (("x",),) * 65, "spots": ((0, 0),) * 65},
    ],
)
def test_what_cannot_be_drawn_is_left_to_its_words(changes: dict[str, object]) -> None:
    assert draw_part(make_map(**changes)) is None


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 12, 64])
def test_the_nodes_of_a_graph_stand_apart(count: int) -> None:
    spots = spread(count)
    assert len(set(spots)) == count
    part = PartView(PartKind.GRAPH, "", rows=tuple((f"n{at}",) for at in range(count)))
    assert draw_part(part) is not None


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("the lock", ("the lock",)),
        ("the taproom of the Tankard", ("the taproom of", "the Tankard")),
        ("积尘酒杯的前厅与地下室", ("积尘酒杯的前厅", "与地下室")),
        ("a b c d e f g h i j k l m n o p q r", ("a b c d e f g", "h i j k l m n…")),
        ("x" * 40, ("x" * 14 + "…",)),
        ("", ("",)),
    ],
)
def test_names_fit_their_boxes(name: str, lines: tuple[str, ...]) -> None:
    assert fold_name(name) == lines


def test_meters() -> None:
    assert fill_share(5, 0, 20) == 25
    assert fill_share(-3, -10, 10) == 35
    assert fill_share(99, 0, 10) == 100
    assert fill_share(3, None, 10) == 30
    assert [fill_share(None, 0, 1), fill_share(1, 0, None), fill_share(1, 5, 5)] == [None] * 3
    assert make_dots(PartView(PartKind.METER, "", value=2, maximum=3)) == (True, True, False)
    for value, maximum in ((2, 100), (1.5, 3), (None, 3), (1, None), (0, 0)):
        assert make_dots(PartView(PartKind.METER, "", value=value, maximum=maximum)) == ()


def test_a_trail_is_a_stepped_line() -> None:
    trail = VariableTrail("Oil", ((1, 0.0), (3, 10.0), (5, 5.0)), (), 0, 10)
    assert draw_trail(trail, 9) == "0.0,96.0 25.0,96.0 25.0,4.0 50.0,4.0 50.0,50.0 100.0,50.0"
    assert draw_trail(VariableTrail("Oil", ((1, 2.0),), ()), 9) == ""
    flat = VariableTrail("Oil", ((1, 2.0), (1, 2.0)), ())
    assert draw_trail(flat, 1) == "0.0,96.0 0.0,96.0 0.0,96.0 100.0,96.0"


def test_a_trend_is_a_stepped_line() -> None:
    trend = CardTrend("hp", ((0, 30), (2, 20), (3, 25)))
    assert draw_trend(trend, 3) == "0.0,2.0 50.0,2.0 50.0,22.0 75.0,22.0 75.0,12.0 100.0,12.0"
    assert draw_trend(CardTrend("hp", ((0, 5),)), 0) == "0.0,22.0 100.0,22.0"


def test_rows_have_one_length() -> None:
    assert pad_rows((("a",), ("b", "c"))) == [("a", ""), ("b", "c")]
