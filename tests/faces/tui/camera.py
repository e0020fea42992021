"""The camera: what stands on the screen as an SVG picture, the same bytes for the same screen.

It waits until nothing moves any more. No web address and no font is in a picture.
"""

from collections.abc import Callable
from typing import Any, Final

from textual.app import App
from textual.pilot import Pilot
from textual.strip import Strip
from textual.widgets import Input

from talewright.faces.tui.app import TerminalApp
from talewright.faces.tui.launch_preferences import TerminalServices
from talewright.faces.tui.lobby.lobby_screen import LobbyScreen
from talewright.faces.tui.screen_factory import ScreenFactory
from talewright.faces.tui.table.activity_line import ActivityLine
from tests.faces.tui.scenery import BEGUN
from tests.faces.tui.svg import shrink

SIZE: Final = (100, 30)
WAITS_MAX: Final = 1_000
"""Rounds that something is waited for."""

WAIT_SECONDS: Final = 0.01
STILL_ROUNDS: Final = 3
"""So often the same screen must have been seen before it is taken."""


class PosedPlaces(ScreenFactory):
    """The screens, with a lobby whose clock stands still."""

    def __init__(self) -> None:
        super().__init__()
        self.lobby = LobbyScreen(lambda: BEGUN.replace(hour=23))


class PosedApp(TerminalApp):
    """The app in a world where no time passes."""

    def _load(self) -> tuple[type[ScreenFactory], TerminalServices]:
        _, rooms = super()._load()
        return PosedPlaces, rooms


def read(app: App[Any]) -> str:
    """Every row of the screen as it is drawn, without colours."""
    # Textual has no public way to read the screen as text; its own snapshot tests look here too.
    return "\n".join(strip.text.rstrip() for strip in app.screen._compositor.render_strips())


async def until(pilot: Pilot[Any], met: Callable[[], bool]) -> None:
    """Wait for something to be so."""
    for _ in range(WAITS_MAX):
        if met():
            return
        await pilot.pause(WAIT_SECONDS)
    raise AssertionError(f"waited in vain; the screen shows\n{read(pilot.app)}")


async def see(pilot: Pilot[Any], *words: str) -> None:
    """Wait until words stand on the screen."""
    await until(pilot, lambda: all(word in read(pilot.app) for word in words))


async def hold_still(pilot: Pilot[Any]) -> None:
    """Wait until the screen is the same several times running."""
    last: list[Strip] = []
    same = 0
    while same < STILL_ROUNDS:
        for activity in pilot.app.screen.query(ActivityLine):
            # However long the picture takes, nobody is seen to wait.
            activity.clock = lambda: 0.0
            activity.refresh()
        for line in pilot.app.screen.query(Input):
            line.cursor_blink = False
            # What stops the blinking also hides the cursor; here it is always seen.
            line._restart_blink()
        await pilot.pause()
        drawn = pilot.app.screen._compositor.render_strips()
        same, last = (same + 1 if drawn == last else 0), drawn


async def take(pilot: Pilot[Any]) -> str:
    """A picture of the screen."""
    await hold_still(pilot)
    return shrink(pilot.app.export_screenshot(title="Talewright", simplify=True))
