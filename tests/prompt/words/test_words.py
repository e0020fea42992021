"""The engine's words: the same parts in both languages, and a language for everybody."""

import re
from dataclasses import fields

import pytest

from talewright.common.language_tags import pick_words
from talewright.prompt.words import PHRASES
from talewright.prompt.words.chinese import CHINESE
from talewright.prompt.words.english import ENGLISH
from talewright.prompt.words.phrases import Phrases

PARTS = re.compile(r"\{(\w+)\}")
MARKS = re.compile(r"\[[A-Z][A-Z _]*\]")
HAN = re.compile("[\u4e00-\u9fff]")


@pytest.mark.parametrize("name", [field.name for field in fields(Phrases)])
def test_both_languages_say_the_same_with_the_same_parts(name: str) -> None:
    english, chinese = getattr(ENGLISH, name), getattr(CHINESE, name)
    assert english
    assert type(english) is type(chinese)
    assert len(english) if isinstance(english, tuple) else True
    told = [str(english), str(chinese)]
    if name not in ("ratings", "always"):
        assert set(PARTS.findall(told[0])) == set(PARTS.findall(told[1]))
    assert HAN.search(told[1])
    assert not HAN.search(told[0])


def test_lists_are_equally_long_and_about_the_same() -> None:
    assert set(ENGLISH.ratings) == set(CHINESE.ratings) == {"G", "PG", "PG-13", "R"}
    assert len(ENGLISH.always) == len(CHINESE.always)
    assert MARKS.findall(ENGLISH.parts) == MARKS.findall(CHINESE.parts)


@pytest.mark.parametrize(
    ("language", "phrases"),
    [("en", ENGLISH), ("de", ENGLISH), ("", ENGLISH), ("zh-CN", CHINESE), ("zh", CHINESE)],
)
def test_every_language_has_words(language: str, phrases: Phrases) -> None:
    assert pick_words(language, PHRASES) is phrases
