"""Value validation: whether a proposed value fits its slot, and its normalized form.

A number out of range is limited (clamped) or refused; minutes are carried into hours, hours into days.
Nothing is looked up, written or recorded here.
"""

from collections.abc import Mapping, Sequence
from typing import assert_never

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json, equal, quote_value
from talewright.common.work_meter import count_work
from talewright.kernel.judging.rulings import drop, mend
from talewright.kernel.slots.slot_types import (
    OPEN_KEY_LENGTH_MAX,
    Layout,
    Slot,
    SlotKind,
    default_of,
    describe_slot,
)
from talewright.kernel.state.documents import is_text, normal_number, rounded_number


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
        count_work(len(slot.fields))
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
    count_work(steps)
    return steps


def fit(slot: Slot, value: Json, name: str, *, proposed: bool = False) -> FittedValue:
    """Normalize a value for a slot; raises Refusal if it does not fit.

    `proposed` means that the writer has no authority over readonly and secret members.
    """
    if value is None:
        if slot.nullable:
            return FittedValue(None)
        raise mend(f"{name} cannot be null; it is {describe_slot(slot)}")
    match slot.kind:
        case SlotKind.INTEGER | SlotKind.NUMBER:
            return fit_number(slot, value, name)
        case SlotKind.BOOLEAN if isinstance(value, bool):
            return FittedValue(value)
        case SlotKind.ENUM if isinstance(value, str) and value in slot.enum_values:
            return FittedValue(value)
        case SlotKind.STRING if isinstance(value, str):
            return FittedValue(_fit_string(slot, value, name))
        case SlotKind.LIST if isinstance(value, Sequence) and not isinstance(value, str):
            return _fit_list(slot, value, name, proposed)
        case SlotKind.OBJECT if isinstance(value, Mapping):
            return _fit_object(slot, value, name, proposed)
        case SlotKind.BOOLEAN | SlotKind.ENUM | SlotKind.STRING | SlotKind.LIST | SlotKind.OBJECT:
            raise mend(f"{name} is {describe_slot(slot)}, not {quote_value(value)}")
        case _:
            assert_never(slot.kind)


def _fit_string(slot: Slot, value: str, name: str) -> str:
    if len(value) > slot.max_length:
        raise mend(f"{name} is {describe_slot(slot)}; this one has {len(value)}")
    if not is_text(value):
        raise mend(f"{name} has a character that cannot be written as UTF-8")
    return value


def _fit_list(slot: Slot, value: Sequence[Json], name: str, proposed: bool) -> FittedValue:
    if len(value) > slot.max_items:
        raise mend(f"{name} is {describe_slot(slot)}; this one has {len(value)}")
    assert slot.element is not None
    count_work(len(value))
    fitted = [
        fit(slot.element, element, f"{name}.{number}", proposed=proposed)
        for number, element in enumerate(value)
    ]
    return FittedValue([part.value for part in fitted], any(part.clamped for part in fitted))


def _fit_object(slot: Slot, value: Mapping[str, Json], name: str, proposed: bool) -> FittedValue:
    open_keys = [key for key in value if key not in slot.fields]
    if open_keys:
        check_open_keys(slot, open_keys, name)
    members: dict[str, Json] = {}
    clamped = False
    count_work(len(slot.fields) + len(open_keys))
    for key, inner in slot.fields.items():
        if key not in value:
            members[key] = default_of(inner)
            continue
        fitted = fit(inner, value[key], f"{name}.{key}", proposed=proposed)
        if inner.derived or (proposed and (inner.readonly or inner.secret)):
            if not equal(fitted.value, default_of(inner)):
                raise drop(f"{name}.{key} is not yours to write")
        members[key] = fitted.value
        clamped = clamped or fitted.clamped
    for key in open_keys:
        assert slot.values is not None
        fitted = fit(slot.values, value[key], f"{name}.{key}", proposed=proposed)
        members[key] = fitted.value
        clamped = clamped or fitted.clamped
    return FittedValue(members, carry_over(slot, members, name) or clamped)


def check_open_keys(slot: Slot, keys: Sequence[str], name: str, others: int = 0) -> None:
    """Refuse new keys if an object is closed or full, or if the key is not a valid name.

    `others` is the number of keys it already has, which were checked before.
    """
    if slot.values is None:
        raise mend(f"{name} has no member {quote_value(keys[0])}; it has {', '.join(slot.fields) or 'none'}")
    if others + len(keys) > slot.max_items:
        raise mend(f"{name} takes at most {slot.max_items} keys")
    for key in keys:
        if not key or len(key) > OPEN_KEY_LENGTH_MAX or not is_text(key):
            raise mend(f"a key of {name} has 1 to {OPEN_KEY_LENGTH_MAX} characters")


def find_misfit(layout: Layout, document: Mapping[str, Json]) -> str:
    """The first value of a state that its slot could never hold, worded for a message; empty if there is
    none.

    Missing and derived values are skipped: an older engine may have had fewer members, and rounded
    differently.
    """
    found = (_find_inner(layout.roots.get(name), value, name) for name, value in document.items())
    return next(filter(None, found), "")


def _find_misfit(slot: Slot, value: Json, name: str) -> str:
    if slot.derived or (value is None and slot.nullable):
        return ""
    inner: list[tuple[Slot | None, Json, str]] = []
    match value:
        case Mapping() if slot.kind is SlotKind.OBJECT:
            inner = [
                (slot.fields.get(key, slot.values), part, f"{name}.{key}") for key, part in value.items()
            ]
            fits = len(value.keys() - slot.fields.keys()) <= slot.max_items
        case list() if slot.kind is SlotKind.LIST:
            inner = [(slot.element, part, f"{name}.{number}") for number, part in enumerate(value)]
            fits = len(value) <= slot.max_items
        case bool():
            fits = slot.kind is SlotKind.BOOLEAN
        case int() | float():
            fits = slot.kind is SlotKind.NUMBER or (slot.kind is SlotKind.INTEGER and isinstance(value, int))
            fits = fits and (slot.lowest is None or value >= slot.lowest)
            fits = fits and (slot.highest is None or value <= slot.highest)
        case str():
            fits = value in slot.enum_values if slot.kind is SlotKind.ENUM else slot.kind is SlotKind.STRING
            fits = fits and (slot.kind is SlotKind.ENUM or len(value) <= slot.max_length)
        case _:
            fits = False
    if not fits:
        return f"{name} is {quote_value(value)}; it must be {describe_slot(slot)}"
    return next(filter(None, (_find_inner(*part) for part in inner)), "")


def _find_inner(slot: Slot | None, value: Json, name: str) -> str:
    return f"the game has no variable {name}" if slot is None else _find_misfit(slot, value, name)
