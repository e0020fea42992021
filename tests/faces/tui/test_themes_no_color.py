"""Without colours: nothing that is a colour is left, and what was lit is turned round."""

import asyncio

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color

from talewright.faces.tui.app import TerminalApp
from talewright.faces.tui.launch_preferences import Preferences
from talewright.faces.tui.themes import NoColorFilter, drain
from tests.faces.tui.camera import see
from tests.faces.tui.fakes import FakeHouse


def test_colours_go_and_the_rest_stays() -> None:
    style = Style(color="#ffe14d", bgcolor="#000000", bold=True, italic=True, meta={"a": 1})
    drained = drain(style)
    assert (drained.color, drained.bgcolor) == (None, None)
    assert (drained.bold, drained.italic, bool(drained.reverse)) == (True, True, False)
    assert drained.meta == {"a": 1}


@pytest.mark.parametrize(
    ("ground", "is_lit"), [("#000000", False), ("#1c1c1c", False), ("#9a9a9a", True), ("#ffe14d", True)]
)
def test_what_was_lit_is_turned_round(ground: str, is_lit: bool) -> None:
    assert bool(drain(Style(bgcolor=ground)).reverse) is is_lit


def test_segments_without_a_style_are_left_alone() -> None:
    bare, coloured = Segment("a"), Segment("b", Style(color="red"))
    assert NoColorFilter().apply([bare, coloured], Color(0, 0, 0)) == [bare, Segment("b", Style())]


def test_the_app_draws_no_colour_where_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")

    async def run() -> None:
        house = FakeHouse()
        app = TerminalApp(house.door())
        async with app.run_test(size=(100, 30)) as pilot:
            await see(pilot, "Mist Harbor")
            app.keep(Preferences(theme="talewright-light", language="en"))
            await pilot.pause()
            assert app.theme == "talewright-contrast"
            assert house.kept[-1].theme == "talewright-light"
            strips = app.screen._compositor.render_strips()
            styles = [segment.style for strip in strips for segment in strip if segment.style is not None]
            assert [style for style in styles if style.color is not None or style.bgcolor is not None] == []
            # The row under the cursor can still be told from the others.
            assert any(style.reverse for style in styles)

    asyncio.run(run())
