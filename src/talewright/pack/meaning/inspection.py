"""The inspection: every check of meaning on one game, in turn.

It runs only where a game has no errors, and never when a game is merely loaded.
"""

from talewright.errors import Fault
from talewright.kernel.game import Game
from talewright.pack.compilation import Compilation
from talewright.pack.library import Library
from talewright.pack.meaning.cast import check_people
from talewright.pack.meaning.conditions import check_divisions
from talewright.pack.meaning.display import check_display
from talewright.pack.meaning.endings import check_endings
from talewright.pack.meaning.inquiry import open_inquiry
from talewright.pack.meaning.items import check_items
from talewright.pack.meaning.lore import check_lore
from talewright.pack.meaning.scenes import check_scenes
from talewright.pack.meaning.triggers import check_stops, check_triggers
from talewright.pack.meaning.updates import check_updates
from talewright.pack.meaning.variables import check_variables
from talewright.pack.sources.game import GameSource

CHECKS = (
    check_endings,
    check_scenes,
    check_triggers,
    check_lore,
    check_divisions,
    check_updates,
    check_variables,
    check_display,
    check_people,
    check_items,
    # Last, because it may ask for more judgements than there are.
    check_stops,
)


def check_meaning(game: Game, source: GameSource, library: Library, work: Compilation) -> tuple[Fault, ...]:
    """Everything that is well written in a game and yet cannot be meant."""
    inquiry = open_inquiry(game, source, library, work)
    for check in CHECKS:
        check(inquiry)
    return inquiry.desk.faults()
