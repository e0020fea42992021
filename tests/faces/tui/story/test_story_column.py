"""The column: heights for all, lines for what is looked at."""

import pytest
from textual.strip import Strip

from talewright.faces.tui.story import story_column as column_module
from talewright.faces.tui.story.live_narration import LiveNarration
from talewright.faces.tui.story.story_column import (
    ColumnPosition,
    StoryColumn,
    StoryItem,
    find_guesses,
    find_row,
    guess_height,
    measure,
    read_rows,
)
from talewright.faces.tui.story.story_entries import EventEntry, NarrationEntry, RollEntry, SaidEntry
from tests.faces.tui.story.making import ROLL


def make_column(*heights: int, width: int = 40) -> StoryColumn:
    """A column of measured items with so many rows."""
    column = StoryColumn()
    column.width = width
    column.put(StoryItem((EventEntry("\n".join("x" * (height - 1))),)) for height in heights)
    for item in column.items:
        column.lay(item)
    return column


def test_rows_are_found() -> None:
    column = make_column(3, 4, 2)
    one, two, three = column.items
    assert column.height == 9
    assert [column.top(item) for item in column.items] == [0, 3, 7]
    assert column.locate(0) == ColumnPosition(one, 0, 0)
    assert column.locate(2) == ColumnPosition(one, 2, 0)
    assert column.locate(3) == ColumnPosition(two, 0, 1)
    assert column.locate(8) == ColumnPosition(three, 1, 2)
    assert column.locate(9) is None
    assert column.locate(-1) is None
    assert StoryColumn().locate(0) is None


def test_place_holds_when_something_comes_above() -> None:
    column = make_column(3, 4)
    place = column.locate(4)
    column.put([StoryItem((EventEntry("new"),))], 0)
    column.lay(column.items[0])
    assert find_row(column, place, 0) == 6
    assert find_row(column, None, 5) == 5
    assert place is not None
    column.remove(place.item)
    assert find_row(column, place, 5) == 5
    assert column.height == 5


def test_place_in_something_that_shrank_is_its_last_row() -> None:
    column = make_column(3, 4)
    place = column.locate(6)
    assert place is not None
    column.set_height(place.item, 2)
    assert find_row(column, place, 0) == 4


def test_height_of_the_last_is_taken_at_once() -> None:
    column = make_column(3, 4)
    assert column.height == 7
    column.set_height(column.items[1], 6)
    assert column.height == 9
    column.set_height(column.items[0], 1)
    assert column.height == 7
    assert column.top_at(1) == 1


def test_width_makes_heights_guesses_again() -> None:
    column = make_column(3, 4)
    assert column.guessing
    assert find_guesses(column) == []
    assert not column.guessing
    column.resize(20)
    assert column.guessing
    assert [item.height for item in column.items] == [6, 8]
    assert find_guesses(column) == list(reversed(column.items))
    assert column.settle(0, 4)
    assert [item.height for item in column.items] == [3, 8]
    assert not column.settle(0, 3)
    assert column.settle(0, 4)
    assert [item.height for item in column.items] == [3, 4]
    assert find_guesses(column) == []


def test_settling_beyond_the_end_does_nothing() -> None:
    column = make_column(3)
    assert not column.settle(50, 10)
    assert not StoryColumn().settle(0, 10)


def test_only_some_lines_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_module, "LINES_KEPT", 10)
    column = make_column(4, 4, 4, 4)
    newest = column.lay(column.items[3])
    assert column.lay(column.items[3]) is newest
    column.lay(column.items[0])
    column.lay(column.items[1])
    assert column.lay(column.items[3]) is not newest
    assert column.height == 16


def test_one_item_is_kept_however_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(column_module, "LINES_KEPT", 3)
    column = make_column(8)
    assert column.lay(column.items[0]) is column.lay(column.items[0])


def test_paint_is_forgotten_without_the_lines() -> None:
    column = make_column(3)
    laid = column.lay(column.items[0])
    laid.strips[0] = Strip.blank(1)
    column.forget_paint()
    assert column.lay(column.items[0]) is laid
    assert laid.strips == {}


def test_live_item_flows() -> None:
    column = make_column(3)
    live = LiveNarration("look")
    item = StoryItem(live=live)
    column.put([item])
    assert column.height == 5
    live.draft.add("one\n\ntwo")
    assert column.flow(item) == 2
    laid = column.lay(item)
    assert column.height == 9
    laid.strips = dict.fromkeys(range(6), Strip.blank(1))
    live.draft.add(" more\n\nthree")
    assert column.flow(item) == 4
    assert column.height == 11
    assert list(laid.strips) == [0, 1, 2, 3]
    assert column.flow(column.items[0]) == 0


def test_rows_are_read_across_items() -> None:
    column = make_column(3, 3)
    assert [line.text for line in read_rows(column, 1, 4)] == ["· x", "  x", "", "· x"]
    assert [line.text for line in read_rows(column, 4, 99)] == ["· x", "  x"]
    assert list(read_rows(column, 99, 120)) == []


def test_measuring_ends_with_its_time() -> None:
    items = [StoryItem((EventEntry("a\nb"),)) for _ in range(10)]
    times = iter(range(100))
    measured = measure(items, 40, lambda: float(next(times)), 2.5)
    assert [(item, 3) for item in items[:3]] == measured
    assert measure([], 40, lambda: 0.0, 1.0) == []
    assert len(measure(items, 40, lambda: float(next(times)), 0.0)) == 1


def test_guess_is_near() -> None:
    assert guess_height((), 40) == 1
    assert guess_height((RollEntry((ROLL,)),), 40) == 5
    assert guess_height((SaidEntry("x" * 80),), 40) == 4
    assert guess_height((NarrationEntry("雾" * 40),), 40) == 4
    assert guess_height((NarrationEntry("a\n\nb"),), 0) >= 1
