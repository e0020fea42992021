"""Safe content: every text and error from play, made fit for a terminal before it is drawn.

What could steer a terminal, turn the direction of writing or hide within a word is dropped, in time that
grows with the length alone. No markup is read; an error that is not ours is told by its kind alone.
"""

import re
from typing import Final

from textual.content import Content
from textual.style import Style

from talewright.errors import TalewrightError

LINE_LENGTH_MAX: Final = 10_000
"""Characters of one line; the rest is an ellipsis."""

TEXT_LENGTH_MAX: Final = 200_000
"""Characters of a whole text; the rest is an ellipsis."""

LINES_MAX: Final = 5_000
"""Lines of a whole text; the rest is an ellipsis."""

MARKS_MAX: Final = 8
"""Accents in a row; more are heaped up only to run over the lines above and below."""

TAB: Final = "    "
ELLIPSIS: Final = "…"

_CONTROLS: Final = "\x00-\x09\x0b-\x1f\x7f-\x9f"
"""C0 but the line feed, DEL and C1."""

_FORMATS: Final = (
    "\xad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b\u200c\u200e\u200f\u202a-\u202e"
    "\u2060-\u206f\ufeff\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
"""Unicode's category Cf, but the joiner that emoji are made with; bidi controls and tags are among them."""

_UNSEEN: Final = "\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\ufe00-\ufe0e\uffa0"
"""Fillers and selectors that take no place or an empty one, though they count as letters or marks."""

_EMOJI: Final = "\xa9\xae\u203c-\u3299\U0001f000-\U0001faff"
_MARKS: Final = (
    "\u0300-\u036f\u0483-\u0489\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f"
)

_SUSPECT: Final = re.compile(f"[{_CONTROLS}{_FORMATS}{_UNSEEN}{_MARKS}\u200d\ufe0f\u2028\u2029\ud800-\udfff]")
_DROPPED: Final = re.compile(
    f"[{_CONTROLS}{_FORMATS}{_UNSEEN}]+"
    # A joiner stays between two emoji, and the selector of the coloured form stays behind one (or behind
    # a digit, for keycaps).
    f"|(?<![{_EMOJI}])(?<![{_EMOJI}]\ufe0f)\u200d|\u200d(?![{_EMOJI}])|(?<![{_EMOJI}#*0-9])\ufe0f"
)
_HEAPED: Final = re.compile(f"(?<=[{_MARKS}]{{{MARKS_MAX}}})[{_MARKS}]+")
_SURROGATES: Final = re.compile("[\ud800-\udfff]")
_SEPARATORS: Final = re.compile("\r\n|[\u2028\u2029]")
_LINE_ENDS: Final = re.compile("\r\n|[\n\u2028\u2029]")
_LONG_LINE: Final = re.compile(f"([^\n]{{{LINE_LENGTH_MAX - 1}}})[^\n]{{2,}}")


def safe(text: str) -> str:
    """A text of several lines that no terminal obeys; what is safe already comes back as it is."""
    if len(text) <= LINES_MAX and not _SUSPECT.search(text):
        return text
    # Cut before it is looked at: a text of any length costs no more than the longest that is shown.
    text = _SEPARATORS.sub("\n", text[: TEXT_LENGTH_MAX + 1]).replace("\t", TAB)
    if len(text) > TEXT_LENGTH_MAX:
        text = text[: TEXT_LENGTH_MAX - 1] + ELLIPSIS
    *lines, rest = text.split("\n", LINES_MAX - 1)
    text = "\n".join((*lines, ELLIPSIS if "\n" in rest else rest))
    text = _LONG_LINE.sub(rf"\1{ELLIPSIS}", text)
    return _SURROGATES.sub("\ufffd", _HEAPED.sub("", _DROPPED.sub("", text)))


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
