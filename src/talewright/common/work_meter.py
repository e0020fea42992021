"""The work meter: counts the steps of judging a turn, and stops a turn that takes too many of them.

Steps are counted, never time, so a turn that is judged again takes the same number on every machine. Whoever
runs a loop whose length an author or a player decides counts it with `count_work`; outside of `limit_work`
nothing is counted. On the machine we measure on, a step takes about half a microsecond.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from talewright.errors import TalewrightError

WORK_MAX = 1_000_000
"""Steps that judging one turn may take, and also reading the state it starts from: half a second each."""

LOOP_WORK_MAX = 100_000
"""Steps of one turn that may run on the event loop, about 50 ms; from there on it runs in a thread."""

UNLIMITED = 0
"""The limit of turns that are never refused."""

COPIED_PER_STEP = 32
"""Members of an object, or characters of a text, that are copied or compared in the time of one step."""


class TooMuchWorkError(TalewrightError):
    """Judging takes more steps than its limit allows."""

    def __init__(self, limit: int) -> None:
        super().__init__(
            f"the rules of this game take more than {limit:,} steps here",
            "Run `talewright check` on the game to see which rules take so long.",
        )


class LoopLeftError(Exception):
    """Work on the event loop takes too long, and must be done again in a thread."""


class WorkMeter:
    """The steps of one turn."""

    __slots__ = ("_limit", "_stop", "left_loop", "steps")

    def __init__(self, limit: int, steps: int = 0) -> None:
        self._limit = self._stop = limit or math.inf
        self.steps = steps
        """The steps so far."""

        self.left_loop = False
        """Whether the rest of the turn runs in a thread."""

    def add(self, steps: int) -> None:
        """Count steps; raises TooMuchWorkError beyond the limit."""
        self.steps += steps
        if self.steps > self._stop:
            raise TooMuchWorkError(int(self._limit)) if self.steps > self._limit else LoopLeftError

    @contextmanager
    def on_loop(self) -> Iterator[None]:
        """Do work on the event loop; raises LoopLeftError once the turn has worked there for too long.

        The steps of work that was broken off do not count: it is done again.
        """
        before = self.steps
        self._stop = min(self._limit, LOOP_WORK_MAX)
        try:
            yield
        except LoopLeftError:
            self.left_loop, self.steps = True, before
            raise
        finally:
            self._stop = self._limit


_METER: ContextVar[WorkMeter | None] = ContextVar("work_meter", default=None)


def count_work(steps: int) -> None:
    """Count steps of the turn that is being judged here, if any."""
    meter = _METER.get()
    if meter is not None:
        meter.add(steps)


@contextmanager
def limit_work(limit: int, steps: int = 0) -> Iterator[WorkMeter]:
    """Count the steps of what is done inside, across `await` too; `UNLIMITED` only counts.

    `steps` of the same turn were taken before.
    """
    meter = WorkMeter(limit, steps)
    token = _METER.set(meter)
    try:
        yield meter
    finally:
        _METER.reset(token)


def current_meter() -> WorkMeter | None:
    """The meter of the turn that is being judged here; None if nothing is counted."""
    return _METER.get()
