"""Themes: all colours of the terminal interface, and support for NO_COLOR.

Widgets use names such as `$primary` and `$error`; no meaning depends on colour alone. `text-muted` is a
solid colour because text drawn span by span cannot be blended. With NO_COLOR, no colours are sent at all,
not even the greys Textual would use.
"""

from functools import lru_cache
from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter
from textual.theme import Theme

DARK = Theme(
    name="talewright-dark",
    primary="#82aad0",
    secondary="#94a3b8",
    accent="#e2b26b",
    foreground="#ddd8cd",
    background="#14161b",
    surface="#191c22",
    panel="#232730",
    success="#93c184",
    warning="#e8a75d",
    error="#ec7d80",
    dark=True,
    variables={
        "text-muted": "#9aa1ad",
        "text-disabled": "#78808d",
        "border": "#4a5568",
        "border-blurred": "#2e3440",
        "block-cursor-background": "#2f3d4f",
        "block-cursor-foreground": "#f3efe6",
        "block-cursor-text-style": "none",
        "footer-key-foreground": "#e2b26b",
        "input-cursor-background": "#e2b26b",
        "input-cursor-foreground": "#14161b",
        "input-selection-background": "#82aad0 35%",
        "scrollbar": "#333a46",
        "scrollbar-background": "#14161b",
        "scrollbar-hover": "#4a5568",
        "scrollbar-active": "#82aad0",
    },
)
"""Ink, lamplight and mist."""

LIGHT = Theme(
    name="talewright-light",
    primary="#2c5a88",
    secondary="#566377",
    accent="#8a5200",
    foreground="#2b2824",
    background="#fbf8f1",
    surface="#f2ede2",
    panel="#e9e2d3",
    success="#1b6328",
    warning="#8a4f00",
    error="#a01e28",
    dark=False,
    variables={
        "text-muted": "#5f5a52",
        "text-disabled": "#777065",
        "border": "#a99f8c",
        "border-blurred": "#d2ccc0",
        "block-cursor-background": "#bdd6ec",
        "block-cursor-foreground": "#1e1c19",
        "block-cursor-text-style": "none",
        "footer-key-foreground": "#8a5200",
        "input-cursor-background": "#2b2824",
        "input-cursor-foreground": "#fbf8f1",
        "input-selection-background": "#2c5a88 30%",
        "scrollbar": "#cbc4b6",
        "scrollbar-background": "#fbf8f1",
        "scrollbar-hover": "#a99f8c",
        "scrollbar-active": "#2c5a88",
    },
)
"""Paper by daylight."""

CONTRAST = Theme(
    name="talewright-contrast",
    primary="#6ed0ff",
    secondary="#e0e0e0",
    accent="#ffe14d",
    foreground="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#1c1c1c",
    success="#6bff8a",
    warning="#ffc04d",
    error="#ff8080",
    dark=True,
    text_alpha=1.0,
    variables={
        "text-muted": "#e0e0e0",
        "text-disabled": "#c0c0c0",
        "border": "#ffffff",
        "border-blurred": "#9a9a9a",
        "block-cursor-background": "#ffe14d",
        "block-cursor-foreground": "#000000",
        "block-cursor-text-style": "bold",
        "footer-key-foreground": "#ffe14d",
        "input-cursor-background": "#ffffff",
        "input-cursor-foreground": "#000000",
        "input-selection-background": "#6ed0ff 60%",
        "scrollbar": "#9a9a9a",
        "scrollbar-background": "#000000",
        "scrollbar-hover": "#ffffff",
        "scrollbar-active": "#ffe14d",
    },
)
"""For tired eyes and bright rooms: a contrast of at least 7:1 against black."""

SAFE = Theme(
    name="talewright-safe",
    primary="#56b4e9",
    secondary="#cc79a7",
    accent="#f0e442",
    foreground="#e4e4e4",
    background="#15171a",
    surface="#1a1d21",
    panel="#25292f",
    success="#2fc49a",
    warning="#e69f00",
    error="#f07f3c",
    dark=True,
    variables={
        "text-muted": "#a9b0b8",
        "text-disabled": "#858d96",
        "border": "#56697d",
        "border-blurred": "#30363d",
        "block-cursor-background": "#24506e",
        "block-cursor-foreground": "#ffffff",
        "block-cursor-text-style": "none",
        "footer-key-foreground": "#f0e442",
        "input-cursor-background": "#f0e442",
        "input-cursor-foreground": "#15171a",
        "input-selection-background": "#56b4e9 35%",
        "scrollbar": "#38424d",
        "scrollbar-background": "#15171a",
        "scrollbar-hover": "#56697d",
        "scrollbar-active": "#56b4e9",
    },
)
"""The Okabe-Ito palette, distinguishable with any kind of colour vision; green and vermilion are lightened
to be readable on a dark background."""

THEMES: tuple[Theme, ...] = (DARK, LIGHT, CONTRAST, SAFE)
"""All themes; the first is the default."""


def theme_named(name: str) -> str:
    """The name of an existing theme: the given one, or the default."""
    return name if name in {theme.name for theme in THEMES} else DARK.name


LIT_BRIGHTNESS: Final = 0.25
"""From this brightness on, a background marks a cursor, tab or button. The theme with black backgrounds is
used then."""

STYLES_MAX: Final = 1_024
"""How many styles are cached."""


class NoColorFilter(LineFilter):
    """Removes all colours."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same words without colours."""
        return [
            Segment(text, None if style is None else drain(style), control)
            for text, style, control in segments
        ]


@lru_cache(STYLES_MAX)
def drain(style: Style) -> Style:
    """A style without its colours."""
    ground = style.bgcolor
    is_lit = ground is not None and Color.from_rich_color(ground).brightness >= LIT_BRIGHTNESS
    # Keep the click action; Rich would drop it along with the colours.
    drained = style.without_color + Style.from_meta(style.meta)
    return drained + Style(reverse=True) if is_lit else drained
