"""Workers: the chunks of one part, run in as many processes as there are processors.

It knows nothing of what a part checks. The first failure stops the part.
"""

import multiprocessing
import os
import time
import traceback
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing.sharedctypes import Synchronized

from tests.sweep.ledger import Chunks
from tests.sweep.parts import Order, Outcome, Part, Run

REPORT_SECONDS = 5.0
"""How often a line of progress is printed."""

counter: "Synchronized[int] | None" = None
"""Examples done by all workers; set in each worker by `_adopt`, and used by no one else."""


def sweep_chunks(part: Part, order: Order, chunks: Chunks, say: Callable[[str], None] = print) -> Outcome:
    """Run the chunks that are not done yet until all are, one fails, or the time is up."""
    assert part.run is not None
    total = part.full_count if order.count is None else order.count
    waiting = iter(list(_missing(total, part.chunk, chunks)))
    context = multiprocessing.get_context("fork")
    shared = context.Value("q", chunks.done)
    meter = Meter(part.name, chunks.done, total, say)
    workers = os.cpu_count() or 1
    slowest, failure = 0.0, ""
    with ProcessPoolExecutor(workers, context, _adopt, (shared,)) as pool:
        running: dict[Future[tuple[float, int, str]], int] = {}
        while True:
            while len(running) < workers and not failure and meter.elapsed + slowest < order.seconds:
                number, count = next(waiting, (-1, 0))
                if number < 0:
                    break
                running[pool.submit(_run_chunk, part.run, count, order.seed + number)] = number
            if not running:
                break
            for future in wait(running, REPORT_SECONDS, FIRST_COMPLETED).done:
                number = running.pop(future)
                seconds, checked, problem = future.result()
                slowest = max(slowest, seconds)
                if problem:
                    failure = failure or f"chunk {number}, seed {order.seed + number}: {problem}"
                else:
                    chunks.add(number, checked, seconds / workers)
            meter.show(shared.value)
    meter.show(chunks.done, at_once=True)
    return Outcome(min(chunks.done, total), total, chunks.seconds, failure)


class Meter:
    """Prints how far a part is, how fast it goes and how long it will take."""

    def __init__(self, name: str, done: int, total: int, say: Callable[[str], None]) -> None:
        self.name, self.total, self.say = name, total, say
        self.first_done, self.started = done, time.monotonic()
        self.shown, self.last = self.started, -1

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return time.monotonic() - self.started

    def show(self, done: int, *, at_once: bool = False) -> None:
        """Print a line, if the last is old enough."""
        if (time.monotonic() - self.shown < REPORT_SECONDS and not at_once) or (
            at_once and done == self.last
        ):
            return
        self.shown, self.last = time.monotonic(), done
        rate = (done - self.first_done) / max(self.elapsed, 1e-9)
        left = f", {max(0, self.total - done) / rate:,.0f} s left" if rate > 0 else ""
        speed = f"{rate:,.0f}" if rate >= 10 else f"{rate:.2f}"
        share = done / self.total if self.total else 1.0
        self.say(f"{self.name}: {done:,} of {self.total:,} ({share:.0%}), {speed} a second{left}")


def _missing(total: int, size: int, chunks: Chunks) -> Iterator[tuple[int, int]]:
    """Number and count of each chunk that has not been done in full."""
    for number, first in enumerate(range(0, total, size)):
        count = min(size, total - first)
        if chunks.counts.get(number, 0) < count:
            yield number, count


def _adopt(shared: "Synchronized[int]") -> None:
    global counter  # A worker process has no other way to be handed it.
    counter = shared


def _run_chunk(run: Run, count: int, seed: int) -> tuple[float, int, str]:
    """Seconds, examples checked, and the failure if there is one."""
    told = 0

    def progress(done: int) -> None:
        nonlocal told
        if counter is not None:
            with counter.get_lock():
                counter.value += done - told
        told = done

    started = time.monotonic()
    try:
        checked = run(count, seed, progress)
        assert checked >= count, f"only {checked} of {count} examples were checked"
    except Exception:  # Whatever goes wrong in a part is its result.
        return time.monotonic() - started, 0, traceback.format_exc()
    progress(checked)
    return time.monotonic() - started, checked, ""
