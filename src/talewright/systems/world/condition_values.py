"""Condition values: computed values of a world that conditions can read but no state stores.

The hour, the day and who is here follow from the ticks and the schedules. They are never stored.
"""

from collections.abc import Mapping

from talewright.common.json_values import Json
from talewright.kernel.slots.slot_types import LIST_ITEMS_MAX, ComputedSlot, Slot, SlotKind
from talewright.kernel.state.state_paths import Path
from talewright.kernel.system import AuthorFiles
from talewright.systems.world.authored.authored_world import HOURS_OF_DAY
from talewright.systems.world.authored.field_checks import MINUTES_OF_DAY
from talewright.systems.world.authored.world_builder import any_world_of, list_people, rules_of
from talewright.systems.world.people.whereabouts import list_here
from talewright.systems.world.slots import ROOT, TICKS_MAX
from talewright.systems.world.world_state import WorldState

Document = Mapping[str, Json]

_HOUR = Slot(kind=SlotKind.INTEGER, default=0, minimum=0, maximum=HOURS_OF_DAY - 1)
_DAY = Slot(kind=SlotKind.INTEGER, default=1, minimum=1, maximum=TICKS_MAX)


def computed_slots_of(files: AuthorFiles) -> dict[Path, ComputedSlot]:
    """The computed values of a game with these files."""
    rules = rules_of(files)

    def minute(document: Document) -> int:
        tick = _own(document)["tick"]
        assert isinstance(tick, int)
        return rules.start_minute + tick * rules.tick_minutes

    def hour(document: Document) -> int:
        return minute(document) // 60 % HOURS_OF_DAY

    def day(document: Document) -> int:
        return minute(document) // MINUTES_OF_DAY + 1

    def here(document: Document) -> list[Json]:
        people = list_here(WorldState(any_world_of(files), _own(document)))
        return [person.id for person in people[:LIST_ITEMS_MAX]]

    names = Slot(kind=SlotKind.ENUM, default="", enum_values=list_people(files))
    tick, at = (ROOT, "tick"), (ROOT, "at")
    moved = ((ROOT, "stays"), (ROOT, "people"), (ROOT, "places"))
    return {
        (ROOT, "hour"): ComputedSlot(_HOUR, (tick,), hour),
        (ROOT, "day"): ComputedSlot(_DAY, (tick,), day),
        (ROOT, "here"): ComputedSlot(
            Slot(kind=SlotKind.LIST, default=[], element=names), (tick, at, *moved), here
        ),
    }


def _own(document: Document) -> Mapping[str, Json]:
    own = document[ROOT]
    assert isinstance(own, Mapping)
    return own
