"""A shelf: a list of games or campaigns under a title, walked with the keys and the mouse.

A click picks; a double click, or Enter, takes it. It shows and tells, nothing more.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.content import Content
from textual.widgets import OptionList
from textual.widgets.option_list import Option

ROOMY_LINES = 24
"""From this height on entries are divided by a line."""


@dataclass(frozen=True, slots=True)
class Book:
    """One thing on a shelf."""

    name: str
    drawn: Content


class Shelf(OptionList):
    """Things with names; the name of the one that is picked is `picked`."""

    DEFAULT_CSS = """
    Shelf {
        height: 1fr;
        border: round $border-blurred;
        border-title-color: $text-muted;
        text-wrap: nowrap;
        text-overflow: ellipsis;
        scrollbar-size-vertical: 1;
        & > .option-list--option-highlighted { background: $foreground 6%; }
        &:focus > .option-list--option-highlighted { background: $block-cursor-background; }
        &:focus { border: round $border; border-title-color: $primary; border-title-style: bold; }
    }
    """

    def __init__(self, *, id: str) -> None:  # noqa: A002 - the name that Textual gives it
        super().__init__(id=id, markup=False)
        self._names: list[str] = []

    @property
    def picked(self) -> str:
        """The name under the cursor; empty where the shelf is."""
        at = self.highlighted
        return self._names[at] if at is not None and at < len(self._names) else ""

    def fill(self, books: Sequence[Book], empty: str) -> None:
        """Show these instead; the cursor stays on the same name, or comes to the first."""
        before = self.picked
        self._names = [book.name for book in books]
        if not books:
            self.set_options([Option(Content.styled(empty, "$text-muted"), disabled=True)])
            return
        # A line between two entries, where the terminal has lines to spare.
        between = (None,) if self.app.size.height >= ROOMY_LINES else ()
        self.set_options(
            [part for at, book in enumerate(books) for part in (*(between if at else ()), Option(book.drawn))]
        )
        self.highlighted = self._names.index(before) if before in self._names else 0

    def redraw(self, book: Book) -> None:
        """Show one of them anew."""
        if book.name in self._names:
            self.replace_option_prompt_at_index(self._names.index(book.name), book.drawn)

    async def _on_click(self, event: events.Click) -> None:
        # OptionList takes at the first click; here that would open a campaign one only wanted to export.
        event.prevent_default()
        at = event.style.meta.get("option")
        if at is None or at >= len(self._names):
            return
        if self.highlighted == at and event.chain > 1:
            self.action_select()
        self.highlighted = at
