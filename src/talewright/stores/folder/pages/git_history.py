"""Git history: a campaign's pages turn by turn, for readers, and a copy of the chronicle.

Git runs after a turn is safe; a failure never affects a turn. A folder may come from anyone, so only an
unaltered repository made by this store is used, and git is called so that nothing in it can run a program or
redirect git to other settings, other objects or out of the folder.
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
"""Marks the settings of a repository that this store made."""

SETTINGS_BYTES_MAX = 64 * 1024
"""The maximum size of its settings in bytes."""

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
"""Files that give git other settings or objects than the repository's own."""

_OBJECTS = "objects"
"""Where git keeps its objects, which may be large."""

_HOOKS = "hooks"
"""Programs that the user may want but that we never run."""

_DEPTH_MAX = 16
"""The maximum depth of folders in the repository."""

_FILE_BYTES_MAX = 16 * 1024 * 1024
"""The maximum size in bytes of git's files other than objects: refs, logs, the index."""


def find_distrust(git: Path, disk: Disk) -> str:
    """Why a repository is not used; empty if it is ours."""
    altered = f"{git} was not created by Talewright, or its settings were changed; it is not used"
    try:
        if git.is_symlink() or not git.is_dir():
            return f"{git} is not a folder"
        settings = read_file(disk, git / "config", SETTINGS_BYTES_MAX).decode()
        elsewhere = next((name for name in _LEADING_ELSEWHERE if os.path.lexists(git / name)), "")
        elsewhere = elsewhere or next(_find_odd(git), "")
    except (OSError, UnicodeDecodeError) as error:
        return f"{git} cannot be read: {error}"
    if elsewhere:
        return f"{git} points outside itself ({elsewhere}); it is not used"
    lines = (line for line in settings.splitlines() if line)
    good = all(_SECTION.fullmatch(line) or _SETTING.fullmatch(line) for line in lines)
    return "" if good and MARK in settings else altered


def _find_odd(folder: Path, inside: str = "") -> Iterator[str]:
    """A file that would lead git out of its folder, block it, or make it read endlessly."""
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
"""The time limit of one git command."""

SUBJECT_LENGTH_MAX = 200
"""The maximum length of the first line of a commit message."""

PAGES_BRANCH = "refs/heads/main"
"""The branch that people read: the pages, turn by turn."""

CHRONICLE_BRANCH = "refs/heads/chronicle"
"""The branch of the records: each commit holds only the frames that are new since the previous one."""

PART = "frames.jsonl"
"""The only file in a commit on that branch."""

FILE_BYTES_MAX = 256 * 1024 * 1024
"""The maximum size in bytes of a file that is committed to git."""

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
"""Settings that override those of the repository: no hooks, watchers, network or signing."""

_DISK = Disk()
"""This machine's disk; it holds no state."""

_PART_SUBJECT = re.compile(r"frames (\d+)-(\d+) ([0-9a-f]{64})")


class GitError(Exception):
    """Git is missing or failed. Always handled inside this package, as a notice."""


@frozen
class GitChroniclePart:
    """A part of the chronicle in git."""

    begin: int
    end: int
    chain: bytes
    """The chain at its end."""

    name: str = ""
    """The commit that holds it."""


@frozen
class GitTurnCommit:
    """What is committed to git after a turn."""

    heading: str
    at: str
    files: frozenset[str]
    """Relative paths; those that do not exist are removed from git."""

    end: int
    chain: bytes
    """The chain at the end of the chronicle."""


class GitHistory:
    """The repository in one campaign's folder."""

    def __init__(self, layout: FolderLayout) -> None:
        self._layout = layout

    def record(self, chapter: GitTurnCommit, list_files: Callable[[], Iterable[str]], since: int) -> None:
        """Commit pages and new frames.

        `since` is the chronicle's length when pages were last written. If git has less, a crash came between,
        and all files are compared.
        """
        self._prepare()
        pages, part = self._heads()
        if part is not None and chapter.end < part.end <= self._layout.chronicle.stat().st_size:
            # Another process was first with a later turn; its commit contains this one.
            return
        files = set(chapter.files)
        if not pages or part is None or part.end != since:
            files.update(list_files())
        stream = [b"feature done\n", *self._tell_pages(chapter, files, pages)]
        stream += self._tell_frames(chapter, part)
        stream.append(b"done\n")
        self._run("fast-import", "--quiet", "--date-format=raw", data=b"".join(stream))

    def tidy(self) -> None:
        """Update git's index, and run its garbage collection if needed."""
        self._prepare()
        self._run(f"--work-tree={os.path.abspath(self._layout.folder)}", "read-tree", PAGES_BRANCH)
        self._run("gc", "--auto", "--quiet")

    def parts(self) -> list[GitChroniclePart]:
        """All parts of the chronicle in git, oldest first."""
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
        """The bytes of a part."""
        return self._run("cat-file", "blob", f"{part.name}:{PART}")

    def read_page(self, path: str) -> bytes:
        """A file as last committed."""
        self._require_own()
        return self._run("cat-file", "blob", f"{PAGES_BRANCH}:{path}")

    def read_pages(self, paths: Iterable[str]) -> dict[str, bytes]:
        """Pages as last committed; those not in git are left out."""
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
        """Create the repository, or check that the existing one is ours."""
        git = self._layout.git
        if git.is_symlink() or git.exists():
            self._require_own()
            return
        new = git.with_name(f"{git.name}.{os.getpid()}.new")
        self._run("init", "--quiet", "--bare", "--template=", "--initial-branch=main", folder=new)
        config = new / "config"
        text = config.read_text(encoding="utf-8").replace("bare = true", "bare = false")
        config.write_text(text + MARK, encoding="utf-8", newline="\n")
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
                # Links are not followed: their target is not a page.
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
            # Git's copy is not a prefix of the chronicle, as after a recovery: commit all of it again.
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
            lines = done.stderr.decode(errors="replace").strip().splitlines() or ["no reason given"]
            raise GitError(f"git {arguments[0]} failed: {lines[0]}")
        return done.stdout


def find_copy_trouble(folder: Path) -> str:
    """Why git has no complete copy of a campaign's chronicle; empty if it has one."""
    layout = FolderLayout(folder)
    if not layout.git.exists():
        return "git has no copy of it"
    try:
        held = max((part.end for part in GitHistory(layout).parts()), default=0)
        with os.fdopen(open_plain(layout.chronicle, os.O_RDONLY), "rb") as file:
            file.seek(held)
            # Git is updated after every turn; marks and waiting inputs follow with the next one.
            behind = b'"kind":"commit"' in file.read(FRAME_BYTES_MAX)
    except (GitError, OSError) as error:
        return f"git has no copy of it: {error}"
    return "git has only its first turns" if behind else ""


def _environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Environment variables for git: nothing that redirects it, and no settings but ours."""
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
    """A time in seconds since 1970, for git; 0 if it cannot be parsed."""
    try:
        return max(0, int(datetime.fromisoformat(at).timestamp()))
    except (ValueError, OverflowError):
        return 0


def _read_subject(subject: str) -> GitChroniclePart | None:
    found = _PART_SUBJECT.fullmatch(subject)
    return GitChroniclePart(int(found[1]), int(found[2]), bytes.fromhex(found[3])) if found else None
