"""Hold: a campaign's chronicle for as long as one call needs it, locked against every other process.

`async with hold as annals`: nothing within gives way to another task, so it is one piece for all tasks too.
"""

from talewright.chronicle.store import ChronicleError, DamagedError, UnsavedError
from talewright.stores.folder.annals import Annals
from talewright.stores.folder.disk import Disk
from talewright.stores.folder.layout import Layout
from talewright.stores.folder.lock import Lock
from talewright.stores.folder.trie import UnfitError


class Hold:
    """The lock and the annals of one open book."""

    def __init__(self, disk: Disk, layout: Layout, lock: Lock, annals: Annals) -> None:
        self._disk = disk
        self._layout = layout
        self._lock = lock
        self._closed = False
        self.annals = annals
        """As they were when they were last held."""

    async def __aenter__(self) -> Annals:
        if self._closed:
            raise ChronicleError(f"the campaign {self._layout.campaign!r} was closed", "Open it again.")
        if not self._lock.try_to_take():
            await self._lock.take()
        held = False
        try:
            if not self.annals.catch_up():
                self.annals.close()
                self.annals = Annals(self._disk, self._layout)
            held = True
        except (OSError, UnfitError) as error:
            raise self._refuse(error) from error
        finally:
            if not held:
                self._lock.free()
        return self.annals

    async def __aexit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        self._lock.free()
        if isinstance(error, OSError | UnfitError):
            raise self._refuse(error) from error

    def close(self) -> None:
        """Let go of everything."""
        self._closed = True
        self.annals.close()
        self._lock.close()

    def _refuse(self, error: OSError | UnfitError) -> ChronicleError:
        if isinstance(error, UnfitError):
            return DamagedError(
                f"the chronicle of {self._layout.campaign!r} reads differently from one time to the next",
                "See to the disk before anything else is written to it.",
            )
        if isinstance(error, FileNotFoundError) and not self._layout.folder.is_dir():
            return UnsavedError(
                f"the campaign {self._layout.campaign!r} was removed or moved while it was open",
                f"Look for it in {self._layout.folder.parent}, or choose another from the list.",
            )
        return UnsavedError(
            f"the disk refused: {error.strerror or error}",
            "See to the disk, then try again. Everything that was acknowledged is kept.",
        )
