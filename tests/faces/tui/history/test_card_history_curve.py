"""Curves drawn with block characters."""

from hypothesis import given
from hypothesis import strategies as st

from talewright.faces.tui.history.card_history import LEVELS, draw_curve, sample


def test_value_stands_until_the_next_change() -> None:
    assert sample([(0, 1.0), (2, 5.0), (3, 2.0)], 10) == (1.0, 1.0, 5.0, 2.0)


def test_long_curve_is_thinned_to_the_width_and_keeps_its_ends() -> None:
    values = sample([(turn, float(turn)) for turn in range(1000)], 10)
    assert len(values) == 10
    assert (values[0], values[-1]) == (0.0, 999.0)


def test_one_point_is_one_value() -> None:
    assert sample([(7, 3.0)], 10) == (3.0,)
    assert sample([(7, 3.0), (9, 4.0)], 1) == (4.0,)


def test_bars_grow_from_the_lowest_line() -> None:
    assert draw_curve((0.0, 50.0, 100.0), 2, 0.0, 100.0) == ("  █", "▁██")


def test_curve_without_a_span_is_flat() -> None:
    assert draw_curve((3.0, 3.0), 2, 3.0, 3.0) == ("  ", "██")


def test_value_out_of_its_bounds_stays_in_the_picture() -> None:
    assert draw_curve((-50.0, 500.0), 1, 0.0, 100.0) == ("▁█",)


POINTS = st.dictionaries(st.integers(0, 500), st.floats(-1e6, 1e6), min_size=1, max_size=60)


@given(
    POINTS,
    st.integers(1, 80),
    st.integers(1, 6),
)
def test_picture_has_its_size_and_no_hole(points: dict[int, float], width: int, height: int) -> None:
    values = sample(sorted(points.items()), width)
    lines = draw_curve(values, height, min(values), max(values))
    assert len(lines) == height
    assert {len(line) for line in lines} == {len(values)}
    assert 1 <= len(values) <= width
    assert set("".join(lines)) <= set(LEVELS)
    assert " " not in lines[-1]
