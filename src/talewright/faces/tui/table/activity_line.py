"""Activity line: what is being done right now, in the engine's own words, with a spinner.

The words are deterministic; no model ever writes them.
"""

from typing import Final

from textual.content import Content
from textual.timer import Timer
from textual.widget import Widget

from talewright.faces.tui.safe_content import safe_line

SPINNER: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
SPIN_SECONDS: Final = 0.1
WORKING: Final = "⟳"
"""Stands in the place of the spinner where animations are off."""

DONE: Final = "✓"
REMARK: Final = "!"


class ActivityLine(Widget):
    """One line that comes and goes."""

    DEFAULT_CSS = """
    ActivityLine {
        height: 1;
        padding: 0 2;
        color: $text-muted;
        text-wrap: nowrap;
        text-overflow: ellipsis;
    }
    """

    def __init__(self, *, animations: bool = True) -> None:
        super().__init__()
        self.animations = animations
        self.text = ""
        self.done = False
        self.is_remark = False
        """Whether it says why something is not done."""

        self._step = 0
        self._timer: Timer | None = None

    def tell(self, text: str, done: bool = False) -> None:
        """Say what is being done, or that it is done."""
        self.text, self.done, self.is_remark = safe_line(text), done, False
        self._spin(bool(self.text) and not done and self.animations)
        self.refresh()

    def remark(self, text: str) -> None:
        """Say why something is not done."""
        self.tell(text, done=True)
        self.is_remark = True

    def clear(self) -> None:
        """Nothing is being done."""
        self.tell("")

    def render(self) -> Content:
        """The sign and the words."""
        if not self.text:
            return Content("")
        if self.is_remark:
            return Content.assemble((f"{REMARK} ", "bold $warning"), self.text)
        if self.done:
            return Content.assemble((f"{DONE} ", "$success"), (self.text, "$text-muted"))
        sign = SPINNER[self._step % len(SPINNER)] if self._timer is not None else WORKING
        return Content.assemble((f"{sign} ", "$accent"), (self.text, "$text-muted"))

    def _spin(self, on: bool) -> None:
        if on and self._timer is None and self.is_attached:
            self._timer = self.set_interval(SPIN_SECONDS, self._turn)
        elif not on and self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _turn(self) -> None:
        self._step += 1
        self.refresh()
