"""Odds: skills against named difficulties, decided by a draw that the engine makes.

A narrator names skill, difficulty and stakes; what it says about the outcome is never trusted.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from talewright.kernel.system import System


def system() -> "System":
    """The system, as enabled in `game.yaml`."""
    # Imported late: what it declares can be read without it.
    from talewright.systems.odds.odds_system import Odds

    return Odds()
