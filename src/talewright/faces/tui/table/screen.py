"""The table's screen: the board in the size of the terminal, in the player's language, with its keys.

What is typed and clicked is answered in `replies`, and what the keys do stands in `actions`.
"""

from dataclasses import replace
from typing import Final

from textual.app import ComposeResult

from talewright.faces.tui.hall.keybar import KeyBar
from talewright.faces.tui.keys import CARDS, HELP, PALETTE, QUIT, RETRY, TABLE, TREE, UNDO, Key, bind
from talewright.faces.tui.table.board import Board
from talewright.faces.tui.table.cards import CardsPanel
from talewright.faces.tui.table.host import host_of
from talewright.faces.tui.table.replies import Replies
from talewright.faces.tui.table.turns import Turns

WIDE_COLUMNS: Final = 90
"""From this width on the cards stand beside the story."""

ROOMY_COLUMNS: Final = 132
TALL_ROWS: Final = 28
SHORT_ROWS: Final = 24
"""Up to this height, lines are saved."""

PAGE_SHARE: Final = 0.8
"""How much of the story's height one page of reading is."""

BAR: Final[tuple[Key, ...]] = (
    HELP,
    replace(PALETTE, shown="^p"),
    CARDS,
    replace(UNDO, shown="^z"),
    replace(RETRY, shown="^r"),
    TREE,
    replace(QUIT, shown="^q"),
)
"""The keys at the lower edge, the most useful first; where there is no room for all, the last one stays."""


class TableScreen(Replies):
    """One player at one campaign."""

    BINDINGS = bind(TABLE)
    DEFAULT_CSS = """
    TableScreen { background: $background; }
    TableScreen KeyBar { height: 1; padding: 0 2; }
    """

    _on_cards = False
    """Whether the cards are the tab that is open on a narrow terminal."""

    _told_in = ""

    def compose(self) -> ComposeResult:
        """The keys; the board comes when it is known what lies on it."""
        yield KeyBar(one_line=True)

    async def on_mount(self) -> None:
        """Open the ears first, then look where the story stands."""
        news = self.session.watch()
        view = await self.session.view()
        self._told_in = view.language
        animations = host_of(self).preferences.animations
        await self.mount(Board(self.language, animations=animations), before=0)
        self.query_one(KeyBar).show(BAR, self.language)
        self.query_one(CardsPanel).collapsed = frozenset(host_of(self).preferences.folded.split())
        self.turns = Turns(self.session, self.board, self.language, self._look_again)
        self.fit_in()
        await self.turns.open(view)
        self.run_worker(self.turns.hearing.listen(news), group="news", exit_on_error=False)
        self.board.hand.focus_line()

    def speak(self, language: str) -> None:
        """Use the words of a language from now on."""
        self.board.speak(language)
        self.query_one(KeyBar).show(BAR, language)
        if self.turns is not None:
            self.turns.language = language

    def follow_preferences(self) -> None:
        """Do as the player prefers now."""
        animations = host_of(self).preferences.animations
        self.board.activity.animations = self.board.story.animations = animations
        # Saying everything anew would also bring the newest change into sight, whatever is being looked at.
        if self.turns is not None and self.turns.language != self.language:
            self.speak(self.language)
        self.fit_in()

    @property
    def language(self) -> str:
        """The one the player prefers, or that of the story."""
        return host_of(self).preferences.language or self._told_in

    def on_resize(self) -> None:
        """Lay things out for the new size."""
        if self.turns is not None:
            self.fit_in()

    def fit_in(self) -> None:
        """Lay things out: cards beside the story, or as a tab."""
        width, height = self.app.size
        narrow, board = width < WIDE_COLUMNS, self.board
        self._on_cards = self._on_cards and narrow
        board.set_class(width >= ROOMY_COLUMNS, "-roomy")
        board.set_class(not host_of(self).preferences.cards_open and not narrow, "-no-cards")
        tall, short = height >= TALL_ROWS, height <= SHORT_ROWS
        board.fit_in(narrow=narrow, on_cards=self._on_cards, tall=tall, short=short)

    def action_cards(self) -> None:
        """Show or hide the cards; on a narrow terminal they are a tab."""
        if self.app.size.width < WIDE_COLUMNS:
            self._on_cards = not self._on_cards
        else:
            preferences = host_of(self).preferences
            host_of(self).keep(replace(preferences, cards_open=not preferences.cards_open))
        self.fit_in()

    def action_scroll_story(self, pages: int) -> None:
        """Read back or on, wherever the focus is."""
        panel = self.query_one(CardsPanel) if self._on_cards else self.board.story
        panel.scroll_relative(y=pages * max(1, int(panel.size.height * PAGE_SHARE)), animate=False)

    def action_stop(self) -> None:
        """Leave the tab of the cards; or else stop the turn that runs."""
        if self._on_cards:
            self.action_cards()
        super().action_stop()

    def _look_again(self) -> None:
        if self.turns is not None:
            self.run_worker(self.turns.look_again(), group="looking", exclusive=True, exit_on_error=False)
