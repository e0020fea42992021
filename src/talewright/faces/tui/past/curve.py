"""A curve: how a number stood, drawn with block characters in a few lines.

Pure drawing: points in, lines of text out. A value stands until the next change.
"""

from collections.abc import Sequence

LEVELS = " ▁▂▃▄▅▆▇█"
"""The parts of one line a bar can fill."""


def sample(points: Sequence[tuple[int, float]], width: int) -> tuple[float, ...]:
    """The value at so many moments, evenly from first turn to last; fewer where there are fewer turns."""
    first, last = points[0][0], points[-1][0]
    count = min(width, last - first + 1)
    if count <= 1:
        return (points[-1][1],)
    values: list[float] = []
    at = 0
    for step in range(count):
        turn = first + step * (last - first) / (count - 1)
        while at + 1 < len(points) and points[at + 1][0] <= turn:
            at += 1
        values.append(points[at][1])
    return tuple(values)


def draw_curve(values: Sequence[float], height: int, low: float, high: float) -> tuple[str, ...]:
    """The values as bars, the top line first; even the lowest one leaves a mark."""
    steps = len(LEVELS) - 1
    span = high - low
    bars = [
        max(1, min(height * steps, round((value - low) / span * height * steps))) if span > 0 else steps
        for value in values
    ]
    return tuple(
        "".join(LEVELS[max(0, min(steps, bar - line * steps))] for bar in bars)
        for line in range(height - 1, -1, -1)
    )


def tell_number(value: float) -> str:
    """A number as a player would write it."""
    return f"{value:.0f}" if value == int(value) else f"{value:.2f}".rstrip("0")
