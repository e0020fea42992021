"""Slot defaults: infers a type from a default, and checks initial values against their slots.

Each fault is reported at its own place.
"""

from collections.abc import Mapping

from talewright.common.json_values import Json
from talewright.kernel.judging.rulings import Refusal
from talewright.kernel.slots.slot_types import Policy, Slot, SlotKind, describe_slot, member
from talewright.kernel.slots.value_validation import fit
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import BrokenError, ListNode, MapNode, Node, ScalarNode, json_of

_LEAVES: Mapping[type, SlotKind] = {
    bool: SlotKind.BOOLEAN,
    int: SlotKind.INTEGER,
    float: SlotKind.NUMBER,
    str: SlotKind.STRING,
}

STRINGS = Slot(kind=SlotKind.STRING, default="")
"""The slot of list elements whose type is not declared."""


def infer_slot(node: Node, clamp: bool, policy: Policy, name: str, fault_list: FaultList) -> Slot | None:
    """Infer a slot from its default; None after a fault."""
    match node:
        case MapNode():
            return _infer_object(node, clamp, policy, name, fault_list)
        case ListNode():
            return _infer_list(node, clamp, policy, name, fault_list)
        case ScalarNode(value=value) if value is not None:
            kind = _LEAVES[type(value)]
            return Slot(kind=kind, default=value, clamp=clamp, policy=policy_for(kind, policy))
        case _:
            fault_list.report(
                FaultCode.BAD_VALUE,
                node.place,
                f"the type of {name} cannot be inferred, because it has no value",
                "Write a value, or declare the type under `fields:`.",
            )
            return None


def policy_for(kind: SlotKind, policy: Policy) -> Policy:
    """The policy of a member under that of its object: only numbers can go up and down."""
    if policy is Policy.INC_DEC_ONLY and kind not in (SlotKind.NUMBER, SlotKind.INTEGER, SlotKind.OBJECT):
        return Policy.ANY
    return policy


def _infer_object(
    node: MapNode, clamp: bool, policy: Policy, name: str, fault_list: FaultList
) -> Slot | None:
    fields: dict[str, Slot] = {}
    for key, inner in node.entries.items():
        below = infer_slot(inner, clamp, policy, f"{name}.{key}", fault_list)
        if below is not None:
            fields[key] = below
    if len(fields) < len(node.entries):
        return None
    return Slot(kind=SlotKind.OBJECT, default={}, fields=fields, clamp=clamp, policy=policy)


def _infer_list(node: ListNode, clamp: bool, policy: Policy, name: str, fault_list: FaultList) -> Slot | None:
    default: list[Json] = []
    element: Slot | None = None
    for number, item in enumerate(node.items):
        below = infer_slot(item, clamp, Policy.ANY, f"{name}.{number}", fault_list)
        if below is None:
            return None
        element = element or below
        if _shape(below) != _shape(element):
            fault_list.report(
                FaultCode.BAD_VALUE,
                item.place,
                f"the elements of {name} have different types",
                "Declare the type of the elements under `items:`.",
            )
            return None
        default.append(json_of(item))
    return Slot(kind=SlotKind.LIST, default=default, element=_without_default(element or STRINGS))


def _shape(slot: Slot) -> Json:
    fields = {name: _shape(field) for name, field in slot.fields.items()}
    return [slot.kind, fields, None if slot.element is None else _shape(slot.element)]


def _without_default(slot: Slot) -> Slot:
    """The slot of an element: its default is that of its type, not the first element."""
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


def fit_first(slot: Slot, node: Node, name: str, fault_list: FaultList) -> tuple[Json] | None:
    """The normalized value of a node, in a 1-tuple; None after a fault."""
    return _fit(slot, node, name, fault_list, exact=True)


def check_written(slot: Slot, node: Node, name: str, fault_list: FaultList) -> None:
    """Report faults in the value of an update; values out of range may be clamped in play."""
    _fit(slot, node, name, fault_list, exact=False)


def _fit(slot: Slot, node: Node, name: str, fault_list: FaultList, *, exact: bool) -> tuple[Json] | None:
    stumbles = fault_list.stumbles
    _check(slot, node, name, fault_list, exact)
    if fault_list.stumbles != stumbles:
        return None
    try:
        return (fit(slot, json_of(node), name).value,)
    except BrokenError:
        return None
    except Refusal as refusal:
        # The fault is in the whole, not in a part: too many elements or keys.
        _report(slot, node, refusal.reason, fault_list)
        return None


def _check(slot: Slot, node: Node, name: str, fault_list: FaultList, exact: bool) -> None:
    if isinstance(node, MapNode) and slot.kind is SlotKind.OBJECT:
        for key, inner in node.entries.items():
            below = member(slot, key)
            if below is None:
                fault_list.report(
                    FaultCode.UNKNOWN_PATH,
                    node.key_place(key),
                    f"`{name}` has no member `{key}`",
                    fault_list.suggest(key, slot.fields, "members"),
                )
            else:
                _check(below, inner, f"{name}.{key}", fault_list, exact)
    elif isinstance(node, ListNode) and slot.kind is SlotKind.LIST:
        assert slot.element is not None
        for number, item in enumerate(node.items):
            _check(slot.element, item, f"{name}.{number}", fault_list, exact)
    else:
        _check_leaf(slot, node, name, fault_list, exact)


def _check_leaf(slot: Slot, node: Node, name: str, fault_list: FaultList, exact: bool) -> None:
    try:
        value = json_of(node)
        fitted = fit(slot, value, name)
    except BrokenError:
        return
    except Refusal as refusal:
        _report(slot, node, refusal.reason, fault_list)
        return
    runs_over = slot.carry is not None and isinstance(value, int) and not 0 <= value < slot.carry.at
    if exact and (fitted.clamped or runs_over):
        _report(slot, node, f"{name} is {describe_slot(slot)}, not {value}", fault_list)


def _report(slot: Slot, node: Node, reason: str, fault_list: FaultList) -> None:
    suggestion = f"Write {describe_slot(slot)}."
    if slot.kind is SlotKind.ENUM and isinstance(node, ScalarNode):
        suggestion = fault_list.suggest(node.text, slot.enum_values, "words")
    fault_list.report(FaultCode.BAD_VALUE, node.place, reason, suggestion)
