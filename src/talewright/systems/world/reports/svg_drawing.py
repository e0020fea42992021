"""SVG drawing: the shapes and words that the pictures of a world consist of.

A picture stands alone: no scripts, fonts or links. It follows the reader's light or dark theme. All text is
escaped. The same world gives the same bytes.
"""

import unicodedata
from collections.abc import Iterable
from xml.sax.saxutils import escape

COLOURS = ("#d9622b", "#3b82f6", "#2f9e5b", "#c04fd0", "#a87a08", "#1389a0", "#e0445f", "#8b6cf0")
"""Colours that can be told apart and read on a light and on a dark background."""

TINTS = ("#6f9bd1", "#cf9a5b", "#79b487", "#b58ab8", "#c4ad3f", "#6db3bd", "#d48383", "#9292d6")
"""Quieter ones for areas with text on them."""

FONT_SIZE = 12
SMALL_SIZE = 10
"""Font sizes in pixels."""

BADGE_RADIUS = 8

LETTER_SHARE = 0.6
"""The width of an average letter, as a share of its size; a Chinese character is as wide as it is high."""

STYLE = (
    "<style>"
    ".ground{fill:#ffffff}.ink{fill:#1f2328}.quiet{fill:#5f6670}.line{stroke:#d5d9df;fill:none}"
    ".box{fill:#f3f5f8}.small{font-size:10px}.head{font-size:15px;font-weight:600}.bold{font-weight:600}"
    "@media (prefers-color-scheme:dark){.ground{fill:#15181d}.ink{fill:#e6e9ee}.quiet{fill:#a2a9b4}"
    ".line{stroke:#393f48}.box{fill:#22272f}}"
    "</style>"
)


def draw_picture(width: float, height: float, title: str, shapes: Iterable[str]) -> str:
    """A whole picture."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:.0f}" height="{height:.0f}" '
            f'viewBox="0 0 {width:.0f} {height:.0f}" font-family="system-ui, sans-serif" '
            f'font-size="{FONT_SIZE}" role="img">',
            f"<title>{clean(title)}</title>",
            STYLE,
            f'<rect class="ground" width="{width:.0f}" height="{height:.0f}"/>',
            *shapes,
            "</svg>",
            "",
        ]
    )


def clean(text: str) -> str:
    """Text that is safe in XML: escaped, on one line, without characters that XML does not allow."""
    shown = (sign for sign in " ".join(text.split()) if unicodedata.category(sign) not in ("Cc", "Cs", "Cn"))
    return escape("".join(shown), {'"': "&quot;"})


def measure(text: str, size: int = FONT_SIZE) -> float:
    """Roughly how wide a text is drawn."""
    return sum(
        size * (1.0 if unicodedata.east_asian_width(sign) in "WF" else LETTER_SHARE)
        for sign in text
        if not unicodedata.combining(sign)
    )


def fit(text: str, width: float, size: int = FONT_SIZE) -> str:
    """As much of a text as there is room for, with an ellipsis, or nothing if there is hardly any."""
    text = " ".join(text.split())
    if measure(text, size) <= width:
        return text
    while text and measure(f"{text}…", size) > width:
        text = text[:-1]
    text = text.rstrip(" ,.;:")
    return f"{text}…" if len(text) > 1 else ""


def draw_text(x: float, y: float, text: str, style: str = "ink", anchor: str = "start") -> str:
    """A text element; nothing if the text is empty."""
    held = f' text-anchor="{anchor}"' if anchor != "start" else ""
    return f'<text class="{style}" x="{x:.1f}" y="{y:.1f}"{held}>{clean(text)}</text>' if text else ""


def draw_line(x: float, y: float, to_x: float, to_y: float) -> str:
    """A quiet straight line."""
    return f'<path class="line" d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}"/>'


def draw_badge(x: float, y: float, number: int, tip: str) -> str:
    """A number in a disc, with a tooltip."""
    colour = colour_of(number)
    return (
        f"<g><title>{clean(tip)}</title>"
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{BADGE_RADIUS}" fill="{colour}"/>'
        f'<text x="{x:.1f}" y="{y + 3.5:.1f}" text-anchor="middle" font-size="{SMALL_SIZE}" '
        f'font-weight="600" fill="#ffffff">{number}</text></g>'
    )


def colour_of(number: int) -> str:
    """The colour for a number, counted from one."""
    return COLOURS[(number - 1) % len(COLOURS)]
