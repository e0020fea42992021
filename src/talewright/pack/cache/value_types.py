"""Value types: whether restored values have the types that their classes declare.

Rows of a compiled game are restored without looking at them. A stranger may have written any JSON into one.
"""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

_JSON = {bool, int, float, str, NoneType}
"""Members of the type of any JSON; what else is in it, `get_type_hints` spells in its own way."""

_EXACT = (bool, int, str, NoneType)
"""Types that are compared exactly: `true` is no number."""


def check_types(value: object, declared: Any) -> None:
    """Raise ValueError unless a value and everything in it have the declared types."""
    if not _fits(value, declared):
        raise ValueError(f"a value of the type {type(value).__name__} is not {declared}")


def _fits(value: object, declared: Any) -> bool:
    origin, inner = get_origin(declared), get_args(declared)
    if origin in (UnionType, Union):
        return {*inner} >= _JSON or any(_fits(value, one) for one in inner)
    if origin is None:
        return _fits_class(value, declared)
    if origin is Mapping:
        return isinstance(value, Mapping) and all(
            _fits(name, inner[0]) and _fits(one, inner[1]) for name, one in value.items()
        )
    # A tuple in a row that was stored as it is comes back as a list.
    kinds = (tuple, list) if origin is tuple else (origin,)
    return isinstance(value, kinds) and all(_fits(one, inner[0]) for one in value)


def _fits_class(value: object, kind: Any) -> bool:
    if kind in _EXACT:
        return type(value) is kind
    if kind is float:
        return type(value) in (int, float)
    return isinstance(value, kind) and all(
        _fits(getattr(value, name), declared) for name, declared in _list_fields(kind)
    )


@cache
def _list_fields(kind: type) -> tuple[tuple[str, Any], ...]:
    """The fields of a dataclass with their types; empty for any other class."""
    if not is_dataclass(kind):
        return ()
    declared = get_type_hints(kind)
    return tuple((each.name, declared[each.name]) for each in fields(kind))
