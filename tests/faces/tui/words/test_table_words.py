"""The words of the table and those that all screens share."""

import pytest
from rich.cells import cell_len

from talewright.common.word_catalogues import interface_languages
from talewright.faces.tui.words.shared_words import shared_words
from talewright.faces.tui.words.table_words import table_words

REMARK_COLUMNS = 54
"""Columns of the activity line on the narrowest terminal."""

REMARKS = (
    "busy answer_first no_such_number stopping working done back_at at_start moved saved no_marks "
    "needs_turn inspector_hidden"
).split()
LINES = (
    "line_free line_words line_fixed line_busy line_decision line_ended line_read_only nothing_to_choose"
).split()


@pytest.mark.parametrize("language", interface_languages())
@pytest.mark.parametrize("name", REMARKS + LINES)
def test_short_words_fit_the_narrowest_terminal(language: str, name: str) -> None:
    filled = getattr(table_words(language), name).format(number=100, last=9, version=100, name="pier")
    assert cell_len(filled) <= REMARK_COLUMNS, filled


@pytest.mark.parametrize(
    ("language", "code"),
    [("", "en"), ("en-GB", "en"), ("de", "en"), ("zh", "zh-CN"), ("zh_TW", "zh-CN"), ("ZH-cn", "zh-CN")],
)
def test_nearest_language(language: str, code: str) -> None:
    assert shared_words(language).language == code
    assert table_words(language) is table_words(code)
