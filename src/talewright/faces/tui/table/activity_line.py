"""Activity line: what is happening right now, in the engine's own words, with a spinner.

After a while it also shows the elapsed and usual time. The words are deterministic; no model writes them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from textual.content import Content
from textual.message import Message
from textual.timer import Timer
from textual.widget import Widget

from talewright.faces.tui.safe_content import safe_line
from talewright.faces.tui.words.table_words import TableWords
from talewright.play.news import ActivityNews
from talewright.play.presentation.wait_progress import WaitPatterns, needs_progress

SPINNER: Final = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"
SPIN_SECONDS: Final = 0.1
STILL_SECONDS: Final = 0.5
"""How often the seconds are updated when animations are off."""

REMARK_SECONDS: Final = 4.0
"""How long a remark hides what is being done."""

WORKING: Final = "⟳"
"""Replaces the spinner when animations are off."""

DONE: Final = "✓"
REMARK: Final = "!"


class ActivityLine(Widget):
    """One line that appears only when it has something to say."""

    DEFAULT_CSS = """
    ActivityLine {
        height: 1;
        padding: 0 2;
        color: $text-muted;
        text-wrap: nowrap;
        text-overflow: ellipsis;
    }
    """

    clock: Callable[[], float] = staticmethod(monotonic)

    @dataclass
    class Waiting(Message):
        """The player has waited for a while, or is no longer waiting."""

        can_skip: bool
        """Whether a written scene could be used instead."""

    def __init__(self, words: TableWords, *, animations: bool = True) -> None:
        super().__init__()
        self.words = words
        self.animations = animations
        self.text = ""
        self.done = False
        self.is_remark = False
        """Whether it explains why something was not done."""

        self.can_skip = False
        """Whether a written scene could be used for the running turn."""

        self._since: float | None = None
        """When the running turn began."""

        self._usual: float | None = None
        self._doing = ""
        """What is being done, while a remark is shown."""

        self._remarked = 0.0
        self._offered = False
        self._step = 0
        self._timer: Timer | None = None

    def begin(self, text: str) -> None:
        """A turn begins; what is shown from here on is about it."""
        self._since, self._usual, self.can_skip = self.clock(), None, False
        self.tell(text)

    def follow(self, news: ActivityNews) -> None:
        """Show what the turn is doing."""
        self._usual, self.can_skip = news.usual_seconds, news.can_skip
        self.tell(news.text)

    def end(self) -> None:
        """The turn is over; what is shown stays."""
        self._since, self._usual, self.can_skip = None, None, False
        self._spin()
        self._offer()

    def tell(self, text: str, done: bool = False) -> None:
        """Say what is being done, or that it is done."""
        self.text, self.done, self.is_remark = safe_line(text), done, False
        self._doing = self.text
        self._spin()
        self.refresh()

    def remark(self, text: str) -> None:
        """Say why something is not done; a running turn is shown again after a while."""
        doing = self._doing
        self.tell(text, done=True)
        self.is_remark = True
        self._doing, self._remarked = doing, self.clock()

    def clear(self) -> None:
        """Clear the line."""
        self.tell("")

    @property
    def waited(self) -> str:
        """How long the turn has run, and how long that usually takes; empty at first."""
        seconds = 0.0 if self._since is None else self.clock() - self._since
        if not needs_progress(seconds) or self.done:
            return ""
        words, usual = self.words, self._usual
        patterns = WaitPatterns(words.waited, words.waited_usual, words.waited_longer)
        return patterns.choose(seconds, usual).format(seconds=int(seconds), usual=round(usual or 0))

    def look(self) -> None:
        """Update the spinner, the seconds, and the key that skips."""
        self._step += 1
        running = self._since is not None
        if running and self.is_remark and self.clock() - self._remarked >= REMARK_SECONDS:
            self.tell(self._doing)
        self._offer()
        self.refresh()

    def render(self) -> Content:
        """The sign and the words, with the elapsed time at the right edge."""
        if not self.text:
            return Content("")
        if self.is_remark:
            return Content.assemble((f"{REMARK} ", "bold $warning"), self.text)
        if self.done:
            return Content.assemble((f"{DONE} ", "$success"), (self.text, "$text-muted"))
        sign = SPINNER[self._step % len(SPINNER)] if self.animations else WORKING
        line = Content.assemble((f"{sign} ", "$accent"), (self.text, "$text-muted"))
        if not (waited := self.waited):
            return line
        time = Content.assemble("  ", (waited, "$text-muted"))
        room = max(0, self.content_size.width - time.cell_length)
        return line.truncate(room, ellipsis=True).pad_right(max(0, room - line.cell_length)) + time

    def _offer(self) -> None:
        """Post whether the player may skip the model, once waiting is worth it and when it no longer is."""
        offers = bool(self.waited or self.is_remark) and self.can_skip
        if offers != self._offered:
            self._offered = offers
            self.post_message(self.Waiting(offers))

    def _spin(self) -> None:
        running = self._since is not None
        on = running or (bool(self.text) and not self.done and self.animations)
        if on and self._timer is None and self.is_attached:
            seconds = SPIN_SECONDS if self.animations else STILL_SECONDS
            self._timer = self.set_interval(seconds, self.look)
        elif not on and self._timer is not None:
            self._timer.stop()
            self._timer = None
