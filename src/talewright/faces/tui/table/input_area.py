"""Input area: below the story, a decision card or choices, and the input line.

The line remembers past inputs; a number in an empty line is a choice. Inputs are posted and interpreted
elsewhere.
"""

from dataclasses import dataclass
from typing import Final

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Input, OptionList, Static

from talewright.faces.tui.story.story_widget import StoryWidget
from talewright.faces.tui.table.activity_line import ActivityLine
from talewright.faces.tui.table.choice_list import ChoiceList
from talewright.faces.tui.table.decision_card import DecisionCard
from talewright.faces.tui.table.table_offers import TableOffers
from talewright.faces.tui.words.table_words import TableWords

HISTORY_MAX: Final = 200
"""How many lines are remembered while the screen is open."""

SLASHES: Final = ("/", "／")
"""Open the palette in an empty line; the second is what Chinese keyboards produce."""

CHOICES_SHARE: Final = 3
"""The choices take at most this part of a tall terminal: a third."""

NUMBER_LENGTH_MAX: Final = 3
"""Maximum digits of a number that can mean a choice."""


def read_number(text: str) -> int | None:
    """Read an integer in digits of any script, with or without a full stop."""
    digits = text.strip().rstrip(".。、)）")
    return int(digits) if digits.isdecimal() and len(digits) <= NUMBER_LENGTH_MAX else None


class PlayerLine(Input):
    """The input line."""

    DEFAULT_CSS = """
    PlayerLine {
        height: 1;
        border: none;
        padding: 0;
        background: $background;
        color: $foreground;
        &:focus { border: none; background-tint: $foreground 0%; }
        &.-busy { color: $text-muted; }
    }
    """

    @dataclass
    class Said(Message):
        """Text was sent."""

        text: str

    @dataclass
    class Numbered(Message):
        """A digit was pressed in the empty line."""

        number: int

    class ReadingOn(Message):
        """Enter was pressed in the empty line."""

    class Commanding(Message):
        """A slash was pressed in the empty line."""

    def __init__(self) -> None:
        super().__init__(compact=True, select_on_focus=False)
        self.numbers = 0
        """How many numbers are choices now; other numbers are typed."""

        self._said: list[str] = []
        self._at = 0
        """Position in the remembered lines; at the end it is the new input."""

        self._draft = ""
        self._rejected = ""
        """The text that was just refused; while it is unchanged, the next key replaces it."""

    def remember(self, text: str) -> None:
        """Remember a line for the arrow keys."""
        if text and (not self._said or self._said[-1] != text):
            self._said = [*self._said, text][-HISTORY_MAX:]
        self._at = len(self._said)

    def give_back(self, text: str) -> None:
        """Restore text that led to no turn, unless something else is typed."""
        if not self.value:
            self.value = text
            self.cursor_position = len(text)

    def reject(self) -> None:
        """Mark the text as refused: it can be edited, but the next key replaces it."""
        self._rejected = self.value
        self.select_all()

    @property
    def is_free(self) -> bool:
        """Whether the player is not writing anything here."""
        rejected = bool(self._rejected) and self.value == self._rejected
        return not self.value or (rejected and self.selected_text == self.value)

    def take_sign(self, sign: str) -> None:
        """Take a character typed elsewhere."""
        if self._take_first(sign):
            return
        if self.is_free:
            self.put_away()
        self.insert_text_at_cursor(sign)

    def _take_first(self, sign: str) -> bool:
        """Take a character that means something by itself in the empty line: a choice, or a command."""
        message: Message
        if not self.is_free or len(sign) != 1:
            return False
        if sign.isdecimal() and 1 <= int(sign) <= self.numbers:
            message = self.Numbered(int(sign))
        elif sign in SLASHES:
            message = self.Commanding()
        else:
            return False
        self.put_away()
        self.post_message(message)
        return True

    def put_away(self) -> None:
        """Clear the line; the arrow keys restore its text."""
        if self.value:
            self.remember(self.value)
            self.clear()

    async def _on_key(self, event: events.Key) -> None:
        if self._take_first(event.character or ""):
            event.stop()
            event.prevent_default()
            return
        if event.key in ("up", "down"):
            event.stop()
            event.prevent_default()
            self._recall(-1 if event.key == "up" else 1)
            return
        await super()._on_key(event)

    @on(Input.Submitted)
    def _send(self, event: Input.Submitted) -> None:
        event.stop()
        if self.is_free:
            self.put_away()
        text = self.value.strip()
        self.post_message(self.Said(text) if text else self.ReadingOn())

    def _recall(self, step: int) -> None:
        if self._at >= len(self._said):
            self._draft = self.value
        at = min(max(self._at + step, 0), len(self._said))
        if at == self._at:
            return
        self._at = at
        self.value = self._said[at] if at < len(self._said) else self._draft
        self.cursor_position = len(self.value)


