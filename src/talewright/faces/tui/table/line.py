"""The player's line: where words of one's own are typed, with those of before at hand.

It posts what was said; a number in an empty line is a choice.
"""

from dataclasses import dataclass
from typing import Final

from textual import events, on
from textual.message import Message
from textual.widgets import Input

HISTORY_MAX: Final = 200
"""Lines that are remembered while the screen is open."""

SLASHES: Final = ("/", "／")
"""What opens the palette in an empty line; the second is what Chinese keyboards give."""


NUMBER_LENGTH_MAX: Final = 3
"""Digits of a number that can mean a choice."""


def read_number(text: str) -> int | None:
    """A whole number in digits of any script, with or without a full stop after it."""
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
        """Words were sent."""

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
        """How many numbers mean something now; others are typed."""

        self._said: list[str] = []
        self._at = 0
        """Where in what was said the line stands; at the end it is the player's new words."""

        self._draft = ""

    def remember(self, text: str) -> None:
        """Keep a line for the arrow keys."""
        if text and (not self._said or self._said[-1] != text):
            self._said = [*self._said, text][-HISTORY_MAX:]
        self._at = len(self._said)

    def give_back(self, text: str) -> None:
        """Put words back that came to nothing, where nothing else is typed yet."""
        if not self.value:
            self.value = text
            self.cursor_position = len(text)

    async def _on_key(self, event: events.Key) -> None:
        character = event.character or ""
        if not self.value and len(character) == 1:
            if character.isdecimal() and 1 <= int(character) <= self.numbers:
                event.stop()
                event.prevent_default()
                self.post_message(self.Numbered(int(character)))
                return
            if character in SLASHES:
                event.stop()
                event.prevent_default()
                self.post_message(self.Commanding())
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
