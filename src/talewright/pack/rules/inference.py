"""Inference: the slot that a default speaks of where the author declared no type.

It goes by the look of the value alone and never asks where the value is used.
"""

from collections.abc import Mapping

from talewright.kernel.slots.slot_types import Policy, Slot, SlotKind
from talewright.kernel.state.documents import Json
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.nodes import ListNode, MapNode, Node, ScalarNode, json_of

_LEAVES: Mapping[type, SlotKind] = {
    bool: SlotKind.BOOLEAN,
    int: SlotKind.INTEGER,
    float: SlotKind.NUMBER,
    str: SlotKind.STRING,
}

STRINGS = Slot(kind=SlotKind.STRING, default="")
"""What the elements of a list are of which nothing is said."""


def infer_slot(node: Node, clamp: bool, policy: Policy, name: str, desk: Desk) -> Slot | None:
    """The slot whose default a node is; None after a fault."""
    match node:
        case MapNode():
            return _infer_object(node, clamp, policy, name, desk)
        case ListNode():
            return _infer_list(node, clamp, policy, name, desk)
        case ScalarNode(value=value) if value is not None:
            kind = _LEAVES[type(value)]
            return Slot(kind=kind, default=value, clamp=clamp, policy=policy_for(kind, policy))
        case _:
            desk.report(
                Code.BAD_VALUE,
                node.place,
                f"{name} has no value from which its type could be told",
                "Write a value, or declare the type under `fields:`.",
            )
            return None


def policy_for(kind: SlotKind, policy: Policy) -> Policy:
    """What a policy said of a whole object means for a member: only numbers go up and down."""
    if policy is Policy.INC_DEC_ONLY and kind not in (SlotKind.NUMBER, SlotKind.INTEGER, SlotKind.OBJECT):
        return Policy.ANY
    return policy


def _infer_object(node: MapNode, clamp: bool, policy: Policy, name: str, desk: Desk) -> Slot | None:
    fields: dict[str, Slot] = {}
    for key, inner in node.entries.items():
        below = infer_slot(inner, clamp, policy, f"{name}.{key}", desk)
        if below is not None:
            fields[key] = below
    if len(fields) < len(node.entries):
        return None
    return Slot(kind=SlotKind.OBJECT, default={}, fields=fields, clamp=clamp, policy=policy)


def _infer_list(node: ListNode, clamp: bool, policy: Policy, name: str, desk: Desk) -> Slot | None:
    default: list[Json] = []
    element: Slot | None = None
    for number, item in enumerate(node.items):
        below = infer_slot(item, clamp, Policy.ANY, f"{name}.{number}", desk)
        if below is None:
            return None
        element = element or below
        if _shape(below) != _shape(element):
            desk.report(
                Code.BAD_VALUE,
                item.place,
                f"the elements of {name} are of different types",
                "Declare what each element is under `items:`.",
            )
            return None
        default.append(json_of(item))
    return Slot(kind=SlotKind.LIST, default=default, element=_without_default(element or STRINGS))


def _shape(slot: Slot) -> Json:
    fields = {name: _shape(field) for name, field in slot.fields.items()}
    return [slot.kind, fields, None if slot.element is None else _shape(slot.element)]


def _without_default(slot: Slot) -> Slot:
    """An element's slot: its first value is that of its type, not that of the first element."""
    defaults: Mapping[SlotKind, Json] = {
        SlotKind.BOOLEAN: False,
        SlotKind.INTEGER: 0,
        SlotKind.NUMBER: 0,
        SlotKind.STRING: "",
    }
    return Slot(
        kind=slot.kind,
        default=defaults.get(slot.kind, slot.default),
        fields={name: _without_default(field) for name, field in slot.fields.items()},
        element=slot.element,
        clamp=slot.clamp,
    )
