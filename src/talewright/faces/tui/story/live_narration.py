"""Live narration: the text that is arriving, and its lines.

Only the last block is parsed again when text arrives; the blocks above it are final. However the text is
split into chunks, the blocks are those of the whole text.
"""

import re
from itertools import islice
from typing import Final

from talewright.faces.tui.safe_content import ELLIPSIS, LINES_MAX, TEXT_LENGTH_MAX, safe
from talewright.faces.tui.story.dice_animation import LAST_STEP, draw_animation_step
from talewright.faces.tui.story.markdown_blocks import MarkdownBlock, place_blocks
from talewright.faces.tui.story.story_entries import SaidEntry, group_rolls
from talewright.faces.tui.story.story_layout import lay_block, lay_entry, lay_out
from talewright.faces.tui.story.styled_lines import BLANK, MEASURE_MAX, StoryLine
from talewright.play.campaign_view import RollView

_LINE_ENDS: Final = re.compile("[\n\u2028\u2029]")


class NarrationDraft:
    """Growing text, and its blocks."""

    def __init__(self) -> None:
        self.settled: list[MarkdownBlock] = []
        """Blocks that no further text can change."""

        self.open: list[MarkdownBlock] = []
        """Blocks of the end of the text, which may still change."""

        self._new: list[str] = []
        self._tail = ""
        self._length = self._lines = 0
        self._full = False

    @property
    def waiting(self) -> bool:
        """Whether text has arrived that is not parsed yet."""
        return bool(self._new)

    def add(self, text: str) -> None:
        """Add text; beyond the maximum length of a shown text, it is cut."""
        if self._full or not text:
            return
        self._length += len(text)
        self._lines += len(_LINE_ENDS.findall(text))
        self._full = self._length > TEXT_LENGTH_MAX or self._lines >= LINES_MAX
        self._new.append(safe(text) + ELLIPSIS if self._full else text)

    def read(self) -> None:
        """Parse what has arrived."""
        self._tail += "".join(self._new)
        self._new.clear()
        placed = place_blocks(safe(self._tail))
        if len(placed) > 1:
            self.settled += [block for _, block in placed[:-1]]
            self._tail = _from_line(self._tail, placed[-1].line)
        self.open = [block for _, block in placed[-1:]]


def _from_line(text: str, line: int) -> str:
    """Return a raw text from a line on, counting lines as in the sanitized text."""
    start = 0
    for end in islice(_LINE_ENDS.finditer(text), line):
        start = end.end()
    return text[start:]


class LiveNarration:
    """The turn being narrated, laid out as it arrives."""

    def __init__(self, said: str) -> None:
        self.lines: list[StoryLine] = []
        self.draft = NarrationDraft()
        self._said = safe(said)
        self.rolls: list[RollView] = []
        """The dice so far, which are shown before the narration."""

        self.rested = 0
        """How many of the rolls have come to rest."""

        self.step = LAST_STEP
        """The frame in which the other rolls are shown."""

        self._width = 0
        self._settled = 0
        """How many final blocks are laid out already."""

        self._firm = 0
        """Lines that no further text can change."""

    def roll(self, roll: RollView, *, moving: bool) -> None:
        """Add dice; those still moving start again with them."""
        self.rolls.append(roll)
        self.show_step(0 if moving else LAST_STEP)

    def show_step(self, step: int) -> None:
        """Show the moving dice in a frame; in the last one they come to rest."""
        self.step, self._width = step, 0
        if step >= LAST_STEP:
            self.rested = len(self.rolls)

    def discard_rolls(self) -> None:
        """Remove the dice: the turn starts over."""
        self.rolls.clear()
        self.show_step(LAST_STEP)

    def restart(self, text: str) -> None:
        """Replace the narration with another text."""
        self.draft = NarrationDraft()
        self.draft.add(text)
        self._width = 0

    def lay_out(self, width: int) -> int:
        """Lay out what has arrived; return the first line that may have changed."""
        if width != self._width:
            self._begin(width)
        if self.draft.waiting:
            self.draft.read()
        first = self._firm
        del self.lines[self._firm :]
        measure = min(width, MEASURE_MAX)
        for block in self.draft.settled[self._settled :]:
            self.lines += [BLANK, *lay_block(block, measure)]
        self._settled = len(self.draft.settled)
        self._firm = len(self.lines)
        for block in self.draft.open:
            self.lines += [BLANK, *lay_block(block, measure)]
        return first

    def _begin(self, width: int) -> None:
        self._width, self._settled = width, 0
        self.lines.clear()
        if self._said.strip():
            self.lines += [BLANK, *lay_entry(SaidEntry(self._said), min(width, MEASURE_MAX))]
        entries = group_rolls(self.rolls)
        dice = lay_out(entries, width)
        self.lines += draw_animation_step(dice, entries, width, self.step, len(self.rolls), self.rested)
        self._firm = len(self.lines)
