"""Value codecs: small composable converters of values to JSON and back.

Unpacking runs no code and looks up no class by name: rows follow the order of a class's fields.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar, cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.conditions.conditions import Formula
from talewright.kernel.conditions.expression_json import tree_to_json
from talewright.kernel.slots.slot_types import Layout

T = TypeVar("T")
U = TypeVar("U")
E = TypeVar("E", bound=StrEnum)
F = TypeVar("F", bound=Formula)


class ValueCodec(Protocol[T]):
    """Converts one kind of value to JSON and back."""

    def pack(self, value: T) -> Json:
        """Convert a value to JSON."""

    def unpack(self, form: Json, layout: Layout) -> T:
        """Restore a value; `layout` is the one that conditions refer to."""


class JsonAsIsCodec:
    """A value that is already JSON."""

    def pack(self, value: Json) -> Json:
        return value

    def unpack(self, form: Json, layout: Layout) -> Json:
        return form


AS_IS = JsonAsIsCodec()


@frozen
class EnumCodec(Generic[E]):
    """One of a fixed list of words."""

    words: type[E]

    def pack(self, value: E) -> Json:
        return value.value

    def unpack(self, form: Json, layout: Layout) -> E:
        return self.words(cast(str, form))


@frozen
class OptionalCodec(Generic[T]):
    """A value or None."""

    inner: ValueCodec[T]

    def pack(self, value: T | None) -> Json:
        return None if value is None else self.inner.pack(value)

    def unpack(self, form: Json, layout: Layout) -> T | None:
        return None if form is None else self.inner.unpack(form, layout)


class UnionCodec(Generic[T]):
    """A value of one of several kinds, stored with the mark of its kind."""

    def __init__(self, *kinds: tuple[str | bool, type[T], ValueCodec[Any]]) -> None:
        self._kinds = kinds

    def pack(self, value: T) -> Json:
        mark, codec = next((mark, codec) for mark, kind, codec in self._kinds if isinstance(value, kind))
        return [mark, codec.pack(value)]

    def unpack(self, form: Json, layout: Layout) -> T:
        written, inner = cast(tuple[str | bool, Json], form)
        for mark, _, codec in self._kinds:
            if mark == written:
                return cast(T, codec.unpack(inner, layout))
        raise ValueError("there is no such kind")


@frozen
class TupleCodec(Generic[T]):
    """A tuple of values."""

    inner: ValueCodec[T]

    def pack(self, value: Iterable[T]) -> Json:
        return [self.inner.pack(one) for one in value]

    def unpack(self, form: Json, layout: Layout) -> tuple[T, ...]:
        return tuple(self.inner.unpack(one, layout) for one in cast(list[Json], form))


@frozen
class MappingCodec(Generic[T]):
    """A mapping from names to values."""

    inner: ValueCodec[T]

    def pack(self, value: Mapping[str, T]) -> Json:
        return {name: self.inner.pack(one) for name, one in value.items()}

    def unpack(self, form: Json, layout: Layout) -> dict[str, T]:
        return {name: self.inner.unpack(one, layout) for name, one in cast(dict[str, Json], form).items()}


@frozen
class SetCodec:
    """A set of strings and numbers."""

    def pack(self, value: frozenset[int | str]) -> Json:
        return sorted(value, key=str)

    def unpack(self, form: Json, layout: Layout) -> frozenset[int | str]:
        return frozenset(cast(list[int | str], form))


@frozen
class FormulaCodec(Generic[F]):
    """A condition or an expression: its text, its tree and the paths it reads."""

    kind: type[F]

    def pack(self, value: F) -> Json:
        return [value.source, tree_to_json(value.tree), sorted(map(list, value.reads))]

    def unpack(self, form: Json, layout: Layout) -> F:
        source, tree, reads = cast(tuple[str, Json, list[list[str]]], form)
        return self.kind.restore(source, tree, reads, layout)


@frozen
class LateCodec(Generic[T]):
    """A codec that is looked up when it is used, so that a value can contain others of its kind."""

    codec: Callable[[], ValueCodec[T]]

    def pack(self, value: T) -> Json:
        return self.codec().pack(value)

    def unpack(self, form: Json, layout: Layout) -> T:
        return self.codec().unpack(form, layout)


class DataclassCodec(Generic[T]):
    """A dataclass as a row of its fields. Raises TypeError if the fields given are not those of the class."""

    def __init__(self, kind: type[T], plain: str, /, **codecs: ValueCodec[Any]) -> None:
        """`plain` lists the fields that are already JSON; every other field has a codec."""
        all_fields = fields(cast(Any, kind))
        names = tuple(each.name for each in all_fields)
        if {*plain.split(), *codecs} != {*names}:
            raise TypeError(f"{kind.__name__} has the fields {', '.join(names)}")
        self._make: Callable[..., T] = kind
        self._names = names
        self._positional = not any(each.kw_only for each in all_fields)
        self._codecs = tuple((number, codecs[name]) for number, name in enumerate(names) if name in codecs)

    def pack(self, value: T) -> Json:
        row = [getattr(value, name) for name in self._names]
        for number, codec in self._codecs:
            row[number] = codec.pack(row[number])
        return row

    def unpack(self, form: Json, layout: Layout) -> T:
        row: list[Any] = list(cast(list[Json], form))
        for number, codec in self._codecs:
            row[number] = codec.unpack(row[number], layout)
        if len(row) != len(self._names):
            raise ValueError("the row is of another form")
        # A large game has tens of thousands of rows, and keyword arguments make each twice as slow.
        return (
            self._make(*row) if self._positional else self._make(**dict(zip(self._names, row, strict=True)))
        )


@frozen
class GrownDataclassCodec(Generic[T]):
    """A row whose last fields were added later; they are left out if they equal those of `plain`."""

    row: DataclassCodec[T]
    plain: T
    """The value with the defaults of the later fields."""

    first: int
    """The number of original fields."""

    def pack(self, value: T) -> Json:
        row, plain = (cast(list[Json], self.row.pack(each)) for each in (value, self.plain))
        while len(row) > self.first and row[-1] == plain[len(row) - 1]:
            del row[-1]
        return row

    def unpack(self, form: Json, layout: Layout) -> T:
        row, plain = cast(list[Json], form), cast(list[Json], self.row.pack(self.plain))
        later = plain[len(row) :] if len(row) >= self.first else []
        return self.row.unpack([*row, *later], layout)
