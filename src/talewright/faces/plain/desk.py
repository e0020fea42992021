"""The desk: what a face writes on, reads from and speaks, together.

It knows neither a lobby nor a session.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from talewright.faces.plain.keyboard import Keyboard
from talewright.faces.plain.sheet import Sheet
from talewright.faces.plain.words import Words


@dataclass(slots=True)
class Desk:
    """Paper, keyboard and words."""

    sheet: Sheet
    keyboard: Keyboard
    words: Words
    shown: str = ""
    """The beginning of the story, where it has been shown already."""

    def write(self, *lines: str) -> None:
        """Write lines that belong together."""
        self.sheet.block(lines)

    def tell(self, blocks: Iterable[Iterable[str]]) -> None:
        """Write blocks, each set off from the next."""
        for block in blocks:
            self.sheet.block(block)

    async def ask(self) -> str | None:
        """A line; None where there are no more."""
        self.sheet.prompt(self.words.prompt)
        line = await self.keyboard.read()
        if line is None:
            self.sheet.leave_prompt()
        return line
