"""The words around a game's own: what the engine itself says to a model, in English and Chinese.

Words only. Which of them are said when is the business of the sections. All languages but Chinese have the
English ones.
"""

from talewright.common.language_tags import pick_words
from talewright.prompt.words.chinese import CHINESE
from talewright.prompt.words.english import ENGLISH
from talewright.prompt.words.phrases import Phrases

_PHRASES = {"en": ENGLISH, "zh-CN": CHINESE}


def phrases_in(language: str) -> Phrases:
    """The engine's words to a model that tells in a language."""
    return pick_words(language, _PHRASES)
