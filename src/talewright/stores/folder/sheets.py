"""Sheets: what each page in a campaign's folder was when this store last wrote it.

By it a page that a person has changed is told from one that has only grown old. Where it is missing or
damaged nothing is lost: a page of which nothing is known counts as changed.
"""

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from typing import TypeAlias

from talewright.stores.folder.disk import Disk, put_file, read_plain_file
from talewright.stores.folder.layout import IGNORED, SHEET, Layout

SHEET_BYTES_MAX = 16 * 1024 * 1024
"""Bytes of the file."""

_IGNORED_BYTES_MAX = 64 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"

Sheet: TypeAlias = Mapping[str, tuple[str, ...]]
"""By the path of a page the digests by which it is known for ours: as a rule one. While pages are written it
is the old and the new one, so that a crash leaves none of them looking like somebody else's."""


def digest_page(data: bytes) -> str:
    """By which the text of a page is known; a byte order mark and other line ends make no other text."""
    return hashlib.sha256(data.removeprefix(_BYTE_ORDER_MARK).replace(b"\r\n", b"\n")).hexdigest()


def read_sheet(disk: Disk, layout: Layout) -> Sheet | None:
    """The sheet of a campaign; None where it is missing or damaged."""
    try:
        return parse_sheet(read_plain_file(disk, layout.sheet, SHEET_BYTES_MAX))
    except OSError:
        return None


def parse_sheet(data: bytes) -> Sheet | None:
    """The sheet of its bytes; None where they are none."""
    try:
        form = json.loads(data.decode())
    except (ValueError, RecursionError):
        return None
    if not isinstance(form, dict) or not all(isinstance(digests, list) for digests in form.values()):
        return None
    return {path: tuple(str(digest) for digest in digests) for path, digests in form.items()}


def write_sheet(disk: Disk, layout: Layout, sheet: Sheet) -> None:
    """Put a sheet in its place, whole."""
    form = {path: list(digests) for path, digests in sorted(sheet.items())}
    put_file(disk, layout.sheet, (json.dumps(form, ensure_ascii=False, indent=0) + "\n").encode())


def ignore_sheet(disk: Disk, layout: Layout) -> None:
    """Have git leave the sheet alone, also in a folder that was founded before there was one."""
    ignored = layout.folder / IGNORED
    line = f"/{SHEET}\n".encode()
    with suppress(OSError):
        data = read_plain_file(disk, ignored, _IGNORED_BYTES_MAX)
        if line not in data and len(data) <= _IGNORED_BYTES_MAX:
            put_file(disk, ignored, data + line)
