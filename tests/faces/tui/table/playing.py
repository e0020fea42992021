"""Playing the table with keys, against a session that only remembers."""

import asyncio
from collections.abc import Awaitable, Callable

from textual.pilot import Pilot

from talewright.faces.tui.launch_preferences import Preferences
from tests.faces.tui.fakes import FakeSession
from tests.faces.tui.stage import SIZE, TableStage, read_screen, settle

Scene = Callable[[TableStage, Pilot[None]], Awaitable[None]]

LOOKS_MAX = 200
"""How often a screen is looked at for words that are to come."""


def play(
    session: FakeSession,
    scene: Scene,
    size: tuple[int, int] = SIZE,
    preferences: Preferences | None = None,
) -> TableStage:
    """Sit down at a session and play a scene."""

    async def run() -> TableStage:
        app = TableStage(session, preferences)
        async with app.run_test(size=size) as pilot:
            await settle(pilot)
            await scene(app, pilot)
        return app

    return asyncio.run(run())


def press(*keys: str) -> Scene:
    """A scene that is only played with keys."""

    async def scene(app: TableStage, pilot: Pilot[None]) -> None:
        for key in keys:
            await pilot.press(key)
            await settle(pilot)

    return scene


async def see(app: TableStage, pilot: Pilot[None], words: str) -> None:
    """Wait until words stand on the screen."""
    for _ in range(LOOKS_MAX):
        if words in read_screen(app):
            return
        await pilot.pause(0.01)
    raise AssertionError(f"{words!r} never stood on the screen:\n{read_screen(app)}")
