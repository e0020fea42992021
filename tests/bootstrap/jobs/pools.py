"""Job pools for tests, on campaigns and games in a temporary folder."""

import asyncio
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
    """Counts how often the event loop gets to other tasks."""

    def __init__(self) -> None:
        self.ticks = 0

    async def _count(self) -> None:
        while True:
            self.ticks += 1
            await asyncio.sleep(0)

    @asynccontextmanager
    async def watch(self) -> AsyncIterator[None]:
        """Count from zero while something is done."""
        self.ticks = 0
        task = asyncio.create_task(self._count())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait([task])
