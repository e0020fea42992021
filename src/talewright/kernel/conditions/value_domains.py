"""Value domains: sets of possible values, and how arithmetic and comparisons narrow them.

A domain may be too wide, never too narrow: what it excludes cannot happen. Every operation rounds as
evaluation does, so the extreme results come from the bounds. It compares domains only; `conditions` compares
values of a state.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import reduce
from itertools import product
from typing import TypeAlias, assert_never

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.conditions.expression_tree import ArithmeticSign, ComparisonSign
from talewright.kernel.slots.slot_types import STRING_LENGTH_MAX, Slot, SlotKind
from talewright.kernel.state.documents import DECIMALS_MAX, INTEGER_MAX

Number: TypeAlias = int | float


@frozen
class NumberDomain:
    """All numbers between two bounds, inclusive."""

    low: Number
    high: Number
    whole: bool = False
    """Whether it contains only integers; both bounds are then integers."""

    null: bool = False
    """Whether null is possible as well."""


@frozen
class ChoiceDomain:
    """A set of booleans or of texts; if empty, null or nothing."""

    values: frozenset[bool | str]
    null: bool = False


@frozen
class TextDomain:
    """Any text."""

    length_max: int = STRING_LENGTH_MAX
    null: bool = False


@frozen
class ContentsDomain:
    """A list or an object, described by its size and its possible contents."""

    size_min: int
    size_max: int
    items: "Domain | None"
    """Possible elements of the list, or keys of the object; None if it is always empty."""

    always: frozenset[str] = frozenset()
    """Keys that the object always has."""

    null: bool = False


Domain: TypeAlias = NumberDomain | ChoiceDomain | TextDomain | ContentsDomain

NULL = ChoiceDomain(frozenset(), null=True)
"""Only null."""


def domain_of(slot: Slot) -> Domain:
    """The domain of a slot, by its type, range and carry."""
    match slot.kind:
        case SlotKind.NUMBER | SlotKind.INTEGER:
            low = -INTEGER_MAX if slot.lowest is None else slot.lowest
            high = INTEGER_MAX if slot.highest is None else slot.highest
            if slot.kind is SlotKind.INTEGER:
                return NumberDomain(math.ceil(low), math.floor(high), whole=True, null=slot.nullable)
            return NumberDomain(low, high, null=slot.nullable)
        case SlotKind.BOOLEAN:
            return ChoiceDomain(frozenset({True, False}), slot.nullable)
        case SlotKind.ENUM:
            return ChoiceDomain(frozenset(slot.enum_values), slot.nullable)
        case SlotKind.STRING:
            return TextDomain(slot.max_length, slot.nullable)
        case SlotKind.LIST:
            assert slot.element, "a list says what its elements are"
            return ContentsDomain(0, slot.max_items, domain_of(slot.element), null=slot.nullable)
        case SlotKind.OBJECT:
            names = frozenset(slot.fields)
            if slot.values is None:
                return ContentsDomain(len(names), len(names), ChoiceDomain(names), names, slot.nullable)
            return ContentsDomain(len(names), len(names) + slot.max_items, TextDomain(), names, slot.nullable)
        case _:
            assert_never(slot.kind)


def domain_of_value(value: Json) -> Domain:
    """The narrowest domain that contains a value."""
    if value is None:
        return NULL
    if isinstance(value, bool | str):
        return ChoiceDomain(frozenset({value}))
    if isinstance(value, int | float):
        return NumberDomain(value, value, whole=isinstance(value, int))
    if isinstance(value, Mapping):
        names = frozenset(value)
        return ContentsDomain(len(names), len(names), ChoiceDomain(names), names)
    return ContentsDomain(len(value), len(value), join_all(map(domain_of_value, value)))


def join(one: Domain, other: Domain) -> Domain:
    """The union of two domains; raises TypeError if no slot could hold both."""
    null = one.null or other.null
    if isinstance(one, ChoiceDomain) and not one.values:
        return replace(other, null=null)
    if isinstance(other, ChoiceDomain) and not other.values:
        return replace(one, null=null)
    match one, other:
        case NumberDomain(), NumberDomain():
            low, high = min(one.low, other.low), max(one.high, other.high)
            return NumberDomain(low, high, one.whole and other.whole, null)
        case ChoiceDomain(), ChoiceDomain():
            return ChoiceDomain(one.values | other.values, null)
        case TextDomain() | ChoiceDomain(), TextDomain() | ChoiceDomain():
            return TextDomain(max(text_lengths(one)[1], text_lengths(other)[1]), null)
        case ContentsDomain(), ContentsDomain():
            size_min, size_max = min(one.size_min, other.size_min), max(one.size_max, other.size_max)
            items = join_all(items for items in (one.items, other.items) if items)
            return ContentsDomain(size_min, size_max, items, one.always & other.always, null)
        case _:
            raise TypeError(f"no slot holds both {one} and {other}")


def join_all(domains: Iterable[Domain]) -> Domain | None:
    """The union of several domains; None if there are none."""
    known = list(domains)
    return reduce(join, known) if known else None


def meet(one: Domain, other: Domain) -> Domain | None:
    """The intersection of two domains; None if it is empty."""
    null = one.null and other.null
    match one, other:
        case NumberDomain(), NumberDomain():
            low, high = max(one.low, other.low), min(one.high, other.high)
            return bounded(low, high, one.whole or other.whole, null)
        case ChoiceDomain(), ChoiceDomain():
            return chosen(one.values & other.values, null)
        case (TextDomain() as wide, ChoiceDomain() as narrow) | (
            ChoiceDomain() as narrow,
            TextDomain() as wide,
        ):
            fitting = (value for value in narrow.values if isinstance(value, str))
            return chosen(frozenset(value for value in fitting if len(value) <= wide.length_max), null)
        case TextDomain(), TextDomain():
            return TextDomain(min(one.length_max, other.length_max), null)
        case ContentsDomain(), ContentsDomain():
            return _meet_contents(one, other, null)
        case _:
            return NULL if null else None


def _meet_contents(one: ContentsDomain, other: ContentsDomain, null: bool) -> Domain | None:
    size_min, size_max = max(one.size_min, other.size_min), min(one.size_max, other.size_max)
    if size_min <= size_max:
        return ContentsDomain(size_min, size_max, one.items, one.always | other.always, null)
    return NULL if null else None


def bounded(low: Number, high: Number, whole: bool, null: bool = False) -> Domain | None:
    """The numbers between two bounds; null or None if there are none."""
    if whole:
        low, high = math.ceil(low), math.floor(high)
    if low <= high:
        return NumberDomain(low, high, whole, null)
    return NULL if null else None


def chosen(values: frozenset[bool | str], null: bool) -> Domain | None:
    """A set of listed values; null or None if there are none."""
    return ChoiceDomain(values, null) if values or null else None


def truths_of(holds: bool, holds_not: bool) -> Domain | None:
    """The possible answers of a condition that may hold, may not hold, or either."""
    found = {truth for truth, possible in ((True, holds), (False, holds_not)) if possible}
    return chosen(frozenset(found), null=False)


def text_lengths(domain: TextDomain | ChoiceDomain) -> tuple[int, int]:
    """The minimum and maximum number of characters of a text."""
    if isinstance(domain, TextDomain):
        return 0, domain.length_max
    lengths = [len(value) for value in domain.values if isinstance(value, str)]
    return min(lengths, default=0), max(lengths, default=0)


@frozen
class Possible:
    """The possible results of an expression, and whether it may have no answer."""

    domain: Domain | None
    """None if it never has an answer; `fails` is then irrelevant."""

    fails: bool = False


def above(value: Number, whole: bool) -> Number:
    """The smallest number greater than a value."""
    return math.floor(value) + 1 if whole else math.nextafter(value, math.inf)


def below(value: Number, whole: bool) -> Number:
    """The largest number less than a value."""
    return math.ceil(value) - 1 if whole else math.nextafter(value, -math.inf)


def reckon(sign: ArithmeticSign, left: NumberDomain, right: NumberDomain) -> Possible:
    """The possible results of an arithmetic operation on two numbers."""
    whole = left.whole and right.whole
    match sign:
        case "+":
            return settle([left.low + right.low, left.high + right.high], whole)
        case "-":
            return settle([left.low - right.high, left.high - right.low], whole)
        case "*":
            return settle([one * other for one, other in _corners(left, right)], whole)
        case "/":
            return _divide(left, right)
        case _:
            assert_never(sign)


def settle(results: list[Number], whole: bool) -> Possible:
    """The representable numbers among the results, and whether some are not representable."""
    low, high = round(min(results), DECIMALS_MAX), round(max(results), DECIMALS_MAX)
    fails = low < -INTEGER_MAX or high > INTEGER_MAX
    return Possible(bounded(max(low, -INTEGER_MAX), min(high, INTEGER_MAX), whole), fails)


def _divide(left: NumberDomain, right: NumberDomain) -> Possible:
    """Quotients on either side of zero; division by zero has no answer."""
    negative = bounded(right.low, min(right.high, below(0, right.whole)), right.whole)
    positive = bounded(max(right.low, above(0, right.whole)), right.high, right.whole)
    sides = [side for side in (negative, positive) if isinstance(side, NumberDomain)]
    quotients = [one / other for side in sides for one, other in _corners(left, side)]
    if not quotients:
        return Possible(None)
    possible = settle(quotients, whole=False)
    return replace(possible, fails=possible.fails or right.low <= 0 <= right.high)


def _corners(left: NumberDomain, right: NumberDomain) -> Iterable[tuple[Number, Number]]:
    return product((left.low, left.high), (right.low, right.high))


OPPOSITES: Mapping[ComparisonSign, ComparisonSign] = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}
"""The comparison that holds when another one does not."""


def narrow(sign: ComparisonSign, left: Domain, right: Domain) -> tuple[Domain, Domain] | None:
    """What remains of two domains if the comparison is true; None if it cannot be."""
    if sign in (">", ">="):
        turned = narrow("<" if sign == ">" else "<=", right, left)
        return turned and (turned[1], turned[0])
    match sign:
        case "==":
            kept = _narrow_equal(left, right)
        case "!=":
            kept = exclude(left, right), exclude(right, left)
        case _:
            kept = _narrow_order(left, right, strict=sign == "<")
    less, more = kept
    return None if less is None or more is None else (less, more)


def exclude(domain: Domain, other: Domain) -> Domain | None:
    """A domain without the single value of another; unchanged if that has more than one."""
    if other.null:
        return domain
    match domain, other:
        case NumberDomain(), NumberDomain(low=value) if value == other.high:
            low = above(value, domain.whole) if domain.low == value else domain.low
            high = below(value, domain.whole) if domain.high == value else domain.high
            return bounded(low, high, domain.whole, domain.null)
        case ChoiceDomain(), ChoiceDomain() if len(other.values) == 1:
            return chosen(domain.values - other.values, domain.null)
        case _:
            return domain


def _narrow_equal(left: Domain, right: Domain) -> tuple[Domain | None, Domain | None]:
    """Equal values are in both domains, and neither is null."""
    less, more = replace(left, null=False), replace(right, null=False)
    shared = meet(less, more)
    # Too little is known of lists and objects to say more than that both exist.
    return (less, more) if shared and isinstance(less, ContentsDomain) else (shared, shared)


def _narrow_order(left: Domain, right: Domain, strict: bool) -> tuple[Domain | None, Domain | None]:
    """Only numbers have an order; each side limits the other."""
    if not isinstance(left, NumberDomain) or not isinstance(right, NumberDomain):
        return None, None
    high = below(right.high, left.whole) if strict else right.high
    low = above(left.low, right.whole) if strict else left.low
    return (
        bounded(left.low, min(left.high, high), left.whole),
        bounded(max(right.low, low), right.high, right.whole),
    )
