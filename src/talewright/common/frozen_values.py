"""Frozen values: `@frozen`, an immutable dataclass that is cheap to define.

Hundreds of classes are defined before a player sees anything. The standard library generates and compiles six
methods for each of them; here `==`, `hash` and `repr` are generated on first use, which cuts a quarter off
the total import time. Otherwise it behaves like `dataclass(frozen=True, slots=True)`.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Make a class a frozen dataclass with slots."""
    own = cls.__dict__
    made = dataclass(frozen=True, slots=True, repr=False, eq=False)(cls)
    # A class that defines its own comparison or repr keeps it.
    if "__eq__" not in own:
        made.__eq__ = _equal_first_time  # type: ignore[method-assign]
        made.__hash__ = _hash_first_time  # type: ignore[method-assign]
    if "__repr__" not in own:
        made.__repr__ = _represent  # type: ignore[method-assign]
    return made


def _equal_first_time(self: Any, other: Any) -> Any:
    kind = self.__class__
    kind.__eq__ = _generate(
        "__eq__",
        "def __eq__(self, other):\n"
        "    if other.__class__ is not self.__class__: return NotImplemented\n"
        f"    return {_tuple_of(kind, 'self')} == {_tuple_of(kind, 'other')}\n",
    )
    return kind.__eq__(self, other)


def _hash_first_time(self: Any) -> int:
    kind = self.__class__
    kind.__hash__ = _generate(
        "__hash__", f"def __hash__(self):\n    return hash({_tuple_of(kind, 'self')})\n"
    )
    return hash(self)


def _tuple_of(kind: Any, value: str) -> str:
    """The source of a tuple of all fields by which values of a class are compared."""
    return "(" + "".join(f"{value}.{one.name}," for one in fields(kind) if one.compare) + ")"


def _generate(name: str, source: str) -> Callable[..., Any]:
    names: dict[str, Any] = {}
    exec(source, names)  # noqa: S102 - made of field names, which are Python identifiers
    made: Callable[..., Any] = names[name]
    return made


def _represent(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"
