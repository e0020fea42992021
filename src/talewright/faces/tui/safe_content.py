"""Safe content: every text and error from play, made fit for a terminal before it is drawn.

What could steer a terminal, turn the direction of writing or hide within a word is dropped, in time that
grows with the length alone. No markup is read; an error that is not ours is told by its kind alone.
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
"""Characters of one line; the rest is an ellipsis."""

TEXT_LENGTH_MAX: Final = 200_000
"""Characters of a whole text; the rest is an ellipsis."""

LINES_MAX: Final = 5_000
"""Lines of a whole text; the rest is an ellipsis."""

MARKS_MAX: Final = 8
"""Accents in a row; more are heaped up only to run over the lines above and below."""

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
    """A text of several lines that no terminal obeys; what is safe already comes back as it is."""
    if len(text) <= LINES_MAX and not _SUSPECT.search(text):
        return text
    # Cut before it is looked at: a text of any length costs no more than the longest that is shown.
    text = _SEPARATORS.sub("\n", text[: TEXT_LENGTH_MAX + 1])
    # Tabs count towards the limits as what they become.
    text = text.replace("\t", TAB)
    if len(text) > TEXT_LENGTH_MAX:
        text = text[: TEXT_LENGTH_MAX - 1] + ELLIPSIS
    *lines, rest = text.split("\n", LINES_MAX - 1)
    text = "\n".join((*lines, ELLIPSIS if "\n" in rest else rest))
    text = _LONG_LINE.sub(rf"\1{ELLIPSIS}", text)
    return _HEAPED.sub("", make_safe(text, TERMINAL_FACE_TEXT))


def safe_line(text: str) -> str:
    """The same on one line: line ends become spaces."""
    return safe(_LINE_ENDS.sub(" ", text[: TEXT_LENGTH_MAX + 1]))


def plain(text: str, style: str | Style = "") -> Content:
    """A safe text for a widget, with no markup read in it."""
    return Content.styled(safe(text), style)


ERROR_SIGN = "! "


def describe_error(error: Exception, wrong: str, hint: str) -> Content:
    """An error with what to do next; `wrong` and `hint` are the face's own words for what nobody foresaw."""
    if isinstance(error, TalewrightError):
        first, second = error.message, error.hint
    else:
        first, second = wrong.format(error=type(error).__name__), hint
    told = Content.styled(ERROR_SIGN + safe_line(first), "bold $error")
    return told if not second else Content("\n").join([told, plain(safe_line(second))])
