"""Words: the same things are said in every language, with the same parts filled in."""

import pytest

from talewright.common.language_tags import locale_language, pick_language
from talewright.common.word_catalogues import interface_languages
from talewright.faces.plain.command_parser import TellCommand, read_line
from talewright.faces.plain.plain_words import PlainWords, name_of, words_for

SPOKEN = [words_for(language) for language in interface_languages()]


@pytest.mark.parametrize("words", SPOKEN, ids=lambda words: words.language)
def test_help_names_the_same_commands_in_every_language(words: PlainWords) -> None:
    commands = {key: typed.split(" ")[0] for key, typed in words.help_typed.items()}
    named = {key: typed for key, typed in commands.items() if typed.startswith("/")}
    assert named == {key: f"/{key}" for key in words.help_typed if key not in ("number", "words")}
    assert len(named) == 11


@pytest.mark.parametrize("words", SPOKEN, ids=lambda words: words.language)
def test_whatever_help_names_is_understood(words: PlainWords) -> None:
    for typed in words.help_typed.values():
        if typed.startswith("/"):
            assert not isinstance(read_line(typed, (), words), TellCommand), typed
    for name, alias in words.commands.items():
        assert read_line(f"/{alias}", (), words) == read_line(f"/{name}", (), words), alias


def test_words_are_found_by_code() -> None:
    asked = ("en", "en-GB", "zh", "zh_TW", "fr", "")
    assert [words_for(code).language for code in asked] == ["en", "en", "zh-CN", "zh-CN", "en", "en"]
    assert [name_of(code) for code in ("en", "zh-CN", "fr")] == ["English", "中文", "fr"]


@pytest.mark.parametrize(
    ("wanted", "picked"),
    [
        ("en", "en"),
        ("EN", "en"),
        ("zh", "zh-CN"),
        ("zh-cn", "zh-CN"),
        ("zh-TW", "zh-CN"),
        ("fr", ""),
        ("", ""),
    ],
)
def test_a_language_is_picked_among_those_told(wanted: str, picked: str) -> None:
    assert pick_language(wanted, ("zh-CN", "en")) == picked


@pytest.mark.parametrize(
    ("environment", "code"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh-CN"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "zh_CN@x"}, "zh-CN"),
        ({"LC_MESSAGES": "de", "LANG": "en_US"}, "de"),
        ({"LANG": "C.UTF-8"}, ""),
        ({"LC_ALL": "POSIX", "LANG": "en_US"}, ""),
        ({"LANG": ""}, ""),
        ({}, ""),
    ],
)
def test_the_language_of_a_terminal(environment: dict[str, str], code: str) -> None:
    assert locale_language(environment) == code
