"""Frozen values behave as frozen dataclasses of the standard library do."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace
from typing import Generic, TypeVar

import pytest

from talewright.common.frozen_values import frozen

T = TypeVar("T")


@frozen
class Pair:
    """Two things."""

    one: int
    other: tuple[str, ...] = ()
    note: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Standard:
    """The same by the standard library."""

    one: int
    other: tuple[str, ...] = ()
    note: str = field(default="", compare=False, repr=False)


@frozen
class Single:
    """One thing."""

    one: int


@frozen
class Empty:
    """Nothing."""


@frozen
class Wider(Pair):
    """One thing more."""

    more: int = 0


@frozen
class Own:
    """Compared and shown in its own way."""

    name: str

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Own) and self.name.lower() == other.name.lower()

    def __hash__(self) -> int:
        return hash(self.name.lower())

    def __repr__(self) -> str:
        return f"<{self.name}>"


@frozen
class Made(Generic[T]):
    """Made from defaults, and finished after that."""

    first: T
    rest: list[T] = field(default_factory=list)
    mode: str = field(default="plain", kw_only=True)

    def __post_init__(self) -> None:
        self.rest.append(self.first)


@frozen
class Doubled:
    """Made in its own way."""

    number: int

    def __init__(self, number: int) -> None:
        object.__setattr__(self, "number", 2 * number)


class Plain(Single):
    """An ordinary class on top of a frozen one."""

    note: str


def test_it_is_made_as_the_standard_library_makes_it() -> None:
    one, other = Made(1), Made[int](2, [0], mode="fine")
    assert (one.first, one.rest, one.mode) == (1, [1], "plain")
    assert (other.first, other.rest, other.mode) == (2, [0, 2], "fine")
    assert Doubled(2).number == 4
    assert Pair(other=("a",), one=1) == Pair(1, ("a",))
    assert Pair.__match_args__ == ("one", "other", "note")
    for kind in (Pair, Standard):
        make: Callable[..., object] = kind
        with pytest.raises(TypeError, match=r"__init__\(\) missing 1 required positional argument: 'one'"):
            make()
        with pytest.raises(TypeError, match="unexpected keyword argument 'two'"):
            make(1, two=2)
    with pytest.raises(TypeError, match="positional arguments"):
        Made(1, [], "fine")  # type: ignore[call-arg]


def test_a_plain_subclass_may_have_attributes_of_its_own() -> None:
    plain = Plain(1)
    plain.note = "kept"
    assert (plain.one, plain.note) == (1, "kept")
    with pytest.raises(FrozenInstanceError):
        plain.one = 2  # type: ignore[misc]
    del plain.note
    assert not hasattr(plain, "note")


def test_standard_dataclasses_may_add_to_it() -> None:
    @dataclass(frozen=True)
    class Added(Pair):
        more: int = 0

    assert (Added(1, more=2).one, Added(1, more=2).more) == (1, 2)


def test_it_cannot_be_changed_and_has_slots() -> None:
    pair = Pair(1)
    with pytest.raises(FrozenInstanceError):
        pair.one = 2  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del pair.one
    assert not hasattr(pair, "__dict__")


def test_it_is_a_dataclass() -> None:
    kind: type = Pair
    assert is_dataclass(kind)
    assert [one.name for one in fields(Pair)] == ["one", "other", "note"]
    assert replace(Pair(1), one=3, note="n").note == "n"
    assert asdict(Pair(1, ("a",))) == asdict(Standard(1, ("a",)))
    assert copy.deepcopy(Pair(1)) == pickle.loads(pickle.dumps(Pair(1))) == Pair(1)


def test_it_is_compared_by_its_fields_and_its_class() -> None:
    assert Pair(1, ("a",), "x") == Pair(1, ("a",), "y")
    assert hash(Pair(1, ("a",), "x")) == hash(Pair(1, ("a",), "y"))
    assert Pair(1) != Pair(2)
    standard: object = Standard(1)
    assert Pair(1) != standard
    assert Wider(1) != Pair(1)
    assert Wider(1, more=1) != Wider(1, more=2)
    assert Single(1) == Single(1) != Single(2)
    assert Empty() == Empty()
    assert len({Empty(), Empty(), Single(1), Single(1), Pair(1), Wider(1)}) == 4


def test_it_is_shown_as_the_standard_library_shows_it() -> None:
    assert repr(Pair(1, ("a",), "n")) == repr(Standard(1, ("a",), "n")).replace("Standard", "Pair")
    assert repr(Empty()) == "Empty()"


def test_a_class_may_have_its_own_way() -> None:
    assert Own("A") == Own("a")
    assert len({Own("A"), Own("a")}) == 1
    assert repr(Own("A")) == "<A>"
