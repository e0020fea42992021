"""The threshold: a screen from which one sits down at a campaign, and what it says while that is opened.

The app takes the session over; here it is only waited for.
"""

from collections.abc import Awaitable, Callable
from functools import partial

from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static
from textual.worker import Worker

from talewright.faces.tui.hall.host import host_of
from talewright.faces.tui.hall.trouble import tell_trouble
from talewright.faces.tui.hall.working import work
from talewright.faces.tui.words.lobby import lobby_words
from talewright.play.session import Session


class Threshold(Screen[None]):
    """A screen with a line `#told`, on which is said what is being opened."""

    DEFAULT_CSS = """
    Threshold > #told { height: auto; max-height: 5; padding: 0 2; color: $text-muted; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._entering: Worker[None] | None = None
        self.left = False
        """Whether somebody has gone to a table from here."""

    def tell(self, told: Content) -> None:
        """Say something; it stays until something else is said."""
        self.query_one("#told", Static).update(told)

    def enter(self, opening: Callable[[], Awaitable[Session]], told: str) -> None:
        """Open a campaign and sit down; while one is being opened, nothing else is."""
        if self._entering is not None:
            return
        self.tell(Content(told))
        # The app's worker, not the screen's: the screen may be gone before the table stands.
        self._entering = work(self.app, partial(self._open, opening), "entering")

    def action_stop(self) -> None:
        """Stop what is being opened."""
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
            self.tell(tell_trouble(error, words.wrong, words.wrong_hint))
        else:
            self.tell(Content(words.subtitle))
        finally:
            self._entering = None
