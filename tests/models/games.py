"""Games that the small model tells, compiled; one of each contract."""

import hashlib
from functools import cache
from pathlib import Path

from talewright.kernel.state.state import canonical
from talewright.kernel.system import System
from talewright.pack.cache.compiled_game import pack_game
from talewright.pack.compiler import compile_folder
from talewright.systems.odds import system as odds
from talewright.turn.game_editions import Edition
from tests.plugs.lock import Lock

ROOT = Path(__file__).parents[2]
CARDS = "games/lantern_road"
SMALL = "tests/plays/games/ferry"
"""Cards as well, with a prompt of less than half the length."""

PATCH = "games/chapel_watch"
TOOLS = "tests/games/lockbox"


@cache
def load_edition(folder: str) -> Edition:
    """A game folder, compiled; the path is relative to the repository. It is kept by its digest."""
    systems: dict[str, System] = {"odds": odds(), "lock": Lock()}
    compiled = compile_folder(ROOT / folder, systems)
    assert compiled.game is not None, compiled.faults
    digest = hashlib.sha256(canonical(pack_game(compiled.game, compiled.texts, ()))).hexdigest()
    return Edition(compiled.game, compiled.texts, digest, digest)
