"""Values: whether a proposed value fits its slot, and what it looks like once it does.

Nothing is written here; a value that fits comes back in its normal form.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from talewright.kernel.documents import Json, equal, is_text, normal_number
from talewright.kernel.rulings import Grade
from talewright.kernel.slots import OPEN_KEY_LENGTH_MAX, Kind, Slot, default_of

LISTED_MAX = 12
"""Allowed values named in one message."""


BRIEF_LENGTH_MAX = 60
"""Characters of a value quoted in a message."""


class Refusal(Exception):
    """A value or an operation that the rules do not take."""

    def __init__(self, grade: Grade, reason: str) -> None:
        super().__init__(reason)
        self.grade = grade
        self.reason = reason


def mend(reason: str) -> Refusal:
    """A refusal worth asking again for."""
    return Refusal(Grade.MEND, reason)


def drop(reason: str) -> Refusal:
    """A refusal for lack of authority."""
    return Refusal(Grade.DROP, reason)


@dataclass(frozen=True, slots=True)
class Fitted:
    """A value in its normal form."""

    value: Json
    clamped: bool = False
    """Whether a number had to be brought into range."""


def fit(slot: Slot, value: Json, name: str, *, proposed: bool = False) -> Fitted:
    """Bring a value into a slot's form; raise a Refusal where that cannot be.

    `proposed` says that the writer has no authority over readonly and secret members.
    """
    if value is None:
        if slot.nullable:
            return Fitted(None)
        raise mend(f"{name} cannot be null; it is {describe(slot)}")
    match slot.kind:
        case Kind.INTEGER | Kind.NUMBER:
            return fit_number(slot, value, name)
        case Kind.BOOLEAN:
            if isinstance(value, bool):
                return Fitted(value)
        case Kind.ENUM:
            if isinstance(value, str) and value in slot.enum_values:
                return Fitted(value)
        case Kind.STRING:
            if isinstance(value, str):
                return Fitted(_fit_string(slot, value, name))
        case Kind.LIST:
            if isinstance(value, Sequence) and not isinstance(value, str):
                return _fit_list(slot, value, name, proposed)
        case Kind.OBJECT:
            if isinstance(value, Mapping):
                return _fit_object(slot, value, name, proposed)
        case _:
            assert_never(slot.kind)
    raise mend(f"{name} is {describe(slot)}, not {brief(value)}")


def fit_number(slot: Slot, value: Json, name: str) -> Fitted:
    """Bring a number into range; a slot that carries takes any whole number."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise mend(f"{name} is {describe(slot)}, not {brief(value)}")
    number = normal_number(value)
    if number is None:
        raise mend(f"{name} takes numbers that can be kept exact, not {brief(value)}")
    if slot.kind is Kind.INTEGER and not isinstance(number, int):
        raise mend(f"{name} is {describe(slot)}, not {brief(value)}")
    if slot.carry:
        return Fitted(number)
    bounded = number
    if slot.minimum is not None and number < slot.minimum:
        bounded = slot.minimum
    elif slot.maximum is not None and number > slot.maximum:
        bounded = slot.maximum
    else:
        return Fitted(number)
    if not slot.clamp:
        raise mend(f"{name} is {describe(slot)}, not {brief(value)}")
    return Fitted(bounded, clamped=True)


def run_over(slot: Slot, members: dict[str, Json], name: str) -> bool:
    """Carry what runs over from member to member of an object, in place; tell whether a bound cut it."""
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


def describe(slot: Slot) -> str:
    """What a slot takes, in words for a message."""
    match slot.kind:
        case Kind.INTEGER | Kind.NUMBER:
            noun = "a whole number" if slot.kind is Kind.INTEGER else "a number"
            low, high = slot.lowest, slot.highest
            if low is not None and high is not None:
                return f"{noun} from {low} to {high}"
            if low is not None:
                return f"{noun} of {low} or more"
            return noun if high is None else f"{noun} of {high} or less"
        case Kind.BOOLEAN:
            return "true or false"
        case Kind.ENUM:
            listed = ", ".join(slot.enum_values[:LISTED_MAX])
            more = len(slot.enum_values) - LISTED_MAX
            return f"one of {listed}" + (f" and {more} more" if more > 0 else "")
        case Kind.STRING:
            return f"a text of at most {slot.max_length} characters"
        case Kind.LIST:
            return f"a list of at most {slot.max_items} elements"
        case Kind.OBJECT:
            return "an object" + (f" with {', '.join(slot.fields)}" if slot.fields else "")
        case _:
            assert_never(slot.kind)


def brief(value: Json) -> str:
    """A value short enough for a message, spelled as JSON spells it where that is another word."""
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, Mapping):
        return "an object"
    text = repr(value) if isinstance(value, str | int | float) else "a list"
    return text if len(text) <= BRIEF_LENGTH_MAX else text[: BRIEF_LENGTH_MAX - 3] + "..."


def _runs_over(slot: Slot, amount: Json) -> bool:
    assert slot.carry is not None
    assert isinstance(amount, int)
    return not 0 <= amount < slot.carry.at


def _fit_string(slot: Slot, value: str, name: str) -> str:
    if len(value) > slot.max_length:
        raise mend(f"{name} is {describe(slot)}; this one has {len(value)}")
    if not is_text(value):
        raise mend(f"{name} has a character that cannot be written as UTF-8")
    return value


def _fit_list(slot: Slot, value: Sequence[Json], name: str, proposed: bool) -> Fitted:
    if len(value) > slot.max_items:
        raise mend(f"{name} is {describe(slot)}; this one has {len(value)}")
    assert slot.element is not None
    fitted = [
        fit(slot.element, element, f"{name}.{number}", proposed=proposed)
        for number, element in enumerate(value)
    ]
    return Fitted([part.value for part in fitted], any(part.clamped for part in fitted))


def _fit_object(slot: Slot, value: Mapping[str, Json], name: str, proposed: bool) -> Fitted:
    open_keys = [key for key in value if key not in slot.fields]
    if open_keys:
        check_open_keys(slot, open_keys, name)
    members: dict[str, Json] = {}
    clamped = False
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
    return Fitted(members, run_over(slot, members, name) or clamped)


def check_open_keys(slot: Slot, keys: Sequence[str], name: str) -> None:
    """Refuse new keys where an object is closed, full, or the key is no name."""
    if slot.values is None:
        raise mend(f"{name} has no member {brief(keys[0])}; it has {', '.join(slot.fields) or 'none'}")
    if len(keys) > slot.max_items:
        raise mend(f"{name} takes at most {slot.max_items} keys")
    for key in keys:
        if not key or len(key) > OPEN_KEY_LENGTH_MAX or not is_text(key):
            raise mend(f"a key of {name} has 1 to {OPEN_KEY_LENGTH_MAX} characters")
