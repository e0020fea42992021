"""A stage for the screens around the table: a small app with fakes behind it, which remembers.

It reads back what stands on the screen.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from textual.app import App
from textual.pilot import Pilot
from textual.screen import Screen

from talewright.faces.tui.launch_preferences import Preferences, TerminalServices
from talewright.faces.tui.themes import THEMES
from talewright.play.session import Session
from tests.faces.tui.fakes import FakeHouse

SIZE = (100, 30)
SIZES = (SIZE, (80, 24), (60, 20))
LANGUAGES = ("en", "zh-CN")
ROUNDS = 3
"""Times that messages and workers are let run before the screen is read."""


class HallStage(App[None]):
    """One screen, with a host that only remembers."""

    def __init__(self, house: FakeHouse, language: str) -> None:
        super().__init__()
        door = house.door()
        self.house, self.language = house, language
        self.rooms: TerminalServices | None = door.enter()
        self.preferences = Preferences(language=language, animations=False)
        self.kept: list[Preferences] = []
        self.tables: list[Session] = []
        self.answers: list[object] = []
        """What the screen was dismissed with."""

        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name

    def keep(self, preferences: Preferences) -> None:
        """Remember it."""
        self.preferences = preferences
        self.kept.append(preferences)

    async def open_table(self, session: Session) -> None:
        """Remember it."""
        self.tables.append(session)

    @property
    def seen(self) -> str:
        """Every row of the screen as it is drawn, without colours."""
        return "\n".join(strip.text.rstrip() for strip in self.screen._compositor.render_strips())


async def settle(pilot: Pilot[None]) -> None:
    """Let messages, layouts and workers run; those that wait for an answer go on waiting."""
    for _ in range(ROUNDS):
        await pilot.pause()


async def press(pilot: Pilot[None], *keys: str) -> None:
    """Press keys, one after the other."""
    for key in keys:
        await pilot.press(key)
        await settle(pilot)


Scene = Callable[[HallStage, Pilot[None]], Awaitable[None]]


def keys(*names: str) -> Scene:
    """A scene that is only played with keys."""

    async def scene(app: HallStage, pilot: Pilot[None]) -> None:
        await press(pilot, *names)

    return scene


def visit(
    make: Callable[[], Screen[Any]],  # Any: what it is dismissed with is the screen's own.
    scene: Scene,
    *,
    house: FakeHouse | None = None,
    size: tuple[int, int] = SIZE,
    language: str = "en",
) -> HallStage:
    """Show a screen and play a scene on it."""

    async def run() -> HallStage:
        app = HallStage(house or FakeHouse(), language)
        async with app.run_test(size=size) as pilot:
            await app.push_screen(make(), app.answers.append)
            await settle(pilot)
            await scene(app, pilot)
        return app

    return asyncio.run(run())
