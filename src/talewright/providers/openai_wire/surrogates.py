"""Surrogates: characters that JSON escapes write in two halves, put together again.

A half that stays alone becomes the replacement character: no text leaves here that cannot be kept.
"""


class Mender:
    """Mends the text of one reply, whose pieces may end between the halves of a character."""

    __slots__ = ("pending",)

    def __init__(self) -> None:
        self.pending = ""
        """The first half of a character whose other half has not come yet."""

    def mend(self, text: str) -> str:
        """The text with whole characters; a first half at its end waits for the next piece."""
        if not self.pending and text.isascii():
            return text
        text = self.pending + text
        self.pending = text[-1:] if "\ud800" <= text[-1:] <= "\udbff" else ""
        return mend(text[: len(text) - len(self.pending)])

    def finish(self) -> str:
        """What is left of a half that found no other."""
        left, self.pending = mend(self.pending), ""
        return left


def mend(text: str) -> str:
    """A whole text with whole characters."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
