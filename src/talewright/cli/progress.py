"""Progress: a line on the error stream for work that takes longer than one cares to wait in silence.

Nothing is said of work that is done soon, and nothing is written to the output.
"""

import sys
from collections.abc import Callable
from time import monotonic
from typing import TextIO

QUIET_SECONDS = 2.0
"""How long nothing is said."""

EVERY_SECONDS = 1.0
"""How often something is said after that."""


class Ticker:
    """Tells how far a piece of work has come."""

    def __init__(
        self,
        doing: str,
        stream: TextIO | None = None,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self._doing = doing
        self._stream = stream or sys.stderr
        self._clock = clock
        self._due = clock() + QUIET_SECONDS

    def __call__(self, done: int, of: int) -> None:
        """Called for every turn; speaks only now and then."""
        now = self._clock()
        if now >= self._due:
            self._due = now + EVERY_SECONDS
            print(f"{self._doing}: {done} of {of} turns", file=self._stream, flush=True)
