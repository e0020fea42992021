"""Domains: what slots and values admit, and what two domains have together and in common."""

from dataclasses import replace

import pytest

from talewright.kernel.documents import INTEGER_MAX, Json
from talewright.kernel.outlook.domains import (
    NULL,
    Choices,
    Contents,
    Domain,
    Numbers,
    Texts,
    bounded,
    chosen,
    domain_of,
    domain_of_value,
    join,
    join_all,
    meet,
    text_lengths,
)
from talewright.kernel.slots import Carry, Kind, Slot
from tests.kernel.making import boolean, enum, integer, listing, number, opened, record, string


def choices(*values: bool | str, null: bool = False) -> Choices:
    return Choices(frozenset(values), null)


BOTH = choices(True, False)
AB = frozenset({"a", "b"})

SLOTS: list[tuple[Slot, Domain]] = [
    (integer(0, 0, 100), Numbers(0, 100, whole=True)),
    (integer(), Numbers(-INTEGER_MAX, INTEGER_MAX, whole=True)),
    (integer(0, 0), Numbers(0, INTEGER_MAX, whole=True)),
    (integer(0, None, 9), Numbers(-INTEGER_MAX, 9, whole=True)),
    (replace(integer(1), minimum=0.5, maximum=9.5), Numbers(1, 9, whole=True)),
    (replace(integer(), carry=Carry("hour", 60)), Numbers(0, 59, whole=True)),
    (number(0, 0.5, 9.5), Numbers(0.5, 9.5)),
    (number(), Numbers(-INTEGER_MAX, INTEGER_MAX)),
    (boolean(), BOTH),
    (enum("a", "b"), choices("a", "b")),
    (string(max_length=9), Texts(9)),
    (listing(integer(0, 0, 3), max_items=7), Contents(0, 7, Numbers(0, 3, whole=True))),
    (record(a=integer(), b=boolean()), Contents(2, 2, choices("a", "b"), AB)),
    (record(), Contents(0, 0, choices())),
    (opened(integer(), max_items=5), Contents(0, 5, Texts())),
    (
        Slot(kind=Kind.OBJECT, fields={"a": integer()}, values=integer()),
        Contents(1, 501, Texts(), frozenset("a")),
    ),
]


@pytest.mark.parametrize(("slot", "domain"), SLOTS)
def test_domain_of_a_slot(slot: Slot, domain: Domain) -> None:
    assert domain_of(slot) == domain
    assert domain_of(replace(slot, nullable=True)) == replace(domain, null=True)


def test_bounds_of_integers_are_integers() -> None:
    domain = domain_of(replace(integer(1), minimum=0.5, maximum=9.5))
    assert isinstance(domain, Numbers)
    assert type(domain.low) is type(domain.high) is int


VALUES: list[tuple[Json, Domain]] = [
    (None, NULL),
    (True, choices(True)),
    ("a", choices("a")),
    (3, Numbers(3, 3, whole=True)),
    (0.5, Numbers(0.5, 0.5)),
    ([], Contents(0, 0, None)),
    ([1, 5, 3], Contents(3, 3, Numbers(1, 5, whole=True))),
    (["a", None], Contents(2, 2, choices("a", null=True))),
    ({"a": 1, "b": "x"}, Contents(2, 2, choices("a", "b"), AB)),
]


@pytest.mark.parametrize(("value", "domain"), VALUES)
def test_domain_of_a_value(value: Json, domain: Domain) -> None:
    assert domain_of_value(value) == domain


LIST = Contents(1, 3, Numbers(1, 2), frozenset(), null=False)

JOINS: list[tuple[Domain, Domain, Domain]] = [
    (Numbers(0, 3, whole=True), Numbers(2, 9, whole=True), Numbers(0, 9, whole=True)),
    (Numbers(0, 3, whole=True), Numbers(0.5, 2), Numbers(0, 3)),
    (Numbers(0, 3, null=True), Numbers(1, 2), Numbers(0, 3, null=True)),
    (Numbers(0, 3), NULL, Numbers(0, 3, null=True)),
    (Numbers(0, 3), choices(), Numbers(0, 3)),
    (choices("a"), choices("b"), choices("a", "b")),
    (choices("a"), NULL, choices("a", null=True)),
    (NULL, NULL, NULL),
    (choices("abc"), Texts(2), Texts(3)),
    (choices("a", null=True), Texts(2), Texts(2, null=True)),
    (Texts(4), Texts(9), Texts(9)),
    (LIST, Contents(0, 2, Numbers(5, 6)), Contents(0, 3, Numbers(1, 6))),
    (LIST, Contents(0, 0, None), Contents(0, 3, Numbers(1, 2))),
    (LIST, NULL, replace(LIST, null=True)),
    (
        Contents(2, 2, choices("a", "b"), AB),
        Contents(2, 2, choices("b", "c"), frozenset("bc")),
        Contents(2, 2, choices("a", "b", "c"), frozenset("b")),
    ),
]


