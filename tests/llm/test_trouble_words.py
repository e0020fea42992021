"""Trouble in words: every kind, in both languages, with what to do."""

import pytest

from talewright.llm.provider import Trouble, word_trouble


@pytest.mark.parametrize("trouble", Trouble)
def test_every_trouble_has_words(trouble: Trouble) -> None:
    english, chinese = word_trouble(trouble, "en"), word_trouble(trouble, "zh-CN")
    assert english == word_trouble(trouble, "de")
    for words in (english.what, english.then):
        assert words.endswith(".")
        assert words.isascii()
    for words in (chinese.what, chinese.then):
        assert words.endswith("。")
        assert "." not in words


def test_no_two_troubles_are_told_alike() -> None:
    for language in ("en", "zh-CN"):
        assert len({word_trouble(trouble, language).what for trouble in Trouble}) == len(Trouble)
