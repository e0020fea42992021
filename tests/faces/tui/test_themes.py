"""The themes: complete, and readable."""

import pytest
from textual.color import Color
from textual.theme import Theme

from talewright.faces.tui.themes import CONTRAST, DARK, SAFE, THEMES, theme_named
from talewright.faces.tui.words.shared_words import shared_words

READABLE = 4.5
"""The contrast that ordinary text needs by WCAG AA."""

CLEAR = 7.0
"""The contrast of WCAG AAA."""

INKS = ("primary", "secondary", "accent", "success", "warning", "error", "foreground")
GROUNDS = ("background", "surface", "panel")


def contrast(one: str, other: str) -> float:
    def light(colour: str) -> float:
        parts = (part / 255 for part in Color.parse(colour).rgb)
        red, green, blue = (
            part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
        )
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_everything_can_be_read(theme: Theme) -> None:
    least = CLEAR if theme is CONTRAST else READABLE
    grounds = [getattr(theme, name) for name in GROUNDS]
    inks = {name: getattr(theme, name) for name in INKS} | {"muted": theme.variables["text-muted"]}
    for name, ink in inks.items():
        for ground in grounds:
            assert contrast(ink, ground) >= least, (name, ink, ground)
    cursor = theme.variables["block-cursor-foreground"], theme.variables["block-cursor-background"]
    assert contrast(*cursor) >= READABLE


@pytest.mark.parametrize("theme", THEMES, ids=lambda theme: theme.name)
def test_themes_name_the_same_things(theme: Theme) -> None:
    assert set(theme.variables) == set(DARK.variables)


def test_safe_colours_differ_in_lightness_or_in_blue_and_yellow() -> None:
    # Good and bad are told apart without red and green: by how much blue there is in them.
    good, bad = Color.parse(SAFE.success or ""), Color.parse(SAFE.error or "")
    assert abs(good.b - bad.b) > 60


def test_names() -> None:
    assert theme_named("talewright-light") == "talewright-light"
    assert theme_named("nord") == DARK.name
    assert set(shared_words("en").themes) == {theme.name for theme in THEMES}
