"""The crash grid of a host: a worker is killed -9 at every crash point that a hosted turn passes.

An example is a point: before and after each part of the turn, and of the chunks the first, the middle and the
last. Another worker finishes the turn, and the record verifies.
"""

import asyncio
import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.hosting.crash_grid import CrashHost, crash_at, crash_host, list_points

FULL_COUNT = CHUNK = 32
"""As many as there are points; a run checks that."""


async def crash(host: CrashHost, count: int, seed: int, progress: Callable[[int], None] | None) -> int:
    """Crash at so many points, beginning with that of the seed; how many were done."""
    points = await list_points(host, "traced")
    assert len(points) == FULL_COUNT, f"the full count is not that of the points: {points}"
    slowest = 0.0
    for number in range(count):
        point = points[(seed + number) % len(points)]
        seconds = await crash_at(host, point, f"crash-{number}")
        slowest = max(slowest, seconds)
        print(f"{point}: {seconds:.1f} s", flush=True)
        if progress:
            progress(number + 1)
    print(f"{len(points)} points, at most {slowest:.1f} s", flush=True)
    return count


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Crash at `count` points."""
    with tempfile.TemporaryDirectory() as folder, crash_host(Path(folder)) as host:
        return asyncio.run(crash(host, count, seed, progress))
