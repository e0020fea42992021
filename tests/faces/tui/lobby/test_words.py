"""The words of the screens around the table are whole in both languages."""

import re
from collections.abc import Mapping
from dataclasses import fields

import pytest

from talewright.faces.tui.words import history_words, lobby_words, setup_words

PAIRS = [
    (lobby_words.ENGLISH, lobby_words.CHINESE),
    (setup_words.ENGLISH, setup_words.CHINESE),
    (history_words.ENGLISH, history_words.CHINESE),
]


@pytest.mark.parametrize(("english", "chinese"), PAIRS, ids=["lobby", "setup", "past"])
def test_both_languages_fill_in_the_same(english: object, chinese: object) -> None:
    for field in fields(english):  # type: ignore[arg-type]  # every pair is of dataclasses
        one, other = getattr(english, field.name), getattr(chinese, field.name)
        if isinstance(one, Mapping):
            assert one.keys() == other.keys()
            continue
        assert one, field.name
        assert other, field.name
        assert set(re.findall(r"\{\w+\}", one)) == set(re.findall(r"\{\w+\}", other)), field.name


@pytest.mark.parametrize(
    ("code", "chinese"), [("zh-CN", True), ("zh", True), ("en", False), ("", False), ("fr", False)]
)
def test_language_is_found_by_its_code(code: str, chinese: bool) -> None:
    assert (lobby_words.lobby_words(code) is lobby_words.CHINESE) == chinese
    assert (setup_words.setup_words(code) is setup_words.CHINESE) == chinese
    assert (history_words.history_words(code) is history_words.CHINESE) == chinese
