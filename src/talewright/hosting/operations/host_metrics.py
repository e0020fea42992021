"""Host metrics: counters and durations of one process in Prometheus format, in a registry of its own.

Each label has a few fixed values. None contains a name, an id or a text that a player chose.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from time import perf_counter
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    Info,
    ProcessCollector,
    generate_latest,
)

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.hosting.operations.recovery_metrics import RecoveryMetrics
from talewright.hosting.operations.turn_observer import MEASURED_REFUSALS
from talewright.hosting.turn_jobs import BACKGROUND, TURNS
from talewright.llm.cost_meter import cost_by_profile
from talewright.llm.profiles import Profile
from talewright.llm.provider import Trouble
from talewright.llm.reply_chunks import Usage
from talewright.turn.engine_number import ENGINE_NUMBER
from talewright.turn.turn_context import ASK, BEGIN, COMMIT, Runner, StepWork, TurnKey
from talewright.turn.turn_outcomes import Committed, Degraded, Failed, Outcome, Unspent
from talewright.version import __version__

STEP_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 40, 80, 160)
"""Upper bounds of the duration buckets: from a commit to a model's slowest answer."""

TURN_SECONDS: Final = (0.5, 1, 2.5, 5, 10, 15, 20, 30, 45, 60, 90, 120, 180, 300, 600)
WAIT_SECONDS: Final = (0.05, 0.25, 1, 2.5, 5, 10, 20, 30, 45, 60)
REQUEST_SECONDS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30)

METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER_METHOD: Final = "other"

DATABASE: Final = "database"
REDIS: Final = "redis"

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


@frozen
class HostSample:
    """What the databases say about the whole host."""

    waiting: Mapping[str, int]
    """By queue: how many jobs no worker has taken."""

    oldest_seconds: Mapping[str, float]
    """By queue: how long the oldest of them has waited."""

    open_turns: int
    workers: Mapping[str, int]
    """By engine number: how many workers are alive."""


@frozen
class PoolUse:
    """The connections of a pool."""

    used: int
    size: int
    waiting: int = 0
    """How many callers wait for a connection."""


