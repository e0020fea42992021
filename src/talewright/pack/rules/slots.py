"""Slots made: an author's variable into the slot that the rules run on.

Everything a variable says of itself is checked here; what others say of it is not.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from talewright.errors import SourcePlace
from talewright.kernel.slots.slot_types import NUMERIC, Carry, Policy, Slot, SlotKind
from talewright.kernel.state.documents import Json
from talewright.pack.desk import Desk
from talewright.pack.faults import Code
from talewright.pack.files.nodes import ListNode
from talewright.pack.rules.carries import check_carries, with_clock
from talewright.pack.rules.first_values import fit_first
from talewright.pack.rules.inference import STRINGS, infer_slot, policy_for
from talewright.pack.sources.variables import SlotSource

_KINDS_OF_FIELD: Mapping[str, frozenset[SlotKind]] = {
    "min": NUMERIC,
    "max": NUMERIC,
    "max_step": NUMERIC,
    "carry": frozenset({SlotKind.INTEGER}),
    "enum_values": frozenset({SlotKind.ENUM}),
    "max_length": frozenset({SlotKind.STRING}),
    "fields": frozenset({SlotKind.OBJECT}),
    "open": frozenset({SlotKind.OBJECT}),
    "values": frozenset({SlotKind.OBJECT}),
    "items": frozenset({SlotKind.LIST}),
    "max_items": frozenset({SlotKind.LIST, SlotKind.OBJECT}),
}
"""Fields that only some types take."""

_LIKENESSES: Mapping[tuple[str, SlotKind], str] = {
    ("max", SlotKind.STRING): "max_length",
    ("max", SlotKind.LIST): "max_items",
    ("max_length", SlotKind.LIST): "max_items",
    ("max_items", SlotKind.STRING): "max_length",
}
"""What a field of another type was probably meant to be."""


@dataclass(frozen=True, slots=True)
class Above:
    """What an object or list says for what is within it."""

    clamp: bool = True
    policy: Policy = Policy.ANY
    fixed: bool = True
    """Whether the place has one path: a root, or a field of an object that has one."""

    member: bool = False
    """Whether it is a field of an object."""


def make_slot(source: SlotSource, name: str, above: Above, desk: Desk) -> Slot | None:
    """The slot of a variable or a member; None after a fault."""
    stumbles = desk.stumbles
    if source.broken:
        return None
    _check_fields(source, desk)
    _check_range(source, desk)
    _check_place(source, name, above, desk)
    if desk.stumbles != stumbles:
        return None
    rules = source.rules
    clamp = above.clamp if rules is None or rules.clamp is None else rules.clamp
    own_policy = rules.update_policy if rules is not None else None
    policy = own_policy or policy_for(source.type, above.policy)
    slot = Slot(
        kind=source.type,
        minimum=source.min,
        maximum=source.max,
        enum_values=source.enum_values,
        max_length=source.max_length,
        max_items=source.max_items,
        nullable=source.nullable,
        clamp=clamp,
        readonly=rules is not None and rules.readonly,
        policy=policy,
        max_step=source.max_step,
        carry=Carry(source.carry.into, source.carry.at) if source.carry else None,
        derived=source.derived.text if source.derived else "",
        hidden=source.hidden,
        secret=source.secret,
    )
    inner = Above(clamp, policy, above.fixed)
    match source.type:
        case SlotKind.OBJECT:
            return _make_object(source, slot, name, inner, desk)
        case SlotKind.LIST:
            return _make_list(source, slot, name, inner, desk)
        case _:
            return _with_default(source, replace(slot, default=_least(slot)), name, desk)


def _make_object(source: SlotSource, slot: Slot, name: str, above: Above, desk: Desk) -> Slot | None:
    stumbles = desk.stumbles
    fields: dict[str, Slot] = {}
    default = source.node.entries.get("default")
    if not source.fields and not source.open and default is not None:
        inferred = infer_slot(default, above.clamp, above.policy, name, desk)
        if inferred is not None and inferred.kind is SlotKind.OBJECT:
            fields.update(inferred.fields)
    for key, member in source.fields.items():
        made = make_slot(member, f"{name}.{key}", replace(above, member=True), desk)
        if made is not None:
            fields[key] = made
    values = None
    if source.values is not None:
        values = make_slot(source.values, f"{name}.*", replace(above, fixed=False), desk)
    if desk.stumbles != stumbles:
        return None
    fields = with_clock(fields)
    if not check_carries(source, fields, name, desk):
        return None
    empty: Json = None if slot.nullable else {}
    made = _with_default(source, replace(slot, default=empty, fields=fields, values=values), name, desk)
    return None if made is None else _hand_down(made)


def _make_list(source: SlotSource, slot: Slot, name: str, above: Above, desk: Desk) -> Slot | None:
    element: Slot | None = STRINGS
    default = source.node.entries.get("default")
    if source.items is not None:
        element = make_slot(source.items, f"{name}.*", replace(above, fixed=False), desk)
    elif default is not None:
        inferred = infer_slot(default, above.clamp, above.policy, name, desk)
        if inferred is not None:
            element = inferred.element or STRINGS
        elif isinstance(default, ListNode):
            return None
    if element is None:
        return None
    empty: Json = None if slot.nullable else []
    return _with_default(source, replace(slot, default=empty, element=element), name, desk)


def _with_default(source: SlotSource, slot: Slot, name: str, desk: Desk) -> Slot | None:
    node = source.node.entries.get("default")
    if node is None:
        return slot
    first = fit_first(slot, node, name, desk)
    return None if first is None else replace(slot, default=first[0])


def _hand_down(slot: Slot) -> Slot:
    """Give an object's default to its members, so that each knows its own first value."""
    if not isinstance(slot.default, Mapping):
        return slot
    given = slot.default
    fields = {
        key: _hand_down(replace(inner, default=given[key])) if key in given else inner
        for key, inner in slot.fields.items()
    }
    rest: Json = {key: value for key, value in given.items() if key not in fields}
    return replace(slot, fields=fields, default=rest)


