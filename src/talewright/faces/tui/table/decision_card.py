"""Decision card: a question that must be answered before anything else.

It posts the answer; the session or the screen acts on it.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from talewright.common.language_tags import COMMON_LANGUAGE
from talewright.faces.tui.safe_content import plain, safe_line
from talewright.faces.tui.table.choice_list import INDENT, NARROW_COLUMNS, NUMBERED_MAX
from talewright.faces.tui.widgets.text_wrap import WrappedText, wrap_content
from talewright.faces.tui.words.table_words import TableWords, table_words
from talewright.play.campaign_view import DecisionView

NOTE_LENGTH_MAX: Final = 500
"""Maximum length of a note, in characters."""

OPTION_EDGES: Final = 2
"""Columns that the list reserves next to its options."""


class AnswerList(OptionList):
    """The answers; one may be disabled for Enter, which elsewhere scrolls on."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "answer", "Select", show=False)]

    @dataclass
    class KeptFromEnter(Message):
        """Enter was pressed on an answer that needs its number or a click."""

        number: int

    guarded: int | None = None
    """Index of the answer that Enter does not give."""

    def action_answer(self) -> None:
        """Give the selected answer."""
        if self.highlighted is not None and self.highlighted == self.guarded:
            self.post_message(self.KeptFromEnter(self.highlighted + 1))
        else:
            self.action_select()


class DecisionCard(Vertical):
    """A question, its details, and the answers."""

    DEFAULT_CSS = """
    DecisionCard {
        height: auto;
        max-height: 18;
        overflow-y: auto;
        scrollbar-size-vertical: 1;
        margin: 0 1;
        padding: 0 1;
        border: round $accent;
        background: $surface;
        & > #question { text-style: bold; }
        & > #lines { color: $text-muted; }
        & > OptionList {
            height: auto; max-height: 8; border: none; padding: 0; background: $surface;
            &:focus { border: none; background-tint: $foreground 0%; }
            &:blur > .option-list--option-highlighted { background: $surface; color: $foreground; }
        }
        & > Input { height: 1; border: none; padding: 0 1; background: $panel; margin-top: 1; }
    }
    DecisionCard.-empty { display: none; }
    """

    @dataclass
    class Answered(Message):
        """An answer was given."""

        decision: str
        option: str
        note: str
        label: str = ""

    def __init__(self) -> None:
        super().__init__()
        self.decision: DecisionView | None = None
        self.words: TableWords = table_words(COMMON_LANGUAGE)
        self._width = 0
        self._asked = 0
        """The number of the answer whose note is being typed."""

        self.set_class(True, "-empty")

    def compose(self) -> ComposeResult:
        """A widget for each part; those a question does not have stay hidden."""
        yield WrappedText(id="question", markup=False)
        yield WrappedText(id="lines", markup=False)
        yield AnswerList(id="options", markup=False)
        yield Input(id="note", max_length=NOTE_LENGTH_MAX, compact=True)

    def show(self, decision: DecisionView | None, guarded: int | None = None) -> None:
        """Ask a question, optionally with one answer disabled for Enter; None asks nothing."""
        self.query_one(AnswerList).guarded = guarded
        changed = decision != self.decision
        self.decision = decision
        self.set_class(decision is None, "-empty")
        if decision is None:
            return
        lines = self.query_one("#lines", Static)
        note = self.query_one("#note", Input)
        self.query_one("#question", Static).update(plain(decision.question))
        lines.update(Content("\n").join(plain(line) for line in decision.lines))
        lines.display = bool(decision.lines)
        if changed:
            self.query_one("#options", OptionList).highlighted = None
            note.value, self._asked = "", 0
            self.scroll_home(animate=False)
        note.display = decision.takes_note and (not decision.note_with or bool(self._asked))
        note.placeholder = self.words.note_why if decision.note_with else self.words.note
        self._lay_out(decision)

    def on_resize(self) -> None:
        """Rewrap the answers for another width."""
        if self.decision is not None and self.scrollable_content_region.width != self._width:
            self._lay_out(self.decision)

    def _lay_out(self, decision: DecisionView) -> None:
        """Wrap the answers to the current width and keep the selection."""
        self._width = self.scrollable_content_region.width
        options = self.query_one("#options", OptionList)
        highlighted = options.highlighted or 0
        options.clear_options()
        options.add_options(_draw((label for _, label in decision.options), self._width or NARROW_COLUMNS))
        options.highlighted = min(highlighted, options.option_count - 1) if options.option_count else None

    def take(self, number: int) -> bool:
        """Give the answer with a number; return False if there is none."""
        decision = self.decision
        if decision is None or not 1 <= number <= len(decision.options):
            return False
        option, label = decision.options[number - 1]
        field = self.query_one("#note", Input)
        note = field.value.strip() if decision.notes(option) else ""
        if option == decision.note_with and not note and self._asked != number:
            # The note is part of the answer, so it is asked for first.
            self._asked, field.display = number, True
            field.focus()
            return True
        self.post_message(self.Answered(decision.id, option, note, label))
        return True

    @on(OptionList.OptionSelected)
    def _take_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.take(event.option_index + 1)

    @on(Input.Submitted)
    def _to_options(self, event: Input.Submitted) -> None:
        event.stop()
        if self._asked:
            # The field disappears with the card, so the focus moves to the input line.
            self.screen.set_focus(None)
            self.take(self._asked)
        else:
            self.query_one("#options", OptionList).focus()


def _draw(labels: Iterable[str], width: int) -> list[Option]:
    """Draw the answers with their numbers; long ones continue below with an indent."""
    drawn = []
    for number, label in enumerate(labels, 1):
        digit = f"{number if number <= NUMBERED_MAX else '·'}{INDENT[1:]}"
        room = max(1, width - len(INDENT) - OPTION_EDGES)
        folded = wrap_content(Content(safe_line(label)), room) or [Content("")]
        heads = [Content.styled(digit, "bold $accent"), *[Content(INDENT)] * (len(folded) - 1)]
        lines = (Content.assemble(head, line) for head, line in zip(heads, folded, strict=True))
        drawn.append(Option(Content("\n").join(lines)))
    return drawn
