"""Key bar: the keys of a screen, at its bottom edge, where they can be clicked too.

On a narrow terminal it wraps, so that every key stays visible; or it keeps to one line and drops keys from
the middle. It runs no actions itself.
"""

from collections.abc import Iterable, Sequence

from textual.content import Content
from textual.geometry import Size
from textual.style import Style
from textual.widgets import Static

from talewright.faces.tui.key_bindings import KeyBinding, write_key

GAP = Content("  ")
"""Separates two items."""


class KeyBar(Static):
    """The keys of a screen on one or more lines."""

    ALLOW_SELECT = False
    DEFAULT_CSS = """
    KeyBar {
        dock: bottom;
        width: 100%;
        height: auto;
        padding: 0 1;
        background: $footer-background;
        color: $footer-foreground;
    }
    """

    def __init__(self, *, one_line: bool = False) -> None:
        super().__init__()
        self._one_line = one_line
        # The items have their own colours, which link styles would override.
        self.auto_links = False
        self._items: list[Content] = []

    def show(self, keys: Iterable[KeyBinding], language: str) -> None:
        """Show the keys that have a short name."""
        self._items = [_draw(key, key.short(language)) for key in keys if key.short(language)]
        self.refresh(layout=True)

    def render(self) -> Content:
        """Draw the items on as many lines as the width needs."""
        return Content("\n").join(GAP.join(line) for line in self._break(self.content_size.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines the items need."""
        return len(self._break(width))

    def _break(self, width: int) -> list[list[Content]]:
        if self._one_line:
            return [_leave_out(self._items, width)]
        lines: list[list[Content]] = [[]]
        used = 0
        for item in self._items:
            if lines[-1] and used + GAP.cell_length + item.cell_length > width:
                lines.append([])
                used = 0
            used += item.cell_length + (GAP.cell_length if lines[-1] else 0)
            lines[-1].append(item)
        return lines


def _leave_out(items: Sequence[Content], width: int) -> list[Content]:
    """Keep as many of the first items as fit next to the last, the way out, which must stay visible."""
    kept, used = list(items[:0]), sum(item.cell_length for item in items[-1:])
    for item in items[:-1]:
        used += item.cell_length + GAP.cell_length
        if used > width:
            break
        kept.append(item)
    return [*kept, *items[-1:]]


def _draw(key: KeyBinding, name: str) -> Content:
    first = key.keys.split(",")[0]
    written = key.shown or write_key(first)
    action = key.action if "." in key.action else f"screen.{key.action}"
    text = Content.assemble((written, "bold $footer-key-foreground"), " ", name)
    return text.stylize(Style.from_meta({"@click": action}))
