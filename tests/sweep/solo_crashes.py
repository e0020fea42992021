"""The long plays, crashed at every point of every turn and recovered.

An example is a turn and one of its crash points. A performance takes one point of every turn, another for
each, and the next performance the points after those; so all of them have been taken after `POINTS_MAX`.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.plays.crashes import Crasher
from tests.plays.performances import in_folder, perform
from tests.plays.scripts import Play, read_plays
from tests.plays.stage import Stage

LONG = tuple(play for play in read_plays() if play.is_long)

POINTS_MAX = 48
"""More than any turn has distinct crash points; a run checks that."""

CHUNK = sum(len(play.turns) for play in LONG)
"""One performance of each play."""

FULL_COUNT = POINTS_MAX * CHUNK


def crash(play: Play, number: int) -> int:
    """Perform a play in a folder that is opened anew for every turn; how many turns were crashed."""
    crasher = Crasher((number + turn) % POINTS_MAX + 1 for turn in range(len(play.turns)))
    with tempfile.TemporaryDirectory() as folder:
        digest = perform(Stage(play, in_folder(Path(folder)), between=True, crasher=crasher))
    assert digest == play.digest, f"{play.name}, number {number}: it ends in another state"
    assert max(crasher.counts) < POINTS_MAX, "the full count leaves points out"
    return crasher.crashes


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Take `count` points or a few more; seeds that follow one another take points that do."""
    done, number = 0, seed
    while done < count:
        for play in LONG:
            assert crash(play, number) > len(play.turns) / 2, f"{play.name}, number {number}"
            done += len(play.turns)
            if progress:
                progress(done)
        number += 1
    return done
