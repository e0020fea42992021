"""Frozen values: `@frozen`, an immutable dataclass that is cheap to define, and results cached for them.

Hundreds of classes are defined before a player sees anything. The standard library generates and compiles six
methods for each of them; here `__init__`, `==` and `hash` are generated on first use, and the others are
shared. That halves the time in which the modules of a game are imported. Otherwise it behaves like
`dataclass(frozen=True, slots=True)`.

Comparing or hashing a large value, such as a whole game, would take longer than most computations on it, so
`cached_by_identity` finds their results by the identity of the arguments.
"""

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields, is_dataclass
from functools import wraps
from typing import Any, TypeVar, TypeVarTuple, Unpack, dataclass_transform

T = TypeVar("T")
Ts = TypeVarTuple("Ts")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Make a class a frozen dataclass with slots."""
    own = cls.__dict__
    if any(map(is_dataclass, cls.__bases__)):
        # Only the standard library can add to the fields of another frozen class.
        made = dataclass(frozen=True, slots=True, repr=False, eq=False)(cls)
    else:
        made = dataclass(slots=True, init=False, repr=False, eq=False)(cls)
        made.__dataclass_params__.frozen = True  # type: ignore[attr-defined]
        for name, method in _FROZEN_METHODS.items():
            if name not in own:
                setattr(made, name, method)
    # A class that defines its own comparison or repr keeps it.
    if "__eq__" not in own:
        made.__eq__ = _equal_first_time  # type: ignore[method-assign]
        made.__hash__ = _hash_first_time  # type: ignore[method-assign]
    if "__repr__" not in own:
        made.__repr__ = _represent  # type: ignore[method-assign]
    return made


def _refuse_to_assign(self: Any, name: str, value: object) -> None:
    if _is_fixed(self, name):
        raise FrozenInstanceError(f"cannot assign to field {name!r}")
    object.__setattr__(self, name, value)


def _refuse_to_delete(self: Any, name: str) -> None:
    if _is_fixed(self, name):
        raise FrozenInstanceError(f"cannot delete field {name!r}")
    object.__delattr__(self, name)


def _is_fixed(value: Any, name: str) -> bool:
    """Whether an attribute never changes: a plain subclass may have others beside the fields."""
    kind = value.__class__
    return "__dataclass_fields__" in kind.__dict__ or name in kind.__dataclass_fields__


def _read_fields(self: Any) -> list[Any]:
    """The state to pickle or copy."""
    return [getattr(self, one.name) for one in fields(self)]


def _write_fields(self: Any, state: list[Any]) -> None:
    for one, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)


def _init_first_time(self: Any, *given: Any, **named: Any) -> None:
    kind = next(one for one in self.__class__.__mro__ if one.__dict__.get("__init__") is _init_first_time)
    kind.__init__ = _generate_init(kind)
    kind.__init__(self, *given, **named)


_FROZEN_METHODS = {
    "__init__": _init_first_time,
    "__setattr__": _refuse_to_assign,
    "__delattr__": _refuse_to_delete,
    "__getstate__": _read_fields,
    "__setstate__": _write_fields,
}
"""What `frozen=True` gives a dataclass with slots."""


def _generate_init(kind: Any) -> Callable[..., None]:
    names: dict[str, Any] = {"_put": object.__setattr__, "_UNSET": object()}
    positional, keywords = ["self"], list[str]()
    lines = []
    for one in fields(kind):
        name, value = one.name, one.name
        parameter = name
        if one.default_factory is not MISSING:
            names[f"_make_{name}"] = one.default_factory
            parameter, value = f"{name}=_UNSET", f"_make_{name}() if {name} is _UNSET else {name}"
        elif one.default is not MISSING:
            names[f"_default_{name}"] = one.default
            parameter = f"{name}=_default_{name}"
        (keywords if one.kw_only else positional).append(parameter)
        lines.append(f"_put(self, {name!r}, {value})")
    if hasattr(kind, "__post_init__"):
        lines.append("self.__post_init__()")
    parameters = ", ".join([*positional, *(["*", *keywords] if keywords else [])])
    made = _generate("__init__", f"def __init__({parameters}):\n  " + "\n  ".join(lines or ["pass"]), names)
    made.__qualname__ = f"{kind.__qualname__}.__init__"
    return made


def _equal_first_time(self: Any, other: Any) -> Any:
    kind = self.__class__
    kind.__eq__ = _generate(
        "__eq__",
        "def __eq__(self, other):\n"
        "    if other.__class__ is not self.__class__: return NotImplemented\n"
        f"    return {_tuple_of(kind, 'self')} == {_tuple_of(kind, 'other')}\n",
        {},
    )
    return kind.__eq__(self, other)


def _hash_first_time(self: Any) -> int:
    kind = self.__class__
    kind.__hash__ = _generate(
        "__hash__", f"def __hash__(self):\n    return hash({_tuple_of(kind, 'self')})\n", {}
    )
    return hash(self)


def _tuple_of(kind: Any, value: str) -> str:
    """The source of a tuple of all fields by which values of a class are compared."""
    return "(" + "".join(f"{value}.{one.name}," for one in fields(kind) if one.compare) + ")"


def _generate(name: str, source: str, names: dict[str, Any]) -> Callable[..., Any]:
    exec(source, names)  # noqa: S102 - made of field names, which are Python identifiers
    made: Callable[..., Any] = names[name]
    return made


def _represent(self: Any) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(self) if one.repr)
    return f"{self.__class__.__qualname__}({', '.join(shown)})"


def cached_by_identity(
    size: int, by_value: tuple[type, ...] = ()
) -> Callable[[Callable[[Unpack[Ts]], T]], Callable[[Unpack[Ts]], T]]:
    """Keep the latest results of a function whose arguments never change.

    Texts and numbers are compared by value, and so are arguments of the types in `by_value`. The least
    recently used result is dropped first. A cached argument stays alive, so that no other object gets its
    identity.
    """
    values = (str, int, *by_value)

    def decorate(make: Callable[[Unpack[Ts]], T]) -> Callable[[Unpack[Ts]], T]:
        kept: OrderedDict[tuple[object, ...], tuple[object, T]] = OrderedDict()

        @wraps(make)
        def find(*args: *Ts) -> T:
            key = tuple((type(one), one) if isinstance(one, values) else id(one) for one in args)
            # Taken out and put back in single steps: another thread may drop it in between.
            found = kept.pop(key, None) or (args, make(*args))
            kept[key] = found
            if len(kept) > size:
                kept.popitem(last=False)
            return found[1]

        return find

    return decorate
