"""The window: when it is cut, and to what."""

from itertools import pairwise

import pytest

from talewright.kernel.memory_rules import MemoryRules
from talewright.prompt.past_turns_part import TURNS_MAX, WindowMarks, count_due, is_full, make_marks

MARKS = WindowMarks(high=1_000, low=500, hard=2_000, keep_turns=2, every_turns=4)


def test_the_marks_of_a_game_in_the_room_there_is() -> None:
    memory = MemoryRules(8, 6, 16_000, 8_000)
    assert make_marks(memory, 100_000) == WindowMarks(16_000, 8_000, 100_000, 6, 8, TURNS_MAX)
    assert make_marks(memory, 12_000) == WindowMarks(12_000, 8_000, 12_000, 6, 8)
    # A low mark that is none would have something cut in every turn.
    assert make_marks(memory, 8_000) == WindowMarks(8_000, 4_000, 8_000, 6, 8)
    assert make_marks(MemoryRules(8, 6, 4_000, 8_000), 100_000).low == 2_000


def test_a_window_may_be_a_share_of_what_the_model_can_read() -> None:
    memory = MemoryRules(8, 6, 16_000, 8_000, 0.6)
    assert make_marks(memory, 100_000, 128_000) == WindowMarks(76_800, 8_000, 100_000, 6, 8)
    assert make_marks(memory, 50_000, 128_000).high == 50_000
    assert make_marks(memory, 7_000, 10_000) == WindowMarks(6_000, 3_000, 7_000, 6, 8)


def test_a_window_is_full_by_tokens_or_by_turns() -> None:
    assert not is_full([500, 500], MARKS)
    assert is_full([500, 501], MARKS)
    assert not is_full([1] * TURNS_MAX, MARKS)
    assert is_full([1] * (TURNS_MAX + 1), MARKS)


@pytest.mark.parametrize(
    ("sizes", "since", "due"),
    [
        ([100] * 10, 3, 0),  # not full, not waited
        ([100] * 11, 0, 6),  # full: down to the low mark
        ([100] * 10, 4, 5),  # waited, and over the low mark
        ([100] * 5, 9, 0),  # waited, but not over the low mark
        ([100] * 6, 9, 0),  # one turn alone is not worth sending all the rest anew
        ([100] * 7, 9, 2),
        ([375] * 3, 0, 1),  # the last two stay, and there is room to grow
        ([376] * 3, 0, 2),  # they would fill the window again too soon
        ([600] * 2, 0, 1),
        ([1_100] * 2, 0, 1),  # the very last stays however long it is
        ([1_100], 0, 0),
        ([2_100], 0, 1),  # unless the model could not read it
        ([], 9, 0),
    ],
)
def test_how_many_turns_are_due(sizes: list[int], since: int, due: int) -> None:
    assert count_due(sizes, since, MARKS) == due


def test_very_many_short_turns_are_cut_to_half_of_them() -> None:
    assert count_due([1] * (TURNS_MAX + 1), 0, MARKS) == TURNS_MAX + 1 - TURNS_MAX // 2


def test_a_window_grows_in_between() -> None:
    """Cut after cut, the window never leaves its marks, and a cut is never followed by another at once."""
    sizes: list[int] = []
    cut_at, cuts = 0, []
    for turn in range(1, 400):
        due = count_due(sizes, turn - cut_at, MARKS)
        if due:
            cuts.append(turn)
            sizes, cut_at = sizes[due:], turn
            assert sum(sizes) <= MARKS.low
        sizes.append(60 + turn % 7)
        assert sum(sizes) <= MARKS.high
    assert min(after - before for before, after in pairwise(cuts)) >= MARKS.every_turns


def test_a_small_window_grows_in_between_as_well() -> None:
    """Six turns that stay would fill it by themselves: there would be a cut in every turn."""
    marks = make_marks(MemoryRules(8, 6, 16_000, 8_000), 2_000)
    sizes: list[int] = []
    cuts = []
    for turn in range(1, 100):
        if due := count_due(sizes, 0, marks):
            cuts.append(turn)
            sizes = sizes[due:]
        sizes.append(250 + turn % 50)
    assert min(after - before for before, after in pairwise(cuts)) >= 2
    assert 99 / len(cuts) >= 2.5


@pytest.mark.parametrize(
    ("sizes", "since", "spared_from", "due"),
    [
        ([100] * 11, 0, None, 6),
        ([100] * 11, 0, 8, 6),  # a cut to the low mark spares them anyway
        ([100] * 11, 0, 6, 6),
        ([100] * 11, 0, 4, 4),  # 700 tokens are spared: there is room to grow
        ([100] * 11, 0, 3, 6),  # 800 would be full again too soon
        ([100] * 11, 0, 0, 6),
        ([125] * 9, 0, 3, 3),  # 750 is the most
        ([125] * 8 + [126], 0, 3, 6),
        ([100] * 10, 9, 3, 3),  # waited, and worth it
        ([100] * 8, 9, 1, 0),  # waited, and not worth it
        ([100] * 7, 9, 0, 0),
    ],
)
def test_turns_that_a_system_wants_to_keep_are_spared(
    sizes: list[int], since: int, spared_from: int | None, due: int
) -> None:
    assert MARKS.retained == 750
    assert count_due(sizes, since, MARKS, spared_from) == due


def test_of_very_many_short_turns_none_is_spared() -> None:
    assert count_due([1] * (TURNS_MAX + 1), 0, MARKS, 3) == TURNS_MAX + 1 - TURNS_MAX // 2
