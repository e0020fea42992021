"""The variable builder: builds the slots of a game's state from an author's variables.

Variables with faults are remembered, so that they are not reported as missing too.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.errors import SourcePlace
from talewright.kernel.conditions.expression_tree import RESERVED_WORDS
from talewright.kernel.slots.engine_slots import with_engine_root
from talewright.kernel.slots.slot_types import NUMERIC, Carry, Layout, Policy, Slot, SlotKind, inherit
from talewright.kernel.system import AuthorFiles, System
from talewright.kernel.system.system_parts import collect_computed_slots, sort_systems
from talewright.pack.build.carry_builder import check_carries, with_clock
from talewright.pack.build.slot_defaults import STRINGS, fit_first, infer_slot, policy_for
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.files.yaml_nodes import ListNode, MapNode, ScalarNode
from talewright.pack.schema.game_fields import GameSource
from talewright.pack.schema.game_records import report_duplicate_id
from talewright.pack.schema.scalar_forms import MEMBER_PATTERN
from talewright.pack.schema.variable_fields import SlotSource, VariableSource

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
"""Fields that only some types have."""

_LIKENESSES: Mapping[tuple[str, SlotKind], str] = {
    ("max", SlotKind.STRING): "max_length",
    ("max", SlotKind.LIST): "max_items",
    ("max_length", SlotKind.LIST): "max_items",
    ("max_items", SlotKind.STRING): "max_length",
}
"""The field that one of another type probably stands for."""


@frozen
class InheritedSlotRules:
    """What a slot inherits from the object or list it is in."""

    clamp: bool = True
    policy: Policy = Policy.ANY
    fixed: bool = True
    """Whether the slot has a fixed path: a root, or a field of an object with a fixed path."""

    member: bool = False
    """Whether it is a field of an object."""


def make_slot(source: SlotSource, name: str, above: InheritedSlotRules, fault_list: FaultList) -> Slot | None:
    """The slot of a variable or a member; None after a fault."""
    stumbles = fault_list.stumbles
    if source.broken:
        return None
    _check_fields(source, fault_list)
    _check_range(source, fault_list)
    _check_place(source, name, above, fault_list)
    if fault_list.stumbles != stumbles:
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
    inner = InheritedSlotRules(clamp, policy, above.fixed)
    match source.type:
        case SlotKind.OBJECT:
            return _make_object(source, slot, name, inner, fault_list)
        case SlotKind.LIST:
            return _make_list(source, slot, name, inner, fault_list)
        case _:
            return _with_default(source, replace(slot, default=_least(slot)), name, fault_list)


def _make_object(
    source: SlotSource, slot: Slot, name: str, above: InheritedSlotRules, fault_list: FaultList
) -> Slot | None:
    stumbles = fault_list.stumbles
    fields: dict[str, Slot] = {}
    default = source.node.entries.get("default")
    if not source.fields and not source.open and default is not None:
        inferred = infer_slot(default, above.clamp, above.policy, name, fault_list)
        if inferred is not None and inferred.kind is SlotKind.OBJECT:
            fields.update(inferred.fields)
    for key, member in source.fields.items():
        made = make_slot(member, f"{name}.{key}", replace(above, member=True), fault_list)
        if made is not None:
            fields[key] = made
    values = None
    if source.values is not None:
        values = make_slot(source.values, f"{name}.*", replace(above, fixed=False), fault_list)
    if fault_list.stumbles != stumbles:
        return None
    fields = with_clock(fields)
    if not check_carries(source, fields, name, fault_list):
        return None
    empty: Json = None if slot.nullable else {}
    made = _with_default(source, replace(slot, default=empty, fields=fields, values=values), name, fault_list)
    return None if made is None else _hand_down(made)


def _make_list(
    source: SlotSource, slot: Slot, name: str, above: InheritedSlotRules, fault_list: FaultList
) -> Slot | None:
    element: Slot | None = STRINGS
    default = source.node.entries.get("default")
    if source.items is not None:
        element = make_slot(source.items, f"{name}.*", replace(above, fixed=False), fault_list)
    elif default is not None:
        inferred = infer_slot(default, above.clamp, above.policy, name, fault_list)
        if inferred is not None:
            element = inferred.element or STRINGS
        elif isinstance(default, ListNode):
            return None
    if element is None:
        return None
    empty: Json = None if slot.nullable else []
    return _with_default(source, replace(slot, default=empty, element=element), name, fault_list)


def _with_default(source: SlotSource, slot: Slot, name: str, fault_list: FaultList) -> Slot | None:
    node = source.node.entries.get("default")
    if node is None:
        return slot
    first = fit_first(slot, node, name, fault_list)
    return None if first is None else replace(slot, default=first[0])


def _hand_down(slot: Slot) -> Slot:
    """Pass an object's default on to its members."""
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
    """The initial value of a slot without a default."""
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


def _check_fields(source: SlotSource, fault_list: FaultList) -> None:
    for key, kinds in _KINDS_OF_FIELD.items():
        if key in source.node.entries and source.type not in kinds:
            meant = _LIKENESSES.get((key, source.type))
            fault_list.report(
                FaultCode.FIELD_NOT_FOR_TYPE,
                source.node.key_place(key),
                f"`{key}` is not for `type: {source.type}`",
                f"Write `{meant}`." if meant else f"Delete it, or write `type: {sorted(kinds)[0]}`.",
            )
    if source.type is SlotKind.ENUM and not source.enum_values:
        _report_missing(source, "enum_values", "`enum_values:` with the words it may hold", fault_list)
    for number, word in enumerate(source.enum_values):
        if word in source.enum_values[:number]:
            message = f"`{word}` appears twice"
            fault_list.report(
                FaultCode.DUPLICATE_ID, _item_place(source, number), message, "Delete one of the two."
            )
    if source.open and source.values is None:
        _report_missing(source, "values", "`values:` with what new members are", fault_list)
    if source.values is not None and not source.open:
        _report_missing(source, "open", "`open: true`", fault_list)
    policy = source.rules.update_policy if source.rules else None
    if policy is Policy.INC_DEC_ONLY and source.type not in (*NUMERIC, SlotKind.OBJECT):
        assert source.rules is not None
        fault_list.report(
            FaultCode.FIELD_NOT_FOR_TYPE,
            source.rules.place("update_policy"),
            f"only numbers can go up and down; this is `type: {source.type}`",
            "Write `set_only` or `any`.",
        )


