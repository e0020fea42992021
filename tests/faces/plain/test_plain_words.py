"""Words: the same things are said in every language, with the same parts filled in."""

import re
from dataclasses import fields

import pytest

from talewright.common.language_tags import locale_language, pick_language
from talewright.faces.plain.command_parser import TellCommand, read_line
from talewright.faces.plain.plain_words import SPOKEN, PlainWords, name_of, words_for

TEXTS = [
    field.name for field in fields(PlainWords) if field.name not in ("help", "commands", "language", "space")
]


@pytest.mark.parametrize("name", TEXTS)
def test_every_text_is_said_in_every_language_with_the_same_parts(name: str) -> None:
    said = [getattr(words, name) for words in SPOKEN.values()]
    assert all(text.strip() for text in said)
    parts = [sorted(set(re.findall(r"\{(\w+)\}", text))) for text in said]
    assert parts == [parts[0]] * len(SPOKEN)


def test_help_names_the_same_commands_in_every_language() -> None:
    commands = [
        [typed.split(" ")[0] for typed, _ in words.help if typed.startswith("/")] for words in SPOKEN.values()
    ]
    assert commands == [commands[0]] * len(SPOKEN)
    assert len(commands[0]) == len(set(commands[0])) == 11


@pytest.mark.parametrize("words", SPOKEN.values(), ids=lambda words: words.language)
def test_whatever_help_names_is_understood(words: PlainWords) -> None:
    for typed, _ in words.help:
        if typed.startswith("/"):
            assert not isinstance(read_line(typed, (), words), TellCommand), typed
    for alias, _ in words.commands:
        assert not isinstance(read_line(f"/{alias}", (), words), TellCommand), alias


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
