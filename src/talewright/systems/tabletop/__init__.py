"""Tabletop: role-playing with a rulebook in Markdown, honest dice, and fights that keep their order.

Rules are read leniently; every result is computed from dice that the engine rolled and recorded.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from talewright.kernel.system import System


def system() -> "System":
    """The system, as enabled in `game.yaml`."""
    # Imported late: what it declares can be read without it.
    from talewright.systems.tabletop.tabletop_system import Tabletop

    return Tabletop()
