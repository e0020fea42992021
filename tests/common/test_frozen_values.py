"""Frozen values behave as frozen dataclasses of the standard library do."""

import copy
import pickle
from dataclasses import FrozenInstanceError, asdict, dataclass, field, fields, is_dataclass, replace

import pytest

from talewright.common.frozen_values import frozen


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
