"""The app: the door, the lobby and the table, and the way between them.

The first paint needs nothing but the title. The other screens and what lies behind the door are loaded
after it, in a thread.
"""

import asyncio
import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from talewright.errors import TalewrightError
from talewright.faces.tui.door import Door, Rooms
from talewright.faces.tui.title import TitleScreen
from talewright.faces.tui.touring import TouringApp
from talewright.faces.tui.words.shared import shared_words

if TYPE_CHECKING:
    from talewright.faces.tui.places import Places
    from talewright.play.campaign_view import View
    from talewright.play.session import Session

FAILED = 1
"""The exit code where something went wrong that should not."""


class TerminalApp(TouringApp):
    """The terminal face."""

    TITLE = "Talewright"

    def __init__(self, door: Door) -> None:
        super().__init__(door)
        self.rooms: Rooms | None = None
        """What lies behind the door; None until it is entered."""

        self._entering = True
        """Whether what was asked for is still being opened."""

        self._title = TitleScreen(self.language, shared_words(self.language).loading)

    async def on_mount(self) -> None:
        """Paint first, then enter."""
        await self.push_screen(self._title)
        self.call_after_refresh(self.run_worker, self._enter(), group="entering", exit_on_error=False)

    async def _enter(self) -> None:
        try:
            loaded, rooms = await asyncio.to_thread(self._load)
            places: Places = loaded.Places()
            self.rooms, self.places = rooms, places
            await self._arrive(rooms, places)
        except Exception as error:
            self._tell_trouble(error)
        finally:
            self._entering = False

    def _tell_trouble(self, error: Exception) -> None:
        words = shared_words(self.language)
        told = [words.wrong.format(error=f"{type(error).__name__}: {error}"), words.wrong_hint]
        if isinstance(error, TalewrightError):
            told = [error.message, error.hint]
        onward = words.to_lobby if self.places is not None else words.leaving
        self._title.tell("\n".join([*filter(None, told), "", onward]))

    def _load(self) -> tuple[ModuleType, Rooms]:
        return importlib.import_module("talewright.faces.tui.places"), self.door.enter()

    async def _arrive(self, rooms: Rooms, places: "Places") -> None:
        """Go where the player wants to be: the lobby, or at once the table."""
        if not self.door.wishes.game and not self.door.wishes.campaign:
            await self.switch_screen(places.lobby)
            if self.door.first_run:
                await self.push_screen(places.first_run())
            return
        session = await places.find_session(rooms.lobby, self.door.wishes, self._tell_opening)
        with self.batch_update():
            await self.switch_screen(places.lobby)
            await self.open_table(session)

    def _tell_opening(self, name: str) -> None:
        self._title.tell(shared_words(self.language).opening.format(name=name))

    async def open_table(self, session: "Session") -> None:
        """Sit down at a campaign."""
        assert self.places is not None
        await self.push_screen(self.places.table(session))

    async def leave_table(self) -> None:
        """Back to the lobby; the campaign is safe."""
        tables = self.tables()
        while any(table in self.screen_stack for table in tables):
            await self.pop_screen()
        for table in tables:
            await table.session.close()

    async def play_again(self, view: "View") -> None:
        """The same game from the beginning, as a new campaign."""
        assert self.rooms is not None
        session = await self.rooms.lobby.begin(view.game, view.language)
        await self.leave_table()
        await self.open_table(session)

    async def action_quit(self) -> None:
        """Leave; everything is kept."""
        try:
            for table in self.tables():
                await table.session.close()
            if self.rooms is not None:
                await self.rooms.close()
        finally:
            self.exit(0)

    async def action_go_to_lobby(self) -> None:
        """From the title to the lobby, where what was asked for could not be opened."""
        if self.places is not None and self.screen is self._title and not self._entering:
            await self.switch_screen(self.places.lobby)


def run_terminal(door: Door) -> int:
    """Let one player play; the exit code."""
    code = TerminalApp(door).run()
    return FAILED if code is None else code
