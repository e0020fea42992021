"""Git history: a campaign's pages turn by turn for whoever reads it, and a copy of the chronicle.

It is told after a turn is safe and never makes a turn fail. A folder may come from anybody: only a repository
of our own making, unchanged, is used, and git is called so that nothing in it can run a program, or lead
git to other settings, other objects or out of the folder.
"""

import os
import re
import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path

from talewright.chronicle.chained_lines import FRAME_BYTES_MAX, GENESIS, RecordFrame, read_frame
from talewright.common.frozen_values import frozen
from talewright.common.plain_files import OddFileError, open_plain
from talewright.stores.folder.disk import Disk, FolderLayout, read_file
from talewright.stores.folder.pages.page_files import read_page

MARK = "[talewright]\n\tcampaign = own\n"
"""In the settings of a repository that this store made."""

SETTINGS_BYTES_MAX = 64 * 1024
"""Bytes of its settings."""

_SECTION = re.compile(r'\[(core|user|talewright|remote "[^"\\]+"|branch "[^"\\]+")\]')
_SETTING = re.compile(
    r"\s*(repositoryformatversion|filemode|bare|logallrefupdates|symlinks|ignorecase|precomposeunicode"
    r"|campaign|name|email|url|pushurl|fetch|remote|merge)\s*=[^\\\n]*"
)

_LEADING_ELSEWHERE = (
    "config.worktree",
    "commondir",
    "modules",
    "objects/info/alternates",
    "objects/info/http-alternates",
)
"""What gives git other settings or other objects than those of the repository itself."""

_OBJECTS = "objects"
"""Where git keeps what may be large."""

_HOOKS = "hooks"
"""Where programs lie that the user may want and that we never let run."""

_DEPTH_MAX = 16
"""Folders of git within one another."""

_FILE_BYTES_MAX = 16 * 1024 * 1024
"""Bytes of a file of git that holds no objects: names, logs and its view of the folder."""


def find_distrust(git: Path, disk: Disk) -> str:
    """Why a repository is left alone; empty where it is ours."""
    altered = f"{git} was not made by Talewright, or its settings were altered; it is left alone"
    try:
        if git.is_symlink() or not git.is_dir():
            return f"{git} is no folder"
        settings = read_file(disk, git / "config", SETTINGS_BYTES_MAX).decode()
        elsewhere = next((name for name in _LEADING_ELSEWHERE if os.path.lexists(git / name)), "")
        elsewhere = elsewhere or next(_find_odd(git), "")
    except (OSError, UnicodeDecodeError) as error:
        return f"{git} cannot be read: {error}"
    if elsewhere:
        return f"{git} leads elsewhere ({elsewhere}); it is left alone"
    lines = (line for line in settings.splitlines() if line)
    good = all(_SECTION.fullmatch(line) or _SETTING.fullmatch(line) for line in lines)
    return "" if good and MARK in settings else altered


def _find_odd(folder: Path, inside: str = "") -> Iterator[str]:
    """What git would follow out of its folder, wait for, or read for ever."""
    with os.scandir(folder / inside) as entries:
        for entry in entries:
            name = f"{inside}{entry.name}"
            if name == _HOOKS:
                continue
            if entry.is_dir(follow_symlinks=False) and inside.count("/") < _DEPTH_MAX:
                yield from _find_odd(folder, f"{name}/")
            elif not entry.is_file(follow_symlinks=False) or (
                not name.startswith(_OBJECTS) and entry.stat().st_size > _FILE_BYTES_MAX
            ):
                yield name


GIT_SECONDS_MAX = 60.0
"""How long one call of git may take."""

SUBJECT_LENGTH_MAX = 200
"""Characters of the first line of a commit's message."""

PAGES_BRANCH = "refs/heads/main"
"""What a person reads: the pages, turn by turn."""

CHRONICLE_BRANCH = "refs/heads/chronicle"
"""The records: each commit holds the frames that are new since the one before it, so that it stays small."""

PART = "frames.jsonl"
"""The only file of a commit on that branch."""

FILE_BYTES_MAX = 256 * 1024 * 1024
"""Bytes of a file of which git is told."""

AUTHOR = "Talewright <talewright@localhost>"

_HARDENING = (
    "core.fsmonitor=false",
    f"core.hooksPath={os.devnull}",
    "core.pager=cat",
    f"core.attributesFile={os.devnull}",
    f"core.excludesFile={os.devnull}",
    "core.alternateRefsCommand=false",
    "submodule.recurse=false",
    "protocol.allow=never",
    "commit.gpgsign=false",
    "gc.autoDetach=false",
    "fastimport.unpackLimit=1000",
)
"""Settings that win over those of the repository: no hook, no watcher, no network, no signing program."""

