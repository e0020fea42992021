"""Value codecs: how values become plain JSON and come back, put together from small parts.

Nothing is run on the way back and no class is found by name: rows go by the order of a class's fields.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from enum import StrEnum
from typing import Any, Generic, Protocol, TypeVar, cast

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.kernel.conditions.conditions import Formula
from talewright.kernel.conditions.expression_tree import tree_to_json
from talewright.kernel.slots.slot_types import Layout

T = TypeVar("T")
U = TypeVar("U")
E = TypeVar("E", bound=StrEnum)
F = TypeVar("F", bound=Formula)


class ValueCodec(Protocol[T]):
    """One kind of value on its way to JSON and back."""

    def pack(self, value: T) -> Json:
        """The value as JSON."""

    def unpack(self, form: Json, layout: Layout) -> T:
        """The value again; `layout` is what conditions stand on."""


class JsonAsIsCodec:
    """What is JSON already."""

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
    """A value, or none."""

    inner: ValueCodec[T]

    def pack(self, value: T | None) -> Json:
        return None if value is None else self.inner.pack(value)

    def unpack(self, form: Json, layout: Layout) -> T | None:
        return None if form is None else self.inner.unpack(form, layout)


class UnionCodec(Generic[T]):
    """A value of one of several kinds; the first thing written down is the mark of its kind."""

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
    """Values in a row."""

    inner: ValueCodec[T]

    def pack(self, value: Iterable[T]) -> Json:
        return [self.inner.pack(one) for one in value]

    def unpack(self, form: Json, layout: Layout) -> tuple[T, ...]:
        return tuple(self.inner.unpack(one, layout) for one in cast(list[Json], form))


@frozen
class MappingCodec(Generic[T]):
    """Values by name."""

    inner: ValueCodec[T]

    def pack(self, value: Mapping[str, T]) -> Json:
        return {name: self.inner.pack(one) for name, one in value.items()}

    def unpack(self, form: Json, layout: Layout) -> dict[str, T]:
        return {name: self.inner.unpack(one, layout) for name, one in cast(dict[str, Json], form).items()}


@frozen
class SetCodec:
    """A set of words and numbers."""

    def pack(self, value: frozenset[int | str]) -> Json:
        return sorted(value, key=str)

    def unpack(self, form: Json, layout: Layout) -> frozenset[int | str]:
        return frozenset(cast(list[int | str], form))


@frozen
class FormulaCodec(Generic[F]):
    """A condition or an expression: its text, its tree and what it reads."""

    kind: type[F]

    def pack(self, value: F) -> Json:
        return [value.source, tree_to_json(value.tree), sorted(map(list, value.reads))]

    def unpack(self, form: Json, layout: Layout) -> F:
        source, tree, reads = cast(tuple[str, Json, list[list[str]]], form)
        return self.kind.restore(source, tree, reads, layout)


@frozen
class LateCodec(Generic[T]):
    """A codec that is named before it stands, so that a value may hold its like."""

    codec: Callable[[], ValueCodec[T]]

    def pack(self, value: T) -> Json:
        return self.codec().pack(value)

    def unpack(self, form: Json, layout: Layout) -> T:
        return self.codec().unpack(form, layout)


class DataclassCodec(Generic[T]):
    """A dataclass as a row of its fields. One that is forgotten here, or gone, is found at once."""

    def __init__(self, kind: type[T], plain: str, /, **codecs: ValueCodec[Any]) -> None:
        """`plain` names the fields that are JSON already; every other one has a codec of its own."""
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
        # A large game has tens of thousands of rows, and names make each twice as dear.
        return (
            self._make(*row) if self._positional else self._make(**dict(zip(self._names, row, strict=True)))
        )


@frozen
class GrownDataclassCodec(Generic[T]):
    """A row whose last fields came later: where they say nothing new it is the row it always was."""

    row: DataclassCodec[T]
    plain: T
    """The value whose last fields say nothing new."""

    first: int
    """How many fields there always were."""

    def pack(self, value: T) -> Json:
        row, plain = (cast(list[Json], self.row.pack(each)) for each in (value, self.plain))
        while len(row) > self.first and row[-1] == plain[len(row) - 1]:
            del row[-1]
        return row

    def unpack(self, form: Json, layout: Layout) -> T:
        row, plain = cast(list[Json], form), cast(list[Json], self.row.pack(self.plain))
        later = plain[len(row) :] if len(row) >= self.first else []
        return self.row.unpack([*row, *later], layout)
