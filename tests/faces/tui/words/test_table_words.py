"""The words of the table and those that all screens share, in both languages."""

import string
from dataclasses import fields

import pytest
from rich.cells import cell_len

from talewright.faces.tui.words import shared_words, table_words

REMARK_COLUMNS = 54
"""Columns of the activity line on the narrowest terminal."""

REMARKS = (
    "busy answer_first no_such_number stopping working done back_at at_start moved saved no_marks "
    "needs_turn inspector_hidden"
).split()
LINES = (
    "line_free line_words line_fixed line_busy line_decision line_ended line_read_only nothing_to_choose"
).split()


def gaps(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize(
    "module", [shared_words, table_words], ids=lambda module: module.__name__.rpartition(".")[2]
)
def test_both_languages_say_everything_with_the_same_gaps(module: object) -> None:
    english, chinese = module.ENGLISH, module.CHINESE  # type: ignore[attr-defined]  # both modules have them
    for field in fields(english):
        one, other = getattr(english, field.name), getattr(chinese, field.name)
        if isinstance(one, str):
            assert one, field.name
            assert other, field.name
            assert gaps(one) == gaps(other), field.name
        else:
            assert set(one) == set(other), field.name


@pytest.mark.parametrize("words", [table_words.ENGLISH, table_words.CHINESE], ids=["en", "zh-CN"])
@pytest.mark.parametrize("name", REMARKS + LINES)
def test_short_words_fit_the_narrowest_terminal(words: table_words.TableWords, name: str) -> None:
    filled = getattr(words, name).format(number=100, last=9, version=100, name="pier")
    assert cell_len(filled) <= REMARK_COLUMNS, filled


@pytest.mark.parametrize(
    ("language", "code"),
    [("", "en"), ("en-GB", "en"), ("de", "en"), ("zh", "zh-CN"), ("zh_TW", "zh-CN"), ("ZH-cn", "zh-CN")],
)
def test_nearest_language(language: str, code: str) -> None:
    assert shared_words.spoken(language) == code
    assert shared_words.shared_words(language).language == code
    assert table_words.table_words(language) is (
        table_words.CHINESE if code == "zh-CN" else table_words.ENGLISH
    )
