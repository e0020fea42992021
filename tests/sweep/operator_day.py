"""The operator's day, with PostgreSQL away for a minute, and turns of several owners throughout.

An example is a turn.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.hosting.chaos.operator_day import DayPlan, live_day

FULL_COUNT = CHUNK = 100


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Live a day of at least `count` turns."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        figures = live_day(DayPlan(count, seed), Path(folder))
    print(figures, flush=True)
    return min(count, int(str(figures["turns"])))
