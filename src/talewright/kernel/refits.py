"""Refits: a document of an older game brought into the slots of a newer one.

New slots get their defaults and those that are gone are dropped. A value that no longer fits is refused:
nobody may guess what it should have become.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from talewright.kernel.changes import Change
from talewright.kernel.documents import Json, equal
from talewright.kernel.game import Game
from talewright.kernel.moves import ENGINE
from talewright.kernel.paths import Path, dotted
from talewright.kernel.positions import Position, Standing
from talewright.kernel.slots import Kind, Slot, default_of
from talewright.kernel.state import State
from talewright.kernel.table import Table
from talewright.kernel.values import brief, describe, fit, mend

REASON = "the game has changed"
"""The reason of every change that a refit makes."""

_NOTHING_STANDS = Standing(frozenset(), frozenset())


@dataclass(frozen=True, slots=True)
class Refit:
    """The same moment of play under the newer game."""

    state: State
    changes: tuple[Change, ...]


def refit(game: Game, state: State) -> Refit:
    """Bring a state into a game's slots; a Refusal says which value does not fit and why."""
    table = Table(game, Position(state, _NOTHING_STANDS))
    for name, slot in game.layout.roots.items():
        if name in state.document:
            _refit(table, (name,), slot, state.document[name])
        else:
            table.add((name,), game.initial[name], REASON, ENGINE)
    for name in state.document:
        if name not in game.layout.roots:
            table.remove((name,), REASON, ENGINE)
    table.derive()
    return Refit(State(table.draft.document, state.version), tuple(table.changes))


def _refit(table: Table, path: Path, slot: Slot, value: Json) -> None:
    if slot.kind is Kind.OBJECT and isinstance(value, dict):
        _refit_members(table, path, slot, value)
    elif slot.kind is Kind.LIST and isinstance(value, list) and len(value) <= slot.max_items:
        assert slot.element is not None
        for index, element in enumerate(value):
            _refit(table, (*path, str(index)), slot.element, element)
    elif not slot.derived and not equal(fit(slot, value, dotted(path)).value, value):
        # What is computed will be computed anew; everything else must fit as it stands.
        raise mend(f"{dotted(path)} is {describe(slot)}, not {brief(value)}")


def _refit_members(table: Table, path: Path, slot: Slot, value: Mapping[str, Json]) -> None:
    for name, inner in slot.fields.items():
        if name in value:
            _refit(table, (*path, name), inner, value[name])
        else:
            table.add((*path, name), default_of(inner), REASON, ENGINE)
    for name, member in value.items():
        if name in slot.fields:
            continue
        if slot.values is None:
            table.remove((*path, name), REASON, ENGINE)
        else:
            _refit(table, (*path, name), slot.values, member)
