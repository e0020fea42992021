"""An emulator: what a terminal would show of the bytes that a program has written, without colours.

It knows what Textual and Rich write and leaves the rest out. Colours are only counted.
"""

import re
from typing import Final

from rich.cells import cell_len

_SEQUENCE: Final = re.compile(
    rb"\x1b\[([?<=>]?)([0-9;:]*)([ -/]*[@-~])|\x1b[\]P_^].*?(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|[\x00-\x1a\x7f]",
    re.DOTALL,
)
_UNFINISHED: Final = re.compile(rb"\x1b(?:\[[?<=>]?[0-9;:]*[ -/]*|[\]P_^][^\x07]*)?$", re.DOTALL)
_COLOURS: Final = frozenset((*range(30, 39), *range(40, 49), *range(90, 98), *range(100, 108)))


class Emulator:
    """A screen of so many cells."""

    def __init__(self, columns: int, rows: int) -> None:
        self.colours: set[bytes] = set()
        """The sequences by which something was coloured."""

        self._rest = b""
        self.resize(columns, rows)

    def resize(self, columns: int, rows: int) -> None:
        """Another size; what stood there is gone, as the program draws anew."""
        self._columns, self._rows = columns, rows
        self._cells = [[" "] * columns for _ in range(rows)]
        self._x = self._y = 0

    @property
    def text(self) -> str:
        """Every row of the screen."""
        return "\n".join("".join(row).rstrip() for row in self._cells)

    def feed(self, written: bytes) -> None:
        """Take what was written; a sequence or a character may be cut in two."""
        data = self._rest + written
        cut = _UNFINISHED.search(data)
        whole = data[: cut.start()] if cut else data
        # A character that is not whole yet waits as well.
        tail = next((n for n in (1, 2, 3) if len(whole) >= n and whole[-n] >= 0xC0), 0)
        if tail and len(whole[-tail:].decode(errors="ignore")) == 0:
            whole = whole[:-tail]
        self._rest = data[len(whole) :]
        at = 0
        for found in _SEQUENCE.finditer(whole):
            self._print(whole[at : found.start()])
            at = found.end()
            self._obey(found)
        self._print(whole[at:])

    def _print(self, text: bytes) -> None:
        for character in text.decode(errors="replace"):
            width = cell_len(character)
            if width == 0 or self._x + width > self._columns or self._y >= self._rows:
                continue
            row = self._cells[self._y]
            row[self._x : self._x + width] = [character, *([""] * (width - 1))]
            self._x += width

    def _obey(self, found: re.Match[bytes]) -> None:
        whole, private, numbers, end = found[0], found[1], found[2], found[3]
        if whole == b"\r":
            self._x = 0
        elif whole == b"\n":
            self._y = min(self._y + 1, self._rows - 1)
        elif end is None or private:
            return
        elif end in (b"H", b"f"):
            row, column = [*(int(each or 1) for each in numbers.split(b";")), 1][:2]
            self._y, self._x = row - 1, column - 1
        elif end == b"J":
            self._cells = [[" "] * self._columns for _ in range(self._rows)]
        elif end == b"m" and _COLOURS & {int(each or 0) for each in re.split(rb"[;:]", numbers)}:
            self.colours.add(whole)