def _item_place(source: SlotSource, number: int) -> SourcePlace:
    words = source.node.entries["enum_values"]
    return words.items[number].place if isinstance(words, ListNode) else words.place


def _report_missing(source: SlotSource, key: str, what: str, fault_list: FaultList) -> None:
    message = f"this `type: {source.type}` is missing the field `{key}`"
    fault_list.report(FaultCode.MISSING_FIELD, source.node.place, message, f"Add {what}.")


def _check_range(source: SlotSource, fault_list: FaultList) -> None:
    if source.type is SlotKind.INTEGER:
        for key, bound in (("min", source.min), ("max", source.max), ("max_step", source.max_step)):
            if isinstance(bound, float):
                message = f"`{key}` of a whole number must be whole, not {bound}"
                suggestion = f"Write {round(bound)}, or `type: number`."
                fault_list.report(FaultCode.WRONG_TYPE, source.place(key), message, suggestion)
    if source.min is not None and source.max is not None and source.min > source.max:
        message = f"`max` is {source.max}, below `min`, which is {source.min}"
        suggestion = f"Write {source.min} or more."
        fault_list.report(FaultCode.EMPTY_RANGE, source.place("max"), message, suggestion)


def _check_place(source: SlotSource, name: str, above: InheritedSlotRules, fault_list: FaultList) -> None:
    if source.carry is not None and not above.member:
        message = f"{name} is not a member of an object, so it has nothing to carry into"
        suggestion = "Put both numbers under the `fields:` of one object."
        fault_list.report(FaultCode.BAD_CARRY, source.node.key_place("carry"), message, suggestion)
    if source.derived is not None and not above.fixed:
        message = "elements of a list or an open object cannot be derived"
        suggestion = "Make it a separate variable."
        fault_list.report(FaultCode.BAD_DERIVED, source.node.key_place("derived"), message, suggestion)


PATCH, VERSION = "patch", "version"
"""The contract with JSON Patch replies, and the root where such a patch finds the state's version."""


@frozen
class BuiltLayout:
    """The slots that conditions and updates refer to."""

    layout: Layout
    unsure: frozenset[str]
    """Declared roots that have a fault."""

    blind: bool = False
    """Whether a variable has an unreadable name, so that any unknown name may refer to it."""


def build_layout(
    game: GameSource,
    systems: Sequence[System],
    files: Mapping[str, AuthorFiles],
    fault_list: FaultList,
) -> BuiltLayout:
    """Build the slots of a game; `files` are what each system parsed."""
    parts = sort_systems(systems)
    owners = parts.slots
    theirs = {system.name: system.slots(files.get(system.name, {})) for system in owners}
    foreign = {root: name for name, slots in theirs.items() for root in slots}
    roots: dict[str, Slot] = {}
    first: dict[str, VariableSource] = {}
    clashing: set[str] = set()
    for variable in game.variables:
        if variable.id in first:
            clashing.add(variable.id)
            report_duplicate_id(variable.id, variable.node, first[variable.id].node, fault_list)
            continue
        first[variable.id] = variable
        if variable.id in RESERVED_WORDS:
            _report_reserved(variable, "a reserved word in conditions", fault_list)
        elif variable.id in foreign:
            clashing.add(variable.id)
            _report_reserved(variable, f"used by the system `{foreign[variable.id]}`", fault_list)
        elif game.contract == PATCH and variable.id == VERSION:
            # No patch could reach such a variable.
            _report_reserved(variable, "reserved for the version of the state in this contract", fault_list)
        else:
            slot = make_slot(variable, variable.id, InheritedSlotRules(), fault_list)
            if slot is not None:
                roots[variable.id] = inherit(slot)
    for slots in theirs.values():
        roots.update({root: inherit(slot) for root, slot in slots.items()})
    written, blind = _written_roots(game)
    unsure = frozenset(written - roots.keys() | clashing)
    layout = Layout(roots, collect_computed_slots(parts.computed_slots, files))
    return BuiltLayout(with_engine_root(layout), unsure, blind)


def _report_reserved(variable: VariableSource, why: str, fault_list: FaultList) -> None:
    message = f"`{variable.id}` is {why}"
    fault_list.report(
        FaultCode.RESERVED_NAME, variable.place("id"), message, f"Call it `{variable.id}_value`."
    )


def _written_roots(game: GameSource) -> tuple[set[str], bool]:
    """The ids of all variables, even of those with faults; and whether some have no readable id."""
    written = game.node.entries.get("variables")
    if not isinstance(written, ListNode):
        return set(), written is not None or "variables" in game.broken
    nodes = [item.entries.get("id") if isinstance(item, MapNode) else None for item in written.items]
    names = {node.text for node in nodes if isinstance(node, ScalarNode)}
    blind = any(not isinstance(node, ScalarNode) for node in nodes)
    return names, blind or any(not re.fullmatch(MEMBER_PATTERN, name) for name in names)
