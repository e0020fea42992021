"""Brevity: how long a telling is, in words, whatever its language.

It counts; what is too long is said elsewhere.
"""

import re

# Ideographs and kana are written without spaces, and two of them say about as much as one English word.
_IDEOGRAPH = re.compile("[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_WORD = re.compile(r"\w+(?:['’-]\w+)*")


def count_words(text: str) -> int:
    """Words between spaces and punctuation, and half a word for each ideograph, rounded up."""
    spaced, ideographs = _IDEOGRAPH.subn(" ", text)
    return len(_WORD.findall(spaced)) + (ideographs + 1) // 2
