"""Odds: skills against named difficulties, decided by a draw that the engine makes.

A storyteller names skill, difficulty and stakes; what it says of the outcome is never taken for true.
"""

from talewright.kernel.system import System
from talewright.systems.odds.odds_system import Odds


def system() -> System:
    """The system, as `game.yaml` switches it on."""
    return Odds()
