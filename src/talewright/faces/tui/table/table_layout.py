"""Table layout: every widget of the table in its place, wide or narrow, and a view put onto them.

It is given views and words; it knows no session and takes no turn.
"""

from typing import Final

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

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
"""From this width on the cards stand beside the story."""

ROOMY_COLUMNS: Final = 132
TALL_ROWS: Final = 28
SHORT_ROWS: Final = 24
"""Up to this height, lines are saved."""


class TableLayout(Vertical):
    """The table itself."""

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
        """Whether nobody could tell the last turn."""

        self._left_head = ""
        """Where the player left an unfinished turn alone."""

    def compose(self) -> ComposeResult:
        """From top to bottom, and the cards at the side."""
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
        """What can be done."""
        return self.query_one(InputArea)

    @property
    def activity(self) -> ActivityLine:
        """What is being done."""
        return self.hand.activity

    @property
    def line(self) -> PlayerLine:
        """Where the player types."""
        return self.hand.line

    def speak(self, language: str) -> None:
        """Use the words of a language from now on."""
        self.words = table_words(language)
        if self.view is not None:
            self.show(self.view, fresh=True, degraded=self._degraded)

    def show(self, view: View, *, fresh: bool, degraded: bool = False) -> None:
        """Put a view onto the table; with `fresh`, mark what has just changed."""
        self.view, self._degraded = view, degraded
        self.query_one(TableHead).show(view, self.words)
        self.query_one(StatusBar).show(view.status)
        cards = self.query_one(CardsPanel)
        cards.words = self.words
        cards.show(view.cards, view.panels, fresh)
        self._show_offers(view)

    def _show_offers(self, view: View) -> None:
        offers = make_table_offers(view, self.words, degraded=self._degraded, left=self._left_head)
        self.hand.show(offers, self.words)

    def leave_unfinished(self) -> None:
        """The player leaves the unfinished turn alone."""
        if self.view is not None:
            self._left_head = self.view.head
            self._show_offers(self.view)

    def show_newest(self, *, warn: bool = True) -> None:
        """Begin to read at the beginning of the newest turn, where it is longer than there is room for.

        With `warn`, what happened at its end is said at once.
        """
        story = self.story
        if story.telling:
            # This comes after a refresh; a player who was quicker looks at the end now.
            return
        told = [item for item in story.column.items if item.commit]
        # The first row of a turn is empty, to keep it apart from the one before.
        if told and told[-1].height - 1 > story.size.height:
            story.scroll_to(y=story.column.top(told[-1]) + 1, animate=False, force=True)
            story.unseen = True
            story.refresh()
            turn = self.view.turn if self.view is not None else None
            if warn and turn is not None and turn.events and not self.activity.is_remark:
                self.activity.remark(" ".join(turn.events))

    def settle_story(self) -> None:
        """Where all of it is in sight, nothing goes on below."""
        if self.story.unseen and self.story.scroll_y >= self.story.max_scroll_y:
            self.story.scroll_end(animate=False)
            self.story.unseen = False
            self.story.refresh()

    def fit_in(self, *, narrow: bool, on_cards: bool, tall: bool, short: bool) -> None:
        """Lay things out for a size; where it is narrow, story and cards are two tabs."""
        self.set_class(narrow, "-narrow")
        self.set_class(on_cards, "-on-cards")
        self.hand.set_class(tall, "-tall")
        self.hand.set_class(short, "-short")
        self.hand.lay_out()
        self.query_one(TableHead).show_tabs(narrow, on_cards)
        self.call_after_refresh(self.settle_story)
