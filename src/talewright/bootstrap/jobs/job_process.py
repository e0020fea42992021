"""The job process: does the jobs of a server one after the other, within limits of memory and time.

It gets what its jobs need through a pipe, and neither tokens nor keys of models. It ends with its server.
"""

import asyncio
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import BinaryIO, cast

from talewright.bootstrap.jobs.job_frames import OUT_OF_MEMORY, read_frame, write_frame
from talewright.common.json_values import Json
from talewright.errors import TalewrightError
from talewright.play.error_codes import code_of
from talewright.play.serving.served_jobs import JobKind

ALARM_SPARE_SECONDS = 5
"""How much later than its server the process ends a job by itself, in case the server is gone."""

try:
    import resource
except ImportError:  # pragma: no cover - another system, where only the server's clock limits a job
    resource = None  # type: ignore[assignment]


def limit_memory(megabytes: int) -> None:
    """Limit the memory of this process for good, where the system can."""
    if resource is not None:
        size = megabytes * 1024 * 1024
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        # A core dump would contain an owner's data.
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def limit_time(seconds: int) -> None:
    """End this process if the next job takes longer, in processor time or by the clock."""
    if resource is not None:
        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime) + seconds + 1, hard))
        signal.setitimer(signal.ITIMER_REAL, seconds + ALARM_SPARE_SECONDS)


def stop_clock() -> None:
    """No job is running."""
    if resource is not None:
        signal.setitimer(signal.ITIMER_REAL, 0)


def work(source: BinaryIO, out: BinaryIO) -> None:
    """Do jobs until the server closes the pipe. An unexpected error ends the process, and is in its log."""
    first = read_frame(source)
    if first is None:
        return
    setting = first[0]
    limit_memory(cast(int, setting["megabytes"]))
    # Loaded within the limit of memory.
    from talewright.bootstrap.jobs.job_table import JobGround, run_job

    with asyncio.Runner() as runner:
        ground = JobGround(cast(Mapping[str, Json], setting["places"]))
        while (given := read_frame(source)) is not None:
            asked, data = given
            kind, owner = JobKind(cast(str, asked["kind"])), cast(str, asked["owner"])
            limit_time(cast(int, setting["seconds"]))
            try:
                done = runner.run(
                    run_job(ground, kind, owner, cast(Mapping[str, Json], asked["arguments"]), data)
                )
            except TalewrightError as error:
                told = {"code": code_of(error), "message": error.message, "hint": error.hint}
                write_frame(out, {"error": told})
            else:
                write_frame(out, {"value": done.value}, done.data)
                del done
            del given, data
            stop_clock()
        runner.run(ground.close())


def main() -> None:
    """Work on the standard pipes; whatever code prints goes to the standard error."""
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        with suppress(BrokenPipeError):
            work(sys.stdin.buffer, out)
    except MemoryError:
        # Nothing more may need memory.
        os._exit(OUT_OF_MEMORY)


if __name__ == "__main__":
    main()
