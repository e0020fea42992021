"""System computed slots: the port for systems with values that conditions can read but no state stores.

Values that follow from the state (the hour of the day, who is here) are computed when a condition reads them,
so they are neither stored nor recorded. Nothing is evaluated here.
"""

from collections.abc import Iterable, Mapping
from typing import Protocol, runtime_checkable

from talewright.kernel.slots.slot_types import ComputedSlot
from talewright.kernel.state.state_paths import Path
from talewright.kernel.system import AuthorFiles, System


@runtime_checkable
class HasComputedSlots(System, Protocol):
    """A system with values that are computed from the state whenever a condition reads them."""

    def computed_slots(self, files: AuthorFiles) -> Mapping[Path, ComputedSlot]:
        """Its computed values in a game with these files, by a path below one of its own roots.

        No slot of the state may have the same path. An author writes `world.hour >= 20` as if it were a slot,
        and `talewright check` knows which values it can have. Computing must be quick: it happens whenever a
        condition that reads it is evaluated.
        """


def collect_computed_slots(
    systems: Iterable[HasComputedSlots], files: Mapping[str, AuthorFiles]
) -> dict[Path, ComputedSlot]:
    """The computed values of all systems of a game.

    `files` are what each system parsed from the author's files, by the name of the system.
    """
    found: dict[Path, ComputedSlot] = {}
    for system in systems:
        # Every root belongs to one system, so no path can be there twice. Files that the author did not write
        # are missing.
        found.update(system.computed_slots(files.get(system.name, {})))
    return found
