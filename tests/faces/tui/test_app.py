"""The app with fakes behind its door: from the first paint to the lobby, the table and out again."""

import asyncio
import subprocess
import sys
import threading
from collections.abc import Awaitable, Callable
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from talewright.errors import TalewrightError
from talewright.faces.tui.app import TerminalApp, TitleScreen
from talewright.faces.tui.help_screen import HelpScreen
from talewright.faces.tui.history.card_history import CardHistory
from talewright.faces.tui.history.inspector_screen import InspectorScreen
from talewright.faces.tui.history.tree_screen import TreeScreen
from talewright.faces.tui.launch_preferences import Preferences, TerminalLaunch, TerminalStartRequest
from talewright.faces.tui.lobby.lobby_screen import LobbyScreen
from talewright.faces.tui.setup.first_run_screen import FirstRunScreen
from talewright.faces.tui.table.cards_panel import CardBox
from talewright.faces.tui.table.table_screen import TableScreen
from talewright.play.campaign_view import EndView
from tests.faces.tui.fakes import FakeHouse, FakeLobby, FakeSession
from tests.faces.tui.samples import VIEW

Scene = Callable[[TerminalApp, Pilot[int]], Awaitable[None]]
AT_TABLE = TerminalStartRequest(campaign="mist-1")
DEAR_ROOMS = (
    "kernel.game",
    "turn",
    "llm",
    "bootstrap",
    "faces.tui.table",
    "faces.tui.lobby",
    "faces.tui.story",
)
"""What is only loaded behind the first paint."""

WAITS_MAX = 200
"""Rounds that something is waited for."""


def visit(door: TerminalLaunch, scene: Scene) -> TerminalApp:
    async def run() -> TerminalApp:
        app = TerminalApp(door)
        async with app.run_test(size=(100, 30), notifications=True) as pilot:
            await scene(app, pilot)
        return app

    return asyncio.run(run())


async def until(pilot: Pilot[int], met: Callable[[], bool]) -> None:
    for _ in range(WAITS_MAX):
        if met():
            break
        await pilot.pause(0.01)
    assert met()
    await pilot.pause()


async def see(pilot: Pilot[int], screen: type[object]) -> None:
    """Wait until a screen is on top and has something on it."""

    def met() -> bool:
        top = pilot.app.screen
        return isinstance(top, screen) and (not isinstance(top, TableScreen) or top.turns is not None)

    await until(pilot, met)


def read(app: TerminalApp) -> str:
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


def test_first_paint_comes_before_the_rooms() -> None:
    gate = threading.Event()
    house = FakeHouse()
    door = house.door()

    def enter() -> object:
        gate.wait(10)
        return door.enter()

    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TitleScreen)
        await until(pilot, lambda: "T A L E W R I G H T" in read(app))
        assert app.rooms is None
        await pilot.press("f1")
        await see(pilot, HelpScreen)
        await pilot.press("escape")
        gate.set()
        await see(pilot, LobbyScreen)
        await until(pilot, lambda: app.rooms is not None)
        await until(pilot, lambda: "Mist Harbor" in read(app))

    visit(replace(door, enter=enter), scene)  # type: ignore[arg-type]  # it returns what the door does


@pytest.mark.process
def test_before_the_first_paint_neither_screens_nor_engine_are_loaded() -> None:
    asked = "import sys, talewright.faces.tui.app; print(*sys.modules)"
    ended = subprocess.run(
        [sys.executable, "-c", asked], capture_output=True, text=True, timeout=60, check=True
    )
    dear = ("openai", "httpx", "pydantic", "markdown_it", *(f"talewright.{room}" for room in DEAR_ROOMS))
    assert [name for name in ended.stdout.split() if name.startswith(dear)] == []


def test_named_campaign_leads_straight_to_the_table() -> None:
    house = FakeHouse()

    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TableScreen)
        assert "1  Go in" in read(app)
        await pilot.press("f9")
        await see(pilot, LobbyScreen)
        assert house.lobby.session.closed

    visit(house.door(AT_TABLE), scene)
    assert ("open", "mist-1") in house.lobby.calls


def test_named_game_goes_on_or_begins() -> None:
    house = FakeHouse()

    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TableScreen)

    visit(house.door(TerminalStartRequest(game="mist", new=True, locale="zh-TW")), scene)
    visit(house.door(TerminalStartRequest(game="mist")), scene)
    assert [call for call in house.lobby.calls if call[0] in ("begin", "open")] == [
        ("begin", "mist", "zh-CN", ""),
        ("open", "mist-1"),
    ]


@pytest.mark.parametrize(
    ("trouble", "told"),
    [(TalewrightError("the disk is gone", "Find it."), "the disk is gone"), (KeyError("x"), "KeyError")],
)
def test_what_cannot_be_opened_is_told_on_the_title(trouble: Exception, told: str) -> None:
    def enter() -> object:
        raise trouble

    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TitleScreen)
        await until(pilot, lambda: told in read(app))

    visit(replace(FakeHouse().door(AT_TABLE), enter=enter), scene)  # type: ignore[arg-type]  # it never returns


def test_unknown_campaign_is_told() -> None:
    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await until(pilot, lambda: "there is no campaign 'mist-7'" in read(app))
        await pilot.press("enter")
        await see(pilot, LobbyScreen)

    visit(FakeHouse().door(TerminalStartRequest(campaign="mist-7")), scene)


def test_first_visit_is_welcomed() -> None:
    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, FirstRunScreen)

    visit(FakeHouse().door(first_run=True), scene)


