"""Folding: text broken into lines that fit a terminal, also while it is still arriving.

Chinese breaks between characters, other writing between words. Nothing is written here.
"""

import re
from unicodedata import category, east_asian_width

COLUMNS_MIN = 20
"""Columns a line has at least, however narrow the terminal is."""

NOT_FIRST = frozenset(",.;:!?)]}%，。、；：！？）】》」』”’…—·％")
"""What may not begin a line: it stays with what stands before it."""

NOT_LAST = frozenset("([{（【《「『“‘")
"""What may not end a line: it goes with what comes after it."""

NO_BREAK = "\u00a0"
"""A space that holds what stands on either side of it together."""

_INVISIBLE = frozenset({"Mn", "Me", "Cf"})
"""Accents and joiners, which take no cell of their own."""

_CONTROLS = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_SURROGATES = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Text that no terminal obeys: line ends stay, tabs become spaces, other controls go.

    Character by character: pieces cleaned one by one are the whole cleaned at once.
    """
    return _SURROGATES.sub("\ufffd", _CONTROLS.sub("", text)).replace("\t", " ")


def width(text: str) -> int:
    """The cells that a text takes in a terminal."""
    return len(text) if text.isascii() else sum(map(_cells, text))


def fold(text: str, columns: int, indent: str = "") -> str:
    """A text in lines that fit; those that had to be broken go on with the indent."""
    folder = Folder(columns, indent)
    return folder.feed(text) + folder.end()


class Folder:
    """Folds a text as it arrives; however it is cut, the lines come out the same."""

    def __init__(self, columns: int, indent: str = "") -> None:
        self._columns = max(columns, COLUMNS_MIN)
        self._indent = indent
        self._used = 0
        """Cells filled on the line."""

        self._spaces = ""
        """Spaces that are written only if something follows on the same line."""

        self._held = ""
        """Characters that belong together, and may still grow."""

    def feed(self, text: str) -> str:
        """Take more text; give what is certain by now."""
        return "".join(map(self._take, text))

    def end(self) -> str:
        """Give what was held back."""
        return self._release()

    def _take(self, char: str) -> str:
        if char == "\n":
            out = self._release() + char
            self._used, self._spaces = 0, ""
            return out
        if char == " ":
            out = self._release()
            self._spaces += char
            return out
        out = self._release() if self._held and _may_break(self._held[-1], char) else ""
        self._held += char
        return out

    def _release(self) -> str:
        held, spaces = self._held, self._spaces
        if not held:
            return ""
        self._held = self._spaces = ""
        cells = width(held)
        if self._used and self._used + len(spaces) + cells > self._columns:
            # A word longer than the line is the terminal's to break, and then counts from there.
            self._used = (len(self._indent) + cells) % self._columns
            return f"\n{self._indent}{held}"
        self._used = self._used + len(spaces) + cells
        return spaces + held


def _may_break(before: str, after: str) -> bool:
    if after in NOT_FIRST or before in NOT_LAST or NO_BREAK in (before, after):
        return False
    if category(after) in _INVISIBLE:
        return False
    return _cells(before) == 2 or _cells(after) == 2


def _cells(char: str) -> int:
    if category(char) in _INVISIBLE:
        return 0
    return 2 if east_asian_width(char) in "WF" else 1
