"""The job pool: runs the jobs of a server in a few processes, and ends those that take too long.

A process is started when a job needs one. If too many jobs are waiting, further ones are refused. A job that
is stopped, crashes or is cancelled ends with its process; the server continues.
"""

import asyncio
import logging
import os
import signal
import sys
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import field
from pathlib import Path
from typing import cast

from talewright.bootstrap.jobs.job_frames import OUT_OF_MEMORY, receive_frame, send_frame
from talewright.chronicle.store import StorageLimits
from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import SettingsError
from talewright.play.error_codes import RemoteError
from talewright.play.serving.served_jobs import (
    JobCrashedError,
    JobKind,
    JobResult,
    JobStoppedError,
    ServerBusyError,
)

PROCESSES = "TALEWRIGHT_JOB_PROCESSES"
SECONDS = "TALEWRIGHT_JOB_SECONDS"
MEGABYTES = "TALEWRIGHT_JOB_MEGABYTES"
"""The variables with the limits of jobs."""

PROCESSES_MAX = 64
SECONDS_MAX = 3600
MEGABYTES_MIN, MEGABYTES_MAX = 256, 1024 * 1024

JOBS_PER_PROCESS_MAX = 50
"""After how many jobs a process is replaced, so that what they left in memory does not add up."""

IDLE_SECONDS = 60.0
"""How long a process waits for the next job before it ends."""

MODULE = "talewright.bootstrap.jobs.job_process"
"""What a job process runs."""

INHERITED = frozenset(
    {"PATH", "HOME", "USERPROFILE", "SYSTEMROOT", "TEMP", "TMP", "TMPDIR", "LANG", "LC_ALL", "LC_CTYPE"}
    | {"PYTHONPATH", "PYTHONHOME", "VIRTUAL_ENV", "PYTHONDONTWRITEBYTECODE"}
)
"""The variables that a job process gets; all others may be secrets."""

DATABASE_PREFIX = "PG"
"""How the variables of PostgreSQL's clients begin; on a host, job processes need them as the node does."""

_STREAM_BYTES = 1024 * 1024
_log = logging.getLogger(__name__)


@frozen
class JobLimits:
    """How many jobs run at the same time, and what each may use."""

    processes: int = 2
    seconds: int = 120
    """How long a job may run, in processor time and by the clock."""

    megabytes: int = 2048
    """The address space of a job process."""

    owner_processes: int = 1
    """How many processes the jobs of one owner may use at the same time."""

    waiting: int = 32
    """How many jobs may wait for a process."""

    owner_waiting: int = 4
    wait_seconds: float = 30.0
    """How long a job may wait."""


@frozen
class JobPlaces:
    """Where the campaigns and games of a server are; all that its job processes learn from it."""

    games: tuple[Path, ...]
    cache: Path
    saves: Path = Path()
    git: bool = True
    """Whether the campaigns in the folder `saves` have a git history."""

    database: str = ""
    """On a host, the databases with the campaigns, as in the environment."""

    keys: str = field(default="", repr=False)
    """On a host, the sealing keys, as in the environment."""

    language: str = ""
    allowed: frozenset[str] | None = None
    """As in `FolderGameLibrary`."""

    storage: StorageLimits = StorageLimits()
    """What one owner may store: imports are bound by it too."""

    def to_json(self) -> dict[str, Json]:
        """As a message to a job process."""
        return {
            "games": [str(folder) for folder in self.games],
            "cache": str(self.cache),
            "saves": str(self.saves),
            "git": self.git,
            "database": self.database,
            "keys": self.keys,
            "language": self.language,
            "allowed": None if self.allowed is None else sorted(self.allowed),
            "campaigns_max": self.storage.campaigns,
            "bytes_max": self.storage.bytes,
        }


