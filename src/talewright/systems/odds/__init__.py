"""Odds: skills against named difficulties, decided by a draw that the engine makes.

A narrator names skill, difficulty and stakes; what it says about the outcome is never trusted.
"""

from talewright.kernel.system import System
from talewright.systems.odds.odds_system import Odds


def system() -> System:
    """The system, as enabled in `game.yaml`."""
    return Odds()
