"""Entry-point files: what installed packages register, read from their metadata without importing anything.

`importlib.metadata` takes longer to import than everything else that `talewright --help` does. This reads the
same files, but only those of packages in ordinary folders, and only names and values.
"""

import os
import sys
from collections.abc import Iterator, Mapping, Sequence

SYSTEMS_GROUP = "talewright.systems"
"""The group in which packages register their systems."""

METADATA_SUFFIX = ".dist-info"
FILE_NAME = "entry_points.txt"


def read_entry_points(
    groups: Sequence[str], path: Sequence[str] | None = None
) -> Mapping[str, Mapping[str, str]]:
    """The entry points of some groups: their values by name, by group."""
    found: dict[str, dict[str, str]] = {group: {} for group in groups}
    for text in _read_files(sys.path if path is None else path):
        if not any(f"[{group}]" in text for group in groups):
            continue
        group = ""
        for line in map(str.strip, text.splitlines()):
            if line.startswith("[") and line.endswith("]"):
                group = line[1:-1].strip()
            elif group in found and "=" in line and not line.startswith(("#", ";")):
                name, _, value = line.partition("=")
                found[group].setdefault(name.strip(), value.strip())
    return found


def _read_files(path: Sequence[str]) -> Iterator[str]:
    """The files of all packages; of two with the same name, the first one counts."""
    seen: set[str] = set()
    for folder in dict.fromkeys(path):
        try:
            names = sorted(os.listdir(folder or os.curdir))
        except OSError:
            continue
        for name in names:
            package = name.partition("-")[0].lower().replace("_", "-")
            if not name.endswith(METADATA_SUFFIX) or package in seen:
                continue
            seen.add(package)
            try:
                with open(os.path.join(folder, name, FILE_NAME), encoding="utf-8") as file:
                    yield file.read()
            except (OSError, UnicodeDecodeError):
                continue
