"""Broken game folders, one mistake each: those in tests/faults/, and recipes for what cannot lie there.

A recipe is for what no repository holds: links, pipes, odd names, files of megabytes. Nothing is judged here.
"""

import os
import socket
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

from talewright.errors import Fault
from talewright.pack.files.folder_reader import FolderLimits
from talewright.pack.files.yaml_reader import NodeBudget
from talewright.pack.schema import game_records

FOLDERS = Path(__file__).parents[1] / "faults"
EXPECTED = "expected.txt"

GAME = "game_id: well\ntitle: The Well\nvariables:\n  - {id: rope, type: integer, min: 0, max: 9}\n"
WORLD = "A dry well behind the mill.\n"


def render(faults: Iterable[Fault]) -> str:
    """Faults as `expected.txt` writes them."""
    return "".join(
        f"{fault.place} {fault.severity} [{fault.code}] {fault.message}\n    {fault.suggestion}\n"
        for fault in faults
    )


@dataclass(frozen=True, slots=True)
class Recipe:
    """A folder that is made for one test."""

    make: Callable[[Path, pytest.MonkeyPatch], None]
    """Puts the mistake into a folder that holds a good game."""

    expected: str
    limits: FolderLimits | None = None


def write_game(folder: Path) -> None:
    """A good game in two small files."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "game.yaml").write_text(GAME, "utf-8")
    (folder / "world.md").write_text(WORLD, "utf-8")


def take_folder_away(folder: Path, _: pytest.MonkeyPatch) -> None:
    for file in folder.iterdir():
        file.unlink()
    folder.rmdir()
    folder.write_text("A file, no folder.", "utf-8")


def link_outside(folder: Path, _: pytest.MonkeyPatch) -> None:
    secret = folder.parent / "secret.md"
    secret.write_text("Nobody may read this.", "utf-8")
    (folder / "intro.md").symlink_to(secret)


def link_folder_outside(folder: Path, _: pytest.MonkeyPatch) -> None:
    (folder / "scenes").symlink_to(folder.parent)


def lay_pipe(folder: Path, _: pytest.MonkeyPatch) -> None:
    os.mkfifo(folder / "intro.md")


def open_socket(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A socket's address is short, and the folder of a test is not: it is bound from within.
    monkeypatch.chdir(folder)
    with socket.socket(socket.AF_UNIX) as bound:
        bound.bind("intro.md")


def forbid_reading(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Whoever tests as root may read everything, so that the refusal is made up.
    real = os.open

    def refuse(path: Path, flags: int, *mode: int) -> int:
        if Path(path).name == "world.md":
            raise PermissionError(13, "Permission denied")
        return real(path, flags, *mode)

    monkeypatch.setattr(os, "open", refuse)


def forbid_listing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "lore").mkdir()
    real = os.scandir

    def refuse(path: Path) -> object:
        if Path(path).name == "lore":
            raise PermissionError(13, "Permission denied")
        return real(path)

    monkeypatch.setattr(os, "scandir", refuse)


def write_name(name: str) -> Callable[[Path, pytest.MonkeyPatch], None]:
    def make(folder: Path, _: pytest.MonkeyPatch) -> None:
        (folder / name).write_text("What a name.", "utf-8")

    return make


def write_much(folder: Path, _: pytest.MonkeyPatch) -> None:
    (folder / "intro.md").write_text("a" * 301, "utf-8")


def write_many(folder: Path, _: pytest.MonkeyPatch) -> None:
    for number in range(9):
        (folder / f"picture_{number}.png").touch()


def write_deep(folder: Path, _: pytest.MonkeyPatch) -> None:
    (folder / "a/b/c/d/e/f").mkdir(parents=True)


def count_few(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # A file that passes the real limit takes seconds to read.
    monkeypatch.setattr(game_records, "NodeBudget", lambda: NodeBudget(15))


RECIPES = {
    "no_folder": Recipe(
        take_folder_away,
        ".:1:1 error [no-folder] {folder} is not a folder\n"
        "    Give the path of the folder that contains game.yaml.\n",
    ),
    "link": Recipe(
        link_outside,
        "intro.md:1:1 error [not-a-file] only regular files are read; this is a link or a device\n"
        "    Put a copy of the file here.\n",
    ),
    "link_to_folder": Recipe(
        link_folder_outside,
        "scenes:1:1 error [not-a-file] only regular files are read; this is a link or a device\n"
        "    Put a copy of the file here.\n",
    ),
    "pipe": Recipe(
        lay_pipe,
        "intro.md:1:1 error [not-a-file] only regular files are read; this is a link or a device\n"
        "    Put a copy of the file here.\n",
    ),
    "socket": Recipe(
        open_socket,
        "intro.md:1:1 error [not-a-file] only regular files are read; this is a link or a device\n"
        "    Put a copy of the file here.\n",
    ),
    "unreadable_file": Recipe(
        forbid_reading,
        "world.md:1:1 error [unreadable-file] cannot be opened: Permission denied\n"
        "    Check its permissions.\n",
    ),
    "unreadable_folder": Recipe(
        forbid_listing,
        "lore:1:1 error [unreadable-file] cannot be opened: Permission denied\n    Check its permissions.\n",
    ),
    "name_with_line_break": Recipe(
        write_name("int\nro.md"),
        "int\\nro.md:1:1 error [bad-file-name] "
        "file names have at most 120 printable characters and no backslash\n"
        "    Rename the file; use letters, digits, '-', '_' and '.'.\n",
    ),
    "name_too_long": Recipe(
        write_name("i" * 121),
        f"{'i' * 120}:1:1 error [bad-file-name] "
        "file names have at most 120 printable characters and no backslash\n"
        "    Rename the file; use letters, digits, '-', '_' and '.'.\n",
    ),
    "file_too_large": Recipe(
        write_much,
        "intro.md:1:1 error [file-too-large] a file may have at most 300 bytes\n"
        "    Split the file; scenes and lore may be spread over many files.\n",
        FolderLimits(file_bytes_max=300),
    ),
    "folder_too_large": Recipe(
        write_much,
        "intro.md:1:1 error [folder-too-large] the files have more than 350 bytes in total\n"
        "    Keep only the game in this folder.\n",
        FolderLimits(folder_bytes_max=350),
    ),
    "too_many_files": Recipe(
        write_many,
        ".:1:1 error [folder-too-large] the folder contains more than 10 files\n"
        "    Keep only the game in this folder.\n",
        FolderLimits(entries_max=10),
    ),
    "too_deep": Recipe(
        write_deep,
        "a/b/c/d/e/f:1:1 error [folder-too-large] folders are nested more than 6 deep\n"
        "    Move the files up.\n",
    ),
    "too_many_values": Recipe(
        count_few,
        "game.yaml:4:5 error [yaml-too-many] the folder contains more than 1500000 keys and values\n"
        "    Make the game smaller.\n",
    ),
}
