"""The sheet: blocks with one blank line between, folded for a terminal and whole for a pipe."""

import io
import os

import pytest

from talewright.faces.plain.plain_output import COLUMNS, PlainOutput, terminal_columns


class Screen(io.StringIO):
    """A terminal that remembers what it shows."""

    def isatty(self) -> bool:
        return True


def test_what_arrives_is_cleaned_as_it_comes() -> None:
    out = io.StringIO()
    sheet = PlainOutput(out, 40)
    for piece in ("The \x1b[31mfog", "\x9b2J.", "\x07"):
        sheet.stream(piece)
    sheet.end_stream()
    assert out.getvalue() == "The [31mfog2J.\n"


def test_blocks_are_set_off_by_one_blank_line() -> None:
    out = io.StringIO()
    sheet = PlainOutput(out, None)
    sheet.block(["title"])
    sheet.block([])
    sheet.text("\n\none\n\n\n\ntwo\n\n")
    sheet.text("  \n ")
    sheet.block(["a", "b\x1b"])
    assert out.getvalue() == "title\n\none\n\ntwo\n\na\nb\n"
    assert not sheet.is_terminal


def test_a_pipe_gets_whole_lines_and_no_prompt() -> None:
    out = io.StringIO()
    sheet = PlainOutput(out, None)
    sheet.block(["word " * 60])
    sheet.prompt("> ")
    sheet.leave_prompt()
    assert out.getvalue() == "word " * 60 + "\n"


def test_a_terminal_gets_folded_lines_and_a_prompt() -> None:
    out = io.StringIO()
    sheet = PlainOutput(out, 20)
    sheet.block(["1. one two three four five"], "   ")
    sheet.prompt("> ")
    sheet.leave_prompt()
    assert out.getvalue() == "1. one two three\n   four five\n\n> \n"
    assert sheet.is_terminal


@pytest.mark.parametrize("columns", [None, 20])
def test_a_text_that_arrives_in_pieces_is_written_as_it_would_be_whole(columns: int | None) -> None:
    text = "\nThe fog comes in first.\n\n\n\nBehind it an umbrella.\n\n"
    whole, pieces = io.StringIO(), io.StringIO()
    sheet = PlainOutput(whole, columns)
    sheet.text(text)
    sheet.block(["next"])
    sheet = PlainOutput(pieces, columns)
    for char in text:
        sheet.stream(char)
    sheet.block(["next"])
    assert pieces.getvalue() == whole.getvalue()


def test_nothing_that_arrives_leaves_nothing() -> None:
    out = io.StringIO()
    sheet = PlainOutput(out, 20)
    sheet.stream("\n\n")
    sheet.end_stream()
    sheet.block(["a"])
    assert out.getvalue() == "a\n"


def test_the_width_of_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    assert terminal_columns(io.StringIO(), {"COLUMNS": "100"}) is None
    assert terminal_columns(Screen(), {"COLUMNS": "100"}) == 100
    assert terminal_columns(Screen(), {"COLUMNS": "wide"}) == COLUMNS
    screen = Screen()
    monkeypatch.setattr(screen, "fileno", lambda: 1)
    monkeypatch.setattr(os, "get_terminal_size", lambda handle: os.terminal_size((72, 20)))
    assert terminal_columns(screen, {}) == 72
