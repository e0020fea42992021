"""Tabletop: role-playing with a rulebook in Markdown, honest dice, and fights that keep their order.

Rules are read leniently; every result is computed from dice that the engine rolled and recorded.
"""

from talewright.kernel.system import System
from talewright.systems.tabletop.tabletop_system import Tabletop


def system() -> System:
    """The system, as enabled in `game.yaml`."""
    return Tabletop()
