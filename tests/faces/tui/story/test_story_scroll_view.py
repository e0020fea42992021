"""Copying: paragraphs come out whole, whatever width they were folded for."""

from textual.geometry import Offset
from textual.selection import SELECT_ALL, Selection

from talewright.faces.tui.story.story_entries import NarrationEntry, SaidEntry
from talewright.faces.tui.story.story_layout import lay_out
from talewright.faces.tui.story.story_scroll_view import copy_lines, shift_selection

LINES = lay_out([SaidEntry("look at the lamp"), NarrationEntry("雾港雾港雾港雾港雾\n\nthe end")], 16)


def test_folded_paragraphs_are_whole_again() -> None:
    assert copy_lines(LINES, 0, SELECT_ALL) == "\n› look at the lamp\n\n雾港雾港雾港雾港雾\n\nthe end"


def test_part_of_some_rows() -> None:
    rows = [line.text for line in LINES]
    assert rows == ["", "› look at the", "  lamp", "", "雾港雾港雾港雾港", "雾", "", "the end"]
    selection = Selection(Offset(7, 11), Offset(4, 12))
    assert copy_lines(LINES[1:3], 11, selection) == "at the la"
    assert copy_lines(LINES[1:3], 11, Selection(Offset(0, 12), None)) == "  lamp"
    assert copy_lines(LINES[1:3], 11, Selection(Offset(2, 11), Offset(6, 11))) == "look"
    assert copy_lines(LINES, 100, Selection(None, Offset(1, 3))) == ""


def test_selection_moves_with_its_rows() -> None:
    assert shift_selection(Selection(Offset(1, 2), None), 3) == Selection(Offset(1, 5), None)
    assert shift_selection(Selection(None, Offset(1, 2)), -1) == Selection(None, Offset(1, 1))
