"""Writable places: the slots of a game that a model may propose to change, and what they take.

It names no secret, readonly or computed slot. Hidden ones are named: the narrator sees them.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from talewright.kernel.game import Game
from talewright.kernel.slots.engine_slots import ENGINE_ROOT
from talewright.kernel.slots.slot_types import Policy, Slot, SlotKind
from talewright.kernel.state.state_paths import dotted


@dataclass(frozen=True, slots=True)
class WritablePlace:
    """One place a model may write to."""

    path: str
    slot: Slot

    @property
    def is_open(self) -> bool:
        """Whether there are places beneath it whose paths are not known beforehand."""
        element = self.slot.element
        return self.slot.values is not None or (
            element is not None and element.kind in (SlotKind.OBJECT, SlotKind.LIST)
        )


def list_places(game: Game) -> tuple[WritablePlace, ...]:
    """Every place with a fixed path that a model may write to, in declared order.

    An object with fixed members is written member by member, so only its members are listed.
    """
    return tuple(
        WritablePlace(dotted(path), slot)
        for path, slot in game.layout.walk()
        if path[0] != ENGINE_ROOT
        and not (slot.secret or slot.readonly or slot.derived)
        and (slot.kind is not SlotKind.OBJECT or slot.values is not None or slot.nullable)
    )


def list_kinds(slot: Slot) -> Iterator[SlotKind]:
    """The kinds of values that a place takes, of its members and elements too."""
    yield slot.kind
    for inner in (*slot.fields.values(), slot.values, slot.element):
        if inner is not None and not inner.secret:
            yield from list_kinds(inner)


def sketch(slot: Slot) -> str:
    """What a place takes, in the signs of no language: `integer 0..100`, `docks|harbour`, `[string]`."""
    match slot.kind:
        case SlotKind.INTEGER | SlotKind.NUMBER:
            text = slot.kind.value + _sketch_range(slot)
        case SlotKind.ENUM:
            text = "|".join(slot.enum_values)
        case SlotKind.LIST:
            assert slot.element is not None
            text = "list" if slot.element.secret else f"[{sketch(slot.element)}]"
        case SlotKind.OBJECT:
            text = _sketch_members(slot)
        case _:
            text = slot.kind.value
    return text + ("|null" if slot.nullable else "") + _sketch_policy(slot)


def _sketch_range(slot: Slot) -> str:
    # A slot that carries takes any number: what runs over goes to its neighbour.
    low, high = (None, None) if slot.carry else (slot.minimum, slot.maximum)
    if low is None and high is None:
        return ""
    return f" {'' if low is None else low}..{'' if high is None else high}"


def _sketch_members(slot: Slot) -> str:
    members = {**slot.fields, "*": slot.values} if slot.values is not None else slot.fields
    shown = [
        f"{name}: {sketch(inner)}"
        for name, inner in members.items()
        if not (inner.secret or inner.readonly or inner.derived)
    ]
    return "{" + ", ".join(shown) + "}"


def _sketch_policy(slot: Slot) -> str:
    match slot.policy:
        case Policy.INC_DEC_ONLY:
            return " (inc, dec)"
        case Policy.SET_ONLY if slot.kind in (SlotKind.INTEGER, SlotKind.NUMBER):
            return " (set)"
        case _:
            return ""
