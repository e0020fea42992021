"""Page edits: detects, reads and preserves pages that a person changed by hand.

`pages.json` records what each page was when this store last wrote it. If it is missing or damaged, nothing is
lost: an unknown page counts as changed.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import field

from talewright.chronicle.readable_pages import StoreNotice, StoreNoticeKind
from talewright.common.frozen_values import frozen
from talewright.common.plain_files import refuse_large
from talewright.stores.folder.disk import (
    HAND_EDITS,
    IGNORED,
    SHEET,
    Disk,
    FolderLayout,
    make_inner_folder,
    put_file,
    read_file,
)
from talewright.stores.folder.pages.page_files import check_path, locate, read_page

MANIFEST_BYTES_MAX = 16 * 1024 * 1024
"""The maximum size of the file in bytes."""

_IGNORED_BYTES_MAX = 64 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_HEAD, _PAGES = "head", "pages"


@frozen
class PageManifestEntry:
    """What is known about one page."""

    digests: tuple[str, ...]
    """The digests of our own text, usually one. While pages are being written, the old and the new one, so
    that a crash leaves no page that looks edited.
    """

    version: int = 0
    """The turn that produced this text; 0 if unknown."""


@frozen
class PageManifest:
    """What is known about all pages."""

    head: str = ""
    """The commit the pages were made for; empty if unknown."""

    leaves: Mapping[str, PageManifestEntry] = field(default_factory=dict)
    """By the path of a page."""

    def is_ours(self, path: str, digest: str) -> bool:
        """Whether a page is as this store left it."""
        return path in self.leaves and digest in self.leaves[path].digests


def digest_page(data: bytes) -> str:
    """The digest of a page's text; byte order marks and line endings do not count."""
    return hashlib.sha256(data.removeprefix(_BYTE_ORDER_MARK).replace(b"\r\n", b"\n")).hexdigest()


def read_manifest(disk: Disk, layout: FolderLayout) -> PageManifest | None:
    """The manifest of a campaign; None if it is missing or damaged."""
    try:
        return parse_manifest(read_file(disk, layout.sheet, MANIFEST_BYTES_MAX))
    except OSError:
        return None


def parse_manifest(data: bytes) -> PageManifest | None:
    """Parse a manifest; None if the bytes are not valid."""
    try:
        form = json.loads(data.decode())
    except (ValueError, RecursionError):
        return None
    if not isinstance(form, dict):
        return None
    head, pages = form.get(_HEAD), form.get(_PAGES)
    if not isinstance(head, str) or not isinstance(pages, dict):
        # An older format, without turns: the pages alone.
        head, pages = "", form
    if not all(isinstance(leaf, list) for leaf in pages.values()):
        return None
    return PageManifest(head, {path: _read_manifest_entry(leaf) for path, leaf in pages.items()})


def _read_manifest_entry(form: list[object]) -> PageManifestEntry:
    versions = [part for part in form if isinstance(part, int)]
    return PageManifestEntry(tuple(part for part in form if isinstance(part, str)), *versions[:1])


def write_manifest(disk: Disk, layout: FolderLayout, sheet: PageManifest) -> None:
    """Write a manifest atomically."""
    pages = {path: [leaf.version, *leaf.digests] for path, leaf in sorted(sheet.leaves.items())}
    form = {_HEAD: sheet.head, _PAGES: pages}
    put_file(disk, layout.sheet, (json.dumps(form, ensure_ascii=False, indent=0) + "\n").encode())


def ignore_manifest(disk: Disk, layout: FolderLayout) -> None:
    """Make git ignore the manifest, even in folders created before there was one."""
    ignored = layout.folder / IGNORED
    line = f"/{SHEET}\n".encode()
    with suppress(OSError):
        data = read_file(disk, ignored, _IGNORED_BYTES_MAX)
        if line not in data:
            put_file(disk, ignored, data + line)


def keep_edit(disk: Disk, layout: FolderLayout, path: str) -> str:
    """Move a person's text from a page's path to the folder for such texts; returns its new path."""
    number = 1
    while locate(layout, kept := f"{HAND_EDITS}/{path}.{number}").exists():
        number += 1
    target = locate(layout, kept)
    make_inner_folder(disk, target.parent)
    disk.replace(locate(layout, path), locate(layout, kept))
    disk.sync_folder(target.parent)
    return kept


EDIT_BYTES_MAX = 256 * 1024
"""The maximum size in bytes of an edited page that is read."""


def find_shown(disk: Disk, layout: FolderLayout) -> str:
    """The commit whose pages are in the folder; empty if unknown."""
    sheet = read_manifest(disk, layout)
    return sheet.head if sheet is not None else ""


def read_edits(
    disk: Disk, layout: FolderLayout, paths: Iterable[str]
) -> tuple[dict[str, str], list[StoreNotice]]:
    """The pages that a person has changed, and notices about those that could not be read."""
    # Read the manifest first: a page that is written meanwhile then yields the text of the record itself.
    sheet = read_manifest(disk, layout) or PageManifest()
    texts: dict[str, str] = {}
    notices: list[StoreNotice] = []
    for path in sorted(paths):
        if check_path(path):
            continue
        try:
            data = read_page(disk, layout, path)
            if data is None or sheet.is_ours(path, digest_page(data)):
                continue
            refuse_large("it", len(data), EDIT_BYTES_MAX)
            texts[path] = data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            notices.append(_unread(path, f"it is not UTF-8 text ({error.reason} at byte {error.start})"))
        except OSError as error:
            notices.append(_unread(path, str(error)))
    return texts, notices


def _unread(path: str, why: str) -> StoreNotice:
    text = f"the page {path!r} was changed by hand, but could not be read: {why}; save it as plain text"
    return StoreNotice(StoreNoticeKind.EDIT_UNREAD, text, path)
