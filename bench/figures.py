"""Figures: the frame every bench uses, from interleaved rounds to `ok` or `short`.

It knows nothing of what is measured, and compares only what ran in one process.
"""

import gc
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from time import perf_counter, process_time

ROUNDS = 15
"""Rounds in which every case is sampled once, one case after the other."""

SAMPLE_SECONDS = 0.02
"""How long one sample lasts at least: a case is called as often as that takes."""

CALLS_MAX = 1_000_000
"""Calls of one case within one sample."""


class Direction(StrEnum):
    """Which side of its limit a figure must stay on."""

    AT_MOST = "at most"
    AT_LEAST = "at least"


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number and the limit it must keep."""

    name: str
    """One word without spaces, such as `judge_vs_jsonpatch`."""

    value: float
    limit: float
    direction: Direction

    @property
    def ok(self) -> bool:
        """Whether the limit is kept; reaching it exactly is enough."""
        return self.value <= self.limit if self.direction is Direction.AT_MOST else self.value >= self.limit

    @property
    def strain(self) -> float:
        """How near the limit is: 1 at the limit, more where the figure is short."""
        good, bad = (
            (self.limit, self.value) if self.direction is Direction.AT_MOST else (self.value, self.limit)
        )
        return bad / good if good > 0 else float("inf")

    def line(self) -> str:
        """`name value limit ok|short`, as the last line of a bench gives it."""
        return f"{self.name} {self.value:.4g} {self.limit:.4g} {'ok' if self.ok else 'short'}"


def at_most(name: str, value: float, limit: float) -> Figure:
    """A figure that must not be larger than its limit."""
    return Figure(name, value, limit, Direction.AT_MOST)


def at_least(name: str, value: float, limit: float) -> Figure:
    """A figure that must not be smaller than its limit."""
    return Figure(name, value, limit, Direction.AT_LEAST)


@dataclass(frozen=True, slots=True)
class Timings:
    """Seconds of one call of each case, one entry a round."""

    seconds: Mapping[str, Sequence[float]]

    def median(self, name: str) -> float:
        """Seconds of one call of a case."""
        return statistics.median(self.seconds[name])

    def ratio(self, name: str, base: str) -> float:
        """How many times the base a case takes: the median over rounds, so that a slow second hits both."""
        pairs = zip(self.seconds[name], self.seconds[base], strict=True)
        return statistics.median(one / other for one, other in pairs)

    def show(self) -> None:
        """Print the absolute values."""
        for name in self.seconds:
            median = self.median(name)
            print(f"  {name}: {_duration(median)} a call, {1 / median:,.0f} a second")


def measure(
    cases: Mapping[str, Callable[[], object]],
    *,
    rounds: int = ROUNDS,
    sample_seconds: float = SAMPLE_SECONDS,
    clock: Callable[[], float] = process_time,
) -> Timings:
    """Time every case in interleaved rounds; the first, unrecorded round warms up and sets the call counts.

    The clock is the processor time of this process, so that neighbours on the machine count little; hand in
    `perf_counter` where waiting is part of the figure. The garbage collector rests within a sample.
    """
    calls = {name: _calibrate(case, sample_seconds) for name, case in cases.items()}
    seconds: dict[str, list[float]] = {name: [] for name in cases}
    names = list(cases)
    for turn in range(rounds):
        # Each round starts with another case: what the first leaves in the caches helps no case twice.
        start = turn % len(names)
        for name in names[start:] + names[:start]:
            seconds[name].append(_sample(cases[name], calls[name], clock) / calls[name])
    return Timings(seconds)


def report(figures: Sequence[Figure]) -> int:
    """Print every figure, the one nearest its limit last; 1 if any is short, else 0."""
    ordered = sorted(figures, key=lambda figure: figure.strain)
    for figure in ordered:
        print(f"  {figure.name}: {figure.value:.4g}, {figure.direction.value} {figure.limit:.4g}")
    print(ordered[-1].line())
    return 0 if all(figure.ok for figure in figures) else 1


def _calibrate(case: Callable[[], object], sample_seconds: float) -> int:
    """How many calls fill one sample. The first call pays for imports and caches, so it is not counted."""
    case()
    calls = 1
    while calls < CALLS_MAX:
        taken = _sample(case, calls, perf_counter)
        if taken >= sample_seconds:
            break
        calls = min(CALLS_MAX, max(calls * 2, int(calls * sample_seconds / max(taken, 1e-7)) + 1))
    return calls


def _sample(case: Callable[[], object], calls: int, clock: Callable[[], float]) -> float:
    gc.collect()
    gc.disable()
    try:
        start = clock()
        for _ in range(calls):
            case()
        return clock() - start
    finally:
        gc.enable()


def _duration(seconds: float) -> str:
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds / 1e-9:.3g} ns"
