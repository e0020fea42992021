"""The status bar at every width."""

import asyncio

import pytest

from talewright.faces.tui.table.status_bar import ROWS_MAX, StatusBar, arrange, draw_fight, draw_item
from talewright.play.campaign_view import FighterView, FightView, StatusView
from tests.faces.tui.samples import VIEW
from tests.faces.tui.stage import Stage, plain_lines, read_screen

LIFE, ENERGY, PLACE = VIEW.status


def test_item_with_everything() -> None:
    assert draw_item(LIFE, 10).plain == "Life ━━━━━━━━── 80/100 ▼5"
    assert draw_item(ENERGY, 4).plain == "Energy ╸─── 10/100 !"
    assert draw_item(LIFE, 0, with_delta=False).plain == "Life 80/100"


def test_where_something_was_before_is_told_in_the_story() -> None:
    assert draw_item(PLACE, 10).plain == "At the pier"


def test_roomy_bar_is_one_row() -> None:
    assert len(arrange(VIEW.status, 100)) == 1


@pytest.mark.parametrize("width", [20, 30, 40, 56, 80, 130])
@pytest.mark.parametrize("label", ["Health", "生命值"])
def test_never_more_than_two_rows_and_never_too_wide(width: int, label: str) -> None:
    status = tuple(StatusView(f"{label}{at}", "80/100", "-5", at == 2, 80, 0, 100) for at in range(8))
    rows = arrange(status, width)
    assert 1 <= len(rows) <= ROWS_MAX
    assert all(row.cell_length <= width for row in rows)


def test_meters_shrink_before_they_vanish() -> None:
    status = VIEW.status[:2]
    assert "━━━━━━━━──" in plain_lines(arrange(status, 60))[0]
    assert "━━" in "".join(plain_lines(arrange(status * 2, 46)))
    assert "━" not in "".join(plain_lines(arrange(status * 3, 40)))


def test_nothing_to_show_takes_no_room() -> None:
    assert arrange((), 80) == []

    async def run() -> None:
        app = Stage(StatusBar())
        async with app.run_test(size=(60, 5)) as pilot:
            bar = app.query_one(StatusBar)
            assert not bar.display or bar.size.height == 0
            bar.show(VIEW.status)
            await pilot.pause()
            assert "Life" in read_screen(app)
            assert bar.size.height == 2
            bar.show(())
            await pilot.pause()
            assert "Life" not in read_screen(app)

    asyncio.run(run())


FIGHT = FightView(
    "Fight, round 2",
    "Your turn",
    (
        FighterView("You", 9, 12, "prone", is_player=True, is_acting=True),
        FighterView("Goblin 2", 0, 7, is_out=True),
        FighterView("Fog"),
    ),
)


@pytest.mark.parametrize(
    ("width", "drawn"),
    [
        (60, "Your turn   You ━━━━━━── 9/12   Goblin 2 ──────── 0/7   Fog"),
        (54, "Your turn   You ━━━─ 9/12   Goblin 2 ──── 0/7   Fog"),
        (42, "Your turn   You 9/12   Goblin 2 0/7   Fog"),
        (36, "▸You 9/12   Goblin 2 0/7   Fog"),
        (20, "▸You 9/12   Goblin …"),
    ],
)
def test_a_fight_on_one_line(width: int, drawn: str) -> None:
    assert draw_fight(FIGHT, width).plain == drawn
