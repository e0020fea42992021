"""A whole game at the table, on the real engine: by keys alone and by mouse alone.

The choices are seeded; the seed is printed.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from textual.pilot import Pilot

from talewright.bootstrap import open_lobby, open_shelf
from talewright.faces.tui.app import TerminalApp
from talewright.faces.tui.door import Rooms, Wishes
from talewright.faces.tui.preferences import Preferences
from talewright.faces.tui.table.choices import ChoiceList
from talewright.faces.tui.table.screen import TableScreen
from tests.faces.tui.fakes import FakeDesk, FakeHouse

SEED = 5
SECRET = bytes(range(32))
TURNS_MAX = 80
"""The night is over long before."""

WAITS_MAX = 400
Taking = Callable[[Pilot[int], TableScreen, int], Awaitable[None]]


async def nothing_to_close() -> None:
    return None


async def press(pilot: Pilot[int], table: TableScreen, number: int) -> None:
    await pilot.press(str(number))


async def click(pilot: Pilot[int], table: TableScreen, number: int) -> None:
    choices = table.query_one(ChoiceList)
    above = [choices.get_option_at_index(at).prompt for at in range(number - 1)]
    row = 1 + sum(str(prompt).count("\n") + 1 for prompt in above)
    await pilot.click(choices, offset=(8, row - choices.scroll_offset.y))


async def wait_for_rest(pilot: Pilot[int], head: str) -> TableScreen:
    """Until the table stands at another place than before and waits for the player."""
    for _ in range(WAITS_MAX):
        table = pilot.app.screen
        if isinstance(table, TableScreen) and table.turns is not None and not table.turns.running:
            view = table.board.view
            if view is not None and view.head != head:
                await pilot.pause()
                return table
        await pilot.pause(0.01)
    raise AssertionError("nothing happened")


@pytest.mark.parametrize(
    ("take", "language", "size"),
    [(press, "en", (100, 30)), (click, "zh-CN", (80, 24))],
    ids=["keys", "mouse"],
)
def test_played_to_an_ending(take: Taking, language: str, size: tuple[int, int], tmp_path: Path) -> None:
    print("seed", SEED)

    def enter() -> Rooms:
        shelf = open_shelf(language=language)
        lobby = open_lobby(tmp_path, shelf=shelf, git=False, language=language, secret=SECRET)
        return Rooms(lobby, FakeDesk(), nothing_to_close)

    async def run() -> None:
        chance = Random(SEED)
        wishes = Wishes(game="mist_harbor", language=language)
        door = FakeHouse().door(wishes, Preferences(language=language, animations=False))
        app = TerminalApp(replace(door, enter=enter))
        async with app.run_test(size=size) as pilot:
            table = await wait_for_rest(pilot, "")
            for _ in range(TURNS_MAX):
                view = table.board.view
                assert view is not None
                if view.end is not None:
                    break
                # Only what is in sight can be clicked.
                count = min(len(view.choices), 3)
                await take(pilot, table, chance.randint(1, count))
                table = await wait_for_rest(pilot, view.head)
            assert table.board.view is not None
            assert table.board.view.end is not None
            assert table.board.hand.offers.card is not None
            await pilot.press("ctrl+q")

    asyncio.run(run())
