"""The job table: what each kind of job does, with the stores and games of its server.

It is used in job processes only. Each job does what a command on one's own machine does.
"""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, cast

from talewright.bootstrap import installed_systems, new_id, utc_now
from talewright.bootstrap.games.compiled_folders import CompiledFolders
from talewright.bootstrap.games.game_library import FolderGameLibrary
from talewright.bootstrap.games.scenario_games import make_scenario_game
from talewright.bootstrap.serving.folder_workbench import check_game
from talewright.chronicle.store import StorageLimits, Store
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.llm.known_models import find_profile
from talewright.pack.cache.compiled_game import pack_faults
from talewright.play.lobby import ExportForm
from talewright.play.serving.campaign_audit import StoreAudit
from talewright.play.serving.served_jobs import JobKind, JobResult
from talewright.play.sessions.store_lobby import StoreLobby
from talewright.play.transfer.transfer_service import StoreTransfers
from talewright.stores.folder.folder_store import FolderStore

if TYPE_CHECKING:
    from talewright.stores.postgres.postgres_store import PostgresStore

CONNECTIONS_MAX = 2
"""Connections of a job process to each database."""


class JobGround:
    """The campaigns and games that the jobs of one process work on."""

    def __init__(self, places: Mapping[str, Json]) -> None:
        self._places = places
        """As `JobPlaces` writes them."""

        self._host: PostgresStore | None = None
        self._limits = StorageLimits(
            cast(int | None, places["campaigns_max"]), cast(int | None, places["bytes_max"])
        )
        allowed = cast(Sequence[str] | None, places["allowed"])
        self.games = FolderGameLibrary(
            [Path(folder) for folder in cast(Sequence[str], places["games"])],
            self.cache,
            installed_systems,
            self._text("language"),
            None if allowed is None else frozenset(allowed),
        )

    @property
    def cache(self) -> Path:
        """Where compiled games are cached."""
        return Path(self._text("cache"))

    async def open_store(self, owner: str) -> Store:
        """The campaigns of an owner."""
        if not self._text("database"):
            return FolderStore(Path(self._text("saves")), git=bool(self._places["git"]), limits=self._limits)
        if self._host is None:
            # Only on a host: the packages of PostgreSQL may not be installed.
            from talewright.stores.postgres.postgres_store import connect
            from talewright.stores.postgres.sealing import parse_keys
            from talewright.stores.postgres.shards import parse_shards

            shards, keys = parse_shards(self._text("database")), parse_keys(self._text("keys"))
            self._host = await connect(shards, keys, pool_size=CONNECTIONS_MAX)
        return self._host.for_owner(owner, self._limits)

    async def open_lobby(self, owner: str, secret: str = "") -> StoreLobby:
        """The lobby of an owner; `secret` is that of the dice of a new campaign."""
        return StoreLobby(
            store=await self.open_store(owner),
            shelf=self.games,
            now=utc_now,
            new_id=new_id,
            new_secret=lambda: bytes.fromhex(secret),
        )

    async def close(self) -> None:
        """Close all connections."""
        if self._host is not None:
            await self._host.close()

    def _text(self, name: str) -> str:
        return cast(str, self._places[name])


class _Job:
    """One job: its owner, its arguments and its data."""

    def __init__(self, ground: JobGround, owner: str, arguments: Mapping[str, Json], data: bytes) -> None:
        self.ground = ground
        self.owner = owner
        self.data = data
        self._arguments = arguments

    def text(self, name: str) -> str:
        """An argument."""
        return cast(str, self._arguments[name])


async def run_job(
    ground: JobGround, kind: JobKind, owner: str, arguments: Mapping[str, Json], data: bytes
) -> JobResult:
    """Do a job."""
    return await _JOBS[kind](_Job(ground, owner, arguments, data))


async def _import(job: _Job) -> JobResult:
    lobby = await job.ground.open_lobby(job.owner, job.text("secret"))
    return JobResult(await lobby.bring_in(job.data, job.text("campaign"), job.text("file_name")))


async def _export(job: _Job) -> JobResult:
    lobby = await job.ground.open_lobby(job.owner)
    return JobResult(data=await lobby.write_out(job.text("campaign"), ExportForm(job.text("form"))))


async def _verify(job: _Job) -> JobResult:
    audit = StoreAudit(await job.ground.open_store(job.owner), job.ground.games, find_profile)
    return JobResult(await audit.verify(job.text("campaign"), job.text("receipt")))


async def _send_copy(job: _Job) -> JobResult:
    return JobResult(data=await (await _open_transfers(job)).send(job.text("campaign")))


async def _take_copy(job: _Job) -> JobResult:
    return JobResult(await (await _open_transfers(job)).take(job.data, job.text("campaign")))


async def _open_transfers(job: _Job) -> StoreTransfers:
    return StoreTransfers(await job.ground.open_store(job.owner), job.ground.games, utc_now)


async def _import_scenario(job: _Job) -> JobResult:
    games, listed = Path(job.text("games")), job.ground.games.games
    return JobResult(make_scenario_game(games, installed_systems(), listed, job.data, job.text("name")))


async def _compile(job: _Job) -> JobResult:
    """Compile a game into the cache; returns what prevents it from being played."""
    folder, compiled = Path(job.text("folder")), CompiledFolders(job.ground.cache, installed_systems)
    try:
        compiled.open(folder)
    except TalewrightError:
        if not compiled.find_faults(folder):
            raise
    return JobResult(pack_faults(compiled.find_faults(folder)))


async def _check(job: _Job) -> JobResult:
    return JobResult(check_game(Path(job.text("folder")), installed_systems()).to_json())


_JOBS: Mapping[JobKind, Callable[[_Job], Awaitable[JobResult]]] = {
    JobKind.IMPORT: _import,
    JobKind.EXPORT: _export,
    JobKind.VERIFY: _verify,
    JobKind.SEND_COPY: _send_copy,
    JobKind.TAKE_COPY: _take_copy,
    JobKind.IMPORT_SCENARIO: _import_scenario,
    JobKind.COMPILE: _compile,
    JobKind.CHECK: _check,
}
