"""Catalogues of words: how they are found and read, and what is said where one is missing."""

from collections.abc import Iterator, Mapping
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import pytest

from hatch_build import compile_catalogues
from talewright.common import word_catalogues
from talewright.common.frozen_values import frozen
from talewright.common.word_catalogues import (
    CountedWords,
    WordKeys,
    WordsMissingError,
    find_word,
    interface_languages,
    load_words,
    native_name,
    pick_interface_language,
    read_word,
)
from tests.pseudo_language import forget_catalogues

HEAD = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n"Plural-Forms: {plurals}\\n"\n\n'
TWO, ONE = "nplurals=2; plural=(n != 1);", "nplurals=1; plural=0;"
ENGLISH = """\
msgid "title"
msgstr "Hello, {name}"

msgid "days"
msgid_plural "days"
msgstr[0] "one day"
msgstr[1] "{count} days of {name}"

msgid "moods.good"
msgstr "good"

msgid "moods.bad"
msgstr "bad"

msgid "sizes.small"
msgstr "small"
"""
JAPANESE = """\
msgid "title"
msgstr "{name}さん、こんにちは"

msgid "days"
msgid_plural "days"
msgstr[0] "{name}の{count}日間"

#, fuzzy
msgid "moods.good"
msgstr "?"

msgid "moods.bad"
msgstr ""
"""


GERMAN = """\
msgid "days"
msgid_plural "days"
msgstr[0] "ein Tag"
msgstr[1] ""
"""


class Mood(StrEnum):
    GOOD = "good"
    BAD = "bad"


@frozen
class GreetingWords:
    language: str
    title: str
    days: CountedWords
    moods: Mapping[Mood, str]
    sizes: Annotated[Mapping[str, str], WordKeys("small")]


@pytest.fixture
def locales(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Three languages with a catalogue, and one with nothing yet."""
    for language, plurals, text in (
        ("de", TWO, GERMAN),
        ("en", TWO, ENGLISH),
        ("fi", "", ""),
        ("ja", ONE, JAPANESE),
    ):
        (tmp_path / language).mkdir()
        if text:
            (tmp_path / language / "hello.po").write_text(HEAD.format(plurals=plurals) + text, "utf-8")
    assert len([*compile_catalogues(tmp_path)]) == 3
    monkeypatch.setattr(word_catalogues, "LOCALES", tmp_path)
    forget_catalogues()
    yield tmp_path
    forget_catalogues()


@pytest.mark.usefixtures("locales")
def test_languages_are_the_folders_with_english_first() -> None:
    assert interface_languages() == ("en", "de", "fi", "ja")
    assert [pick_interface_language(tag) for tag in ("ja-JP", "de", "fr", "")] == ["ja", "de", "en", "en"]


@pytest.mark.usefixtures("locales")
def test_words_are_loaded_as_they_are_declared() -> None:
    words = load_words(GreetingWords, "hello", "en-GB")
    assert words is load_words(GreetingWords, "hello", "fr")
    assert (words.language, words.title.format(name="Ann")) == ("en", "Hello, Ann")
    assert [words.days.format(count, name="Ann") for count in (0, 1, 2)] == [
        "0 days of Ann",
        "one day",
        "2 days of Ann",
    ]
    assert words.moods == {Mood.GOOD: "good", Mood.BAD: "bad"}
    assert words.sizes == {"small": "small"}


@pytest.mark.usefixtures("locales")
def test_what_a_translation_lacks_is_said_in_english() -> None:
    words = load_words(GreetingWords, "hello", "ja")
    assert words.title == "{name}さん、こんにちは"
    assert words.days.format(1, name="アン") == "アンの1日間"
    # One is marked as uncertain, one is empty, and one is not there.
    assert words.moods == {Mood.GOOD: "good", Mood.BAD: "bad"}
    assert words.sizes == {"small": "small"}
    # Here one form of two is missing, and there the whole catalogue.
    for language in ("de", "fi"):
        words = load_words(GreetingWords, "hello", language)
        assert (words.language, words.title) == (language, "Hello, {name}")
        assert [words.days.format(count, name="Ann") for count in (1, 2)] == ["one day", "2 days of Ann"]


@pytest.mark.usefixtures("locales")
def test_a_word_that_no_language_has() -> None:
    with pytest.raises(WordsMissingError, match="the catalogue hello has no text for farewell"):
        read_word("hello", "farewell", "ja")
    assert find_word("hello", "farewell", "ja") == ""
    with pytest.raises(WordsMissingError, match=r"not compiled: .*other\.mo") as caught:
        read_word("other", "title", "en")
    assert "make setup" in caught.value.hint


def test_only_what_has_changed_is_compiled(locales: Path) -> None:
    assert [*compile_catalogues(locales)] == []
    (locales / "ja" / "hello.po").unlink()
    assert [*compile_catalogues(locales)] == []
    assert not (locales / "ja" / "hello.mo").exists()


def test_names_of_the_languages() -> None:
    assert {tag: native_name(tag) for tag in ("en", "zh-CN")} == {"en": "English", "zh-CN": "中文"}
