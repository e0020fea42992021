"""Readable: the pages a person finds in the campaign's folder.

They are made from the records and never read back. Nothing outside the folder is touched, and none of the
store's own files.
"""

from collections.abc import Iterator
from pathlib import Path

from talewright.chronicle.store import Projection
from talewright.stores.folder.disk import Disk
from talewright.stores.folder.layout import NEW, OWN_NAMES, Layout

PATH_LENGTH_MAX = 240
"""Characters of a page's path."""


def check_path(path: str) -> str:
    """Why a page cannot have a path; empty where it can."""
    parts = path.split("/")
    if not path or len(path) > PATH_LENGTH_MAX:
        return f"a path has 1 to {PATH_LENGTH_MAX} characters"
    if any(not character.isprintable() or character in '\\:*?"<>|' for character in path):
        return "it has a character that a file name cannot have everywhere"
    if any(part != part.strip(" .") or not part or part.startswith(".") for part in parts):
        return "a part of it is empty, or begins or ends with a dot or a space"
    if parts[0].lower() in OWN_NAMES or path.endswith(NEW):
        return "the store keeps a file of its own there"
    return ""


def write_pages(disk: Disk, layout: Layout, projection: Projection) -> Iterator[str]:
    """Write the pages of a projection and take away those that are gone; what could not be done, in words."""
    for path, text in projection.pages.items():
        why = check_path(path)
        try:
            if not why:
                _write_page(disk, layout, path, text)
        except (OSError, ValueError) as error:
            why = str(error)
        if why:
            yield f"the page {path!r} was not written: {why}"
    for path in projection.removed:
        if path in projection.pages or check_path(path):
            continue
        try:
            target = _locate(layout, path)
            target.unlink(missing_ok=True)
        except (OSError, ValueError) as error:
            yield f"the page {path!r} was not taken away: {error}"


def find_pages(layout: Layout) -> Iterator[str]:
    """The paths of all pages in the folder."""
    for path in sorted(layout.folder.rglob("*")):
        relative = path.relative_to(layout.folder).as_posix()
        if path.is_file() and not path.is_symlink() and not check_path(relative):
            yield relative


def _write_page(disk: Disk, layout: Layout, path: str, text: str) -> None:
    target = _locate(layout, path)
    disk.make_folder(target.parent)
    _locate(layout, path)
    new = target.with_name(target.name + NEW)
    new.write_bytes(text.encode())
    disk.replace(new, target)


def _locate(layout: Layout, path: str) -> Path:
    """The file of a page; a ValueError where a link would lead out of the folder."""
    target = layout.folder / path
    folder = layout.folder.resolve()
    if not target.parent.resolve().is_relative_to(folder):
        raise ValueError("a link leads out of the folder")
    return target