def _least(slot: Slot) -> Json:
    """The first value of a slot whose author named none."""
    if slot.nullable:
        return None
    match slot.kind:
        case SlotKind.BOOLEAN:
            return False
        case SlotKind.ENUM:
            return slot.enum_values[0] if slot.enum_values else ""
        case SlotKind.STRING:
            return ""
        case _:
            low, high = slot.lowest, slot.highest
            if low is not None and low > 0:
                return low
            return high if high is not None and high < 0 else 0


def _check_fields(source: SlotSource, desk: Desk) -> None:
    for key, kinds in _KINDS_OF_FIELD.items():
        if key in source.node.entries and source.type not in kinds:
            meant = _LIKENESSES.get((key, source.type))
            desk.report(
                Code.FIELD_NOT_FOR_TYPE,
                source.node.key_place(key),
                f"`{key}` is not for `type: {source.type}`",
                f"Write `{meant}`." if meant else f"Delete it, or write `type: {sorted(kinds)[0]}`.",
            )
    if source.type is SlotKind.ENUM and not source.enum_values:
        _report_missing(source, "enum_values", "`enum_values:` with the words it may hold", desk)
    for number, word in enumerate(source.enum_values):
        if word in source.enum_values[:number]:
            message = f"`{word}` stands here twice"
            desk.report(Code.DUPLICATE_ID, _item_place(source, number), message, "Delete one of the two.")
    if source.open and source.values is None:
        _report_missing(source, "values", "`values:` with what new members are", desk)
    if source.values is not None and not source.open:
        _report_missing(source, "open", "`open: true`", desk)
    policy = source.rules.update_policy if source.rules else None
    if policy is Policy.INC_DEC_ONLY and source.type not in (*NUMERIC, SlotKind.OBJECT):
        assert source.rules is not None
        desk.report(
            Code.FIELD_NOT_FOR_TYPE,
            source.rules.place("update_policy"),
            f"only numbers go up and down; this is `type: {source.type}`",
            "Write `set_only` or `any`.",
        )


def _item_place(source: SlotSource, number: int) -> SourcePlace:
    words = source.node.entries["enum_values"]
    return words.items[number].place if isinstance(words, ListNode) else words.place


def _report_missing(source: SlotSource, key: str, what: str, desk: Desk) -> None:
    message = f"this `type: {source.type}` lacks the field `{key}`"
    desk.report(Code.MISSING_FIELD, source.node.place, message, f"Add {what}.")


def _check_range(source: SlotSource, desk: Desk) -> None:
    if source.type is SlotKind.INTEGER:
        for key, bound in (("min", source.min), ("max", source.max), ("max_step", source.max_step)):
            if isinstance(bound, float):
                message = f"`{key}` of a whole number is whole, not {bound}"
                suggestion = f"Write {round(bound)}, or `type: number`."
                desk.report(Code.WRONG_TYPE, source.place(key), message, suggestion)
    if source.min is not None and source.max is not None and source.min > source.max:
        message = f"`max` is {source.max}, below `min`, which is {source.min}"
        suggestion = f"Write {source.min} or more."
        desk.report(Code.EMPTY_RANGE, source.place("max"), message, suggestion)


def _check_place(source: SlotSource, name: str, above: Above, desk: Desk) -> None:
    if source.carry is not None and not above.member:
        message = f"{name} is no member of an object, so that there is nothing to carry into"
        suggestion = "Put both numbers under the `fields:` of one object."
        desk.report(Code.BAD_CARRY, source.node.key_place("carry"), message, suggestion)
    if source.derived is not None and not above.fixed:
        message = "what stands in a list or an open object cannot be derived"
        suggestion = "Give it a variable of its own."
        desk.report(Code.BAD_DERIVED, source.node.key_place("derived"), message, suggestion)
