"""Sheets: what each page in a campaign's folder was when this store last wrote it.

By it a page that a person has changed is told from one that has only grown old. Where it is missing or
damaged nothing is lost: a page of which nothing is known counts as changed.
"""

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field

from talewright.stores.folder.disk import Disk, put_file, read_plain_file
from talewright.stores.folder.layout import IGNORED, SHEET, Layout

SHEET_BYTES_MAX = 16 * 1024 * 1024
"""Bytes of the file."""

_IGNORED_BYTES_MAX = 64 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_HEAD, _PAGES = "head", "pages"


@dataclass(frozen=True, slots=True)
class Leaf:
    """What is known of one page."""

    digests: tuple[str, ...]
    """By which it is known for ours: as a rule one. While pages are written it is the old and the new one, so
    that a crash leaves none of them looking like somebody else's."""

    version: int = 0
    """The turn that gave it this text; 0 where that is not known."""


@dataclass(frozen=True, slots=True)
class Sheet:
    """What is known of all pages."""

    head: str = ""
    """The commit they were made for; empty where that is not known."""

    leaves: Mapping[str, Leaf] = field(default_factory=dict)
    """By the path of a page."""

    def is_ours(self, path: str, digest: str) -> bool:
        """Whether a page is as this store left it."""
        return path in self.leaves and digest in self.leaves[path].digests


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
    if not isinstance(form, dict):
        return None
    head, pages = form.get(_HEAD), form.get(_PAGES)
    if not isinstance(head, str) or not isinstance(pages, dict):
        # From before turns were noted: the pages alone.
        head, pages = "", form
    if not all(isinstance(leaf, list) for leaf in pages.values()):
        return None
    return Sheet(head, {path: _read_leaf(leaf) for path, leaf in pages.items()})


def _read_leaf(form: list[object]) -> Leaf:
    versions = [part for part in form if isinstance(part, int)]
    return Leaf(tuple(part for part in form if isinstance(part, str)), *versions[:1])


def write_sheet(disk: Disk, layout: Layout, sheet: Sheet) -> None:
    """Put a sheet in its place, whole."""
    pages = {path: [leaf.version, *leaf.digests] for path, leaf in sorted(sheet.leaves.items())}
    form = {_HEAD: sheet.head, _PAGES: pages}
    put_file(disk, layout.sheet, (json.dumps(form, ensure_ascii=False, indent=0) + "\n").encode())


def ignore_sheet(disk: Disk, layout: Layout) -> None:
    """Have git leave the sheet alone, also in a folder that was founded before there was one."""
    ignored = layout.folder / IGNORED
    line = f"/{SHEET}\n".encode()
    with suppress(OSError):
        data = read_plain_file(disk, ignored, _IGNORED_BYTES_MAX)
        if line not in data and len(data) <= _IGNORED_BYTES_MAX:
            put_file(disk, ignored, data + line)
