"""Languages: which words are spoken to whom.

English where a language is not known here.
"""

from talewright.systems.spiral.words.chinese import CHINESE
from talewright.systems.spiral.words.english import ENGLISH
from talewright.systems.spiral.words.words import Words


def words_in(language: str) -> Words:
    """The words of a language."""
    return CHINESE if language.partition("-")[0] == "zh" else ENGLISH
