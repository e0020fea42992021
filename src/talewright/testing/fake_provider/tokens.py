"""Tokens: a tokenizer of the fake provider's own, the same on every machine.

It is no vendor's tokenizer. What it promises: the tokens of a text are, but for the last one, the first
tokens of every longer text that begins with it, so that common prefixes can be counted in tokens.
"""

import re
from collections.abc import Sequence
from itertools import takewhile

WORD_LETTERS_MAX = 8
"""Letters of one token; longer words are several."""

DIGITS_MAX = 3
"""Digits of one token."""

# Chinese, Japanese and Korean characters are one token each, as a vendor's tokenizer nearly has it.
_CJK = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_TOKEN = re.compile(
    rf"[{_CJK}]| ?[^\W\d_{_CJK}]{{1,{WORD_LETTERS_MAX}}}|\d{{1,{DIGITS_MAX}}}|\s{{1,8}}| ?[^\w\s]{{1,2}}|.",
    re.DOTALL,
)


def split(text: str) -> list[str]:
    """The tokens of a text; joined they are the text again."""
    return _TOKEN.findall(text)


def count(text: str) -> int:
    """How many tokens a text has."""
    return len(split(text))


def cut(text: str, tokens_max: int) -> str:
    """The first tokens of a text."""
    return "".join(split(text)[:tokens_max])


def common(one: Sequence[str], other: Sequence[str]) -> int:
    """How many tokens two prompts have in common from their beginning."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
