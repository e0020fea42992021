"""The spiral: a solo campaign of tags and dice in which adversity is built into the rules.

A narrator proposes; the system controls the dice, the clocks, the calendar and what each of them costs.
"""

from talewright.kernel.system import System
from talewright.systems.spiral.spiral_system import Spiral


def system() -> System:
    """The system, as enabled in `game.yaml`."""
    return Spiral()
