"""The player's hand: what can be done now, under the story; a card or choices, and the line to type in.

It shows offers and posts what is taken of them; what they mean is decided elsewhere.
"""

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import OptionList, Static

from talewright.faces.tui.table.activity import ActivityLine
from talewright.faces.tui.table.choices import ChoiceList
from talewright.faces.tui.table.decisions import DecisionCard
from talewright.faces.tui.table.line import PlayerLine, read_number
from talewright.faces.tui.table.offers import Offers
from talewright.faces.tui.words.table import TableWords

PROMPT = "›"


class Hand(Vertical):
    """Card, choices, activity and line."""

    DEFAULT_CSS = """
    Hand {
        height: auto;
        & > #line-row {
            height: 1; padding: 0 2; background: $surface;
            & > #prompt { width: 2; color: $accent; text-style: bold; }
            & > PlayerLine { width: 1fr; background: $surface; }
        }
        &.-tall > #line-row { height: 3; padding: 1 2; }
        &.-tall > ChoiceList { max-height: 34vh; }
        &.-short > ChoiceList { max-height: 6; }
        &.-short > DecisionCard {
            max-height: 9; border: none; border-top: solid $accent; margin: 0; padding: 0 2;
        }
    }
    """

    def __init__(self, words: TableWords, *, animations: bool) -> None:
        super().__init__()
        self.words = words
        self.offers = Offers()
        self._animations = animations
        self._busy = False
        """Whether a turn is being taken."""

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield DecisionCard()
        yield ChoiceList()
        yield ActivityLine(animations=self._animations)
        with Horizontal(id="line-row"):
            yield Static(PROMPT, id="prompt", markup=False)
            yield PlayerLine()

    @property
    def activity(self) -> ActivityLine:
        """What is being done."""
        return self.query_one(ActivityLine)

    @property
    def line(self) -> PlayerLine:
        """Where the player types."""
        return self.query_one(PlayerLine)

    def show(self, offers: Offers, words: TableWords) -> None:
        """Lay out what can be done from now on."""
        self.offers, self.words = offers, words
        self.lay_out()

    def set_busy(self, busy: bool) -> None:
        """While a turn runs nothing is offered, but one can type ahead."""
        self._busy = busy
        self.lay_out()

    def take(self, number: int) -> bool:
        """Take what a number means; False where it means nothing."""
        if self._busy:
            return False
        if self.offers.card is not None:
            return self.query_one(DecisionCard).take(number)
        return self.query_one(ChoiceList).take(number)

    def refuse(self, text: str) -> str | None:
        """Why words cannot be taken now; None where they can."""
        if self._busy:
            return self.words.busy
        number, last = read_number(text), self.offers.numbers
        if number is not None and last:
            fits = 1 <= number <= last
            return None if fits else self.words.no_such_number.format(number=number, last=last)
        return None if self.offers.speaks else self.words.answer_first

    def focus_line(self) -> None:
        """Go where the player acts next: the line, or the card where the line takes nothing."""
        if not self.line.disabled:
            self.line.focus()
        elif self.offers.card is not None:
            self.query_one(DecisionCard).query_one(OptionList).focus()

    def type(self, sign: str) -> None:
        """Begin or go on with a line, wherever the focus was."""
        if not self.line.disabled:
            self.line.focus()
            self.line.insert_text_at_cursor(sign)

    def lay_out(self) -> None:
        """Show the offers, or none while a turn runs."""
        card, choices, line = self.query_one(DecisionCard), self.query_one(ChoiceList), self.line
        card.words = choices.words = self.words
        choices.spare = not self.has_class("-tall")
        idle = Offers() if self._busy else self.offers
        card.show(idle.card)
        choices.show(idle.choices)
        line.numbers = idle.numbers
        line.placeholder = self.words.line_busy if self._busy else self.offers.line
        had_focus = line.has_focus
        line.disabled = not (self._busy or self.offers.accepts)
        line.set_class(self._busy, "-busy")
        if had_focus or self.screen.focused is None:
            self.focus_line()
