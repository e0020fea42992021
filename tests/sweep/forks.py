"""Forks: trials that may hang, crash or spoil their process, each in one of its own.

A trial gives a verdict as its exit code. It has no other way to speak to the process that started it.
"""

import faulthandler
import os
import resource
import signal
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import NoReturn, TypeVar

MEMORY_BYTES_MAX = 4 * 2**30
"""Address space of one trial: a mistake may ask for all there is."""

WALL_FACTOR = 20.0
"""How many times its processor time a trial may last, for one that waits rather than works."""

Job = TypeVar("Job")


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
    patience: Callable[[Job], float],
    stop_at: float,
    workers: int | None = None,
) -> Iterator[tuple[Job, Verdict]]:
    """Try every job in a process of its own until `stop_at`, so many at a time or one for each processor."""
    workers = workers or os.cpu_count() or 1
    running: dict[int, Job] = {}
    for job in jobs:
        if time.monotonic() > stop_at:
            break
        pid = os.fork()
        if pid == 0:
            _become(job, trial, patience(job))
        running[pid] = job
        if len(running) >= workers:
            yield _reap(running)
    while running:
        yield _reap(running)


def _reap(running: dict[int, Job]) -> tuple[Job, Verdict]:
    pid, status = os.wait()
    code = os.waitstatus_to_exitcode(status)
    job = running.pop(pid)
    if code < 0:
        return job, Verdict.STOPPED
    if code not in CODES:
        raise RuntimeError(f"a trial ended with exit code {code} and without a verdict: {job}")
    return job, CODES[code]


def _become(job: Job, trial: Callable[[Job], Verdict], seconds: float) -> NoReturn:
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
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, seconds * WALL_FACTOR)
        code = trial(job).value
    except SyntaxError:
        code = Verdict.STILLBORN.value
    except BaseException:  # The parent hears of it by the exit code and stops.
        os.write(errors, traceback.format_exc().encode())
    finally:
        os._exit(code)
