"""Discretion: a summary of what was told, without the sentences that repeat what was not.

Whoever sums up a day is shown the notes as well, and a summary counts as known to the player. Only words
that are repeated are found here, not what is said in other words.
"""

import re
from collections.abc import Iterable

from talewright.kernel.story.game_texts import find_stretches

RUN_LETTERS = 30
"""Letters in a row by which a sentence is known as one of the notes: some forty characters with blanks. They
are weighed: of Chinese it is 15."""

NOTHING_LEFT = "…"
"""A summary of which nothing may be kept."""

_SENTENCE = re.compile(r"[^.!?。！？\n]*[.!?。！？\n\"'”’)]*")
_EMPHASIS = frozenset("*_~`")


def withhold(text: str, hidden: Iterable[str]) -> str:
    """The text without the sentences in which a stretch of something hidden stands."""
    closed = "\n".join("".join(_fold(each)) for each in hidden)
    sentences = _SENTENCE.findall(text)
    letters = [(letter, at) for at, sentence in enumerate(sentences) for letter in _fold(sentence)]
    folded = "".join(letter for letter, _ in letters)
    gone: set[int] = set()
    for start, end in find_stretches(folded, RUN_LETTERS):
        if folded[start:end] in closed:
            gone.update(at for _, at in letters[start:end])
    kept = "".join(sentence for at, sentence in enumerate(sentences) if at not in gone)
    return kept.strip() or NOTHING_LEFT


def _fold(text: str) -> list[str]:
    """What counts of a text: no blanks, no emphasis, no capitals."""
    return [sign for sign in text.casefold() if not sign.isspace() and sign not in _EMPHASIS]
