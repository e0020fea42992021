"""In a terminal of 256 colours: every theme can be read, and no ground changes its hue."""

import asyncio

import pytest
from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.theme import Theme

from talewright.faces.tui.app import TerminalApp
from talewright.faces.tui.eight_bit_colors import (
    EightBitFilter,
    find_nearest,
    list_eight_bit,
    reduce_style,
)
from talewright.faces.tui.launch_preferences import Preferences
from talewright.faces.tui.themes import CONTRAST, LIGHT, THEMES
from tests.faces.tui.camera import see
from tests.faces.tui.fakes import FakeHouse
from tests.faces.tui.test_themes import CLEAR, GROUNDS, INKS, READABLE, contrast

NEUTRAL = 8
"""How far red, green and blue of a ground may lie apart, so that it is no colour."""


SEEN = 1.15
"""The least contrast of two grounds that are to be told apart."""


def reduce(color: str) -> tuple[int, int, int]:
    return list_eight_bit()[find_nearest(Color.parse(color).rgb)]


def spell(color: str) -> str:
    return "#{:02x}{:02x}{:02x}".format(*reduce(color))


@pytest.mark.parametrize(
    ("color", "nearest"),
    [
        ("#000000", 16),
        ("#ffffff", 231),
        ("#ff0000", 196),
        ("#5f87af", 67),
        ("#121212", 233),
        ("#eeeeee", 255),
    ],
)
def test_fixed_colours_are_their_own_nearest(color: str, nearest: int) -> None:
    assert find_nearest(Color.parse(color).rgb) == nearest


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_everything_can_still_be_read(theme: Theme) -> None:
    least = CLEAR if theme is CONTRAST else READABLE
    inks = {name: getattr(theme, name) for name in INKS} | {"muted": theme.variables["text-muted"]}
    for name, ink in inks.items():
        for ground in GROUNDS:
            assert contrast(spell(ink), spell(getattr(theme, ground))) >= least, (name, ground)
    cursor = theme.variables["block-cursor-foreground"], theme.variables["block-cursor-background"]
    assert contrast(spell(cursor[0]), spell(cursor[1])) >= READABLE


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_no_ground_becomes_pink_or_yellow(theme: Theme) -> None:
    for ground in GROUNDS:
        parts = reduce(getattr(theme, ground))
        assert max(parts) - min(parts) <= NEUTRAL, (ground, parts)


def test_the_grounds_of_the_light_theme_differ() -> None:
    assert len({reduce(getattr(LIGHT, ground)) for ground in GROUNDS}) == len(GROUNDS)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_good_and_bad_keep_their_colours(theme: Theme) -> None:
    red, green, blue = reduce(theme.success or "")
    assert green > max(red, blue)
    red, green, blue = reduce(theme.error or "")
    assert red > max(green, blue)


def test_what_is_no_colour_stays() -> None:
    style = Style(color="#2c5a88", bold=True, meta={"a": 1})
    reduced = reduce_style(style)
    assert (reduced.color, reduced.bgcolor, reduced.bold) == (Style(color="color(24)").color, None, True)
    assert reduced.meta == {"a": 1}
    assert reduce_style(Style(color="red")) == Style(color="red")
    bare = Segment("a")
    assert EightBitFilter().apply([bare], Color(0, 0, 0)) == [bare]


@pytest.mark.parametrize(("system", "is_reduced"), [("256", True), ("truecolor", False)])
def test_the_app_draws_with_what_the_terminal_has(
    monkeypatch: pytest.MonkeyPatch, system: str, is_reduced: bool
) -> None:
    async def run() -> None:
        app = TerminalApp(FakeHouse().door(preferences=Preferences(theme=LIGHT.name, language="en")))
        monkeypatch.setattr(type(app.console), "color_system", system)
        async with app.run_test(size=(100, 30)) as pilot:
            await see(pilot, "Mist Harbor")
            await pilot.pause()
            strips = app.screen._compositor.render_strips()
            styles = [segment.style for strip in strips for segment in strip if segment.style is not None]
            colours = {style.bgcolor.name for style in styles if style.bgcolor is not None}
            assert colours
            assert all(name.startswith("color(") for name in colours) is is_reduced

    asyncio.run(run())


def test_the_cursor_of_the_light_theme_is_seen() -> None:
    cursor = spell(LIGHT.variables["block-cursor-background"])
    assert all(contrast(cursor, spell(getattr(LIGHT, ground))) >= SEEN for ground in GROUNDS)
