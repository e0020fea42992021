"""The turn observer: what a worker reports about its turns while it works; by default nothing listens.

An observer gets results, step names and durations, but never story text.
"""

import logging
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime

from talewright.hosting.operations.json_logs import log_event
from talewright.hosting.turn_jobs import TurnJob
from talewright.turn.turn_context import Runner
from talewright.turn.turn_outcomes import Committed, Outcome

MEASURED_REFUSALS = (401, 429, 507)
"""The statuses of requests without a valid token, over a rate, and over the space of their owner."""


_LOG = logging.getLogger(__name__)


class TurnObserver:
    """Observes one process. This one ignores everything.

    Every method is called while a turn runs: it must return at once and raise nothing.
    """

    def measure(self, runner: Runner) -> Runner:
        """A runner that reports how long its steps take."""
        return runner

    def turn_ended(self, outcome: Outcome, seconds: float) -> None:
        """A turn has ended here, so many seconds after its input was accepted. A turn that a dead worker had
        already committed counts again when it is recovered.
        """

    def background_ended(self) -> None:
        """The work after a turn has ended."""

    def turns_recovered(self, count: int) -> None:
        """Turns of dead workers continue."""

    def execution_lost(self) -> None:
        """A workflow was put back into its queue, because it could not continue here."""

    def strays_seen(self, count: int) -> None:
        """So many accepted inputs are in no queue; only the leading worker looks for them."""

    def inputs_retaken(self, count: int) -> None:
        """Accepted inputs that were in no queue were queued again."""

    def task_working(self, name: str) -> None:
        """A background task of this process works."""

    def task_failed(self, name: str) -> None:
        """A background task of this process has failed, and is started again."""

    def redis_lost(self) -> None:
        """Redis does not answer, or has lost its data."""

    def measure_wait(self) -> AbstractContextManager[None]:
        """Measures how long a request waits for its place with a model."""
        return nullcontext()

    def request_ended(self, kind: str, method: str, status: int, seconds: float) -> None:
        """A request was answered; a stream has begun."""

    def stream_opened(self) -> None:
        """An event stream was opened."""

    def stream_closed(self) -> None:
        """An event stream was closed."""


SILENT = TurnObserver()
"""The observer for tests, and for parts that are used on their own."""


def report_turn(observer: TurnObserver, order: TurnJob, outcome: Outcome, since: str, now: str) -> None:
    """Report that a turn has ended which began at a time in ISO 8601, and log it if it has failed."""
    observer.turn_ended(outcome, _count_seconds(since, now))
    if not isinstance(outcome, Committed):
        log_event(
            _LOG,
            "turn_failed",
            logging.WARNING,
            operation=order.operation_id,
            owner=order.owner,
            attempt=order.try_number,
            reason=outcome.reason.value,
        )


def _count_seconds(since: str, now: str) -> float:
    """The seconds between two times; zero if one of them, in an imported campaign, is not a time."""
    try:
        return max((datetime.fromisoformat(now) - datetime.fromisoformat(since)).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return 0.0