def test_leaving_closes_everything() -> None:
    house = FakeHouse()

    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TableScreen)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: house.closed)

    app = visit(house.door(AT_TABLE), scene)
    assert house.lobby.session.closed
    assert app.return_value == 0


def test_playing_it_again() -> None:
    session = FakeSession(views=[replace(VIEW, end=EndView("escape", "lose"))])
    house = FakeHouse(lobby=FakeLobby(session=session))

    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TableScreen)
        first = app.screen
        await pilot.press("1")
        await until(pilot, lambda: app.screen is not first and isinstance(app.screen, TableScreen))
        assert [type(screen) for screen in app.screen_stack[1:]] == [LobbyScreen, TableScreen]

    visit(house.door(AT_TABLE), scene)
    assert ("begin", "mist", "en", "") in house.lobby.calls


def test_what_cannot_be_begun_again_is_told_at_the_table() -> None:
    session = FakeSession(views=[replace(VIEW, end=EndView("escape", "lose"))])
    house = FakeHouse(lobby=FakeLobby(session=session))

    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TableScreen)
        house.lobby.trouble = TalewrightError("the game is gone", "Look for it.")
        await pilot.press("1")
        await until(pilot, lambda: "the game is gone" in read(app))
        assert isinstance(app.screen, TableScreen)

    visit(house.door(AT_TABLE), scene)


def test_past_is_looked_at_from_the_table() -> None:
    house = FakeHouse()

    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TableScreen)
        app.screen.query(CardBox).first().focus()
        await pilot.press("enter")
        await see(pilot, CardHistory)
        await pilot.press("escape")
        await see(pilot, TableScreen)
        await pilot.press("f3")
        await see(pilot, TreeScreen)
        await pilot.press("escape")
        await see(pilot, TableScreen)
        await pilot.press("f4")
        await see(pilot, InspectorScreen)

    visit(house.door(AT_TABLE, Preferences(language="en", animations=False, inspector=True)), scene)


def test_preferences_are_followed_and_kept() -> None:
    house = FakeHouse()

    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TableScreen)
        app.action_prefer_theme("talewright-safe")
        assert app.theme == "talewright-safe"
        app.action_prefer_language("zh-CN")
        app.action_toggle_animations()
        app.action_toggle_inspector()
        await pilot.pause()
        assert "第 3 回合" in read(app)

    visit(house.door(AT_TABLE), scene)
    kept = Preferences(theme="talewright-safe", language="zh-CN", animations=True, inspector=True)
    assert house.kept[-1] == kept
    assert len(house.kept) == 4


def test_preferences_that_cannot_be_kept_hold_for_now() -> None:
    def keep(preferences: Preferences) -> None:
        raise OSError("disk [red]full[/red]")

    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TableScreen)
        app.action_prefer_theme("talewright-light")
        await pilot.pause()
        assert app.theme == "talewright-light"
        await until(pilot, lambda: "[red]full[/red]" in read(app).replace("\n", " "))

    visit(replace(FakeHouse().door(AT_TABLE), keep=keep), scene)


def test_theme_that_is_not_known_is_the_dark_one() -> None:
    assert TerminalApp(FakeHouse().door(preferences=Preferences(theme="nord"))).theme == "talewright-dark"


@pytest.mark.parametrize(
    ("preferred", "asked", "locale", "spoken"),
    [("", "", "", "en"), ("", "", "zh-TW", "zh-CN"), ("", "en", "zh-CN", "en"), ("zh-CN", "en", "", "zh-CN")],
)
def test_language_of_the_face(preferred: str, asked: str, locale: str, spoken: str) -> None:
    door = FakeHouse().door(
        TerminalStartRequest(language=asked, locale=locale), Preferences(language=preferred)
    )
    assert TerminalApp(door).language == spoken


def test_help_is_made_for_the_screen_one_comes_from() -> None:
    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TableScreen)
        await pilot.press("f1")
        await see(pilot, HelpScreen)
        seen = read(app)
        assert "undo the last turn" in seen
        assert "ctrl+z" in seen
        await pilot.press("f1")
        await see(pilot, TableScreen)
        await pilot.press("f9")
        await see(pilot, LobbyScreen)
        await pilot.press("question_mark")
        await see(pilot, HelpScreen)
        assert "undo the last turn" not in read(app)

    visit(FakeHouse().door(AT_TABLE), scene)


def test_question_mark_is_typed_at_the_line() -> None:
    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TableScreen)
        await pilot.press("w", "h", "y", "question_mark")
        assert isinstance(app.screen, TableScreen)
        assert app.screen.board.line.value == "why?"
        await pilot.press("ctrl+c")
        await until(pilot, lambda: "Press ctrl+q to quit" in read(app))

    visit(FakeHouse().door(AT_TABLE), scene)


def test_palette_finds_commands_in_the_other_language_too() -> None:
    house = FakeHouse()

    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TableScreen)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "Undo the last turn" in read(app))
        assert "Screenshot" not in read(app)
        await pilot.press(*"撤销上一")
        await until(pilot, lambda: "撤销上一回合" in read(app))
        await pilot.press("enter")
        await until(pilot, lambda: ("undo", 1) in house.lobby.session.calls)

    visit(house.door(AT_TABLE), scene)


def test_palette_finds_commands_by_another_word() -> None:
    async def scene(app: TerminalApp, pilot: Pilot[int]) -> None:
        await see(pilot, TableScreen)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: "Undo the last turn" in read(app))
        await pilot.press(*"history")
        await until(pilot, lambda: "Open the story tree" in read(app) and "Undo the last" not in read(app))

    visit(FakeHouse().door(AT_TABLE), scene)