@pytest.mark.parametrize(("one", "other", "either"), JOINS)
def test_join(one: Domain, other: Domain, either: Domain) -> None:
    assert join(one, other) == either
    assert join(other, one) == either


@pytest.mark.parametrize("other", [choices("a"), Texts(), LIST])
def test_what_no_slot_holds_cannot_be_joined(other: Domain) -> None:
    with pytest.raises(TypeError, match=r"no slot holds both Numbers\(.*\) and "):
        join(Numbers(0, 1), other)


def test_join_all() -> None:
    assert join_all([]) is None
    assert join_all([choices("a")]) == choices("a")
    assert join_all(choices(text) for text in "abc") == choices("a", "b", "c")


MEETS: list[tuple[Domain, Domain, Domain | None]] = [
    (Numbers(0, 5), Numbers(3, 9), Numbers(3, 5)),
    (Numbers(0, 3), Numbers(3, 9), Numbers(3, 3)),
    (Numbers(0, 3), Numbers(4, 9), None),
    (Numbers(0, 3, null=True), Numbers(4, 9, null=True), NULL),
    (Numbers(0, 3, null=True), Numbers(1, 9), Numbers(1, 3)),
    (Numbers(0, 9, whole=True), Numbers(0.5, 3.5), Numbers(1, 3, whole=True)),
    (Numbers(0, 9, whole=True), Numbers(3.25, 3.5), None),
    (choices("a", "b"), choices("b", "c"), choices("b")),
    (choices("a"), choices("b"), None),
    (choices("a", null=True), choices("b", null=True), NULL),
    (choices("a", null=True), choices("b"), None),
    (choices("a", "abc"), Texts(2), choices("a")),
    (choices("ab"), Texts(2), choices("ab")),
    (choices("abc"), Texts(2), None),
    (choices(True), Texts(), None),
    (Texts(4), Texts(9, null=True), Texts(4)),
    (Texts(4, null=True), Texts(9, null=True), Texts(4, null=True)),
    (LIST, Contents(2, 9, Numbers(1, 2), frozenset("a")), Contents(2, 3, Numbers(1, 2), frozenset("a"))),
    (LIST, Contents(3, 9, Numbers(1, 2)), Contents(3, 3, Numbers(1, 2))),
    (LIST, Contents(4, 9, Numbers(1, 2)), None),
    (replace(LIST, null=True), Contents(4, 9, None, null=True), NULL),
    (Numbers(0, 3), choices("a"), None),
    (Numbers(0, 3, null=True), choices("a", null=True), NULL),
    (LIST, Texts(), None),
]


@pytest.mark.parametrize(("one", "other", "both"), MEETS)
def test_meet(one: Domain, other: Domain, both: Domain | None) -> None:
    assert meet(one, other) == both
    assert meet(other, one) == both


def test_bounded() -> None:
    assert bounded(0.5, 3.5, whole=False) == Numbers(0.5, 3.5)
    assert bounded(0.5, 3.5, whole=True, null=True) == Numbers(1, 3, whole=True, null=True)
    assert bounded(3, 3, whole=True) == Numbers(3, 3, whole=True)
    assert bounded(4, 3, whole=False) is None
    assert bounded(4, 3, whole=False, null=True) == NULL


def test_chosen() -> None:
    assert chosen(frozenset("a"), null=False) == choices("a")
    assert chosen(frozenset(), null=True) == NULL
    assert chosen(frozenset(), null=False) is None


def test_text_lengths() -> None:
    assert text_lengths(Texts(7)) == (0, 7)
    assert text_lengths(choices("abc", "a", "ab")) == (1, 3)
    assert text_lengths(NULL) == (0, 0)
    assert text_lengths(BOTH) == (0, 0)
