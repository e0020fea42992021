"""The key bar."""

import asyncio

import pytest
from rich.cells import cell_len

from talewright.faces.tui.key_bindings import LOBBY_BAR
from talewright.faces.tui.widgets.key_bar import KeyBar
from tests.faces.tui.fakes import FakeHouse
from tests.faces.tui.lobby.stage import HallStage, settle


def show(width: int, language: str, *, one_line: bool = False) -> str:
    async def run() -> str:
        app = HallStage(FakeHouse(), language)
        async with app.run_test(size=(width, 10)) as pilot:
            bar = KeyBar(one_line=one_line)
            await app.screen.mount(bar)
            bar.show(LOBBY_BAR, language)
            await settle(pilot)
            return app.seen

    return asyncio.run(run())


def test_one_line_where_there_is_room() -> None:
    last = show(110, "en").split("\n")[-1]
    assert last.strip().startswith("Enter Play  n New")
    assert last.strip().endswith("^q Quit")


def test_no_key_is_out_of_sight_where_it_is_narrow() -> None:
    seen = show(40, "zh-CN")
    for words in (
        "Enter 游玩",
        "n 新开",
        "m 模型",
        "e 导出",
        "d 删除",
        "i 导入",
        "s 设置模型",
        "F1 帮助",
        "^q 退出",
    ):
        assert words in seen


@pytest.mark.parametrize("language", ["en", "zh-CN"])
@pytest.mark.parametrize("width", range(12, 111, 7))
def test_way_out_is_in_the_one_line_there_is(width: int, language: str) -> None:
    *above, last = show(width, language, one_line=True).split("\n")
    assert not any(line.strip() for line in above)
    assert last.strip().endswith("^q Quit" if language == "en" else "^q 退出")
    assert cell_len(last) <= width


def test_empty_bar_takes_a_line_of_nothing() -> None:
    async def run() -> None:
        app = HallStage(FakeHouse(), "en")
        async with app.run_test(size=(40, 5)) as pilot:
            await app.screen.mount(KeyBar())
            await settle(pilot)
            assert app.screen.query_one(KeyBar).size.height == 1

    asyncio.run(run())
