"""Choice list: what the player may do, numbered, with hint and risk.

It posts the chosen entry; the screen takes the turn.
"""

from dataclasses import dataclass
from typing import Final

from textual import on
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from talewright.common.language_tags import COMMON_LANGUAGE
from talewright.faces.tui.safe_content import safe_line
from talewright.faces.tui.widgets.text_wrap import wrap_content
from talewright.faces.tui.words.table_words import TableWords, table_words
from talewright.play.campaign_view import ChoiceView

NUMBERED_MAX: Final = 9
"""How many choices have their own number key; the others are taken with Enter or the mouse."""

INDENT: Final = "   "
NARROW_COLUMNS: Final = 60

_RISKS: Final = {"medium": ("△", "$warning"), "high": ("▲", "bold $error")}


class ChoiceList(OptionList):
    """The choices."""

    DEFAULT_CSS = """
    ChoiceList {
        height: auto;
        max-height: 9;
        border: none;
        border-top: solid $border-blurred;
        padding: 0 1 0 2;
        background: $background;
        scrollbar-size-vertical: 1;
        &:focus { border: none; border-top: solid $border; background-tint: $foreground 0%; }
        & > .option-list--option { padding: 0; }
        &:blur > .option-list--option-highlighted { background: $background; color: $foreground; }
        & > .option-list--option-hover { background: $panel; }
    }
    ChoiceList.-empty { display: none; }
    """

    @dataclass
    class Chosen(Message):
        """A choice was taken."""

        choice: str
        label: str

    def __init__(self) -> None:
        super().__init__(markup=False)
        self.choices: tuple[ChoiceView, ...] = ()
        self.words: TableWords = table_words(COMMON_LANGUAGE)
        self.spare = False
        """Whether each choice is limited to one line; long hints are then cut."""

        self._width = 0
        self._drawn: list[Content] = []
        self.set_class(True, "-empty")

    def show(self, choices: tuple[ChoiceView, ...]) -> None:
        """Offer these choices."""
        self.choices = choices
        self.set_class(not choices, "-empty")
        self._draw()

    def on_resize(self) -> None:
        """Move hints below their choice when the list is narrow, or back next to it."""
        if self.scrollable_content_region.width != self._width:
            self._draw()

    def _draw(self) -> None:
        self._width = self.scrollable_content_region.width
        # Before the first layout the width is unknown; it is drawn again afterwards.
        width = self._width or NARROW_COLUMNS
        self.clear_options()
        self._drawn = [
            draw_choice(number, choice, self.words, width, spare=self.spare)
            for number, choice in enumerate(self.choices, 1)
        ]
        self.add_options(Option(drawn) for drawn in self._drawn)
        self.highlighted = 0 if self.choices else None

    @on(OptionList.OptionHighlighted)
    def _follow_cursor(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        self._spell_out(event.option_index if self.has_focus else None)

    def on_focus(self) -> None:
        """Show the selected choice in full."""
        self._spell_out(self.highlighted)

    def on_blur(self) -> None:
        """Limit choices to one line again."""
        self._spell_out(None)

    def _spell_out(self, index: int | None) -> None:
        """Show the selected choice in full even when choices are limited to one line."""
        if not self.spare:
            return
        width = self._width or NARROW_COLUMNS
        for at, choice in enumerate(self.choices):
            drawn = draw_choice(at + 1, choice, self.words, width, spare=at != index)
            if drawn.plain != self._drawn[at].plain:
                self._drawn[at] = drawn
                self.replace_option_prompt_at_index(at, drawn)

    def take(self, number: int) -> bool:
        """Take the choice with a number; return False if there is none."""
        if not 1 <= number <= len(self.choices):
            return False
        choice = self.choices[number - 1]
        self.post_message(self.Chosen(choice.id, choice.label))
        return True

    @on(OptionList.OptionSelected)
    def _take_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        self.take(event.option_index + 1)


def draw_choice(number: int, choice: ChoiceView, words: TableWords, width: int, *, spare: bool) -> Content:
    """Draw one choice: number, label, risk and hint; what does not fit goes below, under the label."""
    digit = str(number) if number <= NUMBERED_MAX else "·"
    label = Content(safe_line(choice.label))
    aside = Content.styled(safe_line(choice.hint), "$text-muted")
    if choice.risk in _RISKS:
        sign, style = _RISKS[choice.risk]
        risk = Content.styled(f"{sign} {words.risks[choice.risk]}", style)
        aside = Content.assemble(risk, "  ", aside) if aside else risk
    room = max(1, width - len(INDENT))
    beside = Content.assemble(label, "  ", aside) if aside else label
    if beside.cell_length <= room:
        lines = [beside]
    elif spare:
        lines = [beside.truncate(room, ellipsis=True)]
    else:
        lines = [line for part in (label, aside) if part for line in wrap_content(part, room)]
    head = Content.styled(digit + INDENT[1:], "bold $accent")
    return Content("\n").join(
        Content.assemble(head if at == 0 else INDENT, line) for at, line in enumerate(lines)
    )
