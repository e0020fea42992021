"""Documents: what stands at a path, what is equal, and the one spelling of a number."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.common.json_values import Json, equal
from talewright.kernel.state.documents import (
    ABSENT,
    INTEGER_MAX,
    Absent,
    find,
    is_text,
    normal_number,
    rounded_number,
)
from talewright.kernel.state.state_paths import Path

DOCUMENT: Json = {"a": {"": 1, "b": None}, "list": [10, [20, {"c": 30}]], "0": "zero", "text": "xyz"}

VALUES = st.recursive(
    st.sampled_from([None, True, False, 0, 1, 0.0, 1.0, 0.5, "", "1"]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from("ab"), inner, max_size=2),
    max_leaves=4,
)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ((), DOCUMENT),
        (("a",), {"": 1, "b": None}),
        (("a", ""), 1),
        (("a", "b"), None),
        (("list", "0"), 10),
        (("list", "1", "1", "c"), 30),
        (("0",), "zero"),
        (("missing",), ABSENT),
        (("a", "missing"), ABSENT),
        (("missing", "b"), ABSENT),
        (("a", "b", "c"), ABSENT),
        (("list", "2"), ABSENT),
        (("list", "-"), ABSENT),
        (("list", "00"), ABSENT),
        (("list", "2", "c"), ABSENT),
        (("text", "0"), ABSENT),
    ],
)
def test_what_stands_at_a_path(path: Path, value: Json | Absent) -> None:
    assert find(DOCUMENT, path) == value


def test_absent_is_not_null() -> None:
    assert find({"a": None}, ("a",)) is None
    assert find({}, ("a",)) is ABSENT
    assert ABSENT.value == "absent"


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (1, 1.0),
        (0, -0.0),
        ("a", "a"),
        (None, None),
        (True, True),
        ([], []),
        ({"a": 1, "b": [2, {"c": None}]}, {"b": [2.0, {"c": None}], "a": 1.0}),
        ([True, False], [True, False]),
    ],
)
def test_the_same_json(left: Json, right: Json) -> None:
    assert equal(left, right)
    assert equal(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        (True, 1),
        (False, 0),
        (True, 1.0),
        (True, False),
        (None, False),
        ("1", 1),
        ("e\u0301", "\u00e9"),
        ([], {}),
        ([1, 2], [2, 1]),
        ([1], [1, 1]),
        ({"a": 1}, {"a": 1, "b": 1}),
        ({"a": 1}, {"b": 1}),
        ({"a": 0, "b": 1}, {"a": 0, "b": True}),
        ([0, [0, True]], [0, [0, 1]]),
        ([True, 1], [True, True]),
    ],
)
def test_different_json(left: Json, right: Json) -> None:
    assert not equal(left, right)
    assert not equal(right, left)


def _naive(left: Json, right: Json) -> bool:
    if isinstance(left, dict) and isinstance(right, dict):
        return left.keys() == right.keys() and all(_naive(left[key], right[key]) for key in left)
    if isinstance(left, list) and isinstance(right, list):
        return len(left) == len(right) and all(map(_naive, left, right))
    return isinstance(left, bool) == isinstance(right, bool) and left == right


@given(VALUES, VALUES)
def test_equality_agrees_with_its_definition(left: Json, right: Json) -> None:
    assert equal(left, right) is _naive(left, right)
    assert equal(left, left)


@pytest.mark.parametrize(
    ("value", "normal"),
    [
        (3, "3"),
        (3.0, "3"),
        (-0.0, "0"),
        (0, "0"),
        (0.5, "0.5"),
        (-2.75, "-2.75"),
        (1e15, "1000000000000000"),
        (INTEGER_MAX, "9007199254740991"),
        (-INTEGER_MAX, "-9007199254740991"),
        (float(INTEGER_MAX), "9007199254740991"),
        (INTEGER_MAX + 1, "None"),
        (-INTEGER_MAX - 1, "None"),
        (2.0**53, "None"),
        (-(2.0**53), "None"),
        (1e300, "None"),
        (float("inf"), "None"),
        (float("-inf"), "None"),
        (float("nan"), "None"),
    ],
)
def test_a_number_has_one_spelling(value: int | float, normal: str) -> None:
    assert repr(normal_number(value)) == normal


@pytest.mark.parametrize(
    ("value", "rounded"),
    [
        (0.1 + 0.2, "0.3"),
        (8.881784197e-16, "0"),
        (-8.881784197e-16, "0"),
        (-0.0, "0"),
        (0.5**10, "0.000976562"),
        (3 * 0.5**10, "0.002929688"),
        (-(0.5**10), "-0.000976562"),
        (2.9999999999, "3"),
        (1 / 3, "0.333333333"),
        (12345678.9, "12345678.9"),
        (7, "7"),
        (INTEGER_MAX, "9007199254740991"),
        (1e300, "None"),
        (float("inf"), "None"),
        (float("nan"), "None"),
    ],
)
def test_a_number_is_rounded_half_to_even_to_nine_places(value: int | float, rounded: str) -> None:
    assert repr(rounded_number(value)) == rounded


def test_the_largest_integer() -> None:
    assert INTEGER_MAX == 9_007_199_254_740_991


@pytest.mark.parametrize(
    ("value", "good"), [("", True), ("灯塔 \U0001f56f", True), ("\ud800", False), ("a\udfff", False)]
)
def test_text_can_be_written_as_utf8(value: str, good: bool) -> None:
    assert is_text(value) is good
