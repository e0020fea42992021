"""Head line of the table: title of the story and turn number; the tabs on a narrow terminal.

It posts that another tab was requested; the screen switches.
"""

from typing import Final

from textual.content import Content
from textual.style import Style
from textual.widget import Widget

from talewright.common.language_tags import COMMON_LANGUAGE
from talewright.faces.tui.safe_content import safe_line
from talewright.faces.tui.words.table_words import TableWords, table_words
from talewright.play.campaign_view import View

TRUNK: Final = "main"
"""The branch that is not named."""

OPEN_TAB: Final = "bold $background on $accent"


class TableHead(Widget):
    """One line at the top."""

    DEFAULT_CSS = """
    TableHead {
        height: 1;
        padding: 0 2;
        background: $panel;
        color: $text-muted;
        link-style: none;
        link-color: $text-muted;
        link-background: $panel;
        link-style-hover: bold;
        link-color-hover: $foreground;
        link-background-hover: $surface;
    }
    """

    def __init__(self) -> None:
        super().__init__()
        self.words: TableWords = table_words(COMMON_LANGUAGE)
        self._view: View | None = None
        self._tabs = False
        self._on_cards = False
        self._changed = 0

    def show(self, view: View, words: TableWords) -> None:
        """Show title, branch and turn of a view."""
        self._view, self.words = view, words
        self._changed = sum(1 for card in view.cards if card.delta)
        self.refresh()

    def show_tabs(self, tabs: bool, on_cards: bool) -> None:
        """Show or hide the tabs, and mark the open one."""
        self._tabs, self._on_cards = tabs, on_cards
        self.refresh()

    def render(self) -> Content:
        """Tabs and title on the left, the turn on the right."""
        view = self._view
        if view is None:
            return Content("")
        where = self.words.turn.format(version=view.version) if view.version else ""
        if view.branch != TRUNK:
            where = f"{self.words.branch.format(name=safe_line(view.branch))} · {where}"
        right = Content.styled(where, "$text-muted").truncate(self.size.width // 2, ellipsis=True)
        left = Content.styled(safe_line(view.title), "bold $primary")
        if self._tabs:
            left = Content.assemble(self._draw_tabs(), "  ", left)
        room = max(0, self.size.width - right.cell_length - 1)
        left = left.truncate(room, ellipsis=True)
        return Content.assemble(left, " " * (self.size.width - left.cell_length - right.cell_length), right)

    def _draw_tabs(self) -> Content:
        changed = f" ◆{self._changed}" if self._changed else ""
        story, cards = f" {self.words.story} ", f" {self.words.cards}{changed} "
        link = Style.from_meta({"@click": "screen.cards"})
        if self._on_cards:
            return Content.assemble(Content.styled(story, "$foreground").stylize(link), (cards, OPEN_TAB))
        return Content.assemble((story, OPEN_TAB), Content.styled(cards, "$foreground").stylize(link))
