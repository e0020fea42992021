"""Words: both languages say the same things with the same blanks."""

import re
from dataclasses import fields

from talewright.systems.spiral.spiral_system import spiral_phrases_in
from talewright.systems.spiral.words.chinese import CHINESE
from talewright.systems.spiral.words.english import ENGLISH
from talewright.systems.spiral.words.phrases import SpiralPhrases

_BLANK = re.compile(r"\{(\w+)\}")
_HAN = re.compile(r"[\u4e00-\u9fff]")
PLAIN = frozenset({"comma", "semicolon", "odds", "full_clock", "fact"})
"""Hardly more than marks between words of the game."""


def texts_of(words: SpiralPhrases, name: str) -> list[str]:
    value = getattr(words, name)
    return [value] if isinstance(value, str) else list(value)


def test_every_line_has_the_same_blanks_in_both_languages() -> None:
    for field in fields(SpiralPhrases):
        english, chinese = texts_of(ENGLISH, field.name), texts_of(CHINESE, field.name)
        assert len(english) == len(chinese)
        for one, other in zip(english, chinese, strict=True):
            assert one, field.name
            assert other, field.name
            assert set(_BLANK.findall(one)) == set(_BLANK.findall(other)), field.name


def test_chinese_is_chinese_and_english_is_not() -> None:
    for field in fields(SpiralPhrases):
        for text in texts_of(ENGLISH, field.name):
            assert not _HAN.search(text), field.name
        if field.name not in PLAIN:
            for text in texts_of(CHINESE, field.name):
                assert _HAN.search(text), field.name


def test_languages() -> None:
    assert spiral_phrases_in("zh-CN") is CHINESE
    assert spiral_phrases_in("zh") is CHINESE
    assert spiral_phrases_in("en") is ENGLISH
    assert spiral_phrases_in("fr") is ENGLISH


def test_an_authors_own_label_is_not_translated() -> None:
    assert CHINESE.translate_label("Night", 4) == "深夜"
    assert CHINESE.translate_label("Dusk", 3) == "Dusk"
