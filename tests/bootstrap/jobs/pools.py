"""Job pools for tests, on campaigns and games in a temporary folder."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path

from talewright.bootstrap import installed_systems, new_id, open_lobby
from talewright.bootstrap.games.compiled_folders import CompiledFolders
from talewright.bootstrap.games.game_library import FolderGameLibrary
from talewright.bootstrap.jobs.job_pool import JobLimits, JobPlaces, JobPool
from talewright.pack.game_folders import shipped_games, write_starter
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.stores.folder.disk import Disk, FolderLayout
from talewright.stores.folder.file_lock import FileLock
from tests.warm_homes import warm

CAMPAIGN = "told"
ENVIRONMENT = {"TALEWRIGHT_TOKEN": "a-token", "OPENAI_API_KEY": "a-key", "PATH": "/usr/bin:/bin"}
"""The environment of a server, with what its job processes must not get."""


@dataclass
class JobHome:
    """A user's folders, and a pool that works in them."""

    root: Path
    pool: JobPool
    compiled: CompiledFolders
    shelf: FolderGameLibrary

    @property
    def saves(self) -> Path:
        """The folder with the campaigns."""
        return self.root / "saves"

    def lobby(self) -> StoreLobby:
        """The lobby as a command opens it: it does everything in this process."""
        return open_lobby(self.saves, shelf=self.shelf, git=False)

    @contextmanager
    def blocked(self) -> Iterator[None]:
        """While this lasts, every job with the campaign waits for its lock."""
        lock = FileLock(Disk(), FolderLayout(self.saves / CAMPAIGN).lock)
        assert lock.try_to_take()
        try:
            yield
        finally:
            lock.close()


@asynccontextmanager
async def open_home(root: Path, limits: JobLimits | None = None) -> AsyncIterator[JobHome]:
    """A home with one short campaign, and a game of the user's own."""
    games, cache = (root / "games", shipped_games()), warm(root) / "cache"
    write_starter(root / "games" / "tea", "tea", "Tea")
    compiled = CompiledFolders(cache, installed_systems)
    shelf = FolderGameLibrary(games, cache, installed_systems, compiled=compiled)
    places = JobPlaces(games, cache, root / "saves", git=False)
    home = JobHome(root, JobPool(places, limits or JobLimits(), ENVIRONMENT), compiled, shelf)
    session = await home.lobby().begin("mist_harbor", campaign=CAMPAIGN, operation_id=new_id())
    await session.close()
    try:
        yield home
    finally:
        await home.pool.close()


class LoopProbe:
    """Measures the processor time between two chances of other tasks to run, in this process.

    However busy the machine is, it is short if another process does the work.
    """

    def __init__(self) -> None:
        self.ticks = 0
        self.spent = 0.0

    @property
    def tick_milliseconds(self) -> float:
        """Processor time of this process for each chance, on average."""
        return self.spent / max(self.ticks, 1) * 1000

    async def _count(self) -> None:
        while True:
            self.ticks += 1
            await asyncio.sleep(0)

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[None]:
        """Measure from zero while something is done."""
        self.ticks, started = 0, time.process_time()
        task = asyncio.create_task(self._count())
        try:
            yield
        finally:
            self.spent = time.process_time() - started
            task.cancel()
            await asyncio.wait([task])
