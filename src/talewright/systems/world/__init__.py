"""World: places, people who know only what they have learned, and life off-screen without a model.

The author's files say what there is; the state holds only what play has changed.
"""

from talewright.kernel.system import System
from talewright.systems.world.world_system import World


def system() -> System:
    """The system, as enabled in `game.yaml`."""
    return World()
