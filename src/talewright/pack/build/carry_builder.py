"""The carry builder: numbers of an object that overflow into a sibling, such as minutes into hours.

Minutes carry into hours automatically; hours carry into days only if the author says so.
"""

from collections.abc import Mapping
from dataclasses import replace

from talewright.errors import SourcePlace
from talewright.kernel.slots.slot_types import Carry, Slot, SlotKind
from talewright.pack.faults import FaultCode, FaultList
from talewright.pack.schema.variable_fields import SlotSource

MINUTES_IN_HOUR = 60

HOUR = "hour"
MINUTE = "minute"


def with_clock(fields: Mapping[str, Slot]) -> dict[str, Slot]:
    """Add the automatic carry of `minute` into `hour` to an object that has both."""
    hour, minute = fields.get(HOUR), fields.get(MINUTE)
    if hour is None or minute is None or minute.carry or not (_can_carry(hour) and _can_carry(minute)):
        return dict(fields)
    return {**fields, MINUTE: replace(minute, carry=Carry(HOUR, MINUTES_IN_HOUR))}


def check_carries(source: SlotSource, fields: Mapping[str, Slot], name: str, fault_list: FaultList) -> bool:
    """Whether every carry between the members of an object can work; reports those that cannot."""
    stumbles = fault_list.stumbles
    for key, slot in fields.items():
        if slot.carry is None:
            continue
        member = source.fields.get(key)
        place = source.node.place if member is None or member.carry is None else member.carry.place("into")
        _check_carry(key, slot.carry, fields, place, f"{name}.{key}", fault_list)
        if fault_list.stumbles != stumbles:
            # One fault is enough: every member of a cycle would report the same.
            return False
    return True


def _check_carry(
    key: str, carry: Carry, fields: Mapping[str, Slot], place: SourcePlace, name: str, fault_list: FaultList
) -> None:
    target = fields.get(carry.into)
    if not _can_carry(fields[key]):
        message = f"{name} cannot carry: it is derived or may be null"
        fault_list.report(FaultCode.BAD_CARRY, place, message, "Delete `carry`.")
    elif target is None:
        siblings = [sibling for sibling, slot in fields.items() if sibling != key and _can_carry(slot)]
        message = f"{name} carries into `{carry.into}`, which is not a member of the same object"
        fault_list.report(
            FaultCode.BAD_CARRY, place, message, fault_list.suggest(carry.into, siblings, "whole numbers")
        )
    elif not _can_carry(target):
        message = f"{name} carries into `{carry.into}`, which is not a writable whole number"
        fault_list.report(FaultCode.BAD_CARRY, place, message, f"Declare `{carry.into}` as `type: integer`.")
    elif _runs_in_circle(key, fields):
        message = f"{name} carries in a circle"
        fault_list.report(FaultCode.BAD_CARRY, place, message, "Delete one of the carries.")


def _can_carry(slot: Slot) -> bool:
    return slot.kind is SlotKind.INTEGER and not slot.nullable and not slot.derived


def _runs_in_circle(start: str, fields: Mapping[str, Slot]) -> bool:
    key = start
    for _ in fields:
        slot = fields.get(key)
        if slot is None or slot.carry is None:
            return False
        key = slot.carry.into
        if key == start:
            return True
    return False
