"""How fast the processor is just now, so that limits in seconds hold on a busy or slower machine too."""

from time import process_time

USUAL_SECONDS = 0.03
"""Processor time of the sample on the machine that the limits were set on."""

SLOWDOWN_MAX = 4.0
"""More than this is a fault of the machine, and fails."""


def measure_slowdown() -> float:
    """How many times slower than usual a sample of ordinary Python runs now, at least 1."""
    seconds = sorted(_take_sample() for _ in range(5))
    return min(max(seconds[2] / USUAL_SECONDS, 1.0), SLOWDOWN_MAX)


def _take_sample() -> float:
    started = process_time()
    table: dict[str, int] = {}
    for number in range(60_000):
        key = f"{number % 977}:{number & 15}"
        table[key] = table.get(key, 0) + len(key.split(":"))
    sorted(table.items())
    return process_time() - started
