"""Host metrics: counters and durations of one process in Prometheus format, in a registry of its own.

Each label has a few fixed values. None contains a name, an id or a text that a player chose.
"""

from collections.abc import Mapping
from functools import partial
from time import perf_counter
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from talewright.common.json_values import Json
from talewright.hosting.operations.recovery_metrics import RecoveryMetrics
from talewright.hosting.operations.turn_observer import MEASURED_REFUSALS
from talewright.hosting.turn_jobs import BACKGROUND, TURNS
from talewright.llm.cost_meter import cost_by_profile
from talewright.llm.profiles import Profile
from talewright.llm.provider import Trouble
from talewright.llm.reply_chunks import Usage
from talewright.turn.turn_context import ASK, BEGIN, COMMIT, Runner, StepWork, TurnKey
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, Outcome, Unspent

STEP_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160)
"""Upper bounds of the duration buckets: from a commit to a model's slowest answer."""

STEPS: Final = (BEGIN, ASK, COMMIT)
OTHER_STEP: Final = "other"
ANSWERED: Final = "answered"
BROKEN_OFF: Final = "broken_off"
"""The result of a request that was abandoned before it ended."""

_KINDS: Final[Mapping[type[Outcome], str]] = {
    Committed: "committed",
    Unspent: "unspent",
    Degraded: "degraded",
    Failed: "failed",
}


class HostMetrics(RecoveryMetrics):
    """The metrics of one process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        super().__init__(self.registry)
        count, gauge = partial(_make_counter, self.registry), partial(_make_gauge, self.registry)
        self._turns = count("turns", "Turns that ended in this process.", "result", "reason")
        self._background = count("background_jobs", "Background work after turns that ended in this process.")
        self._steps = Histogram(
            "talewright_step_seconds",
            "How long the steps of turns took. Steps that a dead worker had done are not repeated.",
            ("step",),
            buckets=STEP_SECONDS,
            registry=self.registry,
        )
        self._asks = count("asks", "Requests to models, by result.", "result")
        self._tokens = count("tokens", "Tokens that models have read and written.", "kind")
        self._dollars = count("dollars", "What models have cost, where their prices are known.")
        self._redis_losses = count("redis_losses", "How often Redis was unreachable or had lost its data.")
        self._refused = count(
            "refused_requests",
            "Requests without a valid token, or over a quota, by status.",
            "status",
        )
        self._streams = gauge("open_streams", "Event streams open in this process.")
        self._queue = gauge("queue_length", "Jobs in the host's queues that no worker has taken.", "queue")
        self._waiting = gauge("waiting_inputs", "Accepted inputs on the host whose turn has not ended.")
        for queue in (TURNS, BACKGROUND):
            self._queue.labels(queue)
        for status in MEASURED_REFUSALS:
            self._refused.labels(str(status))
        for result in (ANSWERED, BROKEN_OFF, *Trouble):
            self._asks.labels(str(result))

    def write(self) -> bytes:
        """All metrics in Prometheus format."""
        return generate_latest(self.registry)

    def measure(self, runner: Runner) -> Runner:
        """A runner that reports how long its steps take."""
        return MeasuredRunner(runner, self)

    def step_ended(self, name: str, seconds: float) -> None:
        """A step was really run, not found among the stored ones."""
        step = name.partition(" ")[0]
        self._steps.labels(step if step in STEPS else OTHER_STEP).observe(seconds)

    def turn_ended(self, outcome: Outcome) -> None:
        """A turn has ended."""
        reason = "" if isinstance(outcome, Committed) else outcome.reason.value
        self._turns.labels(_KINDS[type(outcome)], reason).inc()

    def background_ended(self) -> None:
        """The work after a turn has ended."""
        self._background.inc()

    def ask_ended(self, result: str) -> None:
        """A request to a model has ended; the result is a kind of trouble, or one of the words above."""
        self._asks.labels(result).inc()

    def spent(self, usage: Usage, profile: Profile) -> None:
        """A request has cost something."""
        self._tokens.labels("input").inc(usage.input_tokens)
        self._tokens.labels("cached_input").inc(usage.cached_tokens)
        self._tokens.labels("output").inc(usage.output_tokens)
        self._dollars.inc(cost_by_profile(usage, profile) or 0.0)

    def redis_lost(self) -> None:
        """Redis does not answer, or has lost its data."""
        self._redis_losses.inc()

    def request_refused(self, status: int) -> None:
        """A request was refused."""
        self._refused.labels(str(status)).inc()

    def stream_opened(self) -> None:
        """An event stream was opened."""
        self._streams.inc()

    def stream_closed(self) -> None:
        """An event stream was closed."""
        self._streams.dec()

    def queues_seen(self, waiting: Mapping[str, int], open_turns: int) -> None:
        """How long the queues are, and how many turns have not ended."""
        for queue in (TURNS, BACKGROUND):
            self._queue.labels(queue).set(waiting.get(queue, 0))
        self._waiting.set(open_turns)


class MeasuredRunner:
    """Runs steps, and reports the duration of those that were not stored."""

    def __init__(self, runner: Runner, metrics: HostMetrics) -> None:
        self._runner = runner
        self._metrics = metrics

    async def run(self, key: TurnKey, name: str, step: StepWork) -> Json:
        """Run a step of an attempt, or return its stored result."""

        async def work() -> Json:
            begun = perf_counter()
            try:
                return await step()
            finally:
                self._metrics.step_ended(name, perf_counter() - begun)

        return await self._runner.run(key, name, work)


def _make_counter(registry: CollectorRegistry, name: str, meaning: str, *labels: str) -> Counter:
    return Counter(f"talewright_{name}", meaning, labels, registry=registry)


def _make_gauge(registry: CollectorRegistry, name: str, meaning: str, *labels: str) -> Gauge:
    return Gauge(f"talewright_{name}", meaning, labels, registry=registry)
