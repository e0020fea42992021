"""Codecs: values to JSON and back, and what is no value of ours."""

import json
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import pytest

from talewright.kernel.conditions.conditions import Condition, parse_condition
from talewright.kernel.slots.slot_types import Layout, Slot, SlotKind
from talewright.pack.cache.value_codecs import (
    AS_IS,
    DataclassCodec,
    EnumCodec,
    FormulaCodec,
    GrownDataclassCodec,
    MappingCodec,
    OptionalCodec,
    SetCodec,
    TupleCodec,
    UnionCodec,
    ValueCodec,
)

LAYOUT = Layout({"rope": Slot(kind=SlotKind.INTEGER, default=0)})


class Colour(StrEnum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True, slots=True)
class Point:
    x: int
    colour: Colour = Colour.RED


@dataclass(frozen=True, slots=True, kw_only=True)
class Named:
    name: str
    point: Point | None = None


@dataclass(frozen=True, slots=True)
class Third:
    n: int


POINT = DataclassCodec(Point, "x", colour=EnumCodec(Colour))
NAMED = DataclassCodec(Named, "name", point=OptionalCodec(POINT))
ONE_OF: UnionCodec[Point | Named | Third] = UnionCodec(
    (True, Point, POINT), (False, Named, NAMED), ("third", Third, DataclassCodec(Third, "n"))
)

CASES: list[tuple[ValueCodec[Any], object]] = [
    (AS_IS, {"a": [1, None, "b"]}),
    (EnumCodec(Colour), Colour.BLUE),
    (OptionalCodec(EnumCodec(Colour)), None),
    (OptionalCodec(EnumCodec(Colour)), Colour.RED),
    (TupleCodec(AS_IS), (1, 2)),
    (MappingCodec(POINT), {"a": Point(1), "b": Point(2, Colour.BLUE)}),
    (SetCodec(), frozenset({6, 20, "F"})),
    (NAMED, Named(name="a", point=Point(3))),
    (NAMED, Named(name="b")),
    (ONE_OF, Point(4, Colour.BLUE)),
    (ONE_OF, Named(name="c")),
    (ONE_OF, Third(5)),
]


@pytest.mark.parametrize(("codec", "value"), CASES)
def test_a_value_comes_back_through_json(codec: ValueCodec[Any], value: object) -> None:
    form = json.loads(json.dumps(codec.pack(value)))
    back = codec.unpack(form, LAYOUT)
    assert back == value
    assert type(back) is type(value)


def test_a_condition_comes_back_with_its_tree_and_what_it_reads() -> None:
    condition = parse_condition("rope > 2 and not turn == 3", LAYOUT)
    codec = FormulaCodec(Condition)
    back = codec.unpack(json.loads(json.dumps(codec.pack(condition))), LAYOUT)
    assert back == condition
    assert back.tree == condition.tree
    assert back.reads == condition.reads
    assert back.holds({"rope": 3}, 1)


def test_of_several_kinds_the_mark_stands_first() -> None:
    assert ONE_OF.pack(Point(4)) == [True, [4, "red"]]
    assert ONE_OF.pack(Named(name="c")) == [False, ["c", None]]
    assert ONE_OF.pack(Third(5)) == ["third", [5]]
    with pytest.raises(ValueError, match="no such kind"):
        ONE_OF.unpack(["fourth", [5]], LAYOUT)


@pytest.mark.parametrize("form", [[1], [1, "red", 3], [], [1, "green"], 3, None, {"x": 1}])
def test_a_row_of_another_form_is_refused(form: object) -> None:
    with pytest.raises((ValueError, TypeError, KeyError, IndexError)):
        POINT.unpack(form, LAYOUT)  # type: ignore[arg-type]  # that is what is tried


def test_a_field_that_is_forgotten_or_gone_is_found_at_once() -> None:
    with pytest.raises(TypeError, match="Point has the fields x, colour"):
        DataclassCodec(Point, "x")
    with pytest.raises(TypeError):
        DataclassCodec(Point, "x y", colour=EnumCodec(Colour))


GROWN: GrownDataclassCodec[Point] = GrownDataclassCodec(
    DataclassCodec(Point, "x", colour=EnumCodec(Colour)), Point(0), 1
)


@pytest.mark.parametrize(
    ("value", "form"),
    [(Point(0), [0]), (Point(3, Colour.RED), [3]), (Point(3, Colour.BLUE), [3, "blue"])],
)
def test_a_row_that_has_grown_is_as_it_was_where_it_says_nothing_new(value: Point, form: list[Any]) -> None:
    assert GROWN.pack(value) == form
    assert GROWN.unpack(form, LAYOUT) == value


@pytest.mark.parametrize("form", [[], [3, "blue", 1]])
def test_a_grown_row_of_another_form_is_refused(form: list[Any]) -> None:
    with pytest.raises((ValueError, IndexError)):
        GROWN.unpack(form, LAYOUT)
