"""Languages: the words that the plain face speaks, found by a code.

The words themselves stand in a file for each language.
"""

from talewright.common.language_tags import primary_language
from talewright.faces.plain.chinese import CHINESE
from talewright.faces.plain.english import ENGLISH
from talewright.faces.plain.words import Words

SPOKEN: tuple[Words, ...] = (ENGLISH, CHINESE)
"""The face's own languages; the first one stands in for every other."""


def words_for(language: str) -> Words:
    """The words nearest to a language."""
    return next(
        (words for words in SPOKEN if primary_language(words.language) == primary_language(language)),
        SPOKEN[0],
    )


def name_of(language: str) -> str:
    """What the speakers of a language call it; its code where the face does not speak it."""
    return next(
        (words.name for words in SPOKEN if primary_language(words.language) == primary_language(language)),
        language,
    )
