"""The folder: plain files within bounds, and nothing else."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from talewright.pack.faults import FaultList
from talewright.pack.files.folder_reader import FolderLimits, GameFolder, read_folder
from tests.pack.making import brief


def write(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(name, "utf-8")


def read_well(root: Path, limits: FolderLimits | None = None) -> GameFolder:
    fault_list = FaultList()
    folder = read_folder(root, fault_list, limits)
    assert fault_list.faults() == ()
    assert folder is not None
    return folder


def faults_of(root: Path, limits: FolderLimits | None = None) -> list[str]:
    fault_list = FaultList()
    read_folder(root, fault_list, limits)
    return [brief(fault).partition(": ")[0] for fault in fault_list.faults()]


def test_texts_are_read_and_pictures_only_named(tmp_path: Path) -> None:
    write(tmp_path, "game.yaml", "world.md", "scenes/a.yml", "picture.png", "scenes/notes.txt", "LOUD.YAML")
    folder = read_well(tmp_path)
    assert list(folder.files) == ["LOUD.YAML", "game.yaml", "scenes/a.yml", "world.md"]
    assert folder.files["scenes/a.yml"] == b"scenes/a.yml"
    assert folder.others == ("picture.png", "scenes/notes.txt")
    assert folder.unread == frozenset()


def test_what_is_hidden_is_left_alone(tmp_path: Path) -> None:
    write(tmp_path, "game.yaml", ".git/config.yaml", ".hidden.yaml", "scenes/.swap.md")
    assert list(read_well(tmp_path).files) == ["game.yaml"]


def test_a_file_that_is_not_read_may_be_large(tmp_path: Path) -> None:
    (tmp_path / "film.mp4").write_bytes(b"0" * 100)
    assert read_well(tmp_path, FolderLimits(file_bytes_max=10)).others == ("film.mp4",)


@pytest.mark.parametrize(
    ("limits", "fits"),
    [
        (FolderLimits(file_bytes_max=4), True),
        (FolderLimits(file_bytes_max=3), False),
        (FolderLimits(folder_bytes_max=8), True),
        (FolderLimits(folder_bytes_max=7), False),
        (FolderLimits(entries_max=3), True),
        (FolderLimits(entries_max=2), False),
        (FolderLimits(depth_max=2), True),
        (FolderLimits(depth_max=1), False),
        (FolderLimits(name_length_max=4), True),
        (FolderLimits(name_length_max=3), False),
    ],
)
def test_limits_are_kept_to_the_letter(tmp_path: Path, limits: FolderLimits, fits: bool) -> None:
    write(tmp_path, "a.md", "b/c.md")
    (tmp_path / "b/c.md").write_text("four", "utf-8")
    assert bool(faults_of(tmp_path, limits)) is not fits


def test_a_large_file_is_told_and_the_others_are_read(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_bytes(b"0" * 11)
    write(tmp_path, "b.md")
    fault_list = FaultList()
    folder = read_folder(tmp_path, fault_list, FolderLimits(file_bytes_max=10))
    assert folder is not None
    assert list(folder.files) == ["b.md"]
    assert folder.unread == {"a.md"}


ESCAPES: dict[str, Callable[[Path, Path], None]] = {
    "file": lambda root, outside: (root / "a.md").symlink_to(outside / "secret.md"),
    "relative": lambda root, outside: (root / "a.md").symlink_to("../outside/secret.md"),
    "folder": lambda root, outside: (root / "a.md").symlink_to(outside),
    "loop": lambda root, outside: (root / "a.md").symlink_to(root / "a.md"),
    "itself": lambda root, outside: (root / "a.md").symlink_to(root),
    "nothing": lambda root, outside: (root / "a.md").symlink_to(root / "absent.md"),
    "within": lambda root, outside: (root / "a.md").symlink_to(root / "game.yaml"),
    "pipe": lambda root, outside: os.mkfifo(root / "a.md"),
}


@pytest.mark.parametrize("escape", ESCAPES)
def test_no_link_is_followed_and_no_pipe_opened(tmp_path: Path, escape: str) -> None:
    root, outside = tmp_path / "game", tmp_path / "outside"
    write(root, "game.yaml")
    write(outside, "secret.md")
    ESCAPES[escape](root, outside)
    assert faults_of(root) == ["a.md:1:1 not-a-file"]
    folder = read_folder(root, FaultList())
    assert folder is not None
    assert list(folder.files) == ["game.yaml"]
    assert folder.unread == {"a.md"}


def test_a_link_that_takes_a_file_s_place_between_looking_and_opening_is_not_followed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    root, outside = tmp_path / "game", tmp_path / "outside"
    write(root, "a.md")
    write(outside, "secret.md")
    real = os.open

    def swap(path: Path, flags: int, mode: int) -> int:
        (root / "a.md").unlink()
        (root / "a.md").symlink_to(outside / "secret.md")
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", swap)
    fault_list = FaultList()
    folder = read_folder(root, fault_list)
    assert folder is not None
    assert folder.files == {}
    assert [fault.code for fault in fault_list.faults()] == ["unreadable-file"]


def test_a_pipe_that_takes_a_file_s_place_does_not_make_us_wait(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "a.md")
    real = os.open

    def swap(path: Path, flags: int, mode: int) -> int:
        (tmp_path / "a.md").unlink()
        os.mkfifo(tmp_path / "a.md")
        return real(path, flags, mode)

    monkeypatch.setattr(os, "open", swap)
    assert faults_of(tmp_path) == ["a.md:1:1 not-a-file"]


NAMES = {
    "a\\b.md": "a\\\\b.md:1:1 bad-file-name",
    "a\nb.md": "a\\nb.md:1:1 bad-file-name",
    "a\x1b[31m.md": "a\\x1b[31m.md:1:1 bad-file-name",
    "a\u202eb.md": "a\\u202eb.md:1:1 bad-file-name",
    "x" * 130: f"{'x' * 120}:1:1 bad-file-name",
}


@pytest.mark.parametrize("name", NAMES)
def test_a_name_that_would_deceive_is_told_in_plain_letters(tmp_path: Path, name: str) -> None:
    (tmp_path / name).touch()
    assert faults_of(tmp_path) == [NAMES[name]]


def test_a_name_that_is_no_text_is_told(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.md")).touch()
    assert faults_of(tmp_path) == ["caf\\udce9.md:1:1 bad-file-name"]


def test_chinese_names_are_good_names(tmp_path: Path) -> None:
    write(tmp_path, "scenes/磨坊.yaml")
    assert list(read_well(tmp_path).files) == ["scenes/磨坊.yaml"]


@pytest.mark.parametrize("root", ["absent", "file", "link"])
def test_what_is_no_folder_is_refused(tmp_path: Path, root: str) -> None:
    write(tmp_path, "file")
    (tmp_path / "link").symlink_to(tmp_path / "absent")
    fault_list = FaultList()
    assert read_folder(tmp_path / root, fault_list) is None
    assert [fault.code for fault in fault_list.faults()] == ["no-folder"]


def test_a_link_to_the_game_s_own_folder_is_the_user_s_choice(tmp_path: Path) -> None:
    write(tmp_path / "game", "game.yaml")
    (tmp_path / "link").symlink_to(tmp_path / "game")
    assert list(read_well(tmp_path / "link").files) == ["game.yaml"]


def test_the_digest_is_that_of_names_and_bytes() -> None:
    one = GameFolder({"a.md": b"bc"}, ())
    assert one.digest == GameFolder({"a.md": b"bc"}, ("picture.png",)).digest
    others = [
        GameFolder({"a.md": b"bd"}, ()),
        GameFolder({"a.mdb": b"c"}, ()),
        GameFolder({"a.md": b"bc", "d": b""}, ()),
    ]
    assert len({one.digest, *(other.digest for other in others)}) == 4
