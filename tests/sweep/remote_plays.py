"""Every play through a real server by the remote lobby, with the news cut after every event and resumed.

An example is a turn. The digests and the text must be those of a performance in one process.
"""

import tempfile
from collections.abc import Callable
from pathlib import Path

from tests.plays.scripts import read_plays
from tests.remote.play_performances import serve_plays

PLAYS = tuple(read_plays())

FULL_COUNT = CHUNK = sum(len(play.turns) for play in PLAYS)
"""All plays, once."""

PACE_SECONDS = 0.001


def run(count: int, seed: int, progress: Callable[[int], None] | None = None) -> int:
    """Perform plays until `count` turns are taken; the seed decides which play comes first."""
    done = 0
    with tempfile.TemporaryDirectory() as folder, serve_plays(Path(folder) / "plays", PACE_SECONDS) as server:
        for at in range(len(PLAYS)):
            if done >= count:
                break
            done += len(server.perform(PLAYS[(at + seed) % len(PLAYS)]).told)
            if progress:
                progress(done)
    return max(done, count)
