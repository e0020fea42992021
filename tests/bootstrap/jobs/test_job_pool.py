"""The job pool: heavy work leaves the event loop, within limits, and never takes the server down."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import NoReturn

import pytest

from talewright.bootstrap import utc_now
from talewright.bootstrap.games.scenario_games import ScenarioImporter
from talewright.bootstrap.jobs.job_pool import (
    MEGABYTES,
    PROCESSES,
    SECONDS,
    JobLimits,
    read_job_limits,
)
from talewright.bootstrap.serving.folder_workbench import FolderWorkbench
from talewright.common.json_values import Json
from talewright.errors import SettingsError
from talewright.faces.http.problems import answer_error
from talewright.pack import compiler
from talewright.pack.game_folders import write_starter
from talewright.play.error_codes import RemoteError, code_of
from talewright.play.lobby import ExportForm
from talewright.play.serving.campaign_audit import StoreAudit
from talewright.play.serving.served_jobs import (
    RETRY_SECONDS,
    JobCrashedError,
    JobKind,
    JobResult,
    JobStoppedError,
    ServerBusyError,
)
from talewright.play.transfer.transfer_service import StoreTransfers
from tests.bootstrap.jobs.pools import CAMPAIGN, JobHome, LoopProbe, open_home
from tests.systems.world.scenarios.tankard import TANKARD

TICK_MILLISECONDS_MAX = 0.25
"""About 0.005 while another process works, and more than 10 while this one does."""

EXPORT = {"campaign": CAMPAIGN, "form": "md"}


@pytest.mark.process
def test_the_loop_runs_while_files_are_imported_exported_and_verified(tmp_path: Path) -> None:
    async def check() -> None:
        probe = LoopProbe()
        async with open_home(tmp_path) as home:
            here, jobs = home.lobby(), home.pool.for_owner("")
            served = replace(here, jobs=jobs)
            for form in (ExportForm.WHOLE, ExportForm.EPUB):
                async with probe.watch():
                    sent = await served.write_out(CAMPAIGN, form)
                assert (sent, probe.tick_milliseconds < TICK_MILLISECONDS_MAX) == (
                    await here.write_out(CAMPAIGN, form),
                    True,
                )
            whole = await here.write_out(CAMPAIGN, ExportForm.WHOLE)
            async with probe.watch():
                assert await served.bring_in(whole, "again") == "again"
            assert probe.tick_milliseconds < TICK_MILLISECONDS_MAX
            assert await here.write_out("again", ExportForm.MARKDOWN) == await here.write_out(
                CAMPAIGN, ExportForm.MARKDOWN
            )
            audit = StoreAudit(here.store, home.shelf, here.lookup)
            async with probe.watch():
                report = await replace(audit, jobs=jobs).verify(CAMPAIGN)
            assert (report, probe.tick_milliseconds < TICK_MILLISECONDS_MAX) == (
                await audit.verify(CAMPAIGN),
                True,
            )
            transfers = StoreTransfers(here.store, home.shelf, utc_now)
            async with probe.watch():
                copy = await replace(transfers, jobs=jobs).send(CAMPAIGN)
            assert (copy, probe.tick_milliseconds < TICK_MILLISECONDS_MAX) == (
                await transfers.send(CAMPAIGN),
                True,
            )
            # The file has no dice secret, as the campaign is not closed here.
            with pytest.raises(RemoteError) as found:
                await replace(transfers, jobs=jobs).take(copy, "copy")
            assert code_of(found.value) == "save_unreadable"
            importer = ScenarioImporter(tmp_path / "games", {}, lambda: (), jobs)
            scenario = json.dumps(TANKARD).encode()
            async with probe.watch():
                assert await importer(scenario, "tankard") == "tankard"
            assert probe.tick_milliseconds < TICK_MILLISECONDS_MAX
            for taken in ("tankard", "mist_harbor"):
                with pytest.raises(RemoteError) as found:
                    await importer(scenario, taken)
                assert code_of(found.value) == "name_taken"
            # One process did it all.
            assert len(home.pool.processes) == 1

    asyncio.run(check())


@pytest.mark.process
def test_no_game_is_compiled_or_linted_in_the_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def check() -> None:
        async with open_home(tmp_path) as home:
            folder, jobs = tmp_path / "games" / "tea", home.pool.for_owner("")
            here = await FolderWorkbench([folder.parent], dict, lambda: "now").games()
            # A thread would not do either: it would compete with the event loop for the interpreter.
            monkeypatch.setattr(compiler, "compile_files", refuse)
            workbench = FolderWorkbench([folder.parent], dict, lambda: "now", jobs=jobs)
            assert await workbench.games() == here
            await home.compiled.prepare([folder.parent], jobs)
            assert home.shelf.edition("tea").game.id == "tea"
            file = folder / "game.yaml"
            file.write_text(file.read_text("utf-8") + "\nendingz: []\n", "utf-8")
            await home.compiled.prepare([folder.parent], jobs)
            assert home.shelf.latest("tea") is None
            (fault,) = home.shelf.find_faults("tea")
            assert (fault.code, fault.place.file) == ("unknown-field", "game.yaml")
            (game,) = await workbench.games(at_once=True)
            assert (game.is_playable, [one.fault for one in game.faults]) == (False, [fault])

    asyncio.run(check())


@pytest.mark.process
def test_a_game_that_takes_too_long_to_compile_is_not_compiled_in_the_server(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_home(tmp_path) as home:
            jobs = StoppedJobs()
            await home.compiled.prepare([tmp_path / "games"], jobs)
            (fault,) = home.shelf.find_faults("tea")
            assert (fault.code, fault.message) == ("folder-too-large", "too long")
            assert home.shelf.latest("tea") is None
            (game,) = await FolderWorkbench([tmp_path / "games"], dict, lambda: "now", jobs=jobs).games()
            assert [one.fault for one in game.faults] == [fault]

    asyncio.run(check())


def test_while_a_game_is_compiled_its_last_edition_is_in_use(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_home(tmp_path) as home:
            games, jobs = tmp_path / "games", WaitingJobs()
            before = home.shelf.edition("tea")
            file = games / "tea" / "game.yaml"
            file.write_text(file.read_text("utf-8") + "# changed\n", "utf-8")
            write_starter(games / "new", "new", "New")
            preparing = asyncio.create_task(home.compiled.prepare([games], jobs))
            for name in ("new", "tea"):
                await jobs.asked.acquire()
                if name == "new":
                    with pytest.raises(ServerBusyError):
                        home.compiled.open(games / "new")
                else:
                    assert home.shelf.edition("tea") is before
                jobs.go_on.release()
            await preparing
            assert home.shelf.edition("new").game.id == "new"

    asyncio.run(check())


@pytest.mark.process
def test_a_job_that_takes_too_long_is_stopped(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_home(tmp_path, JobLimits(seconds=1)) as home:
            with home.blocked(), pytest.raises(JobStoppedError, match="longer than the server allows"):
                await home.pool.run("", JobKind.EXPORT, EXPORT)
            assert home.pool.processes == ()

    asyncio.run(check())


@pytest.mark.process
def test_a_job_that_needs_too_much_memory_is_stopped_and_the_next_one_runs(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_home(tmp_path, JobLimits(megabytes=500)) as home:
            bomb = b"[" + b"[]," * 8_000_000 + b"[]]"
            served = replace(home.lobby(), jobs=home.pool.for_owner(""))
            with pytest.raises(JobStoppedError, match="more memory than the server allows"):
                await served.bring_in(bomb)
            assert await served.write_out(CAMPAIGN, ExportForm.MARKDOWN)

    asyncio.run(check())


@pytest.mark.process
def test_a_cancelled_request_ends_its_job(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_home(tmp_path) as home:
            with home.blocked():
                task = await start_blocked(home)
                (process,) = home.pool.processes
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                assert home.pool.processes == ()
            await home.pool.close()
            with pytest.raises(ProcessLookupError):
                os.kill(process, 0)

    asyncio.run(check())


@pytest.mark.process
def test_a_killed_process_fails_its_request_and_no_other(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_home(tmp_path) as home:
            with home.blocked():
                task = await start_blocked(home)
                (process,) = home.pool.processes
                os.kill(process, signal.SIGKILL)
                with pytest.raises(JobCrashedError):
                    await task
            assert (await home.pool.run("", JobKind.EXPORT, EXPORT)).data
            # One that dies while it is idle is replaced.
            (process,) = home.pool.processes
            os.kill(process, signal.SIGKILL)
            while home.pool.processes:
                await asyncio.sleep(0)
            assert (await home.pool.run("", JobKind.EXPORT, EXPORT)).data

    asyncio.run(check())


@pytest.mark.process
def test_an_owner_cannot_occupy_the_pool_nor_its_queue(tmp_path: Path) -> None:
    async def check() -> None:
        limits = JobLimits(processes=2, owner_processes=1, waiting=2, owner_waiting=1)
        async with open_home(tmp_path, limits) as home:
            with home.blocked():
                hogs = [await start_blocked(home, "hog"), await start_blocked(home, "hog")]
                with pytest.raises(ServerBusyError):
                    await home.pool.run("hog", JobKind.EXPORT, EXPORT)
                with pytest.raises(RemoteError):
                    await home.pool.run(
                        "other", JobKind.IMPORT, {"campaign": "", "file_name": "", "secret": ""}
                    )
                assert len(home.pool.processes) == 2
                hogs[0].cancel()
                # The next job of the same owner continues.
                await asyncio.wait(hogs[:1])
                assert not hogs[1].done()
            assert (await hogs[1]).data

    asyncio.run(check())


@pytest.mark.process
def test_a_job_waits_only_so_long_for_a_process(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_home(tmp_path, JobLimits(processes=1, wait_seconds=0.01)) as home:
            with home.blocked():
                task = await start_blocked(home)
                with pytest.raises(ServerBusyError):
                    await home.pool.run("", JobKind.EXPORT, EXPORT)
                task.cancel()
                await asyncio.wait([task])

    asyncio.run(check())


@pytest.mark.process
@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="other systems do not show it")
def test_a_job_process_gets_no_token_and_no_key(tmp_path: Path) -> None:
    async def check() -> None:
        async with open_home(tmp_path) as home:
            await home.pool.run("", JobKind.EXPORT, EXPORT)
            (process,) = home.pool.processes
            names = {
                one.partition(b"=")[0]
                for one in Path(f"/proc/{process}/environ").read_bytes().split(b"\0")
                if one
            }
            assert names == {b"PATH", b"MALLOC_ARENA_MAX"}
            arguments = Path(f"/proc/{process}/cmdline").read_bytes()
            assert str(tmp_path).encode() not in arguments

    asyncio.run(check())


@pytest.mark.process
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such limits")
@pytest.mark.parametrize(
    ("lines", "end"),
    [
        (("one.limit_time(0)", "one.stop_clock()", "while True: pass"), "SIGXCPU"),
        (("one.ALARM_SPARE_SECONDS = 0.1", "one.limit_time(0)", "signal.pause()"), "SIGALRM"),
    ],
)
def test_a_job_process_ends_itself_when_its_time_is_used_up(lines: tuple[str, ...], end: str) -> None:
    code = "\n".join(["import signal", "from talewright.bootstrap.jobs import job_process as one", *lines])
    done = subprocess.run([sys.executable, "-c", code], check=False, timeout=60)
    assert done.returncode == -signal.Signals[end]


def test_limits_are_read_from_the_environment() -> None:
    usual = read_job_limits({}, has_owners=True)
    assert usual.processes >= 2
    assert usual.owner_processes < usual.processes
    alone = read_job_limits({PROCESSES: "3", SECONDS: "9", MEGABYTES: "512"}, has_owners=False)
    assert (alone.processes, alone.owner_processes) == (3, 3)
    assert (alone.seconds, alone.megabytes) == (9, 512)
    for wrong in ({PROCESSES: "0"}, {SECONDS: "soon"}, {MEGABYTES: "12"}):
        with pytest.raises(SettingsError):
            read_job_limits(wrong, has_owners=True)


def test_a_busy_server_says_when_to_come_back() -> None:
    answer = answer_error(ServerBusyError("the server has too much other work at the moment"))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, str(RETRY_SECONDS))
    assert answer_error(JobStoppedError("too long")).status_code == 422
    assert answer_error(JobCrashedError("ended")).status_code == 500


class StoppedJobs:
    """Jobs that always take too long."""

    async def run(self, kind: JobKind, arguments: Mapping[str, Json], data: bytes = b"") -> JobResult:
        raise JobStoppedError("too long")


class WaitingJobs:
    """Jobs that find no fault, once they may go on."""

    def __init__(self) -> None:
        self.asked, self.go_on = asyncio.Semaphore(0), asyncio.Semaphore(0)

    async def run(self, kind: JobKind, arguments: Mapping[str, Json], data: bytes = b"") -> JobResult:
        self.asked.release()
        await self.go_on.acquire()
        return JobResult([])


def refuse(*arguments: object, **more: object) -> NoReturn:
    raise AssertionError("the server compiles a game")


async def start_blocked(home: JobHome, owner: str = "") -> "asyncio.Task[JobResult]":
    """A job that waits for the campaign's lock, or for a process."""
    task = asyncio.create_task(home.pool.run(owner, JobKind.EXPORT, EXPORT))
    await asyncio.sleep(0)
    while not home.pool.processes:
        await asyncio.sleep(0)
    return task
