"""The words of the screens around the table are whole in both languages."""

import re
from collections.abc import Mapping
from dataclasses import fields

import pytest

from talewright.faces.tui.words import lobby, past, setup

PAIRS = [
    (lobby.ENGLISH, lobby.CHINESE),
    (setup.ENGLISH, setup.CHINESE),
    (past.ENGLISH, past.CHINESE),
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
    assert (lobby.lobby_words(code) is lobby.CHINESE) == chinese
    assert (setup.setup_words(code) is setup.CHINESE) == chinese
    assert (past.past_words(code) is past.CHINESE) == chinese
