"""Domains: what slots and values admit, and what two domains have together and in common."""

from dataclasses import replace

import pytest

from talewright.common.json_values import Json
from talewright.kernel.conditions.value_domains import (
    NULL,
    ChoiceDomain,
    ContentsDomain,
    Domain,
    NumberDomain,
    TextDomain,
    bounded,
    chosen,
    domain_of,
    domain_of_value,
    join,
    join_all,
    meet,
    text_lengths,
)
from talewright.kernel.slots.slot_types import Carry, Slot, SlotKind
from talewright.kernel.state.documents import INTEGER_MAX
from tests.kernel.making import boolean, enum, integer, listing, number, opened, record, string


def choices(*values: bool | str, null: bool = False) -> ChoiceDomain:
    return ChoiceDomain(frozenset(values), null)


BOTH = choices(True, False)
AB = frozenset({"a", "b"})

SLOTS: list[tuple[Slot, Domain]] = [
    (integer(0, 0, 100), NumberDomain(0, 100, whole=True)),
    (integer(), NumberDomain(-INTEGER_MAX, INTEGER_MAX, whole=True)),
    (integer(0, 0), NumberDomain(0, INTEGER_MAX, whole=True)),
    (integer(0, None, 9), NumberDomain(-INTEGER_MAX, 9, whole=True)),
    (replace(integer(1), minimum=0.5, maximum=9.5), NumberDomain(1, 9, whole=True)),
    (replace(integer(), carry=Carry("hour", 60)), NumberDomain(0, 59, whole=True)),
    (number(0, 0.5, 9.5), NumberDomain(0.5, 9.5)),
    (number(), NumberDomain(-INTEGER_MAX, INTEGER_MAX)),
    (boolean(), BOTH),
    (enum("a", "b"), choices("a", "b")),
    (string(max_length=9), TextDomain(9)),
    (listing(integer(0, 0, 3), max_items=7), ContentsDomain(0, 7, NumberDomain(0, 3, whole=True))),
    (record(a=integer(), b=boolean()), ContentsDomain(2, 2, choices("a", "b"), AB)),
    (record(), ContentsDomain(0, 0, choices())),
    (opened(integer(), max_items=5), ContentsDomain(0, 5, TextDomain())),
    (
        Slot(kind=SlotKind.OBJECT, fields={"a": integer()}, values=integer()),
        ContentsDomain(1, 501, TextDomain(), frozenset("a")),
    ),
]


@pytest.mark.parametrize(("slot", "domain"), SLOTS)
def test_domain_of_a_slot(slot: Slot, domain: Domain) -> None:
    assert domain_of(slot) == domain
    assert domain_of(replace(slot, nullable=True)) == replace(domain, null=True)


def test_bounds_of_integers_are_integers() -> None:
    domain = domain_of(replace(integer(1), minimum=0.5, maximum=9.5))
    assert isinstance(domain, NumberDomain)
    assert type(domain.low) is type(domain.high) is int


VALUES: list[tuple[Json, Domain]] = [
    (None, NULL),
    (True, choices(True)),
    ("a", choices("a")),
    (3, NumberDomain(3, 3, whole=True)),
    (0.5, NumberDomain(0.5, 0.5)),
    ([], ContentsDomain(0, 0, None)),
    ([1, 5, 3], ContentsDomain(3, 3, NumberDomain(1, 5, whole=True))),
    (["a", None], ContentsDomain(2, 2, choices("a", null=True))),
    ({"a": 1, "b": "x"}, ContentsDomain(2, 2, choices("a", "b"), AB)),
]


@pytest.mark.parametrize(("value", "domain"), VALUES)
def test_domain_of_a_value(value: Json, domain: Domain) -> None:
    assert domain_of_value(value) == domain


LIST = ContentsDomain(1, 3, NumberDomain(1, 2), frozenset(), null=False)

JOINS: list[tuple[Domain, Domain, Domain]] = [
    (NumberDomain(0, 3, whole=True), NumberDomain(2, 9, whole=True), NumberDomain(0, 9, whole=True)),
    (NumberDomain(0, 3, whole=True), NumberDomain(0.5, 2), NumberDomain(0, 3)),
    (NumberDomain(0, 3, null=True), NumberDomain(1, 2), NumberDomain(0, 3, null=True)),
    (NumberDomain(0, 3), NULL, NumberDomain(0, 3, null=True)),
    (NumberDomain(0, 3), choices(), NumberDomain(0, 3)),
    (choices("a"), choices("b"), choices("a", "b")),
    (choices("a"), NULL, choices("a", null=True)),
    (NULL, NULL, NULL),
    (choices("abc"), TextDomain(2), TextDomain(3)),
    (choices("a", null=True), TextDomain(2), TextDomain(2, null=True)),
    (TextDomain(4), TextDomain(9), TextDomain(9)),
    (LIST, ContentsDomain(0, 2, NumberDomain(5, 6)), ContentsDomain(0, 3, NumberDomain(1, 6))),
    (LIST, ContentsDomain(0, 0, None), ContentsDomain(0, 3, NumberDomain(1, 2))),
    (LIST, NULL, replace(LIST, null=True)),
    (
        ContentsDomain(2, 2, choices("a", "b"), AB),
        ContentsDomain(2, 2, choices("b", "c"), frozenset("bc")),
        ContentsDomain(2, 2, choices("a", "b", "c"), frozenset("b")),
    ),
]


