"""Trouble in words: what a screen shows where something did not work.

An error that is no TalewrightError is told by its kind alone: its text may hold what nobody should read.
"""

from textual.content import Content

from talewright.errors import TalewrightError
from talewright.faces.tui.safety import plain, safe_line

SIGN = "! "


def tell_trouble(error: Exception, wrong: str, hint: str) -> Content:
    """An error with what to do next; `wrong` and `hint` are the face's own words for what nobody foresaw."""
    if isinstance(error, TalewrightError):
        first, second = error.message, error.hint
    else:
        first, second = wrong.format(error=type(error).__name__), hint
    told = Content.styled(SIGN + safe_line(first), "bold $error")
    return told if not second else Content("\n").join([told, plain(safe_line(second))])
