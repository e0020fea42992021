"""Dialogs: small boxes over a screen that ask for a text, a yes or no, or a choice.

They return the answer, or None when cancelled; the calling screen acts on it.
"""

from collections.abc import Iterable, Sequence
from typing import TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widget import Widget
from textual.widgets import Button, Input, OptionList, Static
from textual.widgets.option_list import Option

from talewright.faces.tui.widgets.text_wrap import WrappedText

DialogAnswer = TypeVar("DialogAnswer")

NAME_LENGTH_MAX = 64
"""Maximum length of a typed name, in characters."""


class Dialog(ModalScreen[DialogAnswer]):
    """A box with a title; subclasses override `body` for its content."""

    BINDINGS = [Binding("escape", "leave", show=False)]  # noqa: RUF012 - as Textual declares it
    DEFAULT_CSS = """
    Dialog {
        align: center middle;
        & > #box {
            width: 68;
            max-width: 100%;
            height: auto;
            max-height: 100%;
            border: round $primary;
            border-title-style: bold;
            background: $surface;
            padding: 1 2;
        }
        & .label { color: $text-muted; margin-top: 1; }
        & .text { margin-bottom: 1; }
        & #trouble { display: none; margin-top: 1; }
        & #trouble.told { display: block; }
        & Input, & OptionList, & RadioSet { width: 100%; }
        & KeyBar { background: transparent; padding: 0; }
        & Buttons { align-horizontal: right; }
    }
    """

    def __init__(self, title: Content) -> None:
        super().__init__()
        self._heading = title

    def compose(self) -> ComposeResult:
        box = VerticalScroll(*self.body(), Static(id="trouble"), id="box", can_focus=False)
        box.border_title = self._heading
        yield box

    def body(self) -> Iterable[Widget]:
        """Return the content of the box."""
        return ()

    def tell_trouble(self, trouble: Content) -> None:
        """Show an error in the box."""
        told = self.query_one("#trouble", Static)
        told.update(trouble)
        told.add_class("told")
        told.scroll_visible(animate=False)

    def on_click(self, event: events.Click) -> None:
        """Close on a click outside the box."""
        if event.widget is self:
            self.action_leave()

    def action_leave(self) -> None:
        """Close without an answer."""
        self.dismiss(None)


class Buttons(Horizontal):
    """A row of buttons; the focused one is filled."""

    DEFAULT_CSS = """
    Buttons {
        height: auto;
        margin-top: 1;
        & > Button, & > Button.-primary {
            margin-right: 1; min-width: 8; background: $panel !important; color: $foreground !important;
            &:hover { background: $block-hover-background !important; }
            &:focus {
                background: $primary !important; color: $background !important; text-style: bold !important;
            }
        }
    }
    """


def draw_buttons(*buttons: tuple[str, str, bool]) -> Buttons:
    """Create a row of buttons from ids, labels, and whether each is the primary one."""
    return Buttons(
        *(
            Button(Content(label), id=name, variant="primary" if meant else "default", compact=True)
            for name, label, meant in buttons
        ),
    )


class Confirm(Dialog[bool]):
    """A yes-or-no question."""

    def __init__(self, title: Content, text: Content, yes: str, no: str) -> None:
        super().__init__(title)
        self._text, self._yes, self._no = text, yes, no

    def body(self) -> Iterable[Widget]:
        """The question and its two answers."""
        return WrappedText(self._text), draw_buttons(("no", self._no, False), ("yes", self._yes, True))

    def on_mount(self) -> None:
        """Focus the answer that changes nothing."""
        self.query_one("#no").focus()

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer with the pressed button."""
        self.dismiss(event.button.id == "yes")


class Question(Dialog[str]):
    """A question answered with a text, which may be empty."""

    def __init__(
        self,
        title: Content,
        text: Content,
        label: str,
        hint: str,
        yes: str,
        no: str,
        length_max: int = NAME_LENGTH_MAX,
    ) -> None:
        super().__init__(title)
        self._text, self._label, self._hint, self._yes, self._no = text, label, hint, yes, no
        self._length_max = length_max

    def body(self) -> Iterable[Widget]:
        """The question, a field, and the two buttons."""
        return (
            WrappedText(self._text),
            Static(Content(self._label), classes="label"),
            Input(placeholder=self._hint, id="answer", max_length=self._length_max),
            draw_buttons(("no", self._no, False), ("yes", self._yes, True)),
        )

    def on_mount(self) -> None:
        """Focus the field."""
        self.query_one("#answer").focus()

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Answer on Enter."""
        self.dismiss(event.value.strip())

    def on_button_pressed(self, event: Button.Pressed) -> None:
        """Answer, or cancel."""
        self.dismiss(self.query_one("#answer", Input).value.strip() if event.button.id == "yes" else None)


class Menu(Dialog[int]):
    """A list to choose from; the answer is an index."""

    DEFAULT_CSS = """
    Menu OptionList, Menu OptionList:focus { border: none; padding: 0; background: transparent; }
    """

    def __init__(self, title: Content, items: Sequence[Content]) -> None:
        super().__init__(title)
        self._items = items

    def body(self) -> Iterable[Widget]:
        """The list."""
        return (OptionList(*(Option(item) for item in self._items), markup=False, id="items"),)

    def on_mount(self) -> None:
        """Focus the list."""
        self.query_one("#items").focus()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Answer with the chosen entry."""
        self.dismiss(event.option_index)
