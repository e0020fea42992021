"""A tour of a whole fight: three goblins, from initiative to the end, in every size."""

from typing import Any, Final

from textual.pilot import Pilot

from talewright.faces.tui.table.table_screen import TableScreen
from tests.faces.games import THREE_GOBLINS
from tests.faces.tui.camera import hold_still
from tests.faces.tui.scenery import House, make_lobby, open_small_shelf
from tests.faces.tui.tours.album import Album, press, visit
from tests.faces.tui.tours.table import at_table, sit_down
from tests.opened import opened

CAMPAIGN: Final = "bridge"
ROUNDS_MAX: Final = 12
"""More rounds than the fight takes with the dice of the pictures."""

SIZES: Final = ((120, 40), (80, 24))


async def tour_fight(album: Album) -> None:
    """A check, the beginning of a fight, every round of it, and the end."""
    house = House(make_lobby(album.language), album.language)
    game = open_small_shelf(album.language).admit(str(THREE_GOBLINS)).game.id
    await (await opened(house.lobby.begin(game, album.language, CAMPAIGN))).close()
    async with visit(house.door(at_table(album, CAMPAIGN))) as pilot:
        await _choose(pilot, "2")
        await album.add(pilot, "fight_check", album.pick("Perception", "察觉"))
        await _choose(pilot, "1")
        await album.add(pilot, "fight_begun", album.pick("initiative", "先攻"))
        await _choose(pilot, "1")
        await album.add(pilot, "fight_round", album.pick("round 2", "第 2 轮"))
        for width, height in SIZES:
            await pilot.resize_terminal(width, height)
            await album.add(pilot, f"fight_{width}x{height}", album.pick("Goblin 1", "地精甲"))
        await press(pilot, "f2")
        await album.add(pilot, "fight_cards_80x24", album.pick("Hit points", "生命值"))
        await press(pilot, "f2")
        await pilot.resize_terminal(100, 30)
        table = await sit_down(pilot)
        for number in range(3, ROUNDS_MAX):
            await _choose(pilot, "1")
            if not _fights(table):
                break
            await album.add(pilot, f"fight_round_{number}", album.pick(f"round {number}", f"第 {number} 轮"))
        await album.add(pilot, "fight_over", album.pick("The fight is", "战斗"))


def _fights(table: TableScreen) -> bool:
    assert table.board.view is not None
    return any(panel.is_urgent for panel in table.board.view.panels)


async def _choose(pilot: Pilot[Any], number: str) -> None:
    await sit_down(pilot)
    await press(pilot, number)
    await sit_down(pilot)
    await hold_still(pilot)
