"""Comparisons: what it says of two values, known by their domains, that one holds against the other.

It compares domains only; two values of a state are compared in `evaluators`.
"""

from collections.abc import Mapping
from dataclasses import replace

from talewright.kernel.language.expressions import ComparisonSign
from talewright.kernel.outlook.domains import Choices, Contents, Domain, Numbers, bounded, chosen, meet
from talewright.kernel.outlook.ranges import above, below

OPPOSITES: Mapping[ComparisonSign, ComparisonSign] = {
    "==": "!=",
    "!=": "==",
    "<": ">=",
    ">=": "<",
    ">": "<=",
    "<=": ">",
}
"""What holds where a comparison does not."""


def narrow(sign: ComparisonSign, left: Domain, right: Domain) -> tuple[Domain, Domain] | None:
    """What is left of two domains where the comparison is true; None where it cannot be."""
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
    """A domain without the one value that another consists of; whole where that has more than one."""
    if other.null:
        return domain
    match domain, other:
        case Numbers(), Numbers(low=value) if value == other.high:
            low = above(value, domain.whole) if domain.low == value else domain.low
            high = below(value, domain.whole) if domain.high == value else domain.high
            return bounded(low, high, domain.whole, domain.null)
        case Choices(), Choices() if len(other.values) == 1:
            return chosen(domain.values - other.values, domain.null)
        case _:
            return domain


def _narrow_equal(left: Domain, right: Domain) -> tuple[Domain | None, Domain | None]:
    """Equal values stand in both domains, and neither is null."""
    less, more = replace(left, null=False), replace(right, null=False)
    shared = meet(less, more)
    # Of lists and objects one knows too little to say more than that both are there.
    return (less, more) if shared and isinstance(less, Contents) else (shared, shared)


def _narrow_order(left: Domain, right: Domain, strict: bool) -> tuple[Domain | None, Domain | None]:
    """Only numbers have an order; each side ends where the other does."""
    if not isinstance(left, Numbers) or not isinstance(right, Numbers):
        return None, None
    high = below(right.high, left.whole) if strict else right.high
    low = above(left.low, right.whole) if strict else left.low
    return (
        bounded(left.low, min(left.high, high), left.whole),
        bounded(max(right.low, low), right.high, right.whole),
    )
