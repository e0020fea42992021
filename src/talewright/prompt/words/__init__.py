"""The words around a game's own: what the engine itself says to a model, in English and Chinese.

Words only. Which of them are said when is the business of the sections. All languages but Chinese have the
English ones.
"""

from talewright.prompt.words.chinese import CHINESE
from talewright.prompt.words.english import ENGLISH

PHRASES = {"en": ENGLISH, "zh-CN": CHINESE}
"""The engine's words to a model, by the language it tells in; `common.language_tags.pick_words` picks."""
