"""The two lists of the lobby: what a game is about is read in full, however narrow the terminal is."""

from datetime import UTC, datetime

import pytest
from textual.pilot import Pilot
from textual.widgets import OptionList

from talewright.faces.tui.lobby.lobby_screen import LobbyScreen
from talewright.faces.tui.setup.first_run_screen import FirstRunScreen
from talewright.play.lobby import GameInfo
from tests.faces.tui.fakes import FakeHouse, FakeLobby
from tests.faces.tui.lobby.stage import SIZES, HallStage, visit

NOW = datetime(2031, 1, 3, 12, tzinfo=UTC)
ENGLISH = "A dead moneylender, a watchman and one candle. Get your father's debt out before first light."
CHINESE = "一个死去的债主，一个守夜的人，一支蜡烛。天亮之前，把父亲欠的那笔账从礼拜堂里弄出来，谁也别惊动。"


def house() -> FakeHouse:
    games = (
        GameInfo("en", "Watch", ("en",), "shipped", "dry", 12, description=ENGLISH),
        GameInfo("zh", "守灵夜", ("zh-CN",), "shipped", "dry", 12, description=CHINESE),
    )
    return FakeHouse(lobby=FakeLobby(infos=games, saved=()))


def read(games: OptionList) -> str:
    """What is in sight of the list, with no space in it."""
    rows = range(games.scrollable_content_region.height)
    return "".join(games.render_line(row).text.replace(" ", "") for row in rows)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("screen", [lambda: LobbyScreen(lambda: NOW), FirstRunScreen])
def test_what_a_game_is_about_is_read_in_full(screen: type[FirstRunScreen], size: tuple[int, int]) -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        games = app.screen.query_one("#games", OptionList)
        assert ENGLISH.replace(" ", "") in read(games)
        games.scroll_end(animate=False)
        await pilot.pause()
        assert CHINESE in read(games)

    visit(screen, scene, house=house(), size=size)


def test_where_nothing_was_begun_the_games_have_the_room() -> None:
    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        campaigns, games = app.screen.query_one("#campaigns"), app.screen.query_one("#games")
        assert campaigns.size.height < games.size.height

    visit(lambda: LobbyScreen(lambda: NOW), scene, house=house(), size=(60, 20))
