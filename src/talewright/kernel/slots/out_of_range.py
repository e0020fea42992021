"""Out of range: limits (clamps) a number to its range, and carries minutes into hours, hours into days.

Arithmetic on values only; nothing is looked up or recorded here.
"""

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, quote_value
from talewright.kernel.judging.rulings import mend
from talewright.kernel.slots.slot_types import Slot, SlotKind, describe_slot
from talewright.kernel.state.documents import normal_number, rounded_number


@frozen
class FittedValue:
    """A normalized value."""

    value: Json
    clamped: bool = False
    """Whether a number had to be clamped to its range."""


def fit_number(slot: Slot, value: Json, name: str) -> FittedValue:
    """Round a number and clamp it to its range; a slot that carries accepts any whole number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise mend(f"{name} is {describe_slot(slot)}, not {quote_value(value)}")
    number = rounded_number(value) if slot.kind is SlotKind.NUMBER else normal_number(value)
    if number is None:
        raise mend(f"{name} takes numbers that can be kept exact, not {quote_value(value)}")
    if slot.kind is SlotKind.INTEGER and not isinstance(number, int):
        raise mend(f"{name} is {describe_slot(slot)}, not {quote_value(value)}")
    if slot.carry:
        return FittedValue(number)
    bounded = number
    if slot.minimum is not None and number < slot.minimum:
        bounded = slot.minimum
    elif slot.maximum is not None and number > slot.maximum:
        bounded = slot.maximum
    else:
        return FittedValue(number)
    if not slot.clamp:
        raise mend(f"{name} is {describe_slot(slot)}, not {quote_value(value)}")
    return FittedValue(bounded, clamped=True)


def carry_over(slot: Slot, members: dict[str, Json], name: str) -> bool:
    """Carry overflow between the members of an object, in place; return whether a bound cut it off."""
    clamped = False
    for _ in slot.fields:
        over = [key for key, inner in slot.fields.items() if inner.carry and _runs_over(inner, members[key])]
        if not over:
            break
        for key in over:
            carry, amount = slot.fields[key].carry, members[key]
            assert carry is not None
            assert isinstance(amount, int)
            gained, members[key] = divmod(amount, carry.at)
            target = members[carry.into]
            assert isinstance(target, int)
            fitted = fit_number(slot.fields[carry.into], target + gained, f"{name}.{carry.into}")
            members[carry.into] = fitted.value
            clamped = clamped or fitted.clamped
    return clamped


def _runs_over(slot: Slot, amount: Json) -> bool:
    assert slot.carry is not None
    assert isinstance(amount, int)
    return not 0 <= amount < slot.carry.at


def carry_depth(slot: Slot, key: str) -> int:
    """How many members a member carries into; those that receive are handled before those that give."""
    steps = 0
    inner = slot.fields.get(key)
    while inner is not None and inner.carry and steps < len(slot.fields):
        steps += 1
        inner = slot.fields.get(inner.carry.into)
    return steps
