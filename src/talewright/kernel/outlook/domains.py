"""Domains: which values may stand in a place, as far as one can say without playing.

A domain may be too wide, never too narrow: what it leaves out cannot happen.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import TypeAlias, assert_never

from talewright.kernel.documents import INTEGER_MAX, Json
from talewright.kernel.slots import STRING_LENGTH_MAX, Kind, Slot

Number: TypeAlias = int | float


@dataclass(frozen=True, slots=True)
class Numbers:
    """Every number between two bounds, both included."""

    low: Number
    high: Number
    whole: bool = False
    """Whether only integers; both bounds are then integers."""

    null: bool = False
    """Whether null may stand there as well."""


@dataclass(frozen=True, slots=True)
class Choices:
    """Some booleans or some texts; with none of them it is null or nothing."""

    values: frozenset[bool | str]
    null: bool = False


@dataclass(frozen=True, slots=True)
class Texts:
    """Any text."""

    length_max: int = STRING_LENGTH_MAX
    null: bool = False


@dataclass(frozen=True, slots=True)
class Contents:
    """A list or an object, known by its size and by what may be in it."""

    size_min: int
    size_max: int
    items: "Domain | None"
    """What an element of the list, or a key of the object, may be; None where it is always empty."""

    always: frozenset[str] = frozenset()
    """Keys that the object surely has."""

    null: bool = False


Domain: TypeAlias = Numbers | Choices | Texts | Contents

NULL = Choices(frozenset(), null=True)
"""Nothing but null."""


def domain_of(slot: Slot) -> Domain:
    """What a slot admits, by its type, range and carry."""
    match slot.kind:
        case Kind.NUMBER | Kind.INTEGER:
            low = -INTEGER_MAX if slot.lowest is None else slot.lowest
            high = INTEGER_MAX if slot.highest is None else slot.highest
            if slot.kind is Kind.INTEGER:
                return Numbers(math.ceil(low), math.floor(high), whole=True, null=slot.nullable)
            return Numbers(low, high, null=slot.nullable)
        case Kind.BOOLEAN:
            return Choices(frozenset({True, False}), slot.nullable)
        case Kind.ENUM:
            return Choices(frozenset(slot.enum_values), slot.nullable)
        case Kind.STRING:
            return Texts(slot.max_length, slot.nullable)
        case Kind.LIST:
            assert slot.element, "a list says what its elements are"
            return Contents(0, slot.max_items, domain_of(slot.element), null=slot.nullable)
        case Kind.OBJECT:
            names = frozenset(slot.fields)
            if slot.values is None:
                return Contents(len(names), len(names), Choices(names), names, slot.nullable)
            return Contents(len(names), len(names) + slot.max_items, Texts(), names, slot.nullable)
        case _:
            assert_never(slot.kind)


def domain_of_value(value: Json) -> Domain:
    """Exactly one value, or as close to it as a domain can come."""
    if value is None:
        return NULL
    if isinstance(value, bool | str):
        return Choices(frozenset({value}))
    if isinstance(value, int | float):
        return Numbers(value, value, whole=isinstance(value, int))
    if isinstance(value, Mapping):
        names = frozenset(value)
        return Contents(len(names), len(names), Choices(names), names)
    return Contents(len(value), len(value), join_all(map(domain_of_value, value)))


def join(one: Domain, other: Domain) -> Domain:
    """What stands in either; TypeError where no slot could hold both."""
    null = one.null or other.null
    if isinstance(one, Choices) and not one.values:
        return replace(other, null=null)
    if isinstance(other, Choices) and not other.values:
        return replace(one, null=null)
    match one, other:
        case Numbers(), Numbers():
            low, high = min(one.low, other.low), max(one.high, other.high)
            return Numbers(low, high, one.whole and other.whole, null)
        case Choices(), Choices():
            return Choices(one.values | other.values, null)
        case Texts() | Choices(), Texts() | Choices():
            return Texts(max(text_lengths(one)[1], text_lengths(other)[1]), null)
        case Contents(), Contents():
            size_min, size_max = min(one.size_min, other.size_min), max(one.size_max, other.size_max)
            items = join_all(items for items in (one.items, other.items) if items)
            return Contents(size_min, size_max, items, one.always & other.always, null)
        case _:
            raise TypeError(f"no slot holds both {one} and {other}")


def join_all(domains: Iterable[Domain]) -> Domain | None:
    """What stands in any of them; None where there are none."""
    known = list(domains)
    return reduce(join, known) if known else None


def meet(one: Domain, other: Domain) -> Domain | None:
    """What may stand in both; None where nothing can."""
    null = one.null and other.null
    match one, other:
        case Numbers(), Numbers():
            low, high = max(one.low, other.low), min(one.high, other.high)
            return bounded(low, high, one.whole or other.whole, null)
        case Choices(), Choices():
            return chosen(one.values & other.values, null)
        case (Texts() as wide, Choices() as narrow) | (Choices() as narrow, Texts() as wide):
            fitting = (value for value in narrow.values if isinstance(value, str))
            return chosen(frozenset(value for value in fitting if len(value) <= wide.length_max), null)
        case Texts(), Texts():
            return Texts(min(one.length_max, other.length_max), null)
        case Contents(), Contents():
            size_min, size_max = max(one.size_min, other.size_min), min(one.size_max, other.size_max)
            if size_min <= size_max:
                return Contents(size_min, size_max, one.items, one.always | other.always, null)
        case _:
            pass
    return NULL if null else None


def bounded(low: Number, high: Number, whole: bool, null: bool = False) -> Domain | None:
    """The numbers between two bounds, or what is left where there are none."""
    if whole:
        low, high = math.ceil(low), math.floor(high)
    if low <= high:
        return Numbers(low, high, whole, null)
    return NULL if null else None


def chosen(values: frozenset[bool | str], null: bool) -> Domain | None:
    """Some values written out, or what is left where there are none."""
    return Choices(values, null) if values or null else None


def text_lengths(domain: Texts | Choices) -> tuple[int, int]:
    """The least and the greatest number of characters of a text."""
    if isinstance(domain, Texts):
        return 0, domain.length_max
    lengths = [len(value) for value in domain.values if isinstance(value, str)]
    return min(lengths, default=0), max(lengths, default=0)
