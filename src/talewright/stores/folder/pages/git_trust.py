"""Git trust: whether the repository in a campaign's folder is of our own making, unchanged.

A folder may come from anybody. Before git is called there, nothing in it may lead git to other settings, to
other objects, or out of the folder. Nothing is run or changed here.
"""

import os
import re
from pathlib import Path

from talewright.stores.folder.disk import Disk, read_plain_file

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

_FOLDERS = (
    ".",
    "info",
    "logs",
    "logs/refs",
    "logs/refs/heads",
    "objects",
    "objects/info",
    "objects/pack",
    "refs",
    "refs/heads",
)
"""Where git writes: none of what stands there may be a link."""


def find_distrust(git: Path, disk: Disk) -> str:
    """Why a repository is left alone; empty where it is ours."""
    altered = f"{git} was not made by Talewright, or its settings were altered; it is left alone"
    try:
        if git.is_symlink() or not git.is_dir():
            return f"{git} is no folder"
        settings = read_plain_file(disk, git / "config", SETTINGS_BYTES_MAX).decode()
        elsewhere = next((name for name in _LEADING_ELSEWHERE if os.path.lexists(git / name)), "")
        elsewhere = elsewhere or next((name for name in _FOLDERS if _has_link(git / name)), "")
    except (OSError, UnicodeDecodeError) as error:
        return f"{git} cannot be read: {error}"
    if elsewhere:
        return f"{git} leads elsewhere ({elsewhere}); it is left alone"
    lines = (line for line in settings.splitlines() if line)
    good = all(_SECTION.fullmatch(line) or _SETTING.fullmatch(line) for line in lines)
    return "" if good and MARK in settings and len(settings) <= SETTINGS_BYTES_MAX else altered


def _has_link(folder: Path) -> bool:
    try:
        with os.scandir(folder) as entries:
            return any(entry.is_symlink() for entry in entries)
    except FileNotFoundError:
        return False
