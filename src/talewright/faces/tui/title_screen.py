"""Title screen: shown at once, until the lobby or the table is ready.

It shows what is being opened, or why that failed.
"""

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from talewright.faces.tui.key_bindings import KeyBinding, bind
from talewright.faces.tui.safe_content import plain
from talewright.faces.tui.words.shared_words import shared_words

NAME = "T A L E W R I G H T"


class TitleScreen(Screen[None]):
    """The name of the program and one line."""

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