PROMPT = "›"


class InputArea(Vertical):
    """Card, choices, activity and input line."""

    DEFAULT_CSS = """
    InputArea {
        height: auto;
        & > #line-row {
            height: 1; padding: 0 2; background: $surface;
            & > #prompt { width: 2; color: $accent; text-style: bold; }
            & > PlayerLine { width: 1fr; background: $surface; }
        }
        &.-tall > #line-row { height: 3; padding: 1 2; }
        &.-short > ChoiceList { max-height: 6; }
        &.-short > DecisionCard {
            max-height: 9; border: none; border-top: solid $accent; margin: 0; padding: 0 2;
        }
    }
    """

    def __init__(self, words: TableWords, *, animations: bool) -> None:
        super().__init__()
        self.words = words
        self.offers = TableOffers()
        self._animations = animations
        self.busy = False
        """Whether a turn is in progress."""

    def compose(self) -> ComposeResult:
        """From top to bottom."""
        yield DecisionCard()
        yield ChoiceList()
        yield ActivityLine(self.words, animations=self._animations)
        with Horizontal(id="line-row"):
            yield Static(PROMPT, id="prompt", markup=False)
            yield PlayerLine()

    @property
    def activity(self) -> ActivityLine:
        """The activity line."""
        return self.query_one(ActivityLine)

    @property
    def line(self) -> PlayerLine:
        """The input line."""
        return self.query_one(PlayerLine)

    def show(self, offers: TableOffers, words: TableWords) -> None:
        """Show what the player can do."""
        self.offers, self.words = offers, words
        self.lay_out()

    def set_busy(self, busy: bool) -> None:
        """Hide the offers while a turn runs; the player can still type ahead."""
        self.busy = busy
        self.lay_out()

    def take(self, number: int) -> bool:
        """Take the offer with a number; return False if there is none."""
        if self.busy:
            return False
        if self.offers.card is not None:
            return self.query_one(DecisionCard).take(number)
        return self.query_one(ChoiceList).take(number)

    def refuse(self, text: str) -> str | None:
        """Return why text cannot be sent now; None if it can."""
        if self.busy:
            return self.words.busy
        number, last = read_number(text), self.offers.numbers
        if number is not None and last:
            fits = 1 <= number <= last
            return None if fits else self.words.no_such_number.format(number=number, last=last)
        return None if self.offers.speaks else self.words.answer_first

    def focus_line(self) -> None:
        """Focus the widget for the next action: the line, or the card when the line accepts nothing.

        At the end of a story this is the story, where Enter keeps scrolling.
        """
        if not self.line.disabled:
            self.line.focus()
        elif self.offers.ended:
            self.screen.query_one(StoryWidget).focus()
        elif self.offers.card is not None:
            self.query_one(DecisionCard).query_one(OptionList).focus()

    def type(self, sign: str) -> None:
        """Type into the line, wherever the focus was."""
        if not self.line.disabled:
            # At once: an Enter typed right after it must find the line focused.
            self.screen.set_focus(self.line)
            self.line.take_sign(sign)

    def lay_out(self) -> None:
        """Show the offers, or none while a turn runs."""
        card, choices, line = self.query_one(DecisionCard), self.query_one(ChoiceList), self.line
        card.words = choices.words = self.activity.words = self.words
        choices.spare = not self.has_class("-tall")
        choices.styles.max_height = self.app.size.height // CHOICES_SHARE if not choices.spare else None
        idle = TableOffers() if self.busy else self.offers
        card.show(idle.card, idle.guarded)
        choices.show(idle.choices)
        line.numbers = idle.numbers
        line.placeholder = self.words.line_busy if self.busy else self.offers.line
        had_focus = line.has_focus
        line.disabled = not (self.busy or self.offers.accepts)
        line.set_class(self.busy, "-busy")
        if had_focus or self.screen.focused is None:
            self.focus_line()
