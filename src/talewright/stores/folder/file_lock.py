"""The file lock: one process at a time at a campaign's chronicle, by a lock of the system on a file.

The system lets go when a process dies. Nothing is read from the lock's files or written to them.

Whoever finds the lock free takes it, and that may be the one who just let go of it: a row of quick calls is
not torn apart. But whoever has waited for a while shuts a turnstile, a lock on a second file through which
everybody passes on the way to the first, and is the next. Tasks that share one lock stand in a queue.
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
"""How long the lock is waited for."""

PATIENCE_SECONDS = 2.0
"""How long others may go first, before whoever waits shuts the turnstile."""

PAUSE_SECONDS_MIN = 0.0005
PAUSE_SECONDS_MAX = 0.02
"""Between two tries: at first, and after many. Whoever has shut the turnstile tries as often as at first."""

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
        """Take a lock if nobody has it."""
        try:
            flock(file, _ALONE)
        except BlockingIOError:
            return False
        return True

    def _unlock(file: int) -> None:
        """Let go of a lock."""
        flock(file, LOCK_UN)

    def _pass(turnstile: int, file: int) -> bool:
        """Go through the turnstile, if nobody has shut it, and take the lock behind it, if nobody has it."""
        try:
            flock(turnstile, _TOGETHER)
            flock(turnstile, LOCK_UN)
            flock(file, _ALONE)
        except BlockingIOError:
            return False
        return True


class FileLock:
    """The lock of one campaign, as one open book sees it."""

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
        """Of the tasks that wait here: to the system all of them are one."""

        self._file = disk.open(path, os.O_RDWR | os.O_CREAT)
        try:
            self._turnstile = disk.open(path.with_name(path.name + TURNSTILE), os.O_RDWR | os.O_CREAT)
        except OSError:
            disk.close(self._file)
            raise

    def try_to_take(self) -> bool:
        """Take the lock if nobody has it and nobody is the next."""
        return not self._queue.locked() and _pass(self._turnstile, self._file)

    async def take(self) -> None:
        """Wait for the lock. Whoever is cancelled while waiting does not hold it."""
        begin = self._clock()
        async with self._queue:
            with closing(self._try_on(begin)) as pauses:
                for pause_seconds in pauses:
                    await asyncio.sleep(pause_seconds)

    def take_blocking(self) -> None:
        """Wait for the lock in a thread of one's own, or where there is nothing else to do."""
        with closing(self._try_on(self._clock())) as pauses:
            for pause_seconds in pauses:
                time.sleep(pause_seconds)

    def free(self) -> None:
        """Let go of the lock."""
        _unlock(self._file)

    def close(self) -> None:
        """Let go of the lock's files; a number that another file may get must not be used again."""
        file, turnstile, self._file, self._turnstile = self._file, self._turnstile, -1, -1
        if file >= 0:
            self._disk.close(file)
            self._disk.close(turnstile)

    def _try_on(self, begin: float) -> Generator[float, None, None]:
        """Try until the lock is taken; each time that it is not, how long to pause before the next try."""
        pause_seconds, shut, waited = PAUSE_SECONDS_MIN, False, 0.0
        try:
            # A process that was stopped in the turnstile must not keep out all the others for ever.
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
            raise UnsavedError("the campaign was closed while something waited for it", "Open it again.")
        return _try_lock(self._file) if past_turnstile else _pass(self._turnstile, self._file)

    def _refuse_after(self, waited: float) -> None:
        if waited >= self._seconds_max:
            raise UnsavedError(
                f"another program has held this campaign for more than {self._seconds_max:g} seconds",
                f"Close the other program that plays it (the lock is {self._path}), then try again.",
            )
