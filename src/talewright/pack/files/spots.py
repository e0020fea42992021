"""Spots: where one character of a text stands in a file that spells the text otherwise.

A block, a folded line or a doubled quote moves characters about; what escapes hide is not looked for.
"""

import re

_HIDING = re.compile(r'\\[^"/\n]')
"""Escapes between double quotes that make another character than the one that stands there."""

_BLOCKS = "|>"
_QUOTES = "'\""
_BEFORE = "&!"
"""What begins with one of these has an anchor or a tag before it, and a fault of its own."""


def find_spot(written: str, text: str, index: int) -> int | None:
    """How many characters into what is written the character of a text stands; None where that is hidden."""
    style = written[:1]
    if style in _BEFORE or (style == '"' and _HIDING.search(written.replace("\\\\", ""))):
        return None
    # Folding adds and removes blanks only, so that the visible characters keep their number.
    wanted = sum(not char.isspace() for char in text[:index])
    at_blank = not text[index : index + 1].strip()
    position = written.find("\n") + 1 if style in _BLOCKS else len(style) if style in _QUOTES else 0
    count = 0
    while position < len(written):
        size = _size(written, position, style)
        if not written[position : position + size].isspace() and written[position : position + 2] != "\\\n":
            if count == wanted and not at_blank:
                return position
            count += 1
            if count == wanted and at_blank:
                return position + size
        position += size
    return None


def _size(written: str, position: int, style: str) -> int:
    """Characters that stand in the file for one of the text."""
    doubled = style == "'" and written.startswith("''", position)
    return 2 if doubled or (style == '"' and written[position] == "\\") else 1
