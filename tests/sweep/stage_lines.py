"""Stage lines, swept: thirty turns of every game at every size of window, each turn starting on its line.

Two choices must be in sight without scrolling; reload, a change of theme, back and forward keep the line.
"""

import tempfile
from pathlib import Path

from tests.faces.web.in_chromium.stage_walks import GAMES, SIZES, walk_stages
from tests.sweep.parts import Progress

FULL_COUNT = len(GAMES) * len(SIZES)
CHUNK = len(SIZES)
TURNS = 30


def run(count: int, seed: int, progress: Progress | None = None) -> int:
    """Walk through so many pairs of a game and a size."""
    with tempfile.TemporaryDirectory() as folder:
        checked = walk_stages(count, seed, TURNS, Path(folder))
    if progress:
        progress(checked)
    return checked
