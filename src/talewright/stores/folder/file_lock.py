"""The file lock: lets one process at a time use a campaign's chronicle, by an operating system lock on a
file.

The system releases the lock when a process dies. Nothing is read from the lock files or written to them.

Any process may take a free lock, including the one that just released it, so that a series of quick calls is
not interrupted. A process that has waited for a while closes a turnstile, a lock on a second file that every
process passes on the way to the first, and is next. Tasks that share one lock object wait in a queue.
"""

import asyncio
import os
import sys
import time
from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

from talewright.chronicle.store import UnsavedError
from talewright.stores.folder.disk import TURNSTILE, Disk

LOCK_SECONDS_MAX = 10.0
"""How long to wait for the lock."""

PATIENCE_SECONDS = 2.0
"""How long a process waits before it closes the turnstile."""

PAUSE_SECONDS_MIN = 0.0005
PAUSE_SECONDS_MAX = 0.02
"""The pause between two tries grows from MIN to MAX; after closing the turnstile it is always MIN."""

if sys.platform == "win32":  # pragma: no cover - another system
    import msvcrt

    def _try_lock(file: int) -> bool:
        os.lseek(file, 0, os.SEEK_SET)
        try:
            msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(file: int) -> None:
        os.lseek(file, 0, os.SEEK_SET)
        msvcrt.locking(file, msvcrt.LK_UNLCK, 1)

    def _pass(turnstile: int, file: int) -> bool:
        if not _try_lock(turnstile):
            return False
        _unlock(turnstile)
        return _try_lock(file)

else:
    from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, LOCK_UN, flock

    _ALONE, _TOGETHER = LOCK_EX | LOCK_NB, LOCK_SH | LOCK_NB

    def _try_lock(file: int) -> bool:
        """Take a lock if it is free."""
        try:
            flock(file, _ALONE)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: int) -> None:
        """Release a lock."""
        flock(file, LOCK_UN)

    def _pass(turnstile: int, file: int) -> bool:
        """Pass the turnstile if it is open, and take the lock if it is free."""
        try:
            flock(turnstile, _TOGETHER)
            flock(turnstile, LOCK_UN)
            flock(file, _ALONE)
        except BlockingIOError:
            return False
        return True


class FileLock:
    """The lock of one campaign, for one open book."""

    def __init__(
        self,
        disk: Disk,
        path: Path,
        *,
        seconds_max: float = LOCK_SECONDS_MAX,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._disk = disk
        self._path = path
        self._seconds_max = seconds_max
        self._clock = clock
        self._queue = asyncio.Lock()
        """For the tasks that wait here: to the system they are all the same process."""

        self._file = disk.open(path, os.O_RDWR | os.O_CREAT)
        try:
            self._turnstile = disk.open(path.with_name(path.name + TURNSTILE), os.O_RDWR | os.O_CREAT)
        except OSError:
            disk.close(self._file)
            raise

    def try_to_take(self) -> bool:
        """Take the lock if it is free and no other process is next."""
        return not self._queue.locked() and _pass(self._turnstile, self._file)

    async def take(self) -> None:
        """Wait for the lock. A cancelled waiter does not hold it."""
        begin = self._clock()
        async with self._queue:
            with closing(self._try_on(begin)) as pauses:
                for pause_seconds in pauses:
                    await asyncio.sleep(pause_seconds)

    def take_blocking(self) -> None:
        """Wait for the lock, blocking the thread."""
        with closing(self._try_on(self._clock())) as pauses:
            for pause_seconds in pauses:
                time.sleep(pause_seconds)

    def free(self) -> None:
        """Release the lock."""
        _unlock(self._file)

    def close(self) -> None:
        """Close the lock's files. Their descriptors are cleared, since the system may reuse the numbers."""
        file, turnstile, self._file, self._turnstile = self._file, self._turnstile, -1, -1
        if file >= 0:
            self._disk.close(file)
            self._disk.close(turnstile)

    def _try_on(self, begin: float) -> Generator[float, None, None]:
        """Try until the lock is taken; yields the pause before each new try."""
        pause_seconds, shut, waited = PAUSE_SECONDS_MIN, False, 0.0
        try:
            # A process that was suspended in the turnstile must not block all the others for ever.
            while not self._try(past_turnstile=shut or waited >= self._seconds_max / 2):
                waited = self._clock() - begin
                self._refuse_after(waited)
                shut = shut or (waited >= PATIENCE_SECONDS and _try_lock(self._turnstile))
                yield PAUSE_SECONDS_MIN if shut else pause_seconds
                pause_seconds = min(2 * pause_seconds, PAUSE_SECONDS_MAX)
        finally:
            if shut and self._turnstile >= 0:
                _unlock(self._turnstile)

    def _try(self, *, past_turnstile: bool) -> bool:
        if self._file < 0:
            raise UnsavedError("the campaign was closed while an operation was waiting for it", "Reopen it.")
        return _try_lock(self._file) if past_turnstile else _pass(self._turnstile, self._file)

    def _refuse_after(self, waited: float) -> None:
        if waited >= self._seconds_max:
            raise UnsavedError(
                f"another program has been using this campaign for more than {self._seconds_max:g} seconds",
                f"Close that program (the lock file is {self._path}), then try again.",
            )
