"""Event numbers: how the ids of a Redis stream map to event numbers, the same on every node.

The id `s-0` is the commit with sequence s, and `s-i` the live signal i after it. The first live signal gets a
number from the clock, so that numbers keep rising even if Redis has lost the earlier ones. Clients resume by
these numbers on any node.
"""

from talewright.play.news import LIVE, STRIDE

SIGNALS_PER_SECOND = 20
"""How many numbers a turn may use per second; it uses fewer, because pieces of narration are joined."""

CLOCK_SECONDS = 20_000
"""After how many seconds the clock restarts: its numbers, plus those of one turn, fit between two commits."""

OVERLAP_SECONDS = 5
"""How far the clocks of two nodes may differ."""


def clock_index(seconds: float) -> int:
    """The first index of a live signal at a time, in seconds since any fixed moment."""
    return 1 + int(seconds % CLOCK_SECONDS * SIGNALS_PER_SECOND)


def recent_index(seconds: float) -> int:
    """The lowest index of live signals that may be as new as a time, by any node's clock."""
    begun = seconds - OVERLAP_SECONDS
    # When the clock restarts, small indexes are newer than large ones: then take all.
    return clock_index(begun) if begun // CLOCK_SECONDS == seconds // CLOCK_SECONDS else 0


def number_entry(entry: str) -> int:
    """The event number of a stream entry."""
    sequence, _, index = entry.partition("-")
    return number_live(int(sequence), int(index)) if int(index) else int(sequence) * STRIDE


def number_live(sequence: int, index: int) -> int:
    """The number of a live signal."""
    return sequence * STRIDE + min(LIVE + index, STRIDE - 1)
