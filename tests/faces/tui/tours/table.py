"""A tour of the table: told by scenes and by a model, in every state, size and theme."""

import asyncio
from dataclasses import replace
from typing import Any

from textual.pilot import Pilot

from talewright.faces.tui.launch_preferences import TerminalStartRequest
from talewright.faces.tui.table.table_screen import TableScreen
from talewright.faces.tui.themes import THEMES
from talewright.llm.provider import ProviderError, Trouble
from talewright.play.campaign_view import DecisionView
from talewright.providers.scripted import ScriptedReply
from talewright.turn.moderation import NoModeration, Objection
from talewright.turn.turn_context import Teller
from tests.faces.tui.camera import hold_still, until
from tests.faces.tui.scenery import House, halve, make_lobby, walk, walk_to_the_end
from tests.faces.tui.tours.album import Album, press, visit
from tests.faces.tui.tours.telling import tell_story
from tests.opened import opened
from tests.play.tellers import Hesitant

TO_THE_DICE = (1, 2, 3, 1, 2)
"""The choices that lead to a turn with dice in it."""

SMALL_SIZES = ((80, 24), (60, 20))
CAMPAIGN = "night-shift"


async def sit_down(pilot: Pilot[Any]) -> TableScreen:
    """The table, once it stands and nothing runs."""

    def stands() -> bool:
        table = pilot.app.screen
        return isinstance(table, TableScreen) and table.turns is not None and not table.turns.running

    await until(pilot, stands)
    table = pilot.app.screen
    assert isinstance(table, TableScreen)
    return table


def at_table(album: Album, campaign: str = CAMPAIGN) -> TerminalStartRequest:
    """Straight to a campaign."""
    return TerminalStartRequest(campaign=campaign, language=album.language)


async def tour_scenes(album: Album) -> None:
    """Told by scenes: the first turn, dice, help, palette, sizes and themes."""
    house = House(make_lobby(album.language), album.language)
    await (await opened(house.lobby.begin("mist_harbor", album.language, CAMPAIGN))).close()
    async with visit(house.door(at_table(album))) as pilot:
        await sit_down(pilot)
        await album.add(pilot, "table", "1  ")
        for pick in TO_THE_DICE:
            await press(pilot, str(pick))
            await sit_down(pilot)
        await hold_still(pilot)
        await album.add(pilot, "dice", "2d6")
        await press(pilot, "f1")
        await album.add(pilot, "help", "ctrl+z")
        await press(pilot, "escape", "ctrl+p")
        await album.add(pilot, "palette", album.pick("Undo the last turn", "撤销上一回合"))
        await press(pilot, "escape")
        await _show_themes("dice", album, pilot)
        await _show_sizes(album, pilot)


async def _show_themes(name: str, album: Album, pilot: Pilot[Any]) -> None:
    for theme in THEMES[1:]:
        await pilot.app.run_action(f"app.prefer_theme({theme.name!r})")
        await album.add(pilot, f"{name}_{theme.name.removeprefix('talewright-')}")
    await pilot.app.run_action(f"app.prefer_theme({THEMES[0].name!r})")


async def _show_sizes(album: Album, pilot: Pilot[Any]) -> None:
    for width, height in SMALL_SIZES:
        await pilot.resize_terminal(width, height)
        await album.add(pilot, f"table_{width}x{height}", "1  ")
        await press(pilot, "f2")
        await album.add(pilot, f"cards_{width}x{height}", "44/100")
        await press(pilot, "f2")


async def tour_model(album: Album) -> None:
    """Told by a model: while it streams, what it has told, stopped in mid-turn, and out of reach."""
    lost = ScriptedReply(error=ProviderError(Trouble.UNREACHABLE, "no route"))
    slow = Hesitant([tell_story(album), tell_story(album), *([lost] * 8)], cut=halve)
    house = House(make_lobby(album.language, Teller(slow)), album.language)
    await (await opened(house.lobby.begin("mist_harbor", album.language, CAMPAIGN))).close()
    said = album.pick("I ask her who paid for it", "我问她是谁付的钱")
    async with visit(house.door(at_table(album))) as pilot:
        table = await sit_down(pilot)
        table.board.line.value = said
        await press(pilot, "enter")
        await asyncio.wait_for(slow.reached.wait(), 30)
        await album.add(pilot, "streaming", album.pick("Lian folds", "黎安把那张纸"))
        await press(pilot, "escape")
        await sit_down(pilot)
        await album.add(pilot, "unfinished", said)
        slow.let_on.set()
        await press(pilot, "1")
        await sit_down(pilot)
        await album.add(pilot, "told", album.pick("Out through the kitchen", "马上从厨房走"))
        await _show_themes("told", album, pilot)
        table.board.line.value = said
        await press(pilot, "enter")
        await sit_down(pilot)
        await album.add(pilot, "degraded", "1  ")


class Worried(NoModeration):
    """Cautions whatever a player says."""

    async def hear(self, text: str) -> Objection | None:
        return Objection("worried", grave=False)


async def tour_cards(album: Album) -> None:
    """The cards that ask: of the engine, of a system, and at the end."""
    teller = Teller(Hesitant([tell_story(album)]))
    lobby = replace(make_lobby(album.language, teller), moderation=Worried())
    house = House(lobby, album.language)
    await (await opened(lobby.begin("mist_harbor", album.language, CAMPAIGN))).close()
    ended = await opened(replace(lobby, teller=None).begin("mist_harbor", album.language, "ended"))
    await walk(ended, TO_THE_DICE)
    await walk_to_the_end(ended)
    await ended.close()
    async with visit(house.door(at_table(album))) as pilot:
        table = await sit_down(pilot)
        table.board.line.value = album.pick("I draw the knife", "我拔出刀")
        await press(pilot, "enter")
        await sit_down(pilot)
        await album.add(pilot, "caution", "1  ")
        assert table.board.view is not None
        table.board.show(replace(table.board.view, decisions=(ask(album),)), fresh=False)
        await album.add(pilot, "decision", "2d6+1")
        for width, height in SMALL_SIZES:
            await pilot.resize_terminal(width, height)
            await album.add(pilot, f"decision_{width}x{height}", "1  ")
    async with visit(house.door(at_table(album, "ended"))) as pilot:
        await sit_down(pilot)
        await album.add(pilot, "ended", "4  ")


def ask(album: Album) -> DecisionView:
    """A question of a system, with a note."""
    if album.is_chinese:
        return DecisionView(
            "spiral.check",
            "翻过电厂的围墙？",
            ("2d6+1，8 点以上成功。", "失败的话，扭伤的脚踝会留下来。"),
            (("roll", "掷骰"), ("contest", "这不该难，我有绳子"), ("withdraw", "算了，换个办法")),
            takes_note=True,
        )
    return DecisionView(
        "spiral.check",
        "Over the wall of the power plant?",
        ("2d6+1, 8 or more to succeed.", "Should it fail, the twisted ankle stays with you."),
        (
            ("roll", "Roll"),
            ("contest", "That should not be hard, I have a rope"),
            ("withdraw", "Leave it, and try another way"),
        ),
        takes_note=True,
    )
