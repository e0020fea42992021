"""Prose: a few sentences on a screen, folded as the story folds its own.

Textual breaks Chinese anywhere, even before a comma; here no line begins with what closes.
"""

from textual.content import Content
from textual.geometry import Size
from textual.visual import Visual
from textual.widgets import Static

from talewright.faces.tui.folding import fold_content


class Prose(Static):
    """Text that flows."""

    def render(self) -> Visual:
        """The lines at this width."""
        visual, width = self.visual, self.content_size.width
        return Content("\n").join(fold_content(visual, width)) if isinstance(visual, Content) else visual

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """As many rows as there are lines."""
        visual = self.visual
        if isinstance(visual, Content):
            return len(fold_content(visual, width))
        return super().get_content_height(container, viewport, width)
