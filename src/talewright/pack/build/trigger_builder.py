"""The trigger builder: builds triggers, and checks authored updates against their slots.

Whether a trigger can ever fire is checked in `lint`.
"""

from collections.abc import Iterable
from itertools import count

from talewright.common.json_values import Json
from talewright.kernel.judging.moves import Op, Update
from talewright.kernel.slots.slot_types import NUMERIC, Policy, Slot, SlotKind, describe_slot
from talewright.kernel.story.triggers import Event, Trigger
from talewright.pack.build.build_context import BuildContext
from talewright.pack.build.slot_defaults import check_written
from talewright.pack.faults import FaultCode
from talewright.pack.files.yaml_nodes import describe_node
from talewright.pack.schema.trigger_fields import TriggerSource, UpdateSource

_FITTING = {
    SlotKind.NUMBER: "`set`, `inc` or `dec`",
    SlotKind.INTEGER: "`set`, `inc` or `dec`",
    SlotKind.BOOLEAN: "`set` or `toggle`",
    SlotKind.LIST: "`push`, `remove` or `set`",
}
"""The operations of each kind of slot; all others only have `set`."""


def read_updates(
    sources: Iterable[UpdateSource], prefix: str, numbers: "count[int]", work: BuildContext
) -> tuple[Update, ...]:
    """Read updates; their reasons get the keys `<prefix>.reason.<number>`, counted by `numbers`."""
    updates: list[Update] = []
    for source in sources:
        reason = ""
        if source.reason:
            reason = work.catalogue.say(
                f"{prefix}.reason.{next(numbers)}", source.reason, source.place("reason")
            )
        if not source.broken and _is_sound(source, work):
            updates.append(Update(source.op, source.path, source.value, reason))
    return tuple(updates)


def _is_sound(source: UpdateSource, work: BuildContext) -> bool:
    stumbles = work.fault_list.stumbles
    found = work.place_slot(source, "path", source.path)
    if found is not None:
        slot = found[1]
        if slot.derived:
            message = f"`{source.path}` is computed and cannot be written"
            work.fault_list.report(
                FaultCode.BAD_UPDATE, source.place("path"), message, "Change what it is computed from."
            )
        else:
            _check_operation(source, slot, work)
    return work.fault_list.stumbles == stumbles


def _check_operation(source: UpdateSource, slot: Slot, work: BuildContext) -> None:
    match source.op:
        case Op.INC | Op.DEC:
            if slot.kind not in NUMERIC:
                _refuse(source, slot, "is for numbers", work)
            elif slot.policy is Policy.SET_ONLY:
                _refuse_policy(source, "can only be set", "Write `set`.", work)
            else:
                _check_amount(source, slot, work)
        case Op.PUSH | Op.REMOVE:
            if slot.kind is not SlotKind.LIST or slot.element is None:
                _refuse(source, slot, "is for lists", work)
            else:
                _check_value(source, slot.element, f"{source.path}.*", work)
        case Op.TOGGLE:
            if slot.kind is not SlotKind.BOOLEAN:
                _refuse(source, slot, "is for true and false", work)
        case _:
            if slot.policy is Policy.INC_DEC_ONLY:
                _refuse_policy(source, "can only go up or down", "Write `inc` or `dec`.", work)
            else:
                _check_value(source, slot, source.path, work)


def _check_value(source: UpdateSource, slot: Slot, name: str, work: BuildContext) -> None:
    node = source.node.entries.get("value")
    if node is not None:
        check_written(slot, node, name, work.fault_list)


def _check_amount(source: UpdateSource, slot: Slot, work: BuildContext) -> None:
    amount: Json = source.value
    noun = "a whole number" if slot.kind is SlotKind.INTEGER else "a number"
    suggestion = f"Write {noun} of 0 or more."
    if isinstance(amount, bool) or not isinstance(amount, int | float):
        reason = f"`{source.op}` takes {noun} of 0 or more, not {describe_node(source.node.entries['value'])}"
    elif amount < 0:
        other = Op.DEC if source.op is Op.INC else Op.INC
        reason = f"`{source.op}` takes {noun} of 0 or more, not {amount}"
        suggestion = f"Write `{other}` with {-amount}."
    elif slot.kind is SlotKind.INTEGER and not isinstance(amount, int):
        reason = f"`{source.path}` is {describe_slot(slot)} and cannot change by {amount}"
    elif slot.max_step is not None and amount > slot.max_step and not slot.clamp:
        reason = f"`{source.path}` can change by at most {slot.max_step} at a time, not by {amount}"
        suggestion = f"Write {slot.max_step} or less."
    else:
        return
    work.fault_list.report(FaultCode.BAD_VALUE, source.place("value"), reason, suggestion)


def _refuse(source: UpdateSource, slot: Slot, purpose: str, work: BuildContext) -> None:
    message = f"`{source.op}` {purpose}; `{source.path}` is {describe_slot(slot)}"
    suggestion = f"Write {_FITTING.get(slot.kind, '`set`')}."
    work.fault_list.report(FaultCode.BAD_UPDATE, source.place("op"), message, suggestion)


def _refuse_policy(source: UpdateSource, policy: str, suggestion: str, work: BuildContext) -> None:
    message = f"`{source.path}` {policy} (its `update_policy`)"
    work.fault_list.report(FaultCode.BAD_UPDATE, source.place("op"), message, suggestion)


def read_triggers(sources: Iterable[TriggerSource], work: BuildContext) -> tuple[Trigger, ...]:
    """Read all triggers of a game."""
    read = (_read_trigger(source, work) for source in sources)
    return tuple(trigger for trigger in read if trigger is not None)


def _read_trigger(source: TriggerSource, work: BuildContext) -> Trigger | None:
    prefix = f"trigger.{source.id}"
    condition = work.condition(source.when)
    effects = read_updates(source.effects, prefix, count(1), work)
    say = work.catalogue.say
    cause = f"trigger:{source.id}"
    events = tuple(
        Event(event.type, say(f"{prefix}.event.{number}", event.message, event.place("message")), cause)
        for number, event in enumerate(source.events, 1)
    )
    if condition is None:
        return None
    return Trigger(source.id, condition, effects, events, source.once, source.priority)
