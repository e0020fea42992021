"""Prompt words: what the engine itself says to a model, in English and Chinese.

Words only; the sections decide which of them are used when. All languages but Chinese use English.
"""

from talewright.prompt.words.chinese import CHINESE, SHORT_CHINESE
from talewright.prompt.words.english import ENGLISH, SHORT_ENGLISH

PHRASES = {"en": ENGLISH, "zh-CN": CHINESE}
"""The engine's words to a model, by the language of the story; chosen by `common.language_tags.pick_words`.
"""

SHORT_PHRASES = {"en": SHORT_ENGLISH, "zh-CN": SHORT_CHINESE}
"""The same for slow and small models."""
