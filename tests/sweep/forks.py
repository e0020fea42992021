"""Forks: trials that may hang, crash or spoil their process, each in one of its own.

A trial gives a verdict as its exit code. It has no other way to speak to the process that started it. What
it started, and left running when it was stopped, is stopped too.
"""

import ctypes
import faulthandler
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import NoReturn, TypeVar

MEMORY_BYTES_MAX = 4 * 2**30
"""Address space of one trial: a mistake may ask for all there is."""

ADOPT_ORPHANS = 36
"""`PR_SET_CHILD_SUBREAPER` of Linux: processes whose parent has ended become children of the caller."""

Job = TypeVar("Job")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a trial may work, and how long it may last: one that waits needs no processor."""

    processor: float
    wall: float


class Verdict(Enum):
    """What became of a mutant. The numbers are exit codes that nothing else uses."""

    KILLED = 40
    """A test failed, as it should."""

    SURVIVED = 41
    """No test noticed."""

    STOPPED = 42
    """It hung or crashed, which a person at the tests would notice."""

    UNCOVERED = 43
    """No test runs its lines."""

    UNFIT = 44
    """It cannot be tried in this way."""

    STILLBORN = 45
    """It does not compile, and does not count."""


CODES = {verdict.value: verdict for verdict in Verdict}


def run_forked(
    jobs: Iterable[Job],
    trial: Callable[[Job], Verdict],
    patience: Callable[[Job], Patience],
    stop_at: float,
    workers: int | None = None,
) -> Iterator[tuple[Job, Verdict]]:
    """Try every job in a process of its own until `stop_at`, so many at a time or one for each processor."""
    workers = workers or os.cpu_count() or 1
    running: dict[int, Job] = {}
    before = find_children()
    adopt_orphans(adopt=True)
    try:
        for job in jobs:
            if time.monotonic() > stop_at:
                break
            pid = os.fork()
            if pid == 0:
                _become(job, trial, patience(job))
            running[pid] = job
            if len(running) >= workers:
                yield _reap(running, before)
        while running:
            yield _reap(running, before)
    finally:
        adopt_orphans(adopt=False)


def adopt_orphans(*, adopt: bool) -> None:
    """Become the parent of what a trial leaves running, or stop that. Only Linux has a way to ask for it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(ADOPT_ORPHANS, int(adopt), 0, 0, 0)


def find_children() -> set[int]:
    """The children of this process; none where the system does not list them."""
    lists = Path("/proc/self/task").glob("*/children")
    return {int(pid) for children in lists for pid in children.read_text().split()}


def _reap(running: dict[int, Job], before: set[int]) -> tuple[Job, Verdict]:
    pid, status = os.wait()
    while pid not in running:
        pid, status = os.wait()
    code = os.waitstatus_to_exitcode(status)
    job = running.pop(pid)
    for orphan in find_children() - before - set(running):
        with suppress(ProcessLookupError, ChildProcessError):
            os.kill(orphan, signal.SIGKILL)
            os.waitpid(orphan, 0)
    if code < 0:
        return job, Verdict.STOPPED
    if code not in CODES:
        raise RuntimeError(f"a trial ended with exit code {code} and without a verdict: {job}")
    return job, CODES[code]


def _become(job: Job, trial: Callable[[Job], Verdict], patience: Patience) -> NoReturn:
    """Run one trial in this process and end it."""
    code = 1
    errors = os.dup(2)
    try:
        faulthandler.disable()
        nothing = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nothing, stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES_MAX, MEMORY_BYTES_MAX))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        # Processor time, because the machine may be busy. Unhandled, either signal ends the process.
        signal.setitimer(signal.ITIMER_PROF, patience.processor)
        signal.setitimer(signal.ITIMER_REAL, patience.wall)
        code = trial(job).value
    except SyntaxError:
        code = Verdict.STILLBORN.value
    except BaseException:  # The parent hears of it by the exit code and stops.
        os.write(errors, traceback.format_exc().encode())
    finally:
        os._exit(code)
