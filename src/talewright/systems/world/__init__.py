"""World: places, people who know only what they have learned, and life off-screen without a model.

The author's files say what there is; the state holds only what play has changed.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from talewright.kernel.system import System


def system() -> "System":
    """The system, as enabled in `game.yaml`."""
    # Imported late: what it declares can be read without it.
    from talewright.systems.world.world_system import World

    return World()
