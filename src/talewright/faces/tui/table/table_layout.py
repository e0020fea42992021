"""Table layout: all widgets of the table, wide or narrow, and showing a view on them.

It is given views and words; it knows no session and takes no turn.
"""

from dataclasses import replace
from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from talewright.faces.tui.app_port import table_host_of
from talewright.faces.tui.story.story_widget import StoryWidget
from talewright.faces.tui.table.activity_line import ActivityLine
from talewright.faces.tui.table.cards_panel import CardsPanel
from talewright.faces.tui.table.head_line import TableHead
from talewright.faces.tui.table.input_area import InputArea, PlayerLine
from talewright.faces.tui.table.status_bar import StatusBar
from talewright.faces.tui.table.table_offers import make_table_offers
from talewright.faces.tui.words.table_words import TableWords, table_words
from talewright.play.campaign_view import View

WIDE_COLUMNS: Final = 90
"""From this width on, the cards are next to the story."""

ROOMY_COLUMNS: Final = 132
TALL_ROWS: Final = 28
SHORT_ROWS: Final = 24
"""Up to this height, lines are saved."""


class TableLayout(Vertical):
    """The layout of the table."""

    DEFAULT_CSS = """
    TableLayout {
        height: 1fr;
        & > #middle { height: 1fr; }
        & #left { width: 1fr; height: 1fr; }
        & StoryWidget {
            height: 1fr; min-height: 4; padding: 0 1 0 2;
            scrollbar-color: $scrollbar; scrollbar-color-hover: $scrollbar-hover;
        }
        & CardsPanel { width: 36; border-left: solid $border-blurred; }
        &.-no-cards CardsPanel { display: none; }
        &.-roomy CardsPanel { width: 46; }
        &.-narrow CardsPanel { display: none; width: 1fr; border-left: none; }
        &.-narrow.-on-cards CardsPanel { display: block; }
        &.-narrow.-on-cards #left { display: none; }
    }
    """

    def __init__(self, language: str, *, animations: bool) -> None:
        super().__init__()
        self.words: TableWords = table_words(language)
        self.view: View | None = None
        self._animations = animations
        self._degraded = False
        """Whether the last turn failed."""

        self._left_head = ""
        """The head at which the player dropped an unfinished turn."""

    def compose(self) -> ComposeResult:
        """From top to bottom, with the cards at the side."""
        yield TableHead()
        yield StatusBar()
        with Horizontal(id="middle"):
            with Vertical(id="left"):
                yield StoryWidget(unseen=self.words.unseen, animations=self._animations)
                yield InputArea(self.words, animations=self._animations)
            yield CardsPanel()

    @property
    def story(self) -> StoryWidget:
        """The story."""
        return self.query_one(StoryWidget)

    @property
    def hand(self) -> InputArea:
        """The input area."""
        return self.query_one(InputArea)

    @property
    def activity(self) -> ActivityLine:
        """The activity line."""
        return self.hand.activity

    @property
    def line(self) -> PlayerLine:
        """The input line."""
        return self.hand.line

    def speak(self, language: str) -> None:
        """Use the words of a language."""
        self.words = table_words(language)
        if self.view is not None:
            self.show(self.view, fresh=True, degraded=self._degraded)

    def show(self, view: View, *, fresh: bool, degraded: bool = False) -> None:
        """Show a view; with `fresh`, mark what has just changed."""
        self.view, self._degraded = view, degraded
        self.query_one(TableHead).show(view, self.words)
        self.query_one(StatusBar).show(view.status, view.fight)
        cards = self.query_one(CardsPanel)
        cards.words = self.words
        cards.show(view.cards, view.panels, fresh)
        self._show_offers(view)

    def _show_offers(self, view: View) -> None:
        offers = make_table_offers(view, self.words, degraded=self._degraded, left=self._left_head)
        self.hand.show(offers, self.words)

    def leave_unfinished(self) -> None:
        """Drop the unfinished turn."""
        if self.view is not None:
            self._left_head = self.view.head
            self._show_offers(self.view)

    def show_newest(self, *, warn: bool = True) -> None:
        """Scroll to the start of the newest turn if it does not fit.

        With `warn`, show its events in the activity line at once.
        """
        story = self.story
        if story.live is not None:
            # This runs after a refresh; a faster player may already have scrolled to the end.
            return
        told = [item for item in story.column.items if item.commit]
        # The first row of a turn is blank, to separate it from the previous one.
        if told and told[-1].height - 1 > story.size.height:
            story.scroll_to(y=story.column.top(told[-1]) + 1, animate=False, force=True)
            story.unseen = True
            story.refresh()
            turn = self.view.turn if self.view is not None else None
            if warn and turn is not None and turn.events and not self.activity.is_remark:
                self.activity.remark(" ".join(turn.events))

    def settle_story(self) -> None:
        """Clear the sign for more text once the end of the story is visible."""
        if self.story.unseen and self.story.scroll_y >= self.story.max_scroll_y:
            self.story.scroll_end(animate=False)
            self.story.unseen = False
            self.story.refresh()

    def fit_in(self, *, narrow: bool, on_cards: bool, tall: bool, short: bool) -> None:
        """Arrange everything for a size; on a narrow terminal, story and cards are two tabs."""
        self.set_class(narrow, "-narrow")
        self.set_class(on_cards, "-on-cards")
        self.hand.set_class(tall, "-tall")
        self.hand.set_class(short, "-short")
        self.hand.lay_out()
        self.query_one(TableHead).show_tabs(narrow, on_cards)
        self.query_one(StatusBar).show_fight(narrow and not on_cards)
        self.call_after_refresh(self.settle_story)


PAGE_SHARE: Final = 0.8
"""How much of the story's height one page scrolls."""


class TableTabs:
    """Story and cards next to each other, or as two tabs on a narrow terminal, and scrolling them."""

    def __init__(self, board: TableLayout) -> None:
        self._board = board
        self._host = table_host_of(board)
        self.on_cards = False
        """Whether the cards are the open tab on a narrow terminal."""

    def fit_in(self) -> None:
        """Arrange everything: cards next to the story, or as a tab."""
        board = self._board
        width, height = board.app.size
        narrow = width < WIDE_COLUMNS
        self.on_cards = self.on_cards and narrow
        board.set_class(width >= ROOMY_COLUMNS, "-roomy")
        board.set_class(not self._host.preferences.cards_open and not narrow, "-no-cards")
        tall, short = height >= TALL_ROWS, height <= SHORT_ROWS
        board.fit_in(narrow=narrow, on_cards=self.on_cards, tall=tall, short=short)

    def toggle_cards(self) -> None:
        """Show or hide the cards; on a narrow terminal they are a tab."""
        if self._board.app.size.width < WIDE_COLUMNS:
            self.on_cards = not self.on_cards
        else:
            preferences = self._host.preferences
            self._host.keep(replace(preferences, cards_open=not preferences.cards_open))
        self.fit_in()

    def toggle_descriptions(self) -> None:
        """Show or hide the descriptions of cards; show the cards first if none is visible."""
        panel = self._board.query_one(CardsPanel)
        shown = panel.region.width > 0
        if not shown:
            self.toggle_cards()
        if shown or not panel.described:
            panel.describe(not panel.described)
            self._host.keep(replace(self._host.preferences, descriptions=panel.described))

    def scroll(self, pages: int) -> None:
        """Scroll the story or the cards up or down, wherever the focus is."""
        panel = self._board.query_one(CardsPanel) if self.on_cards else self._board.story
        panel.scroll_relative(y=pages * max(1, int(panel.size.height * PAGE_SHARE)), animate=False)
