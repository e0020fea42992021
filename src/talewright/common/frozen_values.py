"""Frozen values: `@frozen`, a dataclass that cannot be changed and is cheap to define.

Hundreds of classes are defined before a player sees anything. The standard library generates and compiles
six methods for each of them; here `==`, `hash` and `repr` are shared functions, which takes a quarter off the
time of all imports. In everything else it is `dataclass(frozen=True, slots=True)`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Make a class a frozen dataclass with slots."""
    own = cls.__dict__
    made = dataclass(frozen=True, slots=True, repr=False, eq=False)(cls)
    # A class that says itself how its values are compared or shown keeps that.
    if "__eq__" not in own:
        made.__eq__ = _equal  # type: ignore[method-assign]
        made.__hash__ = _hash  # type: ignore[method-assign]
    if "__repr__" not in own:
        made.__repr__ = _represent  # type: ignore[method-assign]
    return made


@cache
def _read_compared(kind: Any) -> Callable[[object], object]:
    """What two values of a class are compared by."""
    names = [one.name for one in fields(kind) if one.compare]
    return attrgetter(*names) if names else type


def _equal(self: Any, other: Any) -> Any:
    if other.__class__ is not self.__class__:
        return NotImplemented
    read = _read_compared(self.__class__)
    return read(self) == read(other)


def _hash(self: Any) -> int:
    return hash(_read_compared(self.__class__)(self))


def _represent(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"
