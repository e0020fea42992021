"""First values: defaults and initial values held against their slots, each mistake at its own place.

A value that fits is not changed here beyond the one spelling a state has for it.
"""

from talewright.kernel.judging.moves_and_rulings import Refusal
from talewright.kernel.slots.slot_types import Slot, SlotKind, describe_slot, member
from talewright.kernel.slots.value_validation import fit
from talewright.kernel.state.documents import Json
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.nodes import BrokenError, ListNode, MapNode, Node, ScalarNode, json_of


def fit_first(slot: Slot, node: Node, name: str, desk: Desk) -> tuple[Json] | None:
    """The value of a node in its normal form, in a tuple of one; None after a fault."""
    return _fit(slot, node, name, desk, exact=True)


def check_written(slot: Slot, node: Node, name: str, desk: Desk) -> None:
    """Tell what is wrong with the value of an update; what is out of range may be brought into it in play."""
    _fit(slot, node, name, desk, exact=False)


def _fit(slot: Slot, node: Node, name: str, desk: Desk, *, exact: bool) -> tuple[Json] | None:
    stumbles = desk.stumbles
    _check(slot, node, name, desk, exact)
    if desk.stumbles != stumbles:
        return None
    try:
        return (fit(slot, json_of(node), name).value,)
    except BrokenError:
        return None
    except Refusal as refusal:
        # What is wrong with the whole and not with a part: too many elements or keys.
        _report(slot, node, refusal.reason, desk)
        return None


def _check(slot: Slot, node: Node, name: str, desk: Desk, exact: bool) -> None:
    if isinstance(node, MapNode) and slot.kind is SlotKind.OBJECT:
        for key, inner in node.entries.items():
            below = member(slot, key)
            if below is None:
                desk.report(
                    Code.UNKNOWN_PATH,
                    node.key_place(key),
                    f"`{name}` has no member `{key}`",
                    desk.suggest(key, slot.fields, "members"),
                )
            else:
                _check(below, inner, f"{name}.{key}", desk, exact)
    elif isinstance(node, ListNode) and slot.kind is SlotKind.LIST:
        assert slot.element is not None
        for number, item in enumerate(node.items):
            _check(slot.element, item, f"{name}.{number}", desk, exact)
    else:
        _check_leaf(slot, node, name, desk, exact)


def _check_leaf(slot: Slot, node: Node, name: str, desk: Desk, exact: bool) -> None:
    try:
        value = json_of(node)
        fitted = fit(slot, value, name)
    except BrokenError:
        return
    except Refusal as refusal:
        _report(slot, node, refusal.reason, desk)
        return
    runs_over = slot.carry is not None and isinstance(value, int) and not 0 <= value < slot.carry.at
    if exact and (fitted.clamped or runs_over):
        _report(slot, node, f"{name} is {describe_slot(slot)}, not {value}", desk)


def _report(slot: Slot, node: Node, reason: str, desk: Desk) -> None:
    suggestion = f"Write {describe_slot(slot)}."
    if slot.kind is SlotKind.ENUM and isinstance(node, ScalarNode):
        suggestion = desk.suggest(node.text, slot.enum_values, "words")
    desk.report(Code.BAD_VALUE, node.place, reason, suggestion)
