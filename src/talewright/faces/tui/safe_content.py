"""Safe content: sanitises texts and errors before they are drawn in a terminal.

Drops control sequences, direction overrides and invisible characters, in linear time. Markup is never
parsed. Unexpected errors are shown by their type only.
"""

import re
from typing import Final

from textual.content import Content
from textual.style import Style

from talewright.common.safe_text import (
    CONTROLS,
    FILLERS,
    FORMATS,
    SEPARATORS,
    SURROGATES,
    TERMINAL_FACE_TEXT,
    make_safe,
)
from talewright.errors import TalewrightError

LINE_LENGTH_MAX: Final = 10_000
"""The most characters in a line; the rest becomes an ellipsis."""

TEXT_LENGTH_MAX: Final = 200_000
"""The most characters in a text; the rest becomes an ellipsis."""

LINES_MAX: Final = 5_000
"""The most lines in a text; the rest becomes an ellipsis."""

MARKS_MAX: Final = 8
"""The most combining marks in a row; more would only cover the lines above and below."""

TAB: Final = TERMINAL_FACE_TEXT.tab
ELLIPSIS: Final = "…"

_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f"
)

_SUSPECT: Final = re.compile(f"[\t{CONTROLS}{FORMATS}{FILLERS}{_MARKS}\u200d\ufe0f{SEPARATORS}{SURROGATES}]")
_HEAPED: Final = re.compile(f"(?<=[{_MARKS}]{{{MARKS_MAX}}})[{_MARKS}]+")
_SEPARATORS: Final = re.compile(f"\r\n|[{SEPARATORS}]")
_LINE_ENDS: Final = re.compile(f"\r\n|[\n{SEPARATORS}]")
_LONG_LINE: Final = re.compile(f"([^\n]{{{LINE_LENGTH_MAX - 1}}})[^\n]{{2,}}")


def safe(text: str) -> str:
    """Sanitise a text of several lines; a safe text is returned unchanged."""
    if len(text) <= LINES_MAX and not _SUSPECT.search(text):
        return text
    # Cut first, so that a text of any length costs no more than the longest one shown.
    text = _SEPARATORS.sub("\n", text[: TEXT_LENGTH_MAX + 1])
    # Tabs count with their expanded length.
    text = text.replace("\t", TAB)
    if len(text) > TEXT_LENGTH_MAX:
        text = text[: TEXT_LENGTH_MAX - 1] + ELLIPSIS
    *lines, rest = text.split("\n", LINES_MAX - 1)
    text = "\n".join((*lines, ELLIPSIS if "\n" in rest else rest))
    text = _LONG_LINE.sub(rf"\1{ELLIPSIS}", text)
    return _HEAPED.sub("", make_safe(text, TERMINAL_FACE_TEXT))


def safe_line(text: str) -> str:
    """Sanitise a text and put it on one line: line ends become spaces."""
    return safe(_LINE_ENDS.sub(" ", text[: TEXT_LENGTH_MAX + 1]))


def plain(text: str, style: str | Style = "") -> Content:
    """A sanitised text for a widget; markup is not parsed."""
    return Content.styled(safe(text), style)


ERROR_SIGN = "! "


def describe_error(error: Exception, wrong: str, hint: str) -> Content:
    """An error and what to do next; `wrong` and `hint` are used for unexpected errors."""
    if isinstance(error, TalewrightError):
        first, second = error.message, error.hint
    else:
        first, second = wrong.format(error=type(error).__name__), hint
    told = Content.styled(ERROR_SIGN + safe_line(first), "bold $error")
    return told if not second else Content("\n").join([told, plain(safe_line(second))])
