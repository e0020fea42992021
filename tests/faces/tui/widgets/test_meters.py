"""Bars and deltas, sign by sign."""

import pytest

from talewright.faces.tui.widgets.meters import draw_bar, draw_delta


@pytest.mark.parametrize(
    ("value", "low", "high", "drawn"),
    [
        (0, 0, 100, "──────────"),
        (100, 0, 100, "━━━━━━━━━━"),
        (50, 0, 100, "━━━━━─────"),
        (55, 0, 100, "━━━━━╸────"),
        # More than nothing shows, and less than full leaves a gap.
        (0.1, 0, 100, "╸─────────"),
        (99.9, 0, 100, "━━━━━━━━━╸"),
        (-5, -10, 10, "━━╸───────"),
        # What runs over its bounds is cut, and bounds that make no sense are an empty bar.
        (400, 0, 100, "━━━━━━━━━━"),
        (-3, 0, 100, "──────────"),
        (5, 5, 5, "──────────"),
    ],
)
def test_bar(value: float, low: float, high: float, drawn: str) -> None:
    assert draw_bar(value, low, high, 10).plain == drawn


def test_critical_bar_is_drawn_in_the_colour_of_errors() -> None:
    assert draw_bar(5, 0, 10, 4, critical=True).spans[0].style == "$error"
    assert draw_bar(5, 0, 10, 4).spans[0].style == "$primary"


@pytest.mark.parametrize(
    ("delta", "drawn"),
    [
        ("", ""),
        ("+10", "▲10"),
        ("-2.5", "▼2.5"),
        ("+knife", "▲ +knife"),
        ("-knife", "▼ -knife"),
        ("Lian +3", "◆ Lian +3"),
        ("the bar -> the pier", "◆ the bar → the pier"),
        ("+\x1b[31m3", "▲ +[31m3"),
    ],
)
def test_delta(delta: str, drawn: str) -> None:
    assert draw_delta(delta).plain == drawn
