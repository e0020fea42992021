"""Page files: reads and writes single pages in the campaign's folder.

Nothing outside the folder is touched, no link is followed, and none of the store's own files is written.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from talewright.common.plain_files import OddFileError
from talewright.stores.folder.disk import (
    HAND_EDITS,
    NEW,
    OWN_NAMES,
    Disk,
    FolderLayout,
    make_inner_folder,
    read_file,
    write_file,
)

PATH_LENGTH_MAX = 240
"""The maximum length of a page's path."""

PAGE_BYTES_MAX = 64 * 1024 * 1024
"""The maximum size in bytes of a page that is read; we never write a larger one."""


def check_path(path: str) -> str:
    """Why a path is not valid for a page; empty if it is."""
    parts = path.split("/")
    if not path or len(path) > PATH_LENGTH_MAX:
        return f"a path has 1 to {PATH_LENGTH_MAX} characters"
    if any(not character.isprintable() or character in '\\:*?"<>|' for character in path):
        return "it has a character that is not valid in file names on every system"
    if any(part != part.strip(" .") or not part or part.startswith(".") for part in parts):
        return "a part of it is empty, or begins or ends with a dot or a space"
    if parts[0].lower() in OWN_NAMES or path.endswith(NEW):
        return "the store uses that name itself"
    return ""


def find_pages(layout: FolderLayout) -> Iterator[str]:
    """The paths of all pages in the folder, including a person's texts that were set aside."""
    for path in sorted(_walk_files(layout)):
        if not check_path(path.removeprefix(f"{HAND_EDITS}/")):
            yield path


def _walk_files(layout: FolderLayout, inside: str = "") -> Iterator[str]:
    """The paths of all regular files that could be pages; folders too deep for one are skipped."""
    with os.scandir(layout.folder / inside) as entries:
        for entry in entries:
            path = f"{inside}{entry.name}"
            if entry.is_file(follow_symlinks=False):
                yield path
            elif entry.is_dir(follow_symlinks=False) and (path == HAND_EDITS or path not in OWN_NAMES):
                if len(path) <= PATH_LENGTH_MAX:
                    yield from _walk_files(layout, f"{path}/")


def read_page(disk: Disk, layout: FolderLayout, path: str, limit_bytes: int = PAGE_BYTES_MAX) -> bytes | None:
    """The bytes of a page; None if there is none.

    Raises OddFileError if it is not a regular file or leads through a link, and LargeFileError if it is
    larger than the limit.
    """
    try:
        return read_file(disk, locate(layout, path), limit_bytes)
    except (FileNotFoundError, NotADirectoryError):
        return None


def write_page(disk: Disk, layout: FolderLayout, path: str, data: bytes) -> None:
    """Write a page atomically."""
    target = locate(layout, path)
    make_inner_folder(disk, target.parent)
    new = target.with_name(target.name + NEW)
    write_file(disk, new, data)
    disk.replace(new, target)


def locate(layout: FolderLayout, path: str) -> Path:
    """The file of a page. Raises OddFileError if a link leads to it."""
    place = str(layout.folder)
    for part in path.split("/")[:-1]:
        place = os.path.join(place, part)
        if os.path.islink(place) or _leads_out(layout, place):
            raise OddFileError(f"{path} is reached through a link, and links are not followed")
    return layout.folder / path


def _leads_out(layout: FolderLayout, place: str) -> bool:
    """Whether a folder is really elsewhere: some systems can do that without a link."""
    if os.name != "nt":
        return False
    return not Path(place).resolve().is_relative_to(layout.folder.resolve())
