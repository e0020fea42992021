"""Spent ids as files: used login codes and ended sessions, which stay so when the server is restarted.

Every id is an empty file in one folder, next to the token. Creating a file is atomic: of two processes that
spend the same id, one succeeds. A name contains a hash and the time after which the id is too old anyway, and
the file may be deleted.
"""

import hashlib
import os
from pathlib import Path

from talewright.errors import SettingsError
from talewright.stores.folder.disk import Disk

FOLDER = "logins"
FOLDER_MODE = 0o700
FILE_MODE = 0o600
ID_DIGITS = 32


class SpentIdFiles:
    """The spent ids in a folder; `SpentIds` of the browser login."""

    def __init__(self, folder: Path) -> None:
        """Raises SettingsError if the folder cannot be made."""
        self._folder, self._disk = folder, Disk()
        try:
            folder.mkdir(FOLDER_MODE, parents=True, exist_ok=True)
        except OSError as error:
            raise _unusable(folder, error) from error

    async def spend(self, spent_id: str, until: float, now: float) -> bool:
        """Remember an id; False if it was spent before. Raises SettingsError if the disk fails."""
        try:
            self._forget_old(now)
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
            os.close(os.open(self._find(spent_id, until), flags, FILE_MODE))
            self._disk.sync_folder(self._folder)
        except FileExistsError:
            return False
        except OSError as error:
            raise _unusable(self._folder, error) from error
        return True

    async def is_spent(self, spent_id: str, until: float) -> bool:
        """Whether an id was spent."""
        return os.path.lexists(self._find(spent_id, until))

    def _find(self, spent_id: str, until: float) -> Path:
        # In hexadecimal digits: some disks do not tell upper from lower case.
        return self._folder / f"{int(until)}-{hashlib.sha256(spent_id.encode()).hexdigest()[:ID_DIGITS]}"

    def _forget_old(self, now: float) -> None:
        for file in self._folder.iterdir():
            until = file.name.partition("-")[0]
            if until.isascii() and until.isdigit() and int(until) < now:
                file.unlink(missing_ok=True)


def _unusable(folder: Path, error: OSError) -> SettingsError:
    return SettingsError(
        f"logins cannot be recorded in {folder}: {error.strerror or error}",
        "Check the disk and your permissions for this folder.",
    )