def read_job_limits(environment: Mapping[str, str], *, has_owners: bool) -> JobLimits:
    """The limits from the environment; by default as many processes as half the processors, but at least two.

    On a host, no owner can occupy all of them. Raises SettingsError.
    """
    usual = JobLimits()
    half = max((os.cpu_count() or 1) // 2, usual.processes)
    processes = _read_number(environment, PROCESSES, half, 1, PROCESSES_MAX)
    return JobLimits(
        processes=processes,
        seconds=_read_number(environment, SECONDS, usual.seconds, 1, SECONDS_MAX),
        megabytes=_read_number(environment, MEGABYTES, usual.megabytes, MEGABYTES_MIN, MEGABYTES_MAX),
        owner_processes=max(processes // 2, 1) if has_owners else processes,
        owner_waiting=usual.owner_waiting if has_owners else usual.waiting,
    )


def _read_number(environment: Mapping[str, str], name: str, usual: int, least: int, most: int) -> int:
    text = environment.get(name, "").strip()
    if not text:
        return usual
    if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
        raise SettingsError(f"{name} is {text[:80]!r}", f"Write a whole number from {least} to {most}.")
    return int(text)


class JobProcess:
    """A running process."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.jobs = 0
        """How many it has done."""

        self.ending: asyncio.TimerHandle | None = None
        """Ends it if it is not needed again soon."""

    @property
    def id(self) -> int:
        """Its number in the system."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended."""
        return self._process.returncode is None

    async def set_up(self, places: JobPlaces, limits: JobLimits) -> None:
        """Tell it where it works and within which limits; called once, before the first job."""
        assert self._process.stdin is not None
        setting: dict[str, Json] = {
            "places": places.to_json(),
            "megabytes": limits.megabytes,
            "seconds": limits.seconds,
        }
        # If it has ended already, the first job finds out why.
        with suppress(ConnectionError):
            await send_frame(self._process.stdin, setting)

    async def ask(self, members: Mapping[str, Json], data: bytes) -> tuple[dict[str, Json], bytes]:
        """Have a job done. Raises JobStoppedError or JobCrashedError if the process ends instead."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self.jobs += 1
        try:
            await send_frame(self._process.stdin, members, data)
            return await receive_frame(self._process.stdout)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise _tell_end(await self._process.wait()) from None

    def kill(self) -> None:
        """End it and everything it has started, at once."""
        if self.ending is not None:
            self.ending.cancel()
        if not self.is_alive:
            # By now, its number may belong to another process.
            return
        with suppress(ProcessLookupError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:  # pragma: no cover - another system
                self._process.kill()

    async def wait(self) -> None:
        """Wait until a killed process has ended, and close its pipes."""
        await self._process.wait()
        assert self._process.stdin is not None
        self._process.stdin.close()
        with suppress(ConnectionError):
            await self._process.stdin.wait_closed()


def _tell_end(exit_code: int) -> JobStoppedError | JobCrashedError:
    """Why a process ended before its job did."""
    if exit_code == OUT_OF_MEMORY:
        return too_large()
    if hasattr(signal, "SIGXCPU") and exit_code in (-signal.SIGXCPU, -signal.SIGALRM):
        return took_too_long()
    _log.error("a job process ended with the exit code %s", exit_code)
    return JobCrashedError(
        "the process that did this ended unexpectedly; nothing was changed, or everything was done",
        "Check the list of campaigns, then try once more. The server's log has the details.",
    )


def took_too_long() -> JobStoppedError:
    """The error of a job that needed too much time."""
    return JobStoppedError(
        "this took longer than the server allows, so it was stopped",
        f"Send less, or do it with the command line. The server's operator can raise {SECONDS}.",
    )


def too_large() -> JobStoppedError:
    """The error of a job that needed too much memory."""
    return JobStoppedError(
        "this needed more memory than the server allows, so it was stopped",
        f"Send less, or do it with the command line. The server's operator can raise {MEGABYTES}.",
    )


def _busy() -> ServerBusyError:
    return ServerBusyError(
        "the server has too much other work at the moment", "Try again in a few seconds; nothing was changed."
    )


class JobPool:
    """The processes of one server."""

    def __init__(self, places: JobPlaces, limits: JobLimits, environment: Mapping[str, str]) -> None:
        self._places = places
        self._limits = limits
        self._environment = {
            name: value
            for name, value in environment.items()
            if name in INHERITED or (places.database and name.startswith(DATABASE_PREFIX))
        }
        self._idle: list[JobProcess] = []
        self._busy: set[JobProcess] = set()
        self._running: Counter[str] = Counter()
        """Jobs that have a process, by owner."""

        self._waiting: list[tuple[str, asyncio.Future[None]]] = []
        self._ending: set[asyncio.Task[None]] = set()

    @property
    def processes(self) -> tuple[int, ...]:
        """The ids of the processes that are working or waiting for work."""
        return tuple(one.id for one in (*self._idle, *self._busy) if one.is_alive)

    def for_owner(self, owner: str) -> "OwnerJobs":
        """The pool as one owner uses it."""
        return OwnerJobs(self, owner)

    async def run(
        self, owner: str, kind: JobKind, arguments: Mapping[str, Json], data: bytes = b""
    ) -> JobResult:
        """Run a job, as `JobRunner` says."""
        async with self._take_turn(owner):
            process = self._find_idle() or await self._start()
            self._busy.add(process)
            try:
                async with asyncio.timeout(self._limits.seconds):
                    if not process.jobs:
                        await process.set_up(self._places, self._limits)
                    asked: dict[str, Json] = {
                        "kind": kind.value,
                        "owner": owner,
                        "arguments": dict(arguments),
                    }
                    answer, sent = await process.ask(asked, data)
                self._put_back(process)
            except TimeoutError:
                raise took_too_long() from None
            finally:
                # Whatever went wrong, its process is not used again.
                if process in self._busy:
                    self._end(process)
        told = cast(Mapping[str, str] | None, answer.get("error"))
        if told is not None:
            raise RemoteError(told["code"], told["message"], told["hint"])
        return JobResult(answer["value"], sent)

    async def close(self) -> None:
        """End all processes."""
        for process in (*self._idle, *self._busy):
            self._end(process)
        self._idle.clear()
        while self._ending:
            await asyncio.wait(self._ending)

    @asynccontextmanager
    async def _take_turn(self, owner: str) -> AsyncIterator[None]:
        """Wait for a free process. Raises ServerBusyError if too many are waiting, or for too long."""
        if self._has_room(owner):
            self._running[owner] += 1
        else:
            await self._wait(owner)
        try:
            yield
        finally:
            self._release(owner)

    def _has_room(self, owner: str) -> bool:
        free = self._running.total() < self._limits.processes
        return free and self._running[owner] < self._limits.owner_processes

    def _release(self, owner: str) -> None:
        """Let the next one continue whose owner may use another process."""
        self._running[owner] -= 1
        # Owners without jobs are forgotten.
        self._running = +self._running
        for place in self._waiting:
            if self._has_room(place[0]):
                self._waiting.remove(place)
                # Taken at once, before anyone else comes.
                self._running[place[0]] += 1
                place[1].set_result(None)
                return

    async def _wait(self, owner: str) -> None:
        own = sum(one == owner for one, _ in self._waiting)
        if len(self._waiting) >= self._limits.waiting or own >= self._limits.owner_waiting:
            raise _busy()
        free: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        place = owner, free
        self._waiting.append(place)
        is_taken = False
        try:
            async with asyncio.timeout(self._limits.wait_seconds):
                await free
            is_taken = True
        except TimeoutError:
            raise _busy() from None
        finally:
            if place in self._waiting:
                self._waiting.remove(place)
            elif not is_taken:
                # It was given a process at the moment in which it gave up.
                self._release(owner)

    def _find_idle(self) -> JobProcess | None:
        while self._idle:
            process = self._idle.pop()
            if process.ending is not None:
                process.ending.cancel()
                process.ending = None
            if process.is_alive:
                return process
            self._end(process)
        return None

    async def _start(self) -> JobProcess:
        started = await asyncio.create_subprocess_exec(
            sys.executable,
            # The current folder may contain anything; no module is loaded from it.
            "-P",
            "-m",
            MODULE,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            env={**self._environment, "MALLOC_ARENA_MAX": "2"},
            limit=_STREAM_BYTES,
            # Ctrl-C in a terminal is for the server, which then ends its processes.
            start_new_session=True,
        )
        return JobProcess(started)

    def _put_back(self, process: JobProcess) -> None:
        if process.jobs >= JOBS_PER_PROCESS_MAX:
            self._end(process)
            return
        self._busy.discard(process)
        self._idle.append(process)
        process.ending = asyncio.get_running_loop().call_later(IDLE_SECONDS, self._end, process)

    def _end(self, process: JobProcess) -> None:
        """End a process without waiting for it."""
        process.kill()
        self._busy.discard(process)
        if process in self._idle:
            self._idle.remove(process)
        task = asyncio.ensure_future(process.wait())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)


@frozen
class OwnerJobs:
    """A JobRunner for one owner."""

    pool: JobPool
    owner: str

    async def run(self, kind: JobKind, arguments: Mapping[str, Json], data: bytes = b"") -> JobResult:
        """Run a job of this owner."""
        return await self.pool.run(self.owner, kind, arguments, data)
