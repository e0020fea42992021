"""The terminal app: which screens it has, and how the player moves between them.

The first paint needs nothing but the title. The other screens and the services behind them are loaded
after it, in a thread.
"""

import asyncio
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from talewright.errors import TalewrightError
from talewright.faces.tui.base_app import BaseTerminalApp
from talewright.faces.tui.key_bindings import EVERYWHERE_KEYS, KeyBinding, bind
from talewright.faces.tui.launch_preferences import TerminalLaunch, TerminalServices
from talewright.faces.tui.safe_content import plain
from talewright.faces.tui.words.shared_words import shared_words

if TYPE_CHECKING:
    from talewright.faces.tui.app_port import TreeDeparture
    from talewright.faces.tui.history.inspector_screen import AuthorInspector
    from talewright.faces.tui.screen_factory import ScreenFactory
    from talewright.faces.tui.table.table_screen import TableScreen
    from talewright.play.campaign_view import View
    from talewright.play.session import Session

NAME = "T A L E W R I G H T"


class TitleScreen(Screen[None]):
    """The name of the program and one line: what is being opened, or why that failed."""

    BINDINGS = bind([KeyBinding("enter,escape", "app.go_to_lobby", "title", in_help=False)])
    DEFAULT_CSS = """
    TitleScreen {
        align: center middle;
        background: $background;
        & > Vertical { width: 64; max-width: 100%; height: auto; padding: 1 2; }
        & Static { width: 100%; text-align: center; }
        & #name { color: $primary; text-style: bold; }
        & #tagline { color: $text-muted; margin-bottom: 2; }
        & #told { color: $foreground; }
    }
    """

    def __init__(self, language: str, told: str) -> None:
        super().__init__()
        self._language = language
        self._told = told

    def compose(self) -> ComposeResult:
        """Three lines in the middle."""
        with Vertical():
            yield Static(Content(NAME), id="name")
            yield Static(Content(shared_words(self._language).tagline), id="tagline")
            yield Static(plain(self._told), id="told")

    def tell(self, told: str) -> None:
        """Change the line below the name."""
        self.query_one("#told", Static).update(plain(told))


class NavigatingApp(BaseTerminalApp):
    """An app that can open each of its screens."""

    def __init__(self, door: TerminalLaunch) -> None:
        super().__init__(door)
        self.places: ScreenFactory | None = None
        """All screens but the title; None until they are loaded."""

        self.rooms: TerminalServices | None = None
        """The services of the program; None until they are loaded."""

    def show_card(self, session: "Session", variable: str, meaning: str) -> None:
        """Show what a card means, and the history of its value."""
        if self.places is not None:
            language = self.language_at(self.screen)
            self.push_screen(self.places.make_card(session.past, variable, language, meaning))

    async def show_tree(self, session: "Session", *, untaken: bool) -> "TreeDeparture | None":
        """Show the story tree, optionally with choices not taken; return where the player wants to go."""
        assert self.places is not None
        language, inspector = self.language_at(self.screen), self._inspector(session)
        return await self.push_screen_wait(
            self.places.make_tree(session.past, language, inspector, untaken=untaken)
        )

    def show_inspector(self, session: "Session", commit: str) -> None:
        """Show everything recorded about a turn."""
        if self.places is not None:
            inspector = self._inspector(session)
            self.push_screen(self.places.make_inspector(inspector, commit, self.language_at(self.screen)))

    def _inspector(self, session: "Session") -> "AuthorInspector":
        """The author's inspector; a player's session does not reveal what it shows."""
        assert self.rooms is not None
        assert self.places is not None
        return self.places.inspect_as_author(self.rooms.lobby, session)

    def tables(self) -> "list[TableScreen]":
        """The open game tables: one or none."""
        table = self.places.table if self.places is not None else None
        return [screen for screen in self.screen_stack if table is not None and isinstance(screen, table)]

    def follow_preferences(self) -> None:
        """Apply the preferences to table and lobby; other screens apply them when shown again."""
        for table in self.tables():
            table.follow_preferences()
        if self.places is not None and self.places.lobby.is_attached:
            self.places.lobby.follow_preferences()

    def language_at(self, screen: Screen[object]) -> str:
        """The language of a screen; at the table the campaign's, unless the player prefers another."""
        tables = self.tables()
        return tables[-1].language if tables else self.language

    def keys_of(self, screen: Screen[object]) -> tuple[tuple[str, tuple[KeyBinding, ...]], ...]:
        """The keys of a screen, in chapters."""
        language = self.language_at(screen)
        if self.places is None:
            return ((shared_words(language).help_everywhere, EVERYWHERE_KEYS),)
        return self.places.list_keys(screen, language)


FAILED = 1
"""The exit code after an unexpected error."""


class TerminalApp(NavigatingApp):
    """The terminal interface as an app."""

    TITLE = "Talewright"

    def __init__(self, door: TerminalLaunch) -> None:
        super().__init__(door)
        self._entering = True
        """Whether the requested game or campaign is still being opened."""

        self._title = TitleScreen(self.language, shared_words(self.language).loading)

    async def on_mount(self) -> None:
        """Paint first, then load the rest."""
        await self.push_screen(self._title)
        self.call_after_refresh(self.run_worker, self._enter(), group="entering", exit_on_error=False)

    async def _enter(self) -> None:
        try:
            make, rooms = await asyncio.to_thread(self._load)
            places = make()
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

    def _load(self) -> "tuple[type[ScreenFactory], TerminalServices]":
        from talewright.faces.tui.screen_factory import ScreenFactory

        return ScreenFactory, self.door.enter()

    async def _arrive(self, rooms: TerminalServices, places: "ScreenFactory") -> None:
        """Open the first run screen, the lobby, or the requested table."""
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
        """Open the table of a campaign."""
        assert self.places is not None
        table = self.places.table(session)
        await self.push_screen(table)

    async def leave_table(self) -> None:
        """Return to the lobby; the campaign is saved."""
        tables = self.tables()
        while any(table in self.screen_stack for table in tables):
            await self.pop_screen()
        for table in tables:
            await table.session.close()

    async def play_again(self, view: "View") -> None:
        """Start the same game again as a new campaign."""
        assert self.rooms is not None
        session = await self.rooms.lobby.begin(view.game, view.language)
        await self.leave_table()
        await self.open_table(session)

    async def action_quit(self) -> None:
        """Quit; everything is already saved."""
        try:
            for table in self.tables():
                await table.session.close()
            if self.rooms is not None:
                await self.rooms.close()
        finally:
            self.exit(0)

    async def action_go_to_lobby(self) -> None:
        """Go to the lobby after the requested game or campaign could not be opened."""
        if self.places is not None and self.screen is self._title and not self._entering:
            await self.switch_screen(self.places.lobby)


def run_terminal(door: TerminalLaunch) -> int:
    """Run the app for one player and return the exit code."""
    code = TerminalApp(door).run()
    return FAILED if code is None else code
