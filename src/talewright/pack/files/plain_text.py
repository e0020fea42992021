"""Plain text: a file's bytes as characters, with the place of every byte that cannot be one.

It changes nothing in the text but line ends and a byte order mark at the start.
"""

import re

from talewright.errors import SourcePlace
from talewright.pack.desk import Desk
from talewright.pack.faults import Code

_MARK = b"\xef\xbb\xbf"
_PLAIN_ASCII = bytes([9, 10, *range(0x20, 0x7F)])

FORBIDDEN = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""Control characters, line separators that editors do not count, stray byte order marks, non-characters."""


def decode(name: str, data: bytes, desk: Desk) -> str | None:
    """The text of a file with `\\n` line ends, or None after a fault."""
    data = data.removeprefix(_MARK)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        desk.report(
            Code.NOT_UTF8,
            _place(name, data[: error.start].decode()),
            f"byte 0x{data[error.start]:02x} is not UTF-8",
            "Save the file as UTF-8.",
        )
        return None
    # Most files are plain ASCII, and deleting bytes is ten times faster than the pattern.
    if data.translate(None, _PLAIN_ASCII):
        found = FORBIDDEN.search(text)
        if found:
            desk.report(
                Code.CONTROL_CHARACTER,
                _place(name, text[: found.start()]),
                f"the character U+{ord(found[0]):04X} may not stand in a text",
                "Delete the character.",
            )
            return None
    return text


def _place(name: str, before: str) -> SourcePlace:
    return SourcePlace(name, before.count("\n") + 1, len(before) - before.rfind("\n"))
