"""Served jobs: the heavy work of a server, which runs in other processes so that no request waits for it.

This is the port; it does not know how the processes are started or limited. On one's own machine, commands do
the same work in their own process.
"""

from collections.abc import Mapping
from enum import StrEnum
from typing import Protocol

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import TalewrightError

RETRY_SECONDS = 5
"""After how many seconds a client should repeat a request that was refused because the server is busy."""


class ServerBusyError(TalewrightError):
    """Too much work is waiting; the same request will succeed later."""


class JobStoppedError(TalewrightError):
    """A job needed more time or memory than the server allows."""


class JobCrashedError(TalewrightError):
    """The process of a job ended before the job did."""


class JobKind(StrEnum):
    """What a job does."""

    IMPORT = "import"
    EXPORT = "export"
    VERIFY = "verify"
    SEND_COPY = "send_copy"
    TAKE_COPY = "take_copy"
    IMPORT_SCENARIO = "import_scenario"
    COMPILE = "compile"
    CHECK = "check"
    """Compiles and lints a game."""


@frozen
class JobResult:
    """What a job returns: plain values only."""

    value: Json = None
    data: bytes = b""


class JobRunner(Protocol):
    """Runs the jobs of one owner."""

    async def run(self, kind: JobKind, arguments: Mapping[str, Json], data: bytes = b"") -> JobResult:
        """Run a job; cancelling the caller ends it.

        Raises ServerBusyError, JobStoppedError or JobCrashedError, or the job's own error as a RemoteError.
        """
