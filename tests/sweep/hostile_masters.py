"""Hostile game masters at the tools of the MCP server, swept: generated sequences of calls.

An example is a sequence: wrong order, expired and foreign handles, huge arguments, turns finished twice.
"""

from tests.injections.hostile_master import besiege
from tests.sweep.parts import Progress

FULL_COUNT = 5_000


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Make so many sequences of calls."""
    for number in range(count):
        wrong = besiege(f"{seed}:{number}").wrong
        assert not wrong, "; ".join(wrong[:3])
        if progress:
            progress(number + 1)
    return count
