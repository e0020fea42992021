"""The spiral: a solo campaign of tags and dice in which adversity is built into the rules.

A storyteller proposes; the dice, the clocks, the calendar and what each of them costs are the system's own.
"""

from talewright.kernel.system import System
from talewright.systems.spiral.spiral_system import Spiral


def system() -> System:
    """The system, as `game.yaml` switches it on."""
    return Spiral()
