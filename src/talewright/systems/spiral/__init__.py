"""The spiral: a solo campaign of tags and dice in which adversity is built into the rules.

A narrator proposes; the system controls the dice, the clocks, the calendar and what each of them costs.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from talewright.kernel.system import System


def system() -> "System":
    """The system, as enabled in `game.yaml`."""
    # Imported late: what it declares can be read without it.
    from talewright.systems.spiral.spiral_system import Spiral

    return Spiral()
