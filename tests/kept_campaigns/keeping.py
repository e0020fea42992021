"""Keeping: a campaign's folder put among the kept ones, and laid out again as its store wrote it.

What git would not keep in a tree of ours is kept otherwise: `.gitignore` under another name, since it would
hide the records beside it; empty folders and the modes of files as words; the repository in the folder as an
archive; and compiled games, which are large and the same for several campaigns, once and packed.
"""

import gzip
import hashlib
import io
import json
import shutil
import stat
import tarfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.tar_archives import unpack

KEPT = Path(__file__).parent
"""Where the sets of kept campaigns lie, a folder each."""

SHELF = "games"
"""In a campaign's folder and in a set: compiled games."""

GIT, IGNORED = ".git", ".gitignore"
RENAMED = "gitignore"
"""What `.gitignore` is called while it is kept."""

EXPECTED = ".json"
"""The ending of the file that says what a campaign must come to."""

ARCHIVE = ".git.tar.gz"
"""The ending of the file that holds the repository of a campaign."""


@dataclass(frozen=True, slots=True)
class Kept:
    """One kept campaign."""

    place: Path
    """The folder of its set."""

    name: str

    @property
    def folder(self) -> Path:
        """Its files."""
        return self.place / self.name

    @property
    def archive(self) -> Path:
        """Its repository, where that is kept."""
        return self.place / f"{self.name}{ARCHIVE}"

    @property
    def expected(self) -> dict[str, Any]:
        """What it must come to."""
        read: dict[str, Any] = json.loads((self.place / f"{self.name}{EXPECTED}").read_text("utf-8"))
        return read


def find_kept() -> list[Kept]:
    """Every kept campaign of every set."""
    return [Kept(path.parent, path.stem) for path in sorted(KEPT.glob(f"*/*{EXPECTED}"))]


def keep(folder: Path, kept: Kept, expected: dict[str, Any]) -> None:
    """Put a campaign's folder among the kept ones, with what it must come to."""
    files = sorted(path for path in folder.rglob("*") if GIT not in path.relative_to(folder).parts)
    listed: dict[str, Any] = {}
    for path in (path for path in files if path.is_file()):
        name = path.relative_to(folder)
        listed[name.as_posix()] = [_digest(path), oct(stat.S_IMODE(path.stat().st_mode))[2:]]
        if name.parts[0] == SHELF:
            _pack(path, kept.place)
            continue
        target = kept.folder / (RENAMED if str(name) == IGNORED else name)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, target)
    folders = [path.relative_to(folder).as_posix() for path in files if path.is_dir()]
    if (folder / GIT).is_dir():
        _archive(folder / GIT, kept.archive)
    text = json.dumps({**expected, "folders": folders, "files": listed}, indent=1, ensure_ascii=False)
    (kept.place / f"{kept.name}{EXPECTED}").write_text(text + "\n", "utf-8")


def lay_out(kept: Kept, saves: Path, *, git: bool = False) -> Path:
    """The folder as its store wrote it, beneath `saves`; nothing of it may be lost or altered."""
    folder, expected = saves / kept.name, kept.expected
    folder.mkdir(parents=True)
    for name in expected["folders"]:
        (folder / name).mkdir(parents=True, exist_ok=True)
    for name, (digest, mode) in expected["files"].items():
        target = folder / name
        if Path(name).parts[0] == SHELF:
            target.write_bytes(gzip.decompress((kept.place / f"{name}.gz").read_bytes()))
        else:
            shutil.copyfile(kept.folder / (RENAMED if name == IGNORED else name), target)
        assert _digest(target) == digest, f"{kept.folder / name} is not what was kept"
        target.chmod(int(mode, 8))
    if git:
        with tarfile.open(kept.archive) as archive:
            unpack(archive, folder)
    return folder


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _pack(game: Path, place: Path) -> None:
    """Keep a compiled game; its name is its digest, so one that is there already is the same."""
    target = place / SHELF / f"{game.name}.gz"
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(gzip.compress(game.read_bytes(), mtime=0))


def _archive(git: Path, target: Path) -> None:
    """Keep a repository, but not who made it and when."""
    # Git can do without its logs, and in them stands the name of whoever ran it.
    inside = [path for path in sorted(git.rglob("*")) if "logs" not in path.relative_to(git).parts]
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for path in [git, *inside]:
            entry = archive.gettarinfo(path, path.relative_to(git.parent).as_posix())
            entry.uid = entry.gid = entry.mtime = 0
            entry.uname = entry.gname = ""
            with path.open("rb") if path.is_file() else io.BytesIO() as content:
                archive.addfile(entry, content)
    target.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
