"""The login file: how a login link reaches the browser without being part of a command line.

All users of a machine can list the programs that run, with their arguments. So the browser is given a file
that only its owner can read and that leads to the link, and the file is deleted once the link was used.
"""

import asyncio
import os
import stat
import sys
import tempfile
import time
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from html import escape
from pathlib import Path

PREFIX = "talewright-login-"
"""The beginning of the folder's name."""

FILE = "open.html"
FILE_MODE = 0o600
KEPT_SECONDS = 60.0
"""How long the file is kept if nobody uses the link, which then works no more."""

LEFT_SECONDS = 600.0
"""After how long a folder counts as left by a server that was killed."""

# It needs no script, and tells the server nothing of where it was.
PAGE = """\
<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0;url={link}">
<title>Talewright</title></head>
<body><p><a href="{link}">Talewright</a></p></body></html>
"""


class LoginFile:
    """A file that leads to a login link, in a folder of its own, for as long as a block runs."""

    def __init__(self, link: str, home: Path) -> None:
        self._link = link
        self._home = home
        self._folder: Path | None = None

    def __enter__(self) -> Path:
        """Write the file; returns its path."""
        self._folder = _make_folder(self._home)
        file = self._folder / FILE
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(file, flags, FILE_MODE), "w", encoding="utf-8", newline="") as stream:
            stream.write(PAGE.format(link=escape(self._link)))
        return file

    def __exit__(self, *_: object) -> None:
        """Delete the file and its folder."""
        if self._folder is not None:
            _remove(self._folder)


async def open_login(
    make_link: Callable[[], str],
    used: asyncio.Event,
    home: Path,
    *,
    open_address: Callable[[str], object] = webbrowser.open,
    seconds: float = KEPT_SECONDS,
) -> None:
    """Open a login link in the browser, and delete the file as soon as a login link was used."""
    with suppress(OSError, TimeoutError), LoginFile(make_link(), home) as file:
        await asyncio.to_thread(open_address, file.as_uri())
        await asyncio.wait_for(used.wait(), seconds)


def _make_folder(home: Path) -> Path:
    """A new folder that only its owner can enter."""
    # On Linux, browsers in a sandbox can read neither /tmp nor hidden folders, but what lies open at home.
    if sys.platform not in ("win32", "darwin"):
        _remove_left(home)
        with suppress(OSError):
            return Path(tempfile.mkdtemp(prefix=PREFIX, dir=home))
    return Path(tempfile.mkdtemp(prefix=PREFIX))


def _remove_left(home: Path) -> None:
    for folder in home.glob(f"{PREFIX}*"):
        with suppress(OSError):
            found = folder.lstat()
            ours = stat.S_ISDIR(found.st_mode) and found.st_uid == home.stat().st_uid
            if ours and found.st_mtime < time.time() - LEFT_SECONDS:
                _remove(folder)


def _remove(folder: Path) -> None:
    """Remove a folder with the file in it; a folder with other files stays."""
    with suppress(OSError):
        (folder / FILE).unlink(missing_ok=True)
        folder.rmdir()
