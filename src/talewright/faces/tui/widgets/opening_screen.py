"""Opening screen: the base of the lobby and first-run screens, which open campaigns.

It says what is being opened and lets the player cancel. The app takes over the session.
"""

from collections.abc import Awaitable, Callable
from functools import partial

from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker

from talewright.faces.tui.app_port import host_of, run_in_background
from talewright.faces.tui.safe_content import describe_error
from talewright.faces.tui.words.lobby_words import lobby_words
from talewright.play.session import Session


class OpeningScreen(Screen[None]):
    """A screen with a line `#told` that says what is being opened."""

    DEFAULT_CSS = """
    OpeningScreen > #told { height: auto; max-height: 5; padding: 0 2; color: $text-muted; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._entering: Worker[None] | None = None
        self.left = False
        """Whether a campaign was entered from here."""

    def tell(self, told: Content) -> None:
        """Show a message; it stays until the next one."""
        self.query_one("#told", Static).update(told)

    def enter(self, opening: Callable[[], Awaitable[Session]], told: str) -> None:
        """Open a campaign and go to its table; does nothing while one is being opened."""
        if self._entering is not None:
            return
        self.tell(Content(told))
        # A worker of the app, not of the screen: the screen may be gone before the table is shown.
        self._entering = run_in_background(self.app, partial(self._open, opening), "entering")

    def action_stop(self) -> None:
        """Cancel what is being opened."""
        if self._entering is not None:
            self._entering.cancel()
            self._entering = None
            self.tell(Content(lobby_words(host_of(self).language).stopped))

    async def _open(self, opening: Callable[[], Awaitable[Session]]) -> None:
        words = lobby_words(host_of(self).language)
        try:
            session = await opening()
            self.left = True
            await host_of(self).open_table(session)
        except Exception as error:
            self.tell(describe_error(error, words.wrong, words.wrong_hint))
        else:
            self.tell(Content(words.subtitle))
        finally:
            self._entering = None
