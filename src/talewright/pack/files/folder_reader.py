"""The folder reader: reads an author's files within size limits and decodes them.

It opens only regular files and follows no links. It does not interpret what it reads.
"""

import hashlib
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from talewright.common.frozen_values import frozen
from talewright.common.plain_files import LargeFileError, OddFileError, read_plain
from talewright.errors import SourcePlace
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.game_folders import GAME_FILE

READ_SUFFIXES = frozenset({".yaml", ".yml", ".md"})
"""Files that are read. Others, such as pictures, may be in the folder too and are never opened."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FolderLimits:
    """Limits above which a folder is refused."""

    file_bytes_max: int = 16 * 2**20
    """Bytes in one file."""

    folder_bytes_max: int = 64 * 2**20
    """Bytes in all files that are read."""

    entries_max: int = 5_000
    """Files and folders, including those that are not read."""

    depth_max: int = 6
    """Levels of nested folders."""

    name_length_max: int = 120
    """Characters in one name."""


@frozen
class GameFolder:
    """The files found, by name relative to the folder, with `/` as the separator."""

    files: Mapping[str, bytes]
    """Every file that is read, sorted by name."""

    others: tuple[str, ...]
    """Names of the regular files that are not read."""

    unread: frozenset[str] = frozenset()
    """Names of the files that could not be read; each has a fault."""

    added: tuple[str, ...] = ()
    """Names of the files that the author did not write: those that make a rulebook a game."""

    @property
    def digest(self) -> str:
        """SHA-256 over the names and bytes of every file that is read."""
        total = hashlib.sha256()
        for name, data in self.files.items():
            label = name.encode()
            total.update(len(label).to_bytes(8, "big") + label + len(data).to_bytes(8, "big"))
            total.update(data)
        return total.hexdigest()


def read_folder(root: Path, fault_list: FaultList, limits: FolderLimits | None = None) -> GameFolder | None:
    """Read a game folder; None if it is not a folder or exceeds the limits."""
    limits = limits or FolderLimits()
    if not root.is_dir():
        fault_list.report(
            FaultCode.NO_FOLDER,
            SourcePlace("."),
            f"{root} is not a folder",
            "Give the path of the folder that contains game.yaml.",
        )
        return None
    try:
        listing = _Listing(root, fault_list, limits)
        folder = _read_files(root, sorted(listing.names()), listing.refused, fault_list, limits)
    except _TooLargeError as error:
        fault_list.report(FaultCode.FOLDER_TOO_LARGE, error.place, error.message, error.suggestion)
        return None
    if GAME_FILE in folder.files or GAME_FILE in folder.unread:
        return folder
    # Few folders are bare rulebooks; the others need not wait for this.
    from talewright.pack.files.bare_rulebook import find_missing_files

    added = find_missing_files(root.resolve().name, folder.files)
    files = dict(sorted({**folder.files, **added}.items()))
    return replace(folder, files=files, added=tuple(added))


class _TooLargeError(Exception):
    """The folder exceeds a limit; reading stops."""

    def __init__(self, place: SourcePlace, message: str, suggestion: str) -> None:
        super().__init__(message)
        self.place = place
        self.message = message
        self.suggestion = suggestion


class _Listing:
    """Walks the folder and counts its entries."""

    def __init__(self, root: Path, fault_list: FaultList, limits: FolderLimits) -> None:
        self._root = root
        self._desk = fault_list
        self._limits = limits
        self._count = 0
        self.refused: set[str] = set()
        """Entries that are not regular files."""

    def names(self, inside: str = "", depth: int = 1) -> Iterator[str]:
        """Names of all regular files except hidden ones."""
        try:
            with os.scandir(self._root / inside) as listing:
                entries = [entry for entry in listing if not entry.name.startswith(".")]
        except OSError as error:
            _report_unreadable(self._desk, inside or ".", error)
            return
        for entry in sorted(entries, key=lambda entry: entry.name):
            name = f"{inside}/{entry.name}" if inside else entry.name
            self._count += 1
            if self._count > self._limits.entries_max:
                raise _TooLargeError(
                    SourcePlace("."),
                    f"the folder contains more than {self._limits.entries_max} files",
                    "Keep only the game in this folder.",
                )
            if not self._is_good_name(entry.name, inside):
                continue
            if entry.is_dir(follow_symlinks=False):
                if depth >= self._limits.depth_max:
                    raise _TooLargeError(
                        SourcePlace(name),
                        f"folders are nested more than {self._limits.depth_max} deep",
                        "Move the files up.",
                    )
                yield from self.names(name, depth + 1)
            elif entry.is_file(follow_symlinks=False):
                yield name
            else:
                self.refused.add(name)
                _report_not_a_file(self._desk, name)

    def _is_good_name(self, name: str, inside: str) -> bool:
        if len(name) <= self._limits.name_length_max and name.isprintable() and "\\" not in name:
            return True
        shown = name.encode("unicode_escape").decode()[: self._limits.name_length_max]
        self._desk.report(
            FaultCode.BAD_FILE_NAME,
            SourcePlace(f"{inside}/{shown}" if inside else shown),
            f"file names have at most {self._limits.name_length_max} printable characters and no backslash",
            "Rename the file; use letters, digits, '-', '_' and '.'.",
        )
        return False


def _read_files(
    root: Path, names: list[str], refused: set[str], fault_list: FaultList, limits: FolderLimits
) -> GameFolder:
    files: dict[str, bytes] = {}
    unread = set(refused)
    others: list[str] = []
    total = 0
    for name in names:
        if os.path.splitext(name)[1].lower() not in READ_SUFFIXES:
            others.append(name)
            continue
        data = _read_file(root, name, fault_list, limits)
        if data is None:
            unread.add(name)
            continue
        total += len(data)
        if total > limits.folder_bytes_max:
            raise _TooLargeError(
                SourcePlace(name),
                f"the files have more than {limits.folder_bytes_max} bytes in total",
                "Keep only the game in this folder.",
            )
        files[name] = data
    return GameFolder(files, tuple(others), frozenset(unread))


def _read_file(root: Path, name: str, fault_list: FaultList, limits: FolderLimits) -> bytes | None:
    try:
        return read_plain(root / name, limits.file_bytes_max)
    except LargeFileError:
        fault_list.report(
            FaultCode.FILE_TOO_LARGE,
            SourcePlace(name),
            f"a file may have at most {limits.file_bytes_max} bytes",
            "Split the file; scenes and lore may be spread over many files.",
        )
    except OddFileError:
        _report_not_a_file(fault_list, name)
    except OSError as error:
        _report_unreadable(fault_list, name, error)
    return None


def _report_not_a_file(fault_list: FaultList, name: str) -> None:
    fault_list.report(
        FaultCode.NOT_A_FILE,
        SourcePlace(name),
        "only regular files are read; this is a link or a device",
        "Put a copy of the file here.",
    )


def _report_unreadable(fault_list: FaultList, name: str, error: OSError) -> None:
    fault_list.report(
        FaultCode.UNREADABLE_FILE,
        SourcePlace(name),
        f"cannot be opened: {error.strerror or 'unknown reason'}",
        "Check its permissions.",
    )


_MARK = b"\xef\xbb\xbf"
_PLAIN_ASCII = bytes([9, 10, *range(0x20, 0x7F)])


@cache
def _forbidden() -> re.Pattern[str]:
    # Compiled on first use: a set this wide takes longer to compile than a small game to read.
    return re.compile(
        "[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
    )


def find_forbidden(text: str) -> re.Match[str] | None:
    """Find the first character that is not allowed: a control character, a line separator that editors do
    not count, a stray byte order mark or a Unicode noncharacter."""
    return _forbidden().search(text)


def decode(name: str, data: bytes, fault_list: FaultList) -> str | None:
    """The text of a file with `\\n` line endings, or None after a fault."""
    data = data.removeprefix(_MARK)
    if b"\r" in data:
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        fault_list.report(
            FaultCode.NOT_UTF8,
            _place(name, data[: error.start].decode()),
            f"byte 0x{data[error.start]:02x} is not UTF-8",
            "Save the file as UTF-8.",
        )
        return None
    # Most files are plain ASCII, where deleting bytes is ten times faster than the pattern.
    if data.translate(None, _PLAIN_ASCII):
        found = find_forbidden(text)
        if found:
            fault_list.report(
                FaultCode.CONTROL_CHARACTER,
                _place(name, text[: found.start()]),
                f"the character U+{ord(found[0]):04X} is not allowed",
                "Delete the character.",
            )
            return None
    return text


def _place(name: str, before: str) -> SourcePlace:
    return SourcePlace(name, before.count("\n") + 1, len(before) - before.rfind("\n"))


def matches_pattern(name: str, pattern: str) -> bool:
    """Whether a file name matches a pattern; `*` does not match `/`."""
    return name.count("/") == pattern.count("/") and fnmatchcase(name, pattern)
