"""State migration: converts a document of an older game to the slots of a newer one.

New slots get their defaults and removed ones are dropped. A value that no longer fits is refused, since there
is no safe way to guess what it should have become.
"""

from collections.abc import Mapping

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, equal, quote_value
from talewright.kernel.game import Game
from talewright.kernel.judging.moves import ENGINE
from talewright.kernel.judging.rulings import mend
from talewright.kernel.judging.working_state import WorkingState
from talewright.kernel.slots.slot_types import Slot, SlotKind, default_of, describe_slot
from talewright.kernel.slots.value_validation import fit
from talewright.kernel.state.changes import Change
from talewright.kernel.state.documents import rounded_number
from talewright.kernel.state.state import Position, State, TrueConditions
from talewright.kernel.state.state_paths import Path, dotted

MIGRATION_REASON = "the game has changed"
"""The reason recorded for every change of a migration."""

_NOTHING_STANDS = TrueConditions(frozenset(), frozenset())


@frozen
class MigratedState:
    """The same moment of play under the newer game."""

    state: State
    changes: tuple[Change, ...]


def migrate_state(game: Game, state: State) -> MigratedState:
    """Migrate a state to a game's slots; raises Refusal, naming the value that does not fit and why."""
    table = WorkingState(game, Position(state, _NOTHING_STANDS))
    for name, slot in game.layout.roots.items():
        if name in state.document:
            _migrate_value(table, (name,), slot, state.document[name])
        else:
            table.add((name,), game.initial[name], MIGRATION_REASON, ENGINE)
    for name in state.document:
        if name not in game.layout.roots:
            table.remove((name,), MIGRATION_REASON, ENGINE)
    table.derive()
    return MigratedState(State(table.draft.document, state.version), tuple(table.changes))


def _migrate_value(table: WorkingState, path: Path, slot: Slot, value: Json) -> None:
    if slot.kind is SlotKind.OBJECT and isinstance(value, dict):
        _migrate_members(table, path, slot, value)
    elif slot.kind is SlotKind.LIST and isinstance(value, list) and len(value) <= slot.max_items:
        assert slot.element is not None
        for index, element in enumerate(value):
            _migrate_value(table, (*path, str(index)), slot.element, element)
    elif not slot.derived and not equal(fitted := fit(slot, value, dotted(path)).value, value):
        # Derived values are recomputed; everything else must fit unchanged. Only numbers that an older engine
        # stored with more decimal places are rounded.
        if isinstance(value, float) and equal(fitted, rounded_number(value)):
            table.replace(path, fitted, MIGRATION_REASON, ENGINE)
            return
        raise mend(f"{dotted(path)} is {describe_slot(slot)}, not {quote_value(value)}")


def _migrate_members(table: WorkingState, path: Path, slot: Slot, value: Mapping[str, Json]) -> None:
    for name, inner in slot.fields.items():
        if name in value:
            _migrate_value(table, (*path, name), inner, value[name])
        else:
            table.add((*path, name), default_of(inner), MIGRATION_REASON, ENGINE)
    for name, member in value.items():
        if name in slot.fields:
            continue
        if slot.values is None:
            table.remove((*path, name), MIGRATION_REASON, ENGINE)
        else:
            _migrate_value(table, (*path, name), slot.values, member)