@pytest.mark.parametrize(("one", "other", "either"), JOINS)
def test_join(one: Domain, other: Domain, either: Domain) -> None:
    assert join(one, other) == either
    assert join(other, one) == either


@pytest.mark.parametrize("other", [choices("a"), TextDomain(), LIST])
def test_what_no_slot_holds_cannot_be_joined(other: Domain) -> None:
    with pytest.raises(TypeError, match=r"no slot holds both NumberDomain\(.*\) and "):
        join(NumberDomain(0, 1), other)


def test_join_all() -> None:
    assert join_all([]) is None
    assert join_all([choices("a")]) == choices("a")
    assert join_all(choices(text) for text in "abc") == choices("a", "b", "c")


MEETS: list[tuple[Domain, Domain, Domain | None]] = [
    (NumberDomain(0, 5), NumberDomain(3, 9), NumberDomain(3, 5)),
    (NumberDomain(0, 3), NumberDomain(3, 9), NumberDomain(3, 3)),
    (NumberDomain(0, 3), NumberDomain(4, 9), None),
    (NumberDomain(0, 3, null=True), NumberDomain(4, 9, null=True), NULL),
    (NumberDomain(0, 3, null=True), NumberDomain(1, 9), NumberDomain(1, 3)),
    (NumberDomain(0, 9, whole=True), NumberDomain(0.5, 3.5), NumberDomain(1, 3, whole=True)),
    (NumberDomain(0, 9, whole=True), NumberDomain(3.25, 3.5), None),
    (choices("a", "b"), choices("b", "c"), choices("b")),
    (choices("a"), choices("b"), None),
    (choices("a", null=True), choices("b", null=True), NULL),
    (choices("a", null=True), choices("b"), None),
    (choices("a", "abc"), TextDomain(2), choices("a")),
    (choices("ab"), TextDomain(2), choices("ab")),
    (choices("abc"), TextDomain(2), None),
    (choices(True), TextDomain(), None),
    (TextDomain(4), TextDomain(9, null=True), TextDomain(4)),
    (TextDomain(4, null=True), TextDomain(9, null=True), TextDomain(4, null=True)),
    (
        LIST,
        ContentsDomain(2, 9, NumberDomain(1, 2), frozenset("a")),
        ContentsDomain(2, 3, NumberDomain(1, 2), frozenset("a")),
    ),
    (LIST, ContentsDomain(3, 9, NumberDomain(1, 2)), ContentsDomain(3, 3, NumberDomain(1, 2))),
    (LIST, ContentsDomain(4, 9, NumberDomain(1, 2)), None),
    (replace(LIST, null=True), ContentsDomain(4, 9, None, null=True), NULL),
    (NumberDomain(0, 3), choices("a"), None),
    (NumberDomain(0, 3, null=True), choices("a", null=True), NULL),
    (LIST, TextDomain(), None),
]


@pytest.mark.parametrize(("one", "other", "both"), MEETS)
def test_meet(one: Domain, other: Domain, both: Domain | None) -> None:
    assert meet(one, other) == both
    assert meet(other, one) == both


def test_bounded() -> None:
    assert bounded(0.5, 3.5, whole=False) == NumberDomain(0.5, 3.5)
    assert bounded(0.5, 3.5, whole=True, null=True) == NumberDomain(1, 3, whole=True, null=True)
    assert bounded(3, 3, whole=True) == NumberDomain(3, 3, whole=True)
    assert bounded(4, 3, whole=False) is None
    assert bounded(4, 3, whole=False, null=True) == NULL


def test_chosen() -> None:
    assert chosen(frozenset("a"), null=False) == choices("a")
    assert chosen(frozenset(), null=True) == NULL
    assert chosen(frozenset(), null=False) is None


def test_text_lengths() -> None:
    assert text_lengths(TextDomain(7)) == (0, 7)
    assert text_lengths(choices("abc", "a", "ab")) == (1, 3)
    assert text_lengths(NULL) == (0, 0)
    assert text_lengths(BOTH) == (0, 0)
