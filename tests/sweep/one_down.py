"""One of two models is down, in every way there is: each of a thousand turns is told all the same."""

from collections.abc import Callable

from tests.provider_faults.standing_in import TURNS, check_turns

FULL_COUNT = 1_000
CHUNK = 5 * TURNS


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Take `count` turns; seeds that follow one another meet kinds of trouble that do."""
    done = check_turns(count, start=seed * CHUNK // TURNS)
    if progress:
        progress(done)
    return done
