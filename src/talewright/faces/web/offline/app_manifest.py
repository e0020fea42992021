"""The app manifest: what a browser needs to install the pages as an app, icons included.

Icons are drawn here from rectangles; there are no picture files.
"""

import json
import struct
import zlib
from functools import cache

from talewright.faces.web.offline.offline_words import offline_words

ICON_SIZES = (192, 512)
CLOTH = (0x7A, 0x3B, 0x2E)
LETTER = (0xFB, 0xF6, 0xEA)
PAPER = "#faf8f4"

# The letter T in 32 by 32 units, well inside the circle to which some systems cut an icon.
GRID = 32
BAR = (9, 10, 23, 13)
STEM = (14, 10, 18, 23)


def write_manifest(language: str) -> bytes:
    """The manifest, described in a language."""
    icons = [{"src": "/offline/icon.svg", "sizes": "any", "type": "image/svg+xml"}]
    for size in ICON_SIZES:
        icon = {"src": f"/offline/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png"}
        icons += [{**icon, "purpose": "any"}, {**icon, "purpose": "maskable"}]
    made = {
        "id": "/",
        "name": "Talewright",
        "short_name": "Talewright",
        "description": offline_words(language).description,
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": icons,
    }
    return json.dumps(made, ensure_ascii=False).encode()


@cache
def draw_icon(size: int) -> bytes:
    """The icon as PNG: a letter on cloth."""
    rows = [b"\0" + b"".join(_colour(x * GRID // size, y) for x in range(size)) for y in range(GRID)]
    pixels = b"".join(rows[y * GRID // size] for y in range(size))
    head = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(pixels, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, data) for kind, data in parts)


def _colour(x: int, y: int) -> bytes:
    inside = any(left <= x < right and top <= y < bottom for left, top, right, bottom in (BAR, STEM))
    return bytes(LETTER if inside else CLOTH)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
