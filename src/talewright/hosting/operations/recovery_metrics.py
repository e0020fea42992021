"""Recovery metrics: what a process counts about lost turns and about its background tasks.

They are part of the metrics of a process.
"""

from prometheus_client import CollectorRegistry, Counter, Gauge

from talewright.hosting.operations.turn_observer import TurnObserver


class RecoveryMetrics(TurnObserver):
    """The part of a process's metrics that shows whether anything is left behind."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self.failing_tasks: dict[str, bool] = {}
        """The background tasks of this process, and whether each is failing."""

        self._recovered = Counter(
            "talewright_recovered_turns", "Turns of dead workers that were resumed.", registry=registry
        )
        self._lost = Counter(
            "talewright_lost_executions",
            "Jobs that were put back into their queue, because they could not go on.",
            registry=registry,
        )
        self._strays = Gauge(
            "talewright_stray_inputs",
            "Saved inputs in no queue, as the leading worker sees them.",
            registry=registry,
        )
        self._retaken = Counter(
            "talewright_retaken_inputs", "Saved inputs in no queue that were queued again.", registry=registry
        )
        self._task_failures = Counter(
            "talewright_task_failures",
            "How often background tasks failed, by task.",
            ("task",),
            registry=registry,
        )

    def turns_recovered(self, count: int) -> None:
        """Turns of dead workers continue."""
        self._recovered.inc(count)

    def execution_lost(self) -> None:
        """A workflow was put back into its queue."""
        self._lost.inc()

    def strays_seen(self, count: int) -> None:
        """So many accepted inputs are in no queue."""
        self._strays.set(count)

    def inputs_retaken(self, count: int) -> None:
        """Some of them were queued again."""
        self._retaken.inc(count)

    def task_working(self, name: str) -> None:
        """A background task works."""
        self.failing_tasks[name] = False
        self._task_failures.labels(name)

    def task_failed(self, name: str) -> None:
        """A background task has failed, and is started again."""
        self.failing_tasks[name] = True
        self._task_failures.labels(name).inc()
