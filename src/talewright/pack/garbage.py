"""Garbage: Python's collector kept still while a game is read.

It changes nothing about what is read, and how much can be read has its limits.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Keep Python from looking for garbage meanwhile."""
    # A large game makes a million small values, none of them in circles. The collector would go through
    # those that live again and again, and take two thirds of the time.
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
