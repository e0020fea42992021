"""Palettes: the colours of games as style sheets, whose addresses name the colours and nothing else.

Pages allow no styles in their markup, so colours that differ from game to game come in a file. It is made
from its address alone: it needs no login and can be kept for ever.
"""

import colorsys
import hashlib
import re
from collections.abc import Iterable, Mapping

from starlette.requests import Request
from starlette.responses import Response

from talewright.common.colors import (
    AA_CONTRAST,
    BLACK,
    WHITE,
    find_contrast,
    make_readable,
    mix_colors,
    write_color,
)
from talewright.common.frozen_values import frozen
from talewright.faces.web.cover_motifs import Tone
from talewright.faces.web.game_covers import CoverPalette, find_palette
from talewright.faces.web.static_files import KEPT

PALETTES_PATH = "/palettes"
PALETTES_MAX = 64
"""Palettes in one style sheet."""

ROLES = ("paper", "raised", "ink", "quiet", "accent")
"""Custom properties that a game sets for each theme."""

PAGE_GROUNDS = ("#f2ecdf", "#1c1f23")
"""The grounds of the lobby on which text is hardest to read, in the light and the dark theme."""

NIGHT_SKY, NIGHT_GROUND = 0.22, 0.06
"""The greatest lightness of a band's sky and ground in the dark theme."""

_COLOR = re.compile("#[0-9a-f]{6}")
_NAME = re.compile("[0-9a-f]{6}(?:-[0-9a-f]{6}){2}(?:(?:-[0-9a-f]{6}){10})?")


@frozen
class GamePalette:
    """All colours of a game."""

    cover: CoverPalette
    light: tuple[str, ...] = ()
    dark: tuple[str, ...] = ()
    """The colours of the themes, in the order of `ROLES`; both or neither."""

    @property
    def name(self) -> str:
        """The colours, as an address names them."""
        cover = (self.cover.sky, self.cover.light, self.cover.ground)
        return "-".join(color[1:] for color in (*cover, *self.light, *self.dark))

    @property
    def css_class(self) -> str:
        """The class of what has these colours."""
        return f"palette-{hashlib.sha256(self.name.encode()).hexdigest()[:8]}"


def read_game_palette(
    game: str, colors: tuple[str, ...], light: tuple[str, ...], dark: tuple[str, ...]
) -> GamePalette:
    """The colours of a game; what is no colour is left out."""
    themes = [
        theme for theme in (light, dark) if len(theme) == len(ROLES) and all(map(_COLOR.fullmatch, theme))
    ]
    return GamePalette(find_palette(game, colors), *(themes if len(themes) == 2 else ()))


def palettes_path(palettes: Iterable[GamePalette]) -> str:
    """The address of a style sheet with these palettes; empty if there are none."""
    names = list(dict.fromkeys(palette.name for palette in palettes))[:PALETTES_MAX]
    return f"{PALETTES_PATH}/{'_'.join(names)}.css" if names else ""


async def send_palettes(request: Request) -> Response:
    """The style sheet of an address."""
    names = request.path_params["names"].split("_")
    if len(names) > PALETTES_MAX or not all(map(_NAME.fullmatch, names)):
        return Response(status_code=404)
    sheet = "\n".join(_write_rule(_read_name(name)) for name in names)
    return Response(sheet, 200, KEPT, media_type="text/css; charset=utf-8")


def _read_name(name: str) -> GamePalette:
    colors = tuple(f"#{color}" for color in name.split("-"))
    return GamePalette(CoverPalette(*colors[:3]), colors[3:8], colors[8:13])


def _write_rule(palette: GamePalette) -> str:
    properties = {**_list_cover_colors(palette.cover), **_list_theme_colors(palette)}
    written = "".join(f"--{name}:{value};" for name, value in properties.items())
    return f".{palette.css_class}{{{written}}}"


def _list_cover_colors(day: CoverPalette) -> Mapping[str, str]:
    night = CoverPalette(
        _darken(day.sky, NIGHT_SKY, 0.62),
        mix_colors(day.light, BLACK, 0.06),
        _darken(day.ground, NIGHT_GROUND, 0.5),
    )
    written = {"cover-sky": day.sky, "cover-light": day.light, "cover-ground": day.ground}
    on_ground = make_readable(mix_colors(day.light, WHITE, 0.6), day.ground)
    written |= {"on-cover-ground": on_ground}
    written |= {"on-cover": find_title_color(day), "on-cover-light": make_readable(day.ground, day.light, 7)}
    by_day, by_night = _list_band_colors(day), _list_band_colors(night)
    return written | {name: _both(by_day[name], by_night[name]) for name in by_day}


def _list_band_colors(palette: CoverPalette) -> Mapping[str, str]:
    title = find_title_color(palette)
    is_dark = find_contrast(palette.sky, WHITE) > AA_CONTRAST
    return {
        "sky": palette.sky,
        "light": palette.light,
        "ground": palette.ground,
        # Nearer to the sky than on a cover: the title and the dial stand before it.
        Tone.FAR: mix_colors(
            palette.sky, palette.light if is_dark else palette.ground, 0.12 if is_dark else 0.3
        ),
        Tone.MIDDLE: mix_colors(palette.sky, palette.ground, 0.55),
        Tone.GLOW: mix_colors(palette.sky, palette.light, 0.4),
        Tone.HAZE: mix_colors(palette.sky, WHITE, 0.28 if is_dark else 0.6),
        Tone.DIM: mix_colors(palette.ground, palette.sky, 0.3),
        Tone.WAX: mix_colors(palette.light, WHITE, 0.6),
        "on-sky": title,
    }


def _list_theme_colors(palette: GamePalette) -> Mapping[str, str]:
    if not palette.light:
        return {}
    roles = dict(zip(ROLES, map(_both, palette.light, palette.dark), strict=True))
    accents = (palette.light[-1], palette.dark[-1])
    tint = _both(*(make_readable(color, ground) for color, ground in zip(accents, PAGE_GROUNDS, strict=True)))
    return {**roles, "on-accent": _both(palette.light[0], palette.dark[0]), "tint": tint}


def find_title_color(palette: CoverPalette) -> str:
    """The colour of a title on the sky."""
    ends = (mix_colors(palette.light, WHITE, 0.6), mix_colors(palette.ground, BLACK, 0.5))
    best = max(ends, key=lambda color: find_contrast(color, palette.sky))
    return make_readable(best, palette.sky)


def _darken(color: str, most: float, share: float) -> str:
    parts = (int(color[at : at + 2], 16) / 255 for at in (1, 3, 5))
    hue, lightness, saturation = colorsys.rgb_to_hls(*parts)
    return write_color(*colorsys.hls_to_rgb(hue, min(lightness * share, most), saturation))


def _both(light: str, dark: str) -> str:
    return light if light == dark else f"light-dark({light},{dark})"
