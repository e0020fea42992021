"""Static files: style sheets, scripts and pictures of the pages, under addresses that name their content.

Read once. A new version of a file has a new address, so browsers may cache them forever. Comments in them are
for those who read the code, and stay here.
"""

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from starlette.requests import Request
from starlette.responses import Response

from talewright.common.frozen_values import frozen

FILE_TYPES = {
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "svg": "image/svg+xml",
    "woff2": "font/woff2",
}
DIGEST_DIGITS = 12
NOTES = {
    "css": re.compile(rb"/\*.*?\*/\s*|^[ \t]+|\n(?=\n)", re.DOTALL | re.MULTILINE),
    "js": re.compile(rb"^[ \t]+(?://.*\n)?|^//.*\n|\n(?=\n)", re.MULTILINE),
}
"""What no browser needs: comments, indentation and empty lines. No text of ours goes over several lines."""

KEPT = {"Cache-Control": "public, max-age=31536000, immutable"}


@frozen
class PageFiles:
    """The files by name, and a digest of them all."""

    contents: Mapping[str, bytes]
    digest: str


@cache
def find_page_files() -> PageFiles:
    """Every file of the folder `static`."""
    folder = files("talewright.faces.web") / "static"
    contents = {
        one.name: _shorten(one.name, one.read_bytes())
        for one in sorted(folder.iterdir(), key=lambda one: one.name)
        if one.name.rpartition(".")[2] in FILE_TYPES
    }
    digest = hashlib.sha256(b"\0".join(part for pair in contents.items() for part in _as_bytes(pair)))
    return PageFiles(contents, digest.hexdigest()[:DIGEST_DIGITS])


async def send_page_file(request: Request) -> Response:
    """A file; what it contains is no secret, so it needs no login."""
    known = find_page_files()
    name = request.path_params["name"]
    data = known.contents.get(name) if request.path_params["digest"] == known.digest else None
    if data is None:
        return Response(status_code=404)
    return Response(data, 200, KEPT, media_type=FILE_TYPES[name.rpartition(".")[2]])


def _shorten(name: str, data: bytes) -> bytes:
    notes = NOTES.get(name.rpartition(".")[2])
    return data if notes is None else notes.sub(b"", data)


def _as_bytes(pair: tuple[str, bytes]) -> tuple[bytes, bytes]:
    return pair[0].encode(), pair[1]
