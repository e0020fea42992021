"""Pictures: what Textual draws as SVG, in a quarter of the bytes and with nothing in it from elsewhere.

Only text is worked on. What is seen stays the same.
"""

import re
from collections.abc import Iterator
from typing import Final

CELL: Final = 12.2
"""The width of one character in a picture, as Rich draws it."""

BLANK: Final = "&#160;"

_FONTS: Final = re.compile(r"\s*@font-face \{.*?\}", re.DOTALL)
_NAME: Final = re.compile(r"terminal-\d+")
_LINES: Final = re.compile(r'<clipPath id="t-line-\d+">.*?</clipPath>', re.DOTALL)
_SPACE: Final = re.compile(r"\n\s*")
_RECT: Final = re.compile(
    r'<rect fill="([^"]+)" x="([^"]+)" y="([^"]+)" width="([^"]+)" '
    r'height="[^"]+" shape-rendering="crispEdges"/>'
)
_TEXT: Final = re.compile(
    r'<text class="t-(r\d+)" x="([^"]+)" y="([^"]+)" textLength="([^"]+)" clip-path="[^"]+">([^<]*)</text>'
)
_LONGEST: Final = 160
"""Characters of a line around a difference that are told."""


def shrink(svg: str) -> str:
    """The same picture with fewer words: no fonts, no address, names that do not hang on what is drawn."""
    svg = _NAME.sub("t", _FONTS.sub("", svg))
    svg = svg.replace("<!-- Generated with Rich https://www.textualize.io -->", "")
    svg = _LINES.sub("", svg)
    svg = re.sub(f"(?:{_RECT.pattern})+", lambda found: "".join(_merge(found[0])), svg)
    svg = _TEXT.sub(_trim, svg).replace(".t-r", ".r")
    return _SPACE.sub("\n", svg).strip() + "\n"


def _merge(rects: str) -> Iterator[str]:
    """One rectangle where several of a colour stand beside one another."""
    fill, row, left, right = "", "", 0.0, 0.0
    for found in _RECT.finditer(rects):
        x, width = float(found[2]), float(found[4])
        if (found[1], found[3]) == (fill, row) and abs(x - right) < CELL / 2:
            right = x + width
            continue
        yield _draw_rect(fill, row, left, right)
        fill, row, left, right = found[1], found[3], x, x + width
    yield _draw_rect(fill, row, left, right)


def _draw_rect(fill: str, row: str, left: float, right: float) -> str:
    if not fill:
        return ""
    return f'\n<rect fill="{fill}" x="{left:g}" y="{row}" width="{right - left:g}" height="24.65"/>'


def _trim(found: re.Match[str]) -> str:
    """Words without the blanks around them, which some programs drop and then draw in the wrong place."""
    name, x, y, length, text = found.groups()
    inner = text.strip("\n")
    while inner.startswith(BLANK):
        inner = inner.removeprefix(BLANK)
        x, length = f"{float(x) + CELL:g}", f"{float(length) - CELL:g}"
    while inner.endswith(BLANK):
        inner = inner.removesuffix(BLANK)
        length = f"{float(length) - CELL:g}"
    inner = inner.replace("&#x27;", "'").replace("&quot;", '"').replace(BLANK, "\u00a0")
    return f'\n<text class="{name}" x="{x}" y="{y}" textLength="{length}">{inner}</text>' if inner else ""


def read_words(svg: str) -> list[str]:
    """What stands in a picture, row by row, as far as it can be read without drawing it."""
    rows: dict[float, list[tuple[float, str]]] = {}
    for x, y, text in re.findall(r'<text class="r\d+" x="([^"]+)" y="([^"]+)"[^>]*>([^<]*)</text>', svg):
        rows.setdefault(float(y), []).append((float(x), text.replace("\u00a0", " ")))
    return ["  ".join(text for _, text in sorted(rows[y])) for y in sorted(rows)]


def tell_difference(before: str, after: str) -> str:
    """Where two pictures differ, in words: the first row that reads otherwise, or the first line."""
    for kind, one, other in (
        ("row", read_words(before), read_words(after)),
        ("line of the file", before.splitlines(), after.splitlines()),
    ):
        one, other = [*one, "(nothing)"], [*other, "(nothing)"]
        for number, (was, now) in enumerate(zip(one, other, strict=False), 1):
            if was != now:
                return f"{kind} {number}\n  was {was[:_LONGEST]}\n  is  {now[:_LONGEST]}"
    return "nowhere"
