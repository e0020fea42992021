"""The folder's layout: what the files of a campaign's folder are called.

Names only; nothing is opened here.
"""

import hashlib
import re
from pathlib import Path

from talewright.chronicle.store import BlobKind
from talewright.common.frozen_values import frozen

CHRONICLE = "chronicle.jsonl"
LISTING = "campaign.json"
SECRET = "secret"
INDEX = "index.bin"
LOCK = "lock"
PAGES_LOCK = "pages.lock"
SHEET = "pages.json"
HAND_EDITS = "hand-edits"
TURNSTILE = ".turnstile"
"""What the name of a lock's turnstile has behind that of the lock."""

SET_ASIDE = "set-aside"
IGNORED = ".gitignore"
GIT = ".git"

SHELVES = {BlobKind.GAME: "games", BlobKind.SNAPSHOT: "snapshots"}
"""The folder of each shelf."""

IGNORE_TEXT = f"""\
# The secret of the dice, what can be made again, and what was damaged. The chronicle has a branch of its own.
/{SECRET}
/{CHRONICLE}
/{INDEX}
/{LOCK}
/{PAGES_LOCK}
/{SHEET}
*{TURNSTILE}
/{SHELVES[BlobKind.SNAPSHOT]}/
/{SET_ASIDE}/
*.new
"""

NEW = ".new"
"""The ending of a file that is not finished yet; it is renamed when it is."""

OWN_NAMES = frozenset(
    {CHRONICLE, LISTING, SECRET, INDEX, LOCK, PAGES_LOCK, SET_ASIDE, IGNORED, GIT, *SHELVES.values()}
    | {LOCK + TURNSTILE, PAGES_LOCK + TURNSTILE, SHEET, HAND_EDITS}
)
"""Names in the folder that no page may have."""

_PLAIN = re.compile(r"[a-z0-9_-]{1,120}")
"""Names that can be the names of files everywhere, also where capitals count for nothing."""


@frozen
class FolderLayout:
    """Where everything of one campaign lies."""

    folder: Path

    @property
    def campaign(self) -> str:
        """The campaign's name."""
        return self.folder.name

    @property
    def chronicle(self) -> Path:
        """The records, one line each."""
        return self.folder / CHRONICLE

    @property
    def listing(self) -> Path:
        """What a list of campaigns shows."""
        return self.folder / LISTING

    @property
    def secret(self) -> Path:
        """The secret of the campaign's chance."""
        return self.folder / SECRET

    @property
    def index(self) -> Path:
        """Where in the chronicle a record is found."""
        return self.folder / INDEX

    @property
    def lock(self) -> Path:
        """Held by the process that reads or writes the chronicle."""
        return self.folder / LOCK

    @property
    def pages_lock(self) -> Path:
        """Held by the process that writes what a person may read."""
        return self.folder / PAGES_LOCK

    @property
    def sheet(self) -> Path:
        """What each page was when it was last written."""
        return self.folder / SHEET

    @property
    def set_aside(self) -> Path:
        """Torn and damaged bytes, kept."""
        return self.folder / SET_ASIDE

    @property
    def git(self) -> Path:
        """The history of the pages, for the reader."""
        return self.folder / GIT

    def kept(self, shelf: BlobKind, name: str) -> Path:
        """The file of something on a shelf."""
        if not _PLAIN.fullmatch(name):
            # Only ids and digests are plain; any other name is still the same name every time.
            name = "=" + hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()
        return self.folder / SHELVES[shelf] / f"{name}.json"
