"""Initiative: the order in which characters act, whose turn it is, and how joining and leaving change that.

The caller passes in the initiatives. Every function returns a new order and changes nothing.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json

COMBATANTS_MAX = 100
"""Combatants in one fight."""


class CombatStructure(StrEnum):
    """How fights are narrated."""

    TURN_BASED = "turn-based"
    NARRATIVE = "narrative"
    """Without turn order."""

    HYBRID = "hybrid"
    """With an order that the narrator may ignore."""


@frozen
class Combatant:
    """A combatant."""

    name: str
    """Unique in the fight."""

    initiative: int
    is_player: bool = False
    tie_breaker: int = 0
    """The tie breaker between equal initiatives, such as the modifier or a second roll."""

    conditions: tuple[str, ...] = ()


@frozen
class CombatOrder:
    """The combatants in the order in which they act."""

    combatants: tuple[Combatant, ...]
    current_index: int = 0
    round: int = 1

    @property
    def current(self) -> Combatant | None:
        """Whose turn it is; None if nobody is left."""
        return self.combatants[self.current_index] if self.combatants else None

    @property
    def names(self) -> tuple[str, ...]:
        """The names in order."""
        return tuple(one.name for one in self.combatants)

    def to_json(self, structure: CombatStructure = CombatStructure.TURN_BASED) -> dict[str, Json]:
        """The state of a fight as it is stored."""
        entries: list[Json] = [
            {
                "name": one.name,
                "initiative": one.initiative,
                "isPlayer": one.is_player,
                "conditions": list(one.conditions),
                "tieBreaker": one.tie_breaker,
            }
            for one in self.combatants
        ]
        return {
            "active": True,
            "round": self.round,
            "initiativeOrder": entries,
            "currentIndex": self.current_index,
            "structure": structure.value,
        }


def read_order(stored: Mapping[str, Json]) -> CombatOrder:
    """An order from the state that `to_json` stored."""
    entries, index, number = stored["initiativeOrder"], stored["currentIndex"], stored["round"]
    assert isinstance(entries, Sequence)
    assert isinstance(index, int)
    assert isinstance(number, int)
    return CombatOrder(tuple(_read_combatant(entry) for entry in entries), index, number)


def _read_combatant(entry: Json) -> Combatant:
    assert isinstance(entry, Mapping)
    initiative, tie_breaker, conditions = entry["initiative"], entry["tieBreaker"], entry["conditions"]
    assert isinstance(initiative, int)
    assert isinstance(tie_breaker, int)
    assert isinstance(conditions, Sequence)
    shown = tuple(str(condition) for condition in conditions)
    return Combatant(str(entry["name"]), initiative, bool(entry["isPlayer"]), tie_breaker, shown)


def start_order(combatants: Iterable[Combatant]) -> CombatOrder:
    """Sort by initiative. Ties go to the higher tie breaker, then to a player, then to the first listed."""
    order = tuple(sorted(combatants, key=_rank))
    assert len({one.name for one in order}) == len(order), "names are unique in a fight"
    assert len(order) <= COMBATANTS_MAX
    return CombatOrder(order)


def _rank(one: Combatant) -> tuple[int, int, bool]:
    return -one.initiative, -one.tie_breaker, not one.is_player


def next_turn(order: CombatOrder, out: Collection[str] = ()) -> CombatOrder:
    """The turn passes to the next one who is not in `out`; after the last, a new round begins.

    If all are out, nothing changes.
    """
    count = len(order.combatants)
    for steps in range(1, count + 1):
        rounds, index = divmod(order.current_index + steps, count)
        if order.combatants[index].name not in out:
            return replace(order, current_index=index, round=order.round + rounds)
    return order


def join_order(order: CombatOrder, newcomer: Combatant) -> CombatOrder:
    """A combatant joins at the place of their initiative. The current combatant keeps the turn."""
    assert newcomer.name not in order.names, "names are unique in a fight"
    assert len(order.combatants) < COMBATANTS_MAX
    rank = _rank(newcomer)
    place = sum(_rank(one) <= rank for one in order.combatants)
    combatants = (*order.combatants[:place], newcomer, *order.combatants[place:])
    moved = bool(order.combatants) and place <= order.current_index
    return replace(order, combatants=combatants, current_index=order.current_index + moved)


def leave_order(order: CombatOrder, name: str) -> CombatOrder:
    """A combatant leaves. If it was their turn, the next in order gets it."""
    if name not in order.names:
        return order
    place = order.names.index(name)
    combatants = order.combatants[:place] + order.combatants[place + 1 :]
    index = order.current_index - (place < order.current_index)
    if index < len(combatants) or not combatants:
        return replace(order, combatants=combatants, current_index=index)
    # The last in the order left on their own turn: a new round begins.
    return replace(order, combatants=combatants, current_index=0, round=order.round + 1)
