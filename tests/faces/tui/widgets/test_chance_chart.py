"""The chart of chances: readable without colours, in any width."""

from dataclasses import replace

import pytest
from rich.cells import cell_len

from talewright.faces.tui.widgets.chance_chart import COLUMNS_MAX, draw_chances
from talewright.play.campaign_view import ChanceView

WAYS = (1, 2, 3, 4, 5, 6, 5, 4, 3, 2, 1)
TWO_DICE = ChanceView(
    tuple(range(2, 13)), tuple(way / 36 for way in WAYS), ("fail",) * 6 + ("success",) * 5, 15 / 36, "…"
)


def drawn(chances: ChanceView, total: float, width: int = 80) -> str:
    chart = draw_chances(chances, total, width)
    assert chart is not None
    return chart.plain


def flat(sides: int, failing: int) -> ChanceView:
    outcomes = ("fail",) * failing + ("success",) * (sides - failing)
    return ChanceView(tuple(range(1, sides + 1)), (1 / sides,) * sides, outcomes, 1 - failing / sides, "…")


def test_a_bell_of_two_dice() -> None:
    assert drawn(TWO_DICE, 7) == "▂▃▅▆▇◆╎▇▆▅▃▂ 42%"
    assert drawn(replace(TWO_DICE, outcomes=("",) * 11, success=None), 12) == "▂▃▅▆▇█▇▆▅▃◆"


def test_equal_chances_are_a_low_row() -> None:
    assert drawn(flat(20, 12), 17) == "▃▃▃▃▃▃▃▃▃▃▃▃╎▃▃▃▃◆▃▃▃ 40%"


def test_many_totals_share_bars_but_never_across_outcomes() -> None:
    chart = drawn(flat(100, 7), 7)
    assert chart.endswith(" 93%")
    bars = chart.removesuffix(" 93%")
    assert len(bars) <= COLUMNS_MAX + 1
    assert bars[bars.index("╎") - 1] == "◆"


@pytest.mark.parametrize(("share", "told"), [(0.001, "<1%"), (0.999, ">99%"), (0.0, "0%"), (1.0, "100%")])
def test_only_what_is_certain_is_nothing_or_everything(share: float, told: str) -> None:
    assert drawn(replace(TWO_DICE, success=share), 7).endswith(f" {told}")


@pytest.mark.parametrize("width", range(1, 40))
def test_a_chart_fits_or_is_left_out(width: int) -> None:
    for chances in (TWO_DICE, flat(20, 5), flat(100, 50)):
        chart = draw_chances(chances, chances.totals[3], width)
        assert chart is None or cell_len(chart.plain) <= width
        assert (chart is None) == (width < 11)
        assert chart is None or chart.plain.count("◆") == 1
