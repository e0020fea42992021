"""Languages: which words go with a player's language.

All languages but Chinese have the English ones.
"""

from talewright.prompt.words.chinese import CHINESE
from talewright.prompt.words.english import ENGLISH
from talewright.prompt.words.phrases import Phrases

_CHINESE = "zh"
"""How the name of a language begins that has the Chinese words."""


def phrases_in(language: str) -> Phrases:
    """The engine's words to a model that tells in a language."""
    return CHINESE if language.startswith(_CHINESE) else ENGLISH
