"""Colours as `#rrggbb`: their contrast, as WCAG defines it, and mixtures of two.

It knows nothing of pages or games.
"""

AA_CONTRAST = 4.5
"""The contrast that WCAG 2 asks of text (level AA)."""

BLACK, WHITE = "#000000", "#ffffff"


def find_contrast(one: str, other: str) -> float:
    """The contrast of two colours, from 1 to 21."""
    darker, brighter = sorted((_luminance(one), _luminance(other)))
    return (brighter + 0.05) / (darker + 0.05)


def mix_colors(one: str, other: str, share: float) -> str:
    """A colour with a share of another one."""
    return write_color(
        *(first + (second - first) * share for first, second in zip(_read(one), _read(other), strict=True))
    )


def write_color(red: float, green: float, blue: float) -> str:
    """A colour of three parts from 0 to 1."""
    return "#" + "".join(f"{round(part * 255):02x}" for part in (red, green, blue))


def make_readable(color: str, ground: str, contrast: float = AA_CONTRAST) -> str:
    """A colour that can be read on a ground: as given, or nearer to black or white as far as needed."""
    goal = max((BLACK, WHITE), key=lambda end: find_contrast(end, ground))
    return next(
        mixed
        for step in range(11)
        if find_contrast(mixed := mix_colors(color, goal, step / 10), ground) >= contrast or step == 10
    )


def _read(color: str) -> tuple[float, ...]:
    return tuple(int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))


def _luminance(color: str) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in _read(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
