"""Wire text: texts, names and ids as servers accept and send them, for all providers.

Surrogate halves are joined; a lone half becomes the replacement character. A model may call a tool by any
name, and a campaign may continue with another model: equal names stay equal.
"""

import hashlib
import re

CALLS_MAX = 64
"""Calls of one reply."""

SILENCE = "..."
"""Stands for a message without any words, which some vendors refuse."""

NAME_LENGTH_MAX = 64
"""Characters of a tool's name that every vendor accepts."""

ID_LENGTH = 9
"""Characters of a new id: one vendor accepts exactly this many, and only letters and digits."""

_STRANGE = re.compile(r"[^A-Za-z0-9_-]")


def write_name(name: str) -> str:
    """The name of a called tool in a form that every vendor accepts."""
    return _STRANGE.sub("_", name)[:NAME_LENGTH_MAX] or "_"


def write_id(call_id: str, form: str) -> str:
    """The id of a call if it has the form that a server requires, else a replacement."""
    if re.fullmatch(form, call_id):
        return call_id
    return hashlib.sha256(call_id.encode("utf-8", "replace")).hexdigest()[:ID_LENGTH]


class SurrogateJoiner:
    """Joins surrogates in the text of one reply, whose pieces may end between the halves of a character."""

    __slots__ = ("pending",)

    def __init__(self) -> None:
        self.pending = ""
        """The first half of a character whose other half has not arrived yet."""

    def mend(self, text: str) -> str:
        """The text with whole characters; a first half at its end waits for the next piece."""
        if not self.pending and text.isascii():
            return text
        text = self.pending + text
        self.pending = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return join_surrogates(text[: len(text) - len(self.pending)])

    def finish(self) -> str:
        """The replacement for a half that stayed unpaired."""
        left, self.pending = join_surrogates(self.pending), ""
        return left


def join_surrogates(text: str) -> str:
    """A whole text with whole characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
