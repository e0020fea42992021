"""Prose: no line begins with what closes, at any width, and all lines have their rows."""

import asyncio

import pytest
from rich.text import Text
from textual.content import Content

from talewright.faces.tui.widgets.text_wrap import WrappedText
from tests.faces.tui.stage import Stage, read_screen, settle

WORDS = "有了模型，就能用自己的话。用本机上的模型，也可以用密钥；大约两分钟。「谁在那儿？」没有人回答！"


def show(prose: WrappedText, width: int) -> list[str]:
    async def run() -> list[str]:
        app = Stage(prose)
        async with app.run_test(size=(width, 30)) as pilot:
            await settle(pilot)
            rows = read_screen(app).split("\n")[: prose.size.height]
            assert "".join(read_screen(app).split("\n")[prose.size.height :]).strip() == ""
        return rows

    return asyncio.run(run())


@pytest.mark.parametrize("width", [10, 17, 24, 33, 38])
def test_chinese_is_folded_by_its_rules(width: int) -> None:
    rows = show(WrappedText(Content(WORDS)), width)
    assert "".join(rows) == WORDS
    assert [row for row in rows if row[0] in "，。；？！」"] == []


def test_english_is_folded_between_words() -> None:
    prose = WrappedText(Content("one two three"))
    assert show(prose, 8) == ["one two", "three"]


def test_what_is_no_text_is_left_as_it_is() -> None:
    assert show(WrappedText(Text("one two three")), 8) == ["one two", "three"]