class HostMetrics(RecoveryMetrics):
    """The metrics of one process."""

    def __init__(self, role: str = "") -> None:
        """`role` is what this process is: `node` or `worker`."""
        self.is_serving: Callable[[], bool] = lambda: False
        """Whether the process takes requests or turns, for `/readyz`."""

        self.registry = CollectorRegistry()
        super().__init__(self.registry)
        count, gauge = partial(_make_counter, self.registry), partial(_make_gauge, self.registry)
        times = partial(_make_histogram, self.registry)
        build = {"version": __version__, "engine": str(ENGINE_NUMBER), "role": role}
        Info("talewright_build", "The program that runs here.", registry=self.registry).info(build)
        # Memory, processor time and open files, as Prometheus names them everywhere.
        ProcessCollector(registry=self.registry)
        self._turns = count("turns", "Turns that ended in this process.", "result", "reason")
        self._background = count("background_jobs", "Background work after turns that ended in this process.")
        meaning = "How long turns took, from the accepted input to their end."
        self._turn_seconds = times("turn_seconds", meaning, TURN_SECONDS, "result")
        self._steps = times(
            "step_seconds",
            "How long the steps of turns took. Steps that a dead worker had done are not repeated.",
            STEP_SECONDS,
            "step",
        )
        self._place_seconds = times(
            "place_wait_seconds", "How long requests waited for a place with their model.", WAIT_SECONDS
        )
        self._place_waits = gauge("place_waiting", "Requests that wait for a place with their model.")
        self._requests = times(
            "http_seconds",
            "How long HTTP requests took; streams count until they begin.",
            REQUEST_SECONDS,
            "kind",
            "method",
            "status",
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
        self.servers = ServerMetrics(self.registry)
        for status in MEASURED_REFUSALS:
            self._refused.labels(str(status))
        for result in (ANSWERED, BROKEN_OFF, *Trouble):
            self._asks.labels(str(result))

    def write(self) -> bytes:
        """All metrics in Prometheus format."""
        self.servers.read_pools()
        return generate_latest(self.registry)

    def measure(self, runner: Runner) -> Runner:
        """A runner that reports how long its steps take."""
        return MeasuredRunner(runner, self)

    def step_ended(self, name: str, seconds: float) -> None:
        """A step was really run, not found among the stored ones."""
        step = name.partition(" ")[0]
        self._steps.labels(step if step in STEPS else OTHER_STEP).observe(seconds)

    def turn_ended(self, outcome: Outcome, seconds: float) -> None:
        """A turn has ended."""
        reason = "" if isinstance(outcome, Committed) else outcome.reason.value
        self._turns.labels(name_result(outcome), reason).inc()
        self._turn_seconds.labels(name_result(outcome)).observe(seconds)

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

    @contextmanager
    def measure_wait(self) -> Iterator[None]:
        """Measures how long a request waits for its place with a model."""
        begun = perf_counter()
        with self._place_waits.track_inprogress():
            try:
                yield
            finally:
                self._place_seconds.observe(perf_counter() - begun)

    def request_ended(self, kind: str, method: str, status: int, seconds: float) -> None:
        """A request was answered."""
        known = method if method in METHODS else OTHER_METHOD
        self._requests.labels(kind, known, str(status)).observe(seconds)
        if status in MEASURED_REFUSALS:
            self._refused.labels(str(status)).inc()

    def stream_opened(self) -> None:
        """An event stream was opened."""
        self._streams.inc()

    def stream_closed(self) -> None:
        """An event stream was closed."""
        self._streams.dec()


class ServerMetrics:
    """What the databases say about the whole host, and how this process reaches its servers."""

    def __init__(self, registry: CollectorRegistry) -> None:
        gauge = partial(_make_gauge, registry)
        self._queue = gauge("queue_length", "Jobs in the host's queues that no worker has taken.", "queue")
        self._waiting = gauge("waiting_inputs", "Accepted inputs on the host whose turn has not ended.")
        self._oldest = gauge(
            "oldest_queued_seconds", "How long the oldest job that no worker has taken has waited.", "queue"
        )
        self._workers = gauge("live_workers", "Workers of the host that are alive.", "engine")
        self._up = gauge("server_up", "Whether all servers of this kind answer this process.", "server")
        self._pool_used = gauge("pool_used", "Connections in use.", "pool")
        self._pool_size = gauge("pool_size", "Connections that a pool may open.", "pool")
        self._pool_waiting = gauge("pool_waiting", "Callers that wait for a connection.", "pool")
        self._pools: dict[str, Callable[[], Sequence[PoolUse]]] = {}
        for queue in (TURNS, BACKGROUND):
            self._queue.labels(queue)
            self._oldest.labels(queue)

    def watch_pool(self, name: str, read: Callable[[], Sequence[PoolUse]]) -> None:
        """Show the connections of pools, read whenever the metrics are."""
        self._pools[name] = read

    def server_seen(self, server: str, *, is_up: bool) -> None:
        """Whether the databases, or Redis, answer."""
        self._up.labels(server).set(is_up)

    def host_seen(self, sample: HostSample) -> None:
        """How long the queues are, how many turns have not ended, and which workers are alive."""
        for queue in (TURNS, BACKGROUND):
            self._queue.labels(queue).set(sample.waiting.get(queue, 0))
            self._oldest.labels(queue).set(sample.oldest_seconds.get(queue, 0.0))
        self._waiting.set(sample.open_turns)
        self._workers.clear()
        for engine, workers in sample.workers.items():
            self._workers.labels(engine).set(workers)

    def read_pools(self) -> None:
        """Look at the pools."""
        for name, read in self._pools.items():
            uses = read()
            self._pool_used.labels(name).set(sum(one.used for one in uses))
            self._pool_size.labels(name).set(sum(one.size for one in uses))
            self._pool_waiting.labels(name).set(sum(one.waiting for one in uses))


def name_result(outcome: Outcome) -> str:
    """The kind of an outcome, in one word."""
    return _KINDS[type(outcome)]


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


def _make_histogram(
    registry: CollectorRegistry, name: str, meaning: str, buckets: Sequence[float], *labels: str
) -> Histogram:
    return Histogram(f"talewright_{name}", meaning, labels, buckets=buckets, registry=registry)
