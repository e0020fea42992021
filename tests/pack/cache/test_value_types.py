"""Types of restored values: what a class declares, in every part of it."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

import pytest

from talewright.common.frozen_values import frozen
from talewright.common.json_values import Json
from talewright.pack.cache.value_types import check_types


class Word(StrEnum):
    ONE = "one"


@frozen
class Inner:
    number: int
    share: float | None = None


@frozen
class Outer:
    word: Word = Word.ONE
    names: tuple[str, ...] = ()
    inner: Inner | None = None
    others: Mapping[str, Inner] | None = None
    anything: Json = None
    some: frozenset[int | str] = frozenset()


@pytest.mark.parametrize(
    "value",
    [
        Outer(),
        Outer(names=("a",), inner=Inner(1, 1), others={"x": Inner(2, 0.5)}, anything=[{"a": None}]),
        Outer(names=["a"], some=frozenset({1, "a"})),  # type: ignore[arg-type]
    ],
)
def test_what_has_its_types_passes(value: Outer) -> None:
    check_types(value, Outer)
    check_types({"x": value}, Mapping[str, Outer])


WRONG: tuple[tuple[str, Any], ...] = (
    ("word", "one"),
    ("names", "ab"),
    ("names", (1,)),
    ("names", None),
    ("inner", {}),
    ("inner", Inner(True)),
    ("inner", Inner(1.0)),  # type: ignore[arg-type]
    ("inner", Inner(1, "0.5")),  # type: ignore[arg-type]
    ("inner", Inner(1, False)),
    ("others", [Inner(1)]),
    ("others", {1: Inner(1)}),
    ("others", {"x": Inner({})}),  # type: ignore[arg-type]
    ("some", frozenset({None})),
    ("some", [1]),
)


@pytest.mark.parametrize(("name", "value"), WRONG)
def test_what_has_another_type_is_refused(name: str, value: Any) -> None:
    with pytest.raises(ValueError, match="is not"):
        check_types(Outer(**{name: value}), Outer)


def test_another_class_is_refused() -> None:
    with pytest.raises(ValueError, match="is not"):
        check_types(Inner(1), Outer)
