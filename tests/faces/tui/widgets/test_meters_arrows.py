"""Arrows: one sign wherever a change is told."""

from talewright.faces.tui.widgets.meters import draw_arrows


def test_arrows() -> None:
    assert draw_arrows("Suspicion 20 -> 30; At the bar -> the pier") == (
        "Suspicion 20 → 30; At the bar → the pier"
    )
    assert draw_arrows("a->b") == "a->b"
