"""Comparisons: what is left of two domains once one is known to hold against the other."""

import itertools
from dataclasses import replace

import pytest

from talewright.kernel.conditions.expression_tree import COMPARISON_SIGNS, ComparisonSign
from talewright.kernel.conditions.value_domains import (
    NULL,
    OPPOSITES,
    ChoiceDomain,
    ContentsDomain,
    Domain,
    NumberDomain,
    TextDomain,
    above,
    below,
    exclude,
    narrow,
)


def whole(low: int, high: int, null: bool = False) -> NumberDomain:
    return NumberDomain(low, high, whole=True, null=null)


def choices(*values: bool | str, null: bool = False) -> ChoiceDomain:
    return ChoiceDomain(frozenset(values), null)


A, B, AB = choices("a"), choices("b"), choices("a", "b")
LIST = ContentsDomain(1, 3, TextDomain())

NARROWED: list[tuple[ComparisonSign, Domain, Domain, tuple[Domain, Domain] | None]] = [
    ("<", whole(0, 9), whole(0, 9), (whole(0, 8), whole(1, 9))),
    ("<", whole(0, 9), whole(3, 3), (whole(0, 2), whole(3, 3))),
    ("<", whole(3, 9), whole(3, 3), None),
    ("<=", whole(3, 9), whole(3, 3), (whole(3, 3), whole(3, 3))),
    ("<=", whole(4, 9), whole(0, 3), None),
    ("<=", whole(0, 9), whole(5, 20), (whole(0, 9), whole(5, 20))),
    ("<=", whole(5, 20), whole(0, 9), (whole(5, 9), whole(5, 9))),
    (">", whole(0, 9), whole(3, 3), (whole(4, 9), whole(3, 3))),
    (">", whole(0, 3), whole(3, 3), None),
    (">=", whole(0, 9), whole(3, 3), (whole(3, 9), whole(3, 3))),
    (">=", whole(0, 2), whole(3, 3), None),
    ("<", whole(0, 9), NumberDomain(3.5, 3.5), (whole(0, 3), NumberDomain(3.5, 3.5))),
    (">", whole(0, 9), NumberDomain(3.5, 3.5), (whole(4, 9), NumberDomain(3.5, 3.5))),
    ("<", NumberDomain(0, 9), whole(3, 3), (NumberDomain(0, below(3, whole=False)), whole(3, 3))),
    (">", NumberDomain(0, 9), whole(3, 3), (NumberDomain(above(3, whole=False), 9), whole(3, 3))),
    ("<", NumberDomain(3, 9), whole(3, 3), None),
    ("<", whole(0, 9, null=True), whole(3, 3, null=True), (whole(0, 2), whole(3, 3))),
    ("<", NULL, whole(3, 3), None),
    ("<", whole(3, 3), NULL, None),
    ("==", whole(0, 9), whole(5, 20), (whole(5, 9), whole(5, 9))),
    ("==", whole(0, 9), whole(10, 20), None),
    ("==", whole(0, 9), NumberDomain(0.5, 3.5), (whole(1, 3), whole(1, 3))),
    ("==", whole(0, 9), NumberDomain(3.5, 3.5), None),
    ("==", whole(0, 9, null=True), whole(3, 3), (whole(3, 3), whole(3, 3))),
    ("==", whole(0, 9, null=True), whole(10, 10, null=True), None),
    ("==", AB, B, (B, B)),
    ("==", A, B, None),
    ("==", TextDomain(), A, (A, A)),
    ("==", choices("a", null=True), choices("b", null=True), None),
    ("==", NULL, NULL, None),
    ("==", NULL, A, None),
    ("==", LIST, ContentsDomain(2, 5, None, null=True), (LIST, ContentsDomain(2, 5, None))),
    ("==", replace(LIST, null=True), ContentsDomain(2, 5, None), (LIST, ContentsDomain(2, 5, None))),
    ("==", LIST, ContentsDomain(4, 5, None), None),
    ("!=", whole(0, 9), whole(0, 0), (whole(1, 9), whole(0, 0))),
    ("!=", whole(3, 3), whole(3, 3), None),
    ("!=", whole(3, 3, null=True), whole(3, 3), (NULL, whole(3, 3))),
    ("!=", A, AB, (A, B)),
    ("!=", A, A, None),
    ("!=", AB, AB, (AB, AB)),
    ("!=", LIST, LIST, (LIST, LIST)),
]


@pytest.mark.parametrize(("sign", "left", "right", "narrowed"), NARROWED)
def test_narrow(
    sign: ComparisonSign, left: Domain, right: Domain, narrowed: tuple[Domain, Domain] | None
) -> None:
    assert narrow(sign, left, right) == narrowed


EXCLUDED: list[tuple[Domain, Domain, Domain | None]] = [
    (whole(0, 9), whole(0, 0), whole(1, 9)),
    (whole(0, 9), whole(9, 9), whole(0, 8)),
    (whole(0, 9), whole(5, 5), whole(0, 9)),
    (whole(0, 9), whole(0, 1), whole(0, 9)),
    (whole(0, 9), whole(0, 0, null=True), whole(0, 9)),
    (whole(0, 9, null=True), whole(9, 9), whole(0, 8, null=True)),
    (whole(3, 3), whole(3, 3), None),
    (whole(3, 3, null=True), whole(3, 3), NULL),
    (NumberDomain(3, 9), whole(3, 3), NumberDomain(above(3, whole=False), 9)),
    (NumberDomain(3, 9), whole(9, 9), NumberDomain(3, below(9, whole=False))),
    (AB, A, B),
    (AB, AB, AB),
    (AB, choices(), AB),
    (A, A, None),
    (choices("a", null=True), A, NULL),
    (AB, choices("a", null=True), AB),
    (TextDomain(), A, TextDomain()),
    (LIST, LIST, LIST),
]


@pytest.mark.parametrize(("domain", "other", "left"), EXCLUDED)
def test_exclude(domain: Domain, other: Domain, left: Domain | None) -> None:
    assert exclude(domain, other) == left


def test_opposites() -> None:
    assert set(OPPOSITES) == set(COMPARISON_SIGNS)
    for sign, opposite in OPPOSITES.items():
        assert OPPOSITES[opposite] == sign
        for one, other in itertools.product(range(3), repeat=2):
            assert (narrow(sign, whole(one, one), whole(other, other)) is None) is (
                narrow(opposite, whole(one, one), whole(other, other)) is not None
            )


@pytest.mark.parametrize("sign", COMPARISON_SIGNS)
def test_nothing_true_is_narrowed_away(sign: ComparisonSign) -> None:
    holds = {
        "==": int.__eq__,
        "!=": int.__ne__,
        "<": int.__lt__,
        "<=": int.__le__,
        ">": int.__gt__,
        ">=": int.__ge__,
    }[sign]
    spans = [(low, high) for low in range(4) for high in range(low, 4)]
    for left, right in itertools.product(spans, repeat=2):
        pairs = [
            (one, other)
            for one in range(left[0], left[1] + 1)
            for other in range(right[0], right[1] + 1)
            if holds(one, other)
        ]
        narrowed = narrow(sign, whole(*left), whole(*right))
        assert (narrowed is None) is (not pairs)
        if narrowed is None:
            continue
        for side, domain in enumerate(narrowed):
            assert isinstance(domain, NumberDomain)
            values = {pair[side] for pair in pairs}
            assert domain == replace(domain, low=min(domain.low, *values), high=max(domain.high, *values))
            if sign != "!=":
                assert (domain.low, domain.high) == (min(values), max(values))
