"""The key bar: what can be pressed on a screen, at its lower edge, and clicked there as well.

It wraps where the terminal is narrow, so that no key is out of sight. It carries nothing out.
"""

from collections.abc import Iterable

from textual.content import Content
from textual.geometry import Size
from textual.style import Style
from textual.widgets import Static

from talewright.faces.tui.keys import Key, write_key

GAP = Content("  ")
"""Between two items."""


class KeyBar(Static):
    """The keys of a screen in one or more lines."""

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

    def __init__(self) -> None:
        super().__init__()
        # The items have colours of their own, which those of a link would cover.
        self.auto_links = False
        self._items: list[Content] = []

    def show(self, keys: Iterable[Key], language: str) -> None:
        """Show the keys that have a short name."""
        self._items = [_draw(key, key.short(language)) for key in keys if key.short(language)]
        self.refresh(layout=True)

    def render(self) -> Content:
        """The items in lines, as the width allows."""
        return Content("\n").join(GAP.join(line) for line in self._break(self.content_size.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """So many lines the items take."""
        return len(self._break(width))

    def _break(self, width: int) -> list[list[Content]]:
        lines: list[list[Content]] = [[]]
        used = 0
        for item in self._items:
            if lines[-1] and used + GAP.cell_length + item.cell_length > width:
                lines.append([])
                used = 0
            used += item.cell_length + (GAP.cell_length if lines[-1] else 0)
            lines[-1].append(item)
        return lines


def _draw(key: Key, name: str) -> Content:
    first = key.keys.split(",")[0]
    written = key.shown or write_key(first)
    action = key.action if "." in key.action else f"screen.{key.action}"
    text = Content.assemble((written, "bold $footer-key-foreground"), " ", name)
    return text.stylize(Style.from_meta({"@click": action}))