_DISK = Disk()
"""The disk of this machine; it holds no state."""

_PART_SUBJECT = re.compile(r"frames (\d+)-(\d+) ([0-9a-f]{64})")


class GitError(Exception):
    """Git is not there, or did not do what it was told; it never leaves this room but as a remark."""


@frozen
class GitChroniclePart:
    """A stretch of the chronicle that git holds."""

    begin: int
    end: int
    chain: bytes
    """The chain at its end."""

    name: str = ""
    """The commit that holds it."""


@frozen
class GitTurnCommit:
    """What git is told after a turn."""

    heading: str
    at: str
    files: frozenset[str]
    """Relative paths; one that is not there is taken away."""

    end: int
    chain: bytes
    """How far the chronicle goes."""


class GitHistory:
    """The repository in one campaign's folder."""

    def __init__(self, layout: FolderLayout) -> None:
        self._layout = layout

    def record(self, chapter: GitTurnCommit, list_files: Callable[[], Iterable[str]], since: int) -> None:
        """Commit pages and new frames.

        `since` is how far the chronicle went when pages were written before: where git was told of less, a
        crash came between, and all files are looked at.
        """
        self._prepare()
        pages, part = self._heads()
        if part is not None and chapter.end < part.end <= self._layout.chronicle.stat().st_size:
            # Another process came first with a later turn; its commit holds this one.
            return
        files = set(chapter.files)
        if not pages or part is None or part.end != since:
            files.update(list_files())
        stream = [b"feature done\n", *self._tell_pages(chapter, files, pages)]
        stream += self._tell_frames(chapter, part)
        stream.append(b"done\n")
        self._run("fast-import", "--quiet", "--date-format=raw", data=b"".join(stream))

    def tidy(self) -> None:
        """Bring git's view of the folder up to date, and let it pack what has become much."""
        self._prepare()
        self._run(f"--work-tree={os.path.abspath(self._layout.folder)}", "read-tree", PAGES_BRANCH)
        self._run("gc", "--auto", "--quiet")

    def parts(self) -> list[GitChroniclePart]:
        """All stretches of the chronicle that git holds, oldest first."""
        self._require_own()
        found = self._run("log", "--reverse", "--format=%H %s", CHRONICLE_BRANCH, "--").decode()
        parts = []
        for line in found.splitlines():
            name, _, subject = line.partition(" ")
            part = _read_subject(subject)
            if part is not None:
                parts.append(GitChroniclePart(part.begin, part.end, part.chain, name))
        return parts

    def read_part(self, part: GitChroniclePart) -> bytes:
        """The bytes of a stretch, as git holds them."""
        return self._run("cat-file", "blob", f"{part.name}:{PART}")

    def read_page(self, path: str) -> bytes:
        """A file as git saw it last."""
        self._require_own()
        return self._run("cat-file", "blob", f"{PAGES_BRANCH}:{path}")

    def read_pages(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Pages as git saw them last, those that it saw."""
        self._require_own()
        wanted = list(paths)
        names = "".join(f"{PAGES_BRANCH}:{path}\n" for path in wanted)
        told = self._run("cat-file", "--batch", data=names.encode())
        found: dict[str, bytes] = {}
        for path in wanted:
            line, _, told = told.partition(b"\n")
            if not line.endswith(b" missing"):
                size = int(line.rpartition(b" ")[2])
                found[path], told = told[:size], told[size + 1 :]
        return found

    def _prepare(self) -> None:
        """Make the repository, or see that the one there is our own."""
        git = self._layout.git
        if git.is_symlink() or git.exists():
            self._require_own()
            return
        new = git.with_name(f"{git.name}.{os.getpid()}.new")
        self._run("init", "--quiet", "--bare", "--template=", "--initial-branch=main", folder=new)
        config = new / "config"
        text = config.read_text(encoding="utf-8").replace("bare = true", "bare = false")
        config.write_text(text + MARK, encoding="utf-8")
        new.rename(git)

    def _require_own(self) -> None:
        distrust = find_distrust(self._layout.git, _DISK)
        if distrust:
            raise GitError(distrust)

    def _heads(self) -> tuple[bool, GitChroniclePart | None]:
        """Whether there are pages, and the newest part of the chronicle."""
        wanted = "--format=%(refname) %(contents:subject)"
        found = self._run("for-each-ref", wanted, PAGES_BRANCH, CHRONICLE_BRANCH).decode()
        heads = dict(line.partition(" ")[::2] for line in found.splitlines())
        return PAGES_BRANCH in heads, _read_subject(heads.get(CHRONICLE_BRANCH, ""))

    def _tell_pages(self, chapter: GitTurnCommit, files: Iterable[str], follows: bool) -> Iterable[bytes]:
        subject = " ".join(chapter.heading.split())[:SUBJECT_LENGTH_MAX] or "A turn"
        yield _tell_commit(PAGES_BRANCH, subject, chapter.at, follows)
        for path in sorted(files):
            try:
                data = read_page(_DISK, self._layout, path, FILE_BYTES_MAX)
            except OddFileError:
                # A link is not followed: what it leads to is nobody's page.
                continue
            if data is not None:
                yield _tell_file(path, data)
            elif follows:
                yield f'D "{path}"\n'.encode()

    def _tell_frames(self, chapter: GitTurnCommit, part: GitChroniclePart | None) -> Iterable[bytes]:
        begin = 0 if part is None else part.end
        if begin == chapter.end and part is not None and part.chain == chapter.chain:
            return
        data = self._read_frames(begin, chapter.end)
        previous = GENESIS if part is None else part.chain
        if begin and not isinstance(read_frame(data, 0, previous), RecordFrame):
            # What git holds is not what the chronicle was then: after a recovery it is told all again.
            begin, data = 0, self._read_frames(0, chapter.end)
        subject = f"frames {begin}-{chapter.end} {chapter.chain.hex()}"
        yield _tell_commit(CHRONICLE_BRANCH, subject, chapter.at, part is not None)
        yield b"deleteall\n"
        yield _tell_file(PART, data)

    def _read_frames(self, begin: int, end: int) -> bytes:
        with os.fdopen(open_plain(self._layout.chronicle, os.O_RDONLY), "rb") as file:
            file.seek(begin)
            return file.read(max(0, end - begin))

    def _run(self, *arguments: str, data: bytes = b"", folder: Path | None = None) -> bytes:
        settings = [word for setting in _HARDENING for word in ("-c", setting)]
        command = ["git", *settings, f"--git-dir={os.path.abspath(folder or self._layout.git)}", *arguments]
        try:
            done = subprocess.run(
                command,
                input=data,
                capture_output=True,
                check=False,
                timeout=GIT_SECONDS_MAX,
                env=_environment(os.environ),
                cwd=self._layout.folder,
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            raise GitError(f"git could not be run: {error}") from error
        if done.returncode:
            lines = done.stderr.decode(errors="replace").strip().splitlines() or ["it gave no reason"]
            raise GitError(f"git {arguments[0]} failed: {lines[0]}")
        return done.stdout


def find_copy_trouble(folder: Path) -> str:
    """Why git holds no copy of a campaign's chronicle, or not all of it; empty where it does."""
    layout = FolderLayout(folder)
    if not layout.git.exists():
        return "git holds no copy of it"
    try:
        held = max((part.end for part in GitHistory(layout).parts()), default=0)
        with os.fdopen(open_plain(layout.chronicle, os.O_RDONLY), "rb") as file:
            file.seek(held)
            # Git is told with every turn; marks and waiting inputs come with the next one.
            behind = b'"kind":"commit"' in file.read(FRAME_BYTES_MAX)
    except (GitError, OSError) as error:
        return f"git holds no copy of it: {error}"
    return "git holds only its first turns" if behind else ""


def _environment(environment: Mapping[str, str]) -> dict[str, str]:
    """The surroundings of git: nothing that would lead it elsewhere, and no settings but ours."""
    cleaned = {name: value for name, value in environment.items() if not name.startswith("GIT_")}
    return cleaned | {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_OPTIONAL_LOCKS": "0",
        "LC_ALL": "C",
    }


def _tell_commit(branch: str, subject: str, at: str, follows: bool) -> bytes:
    message = subject.encode("utf-8", "replace")
    parent = f"from {branch}^0\n" if follows else ""
    head = f"commit {branch}\ncommitter {AUTHOR} {_seconds(at)} +0000\ndata {len(message)}\n"
    return head.encode() + message + b"\n" + parent.encode()


def _tell_file(path: str, data: bytes) -> bytes:
    return f'M 100644 inline "{path}"\ndata {len(data)}\n'.encode() + data + b"\n"


def _seconds(at: str) -> int:
    """A time as git counts it; the beginning of its count where it is none."""
    try:
        return max(0, int(datetime.fromisoformat(at).timestamp()))
    except (ValueError, OverflowError):
        return 0


def _read_subject(subject: str) -> GitChroniclePart | None:
    found = _PART_SUBJECT.fullmatch(subject)
    return GitChroniclePart(int(found[1]), int(found[2]), bytes.fromhex(found[3])) if found else None
