"""Live: however a narration is cut, it comes out as the whole does, and only its end is read again."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from talewright.faces.tui.safe_content import ELLIPSIS, LINES_MAX, TEXT_LENGTH_MAX, safe
from talewright.faces.tui.story import live_narration
from talewright.faces.tui.story.live_narration import LiveNarration, NarrationDraft
from talewright.faces.tui.story.markdown_blocks import (
    ParagraphBlock,
    PlacedBlock,
    TextSpan,
    place_blocks,
    read_markdown,
)
from talewright.faces.tui.story.story_entries import NarrationEntry, SaidEntry
from talewright.faces.tui.story.story_layout import lay_out
from talewright.faces.tui.story.styled_lines import BLANK

MARKS = ("*", "**", "`", "```\n", "# ", "- ", "1. ", "> ", "    ", "|x|y|\n", "|-|-|\n", "---\n")
ODDS = ("雾。", "\x1b", "\u2028", "\r\n", "👩", "\u200d", "🚀", "[x](http://a)", "[x]: http://b\n", "\t")
PIECES = st.lists(st.sampled_from(("a", " b", "\n", "\n\n", *MARKS, *ODDS)), max_size=40)


@given(PIECES)
def test_pieces_make_the_blocks_of_the_whole(pieces: list[str]) -> None:
    draft = NarrationDraft()
    for piece in pieces:
        draft.add(piece)
        draft.read()
    assert (*draft.settled, *draft.open) == read_markdown(safe("".join(pieces)))


@given(PIECES, st.integers(20, 60))
def test_pieces_make_the_lines_of_the_whole(pieces: list[str], width: int) -> None:
    told = LiveNarration("look")
    told.lay_out(width)
    for piece in pieces:
        told.draft.add(piece)
        told.lay_out(width)
    text = safe("".join(pieces))
    whole = lay_out(
        [SaidEntry("look"), NarrationEntry(text)] if read_markdown(text) else [SaidEntry("look")], width
    )
    assert told.lines == whole


def test_only_the_last_block_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def note(text: str) -> list[PlacedBlock]:
        read.append(text)
        return place_blocks(text)

    monkeypatch.setattr(live_narration, "place_blocks", note)
    draft = NarrationDraft()
    for piece in ("one\n\n", "two\n\nth", "ree", " four"):
        draft.add(piece)
        draft.read()
    assert read == ["one\n\n", "one\n\ntwo\n\nth", "three", "three four"]
    assert draft.settled == [ParagraphBlock((TextSpan("one"),)), ParagraphBlock((TextSpan("two"),))]
    assert draft.open == [ParagraphBlock((TextSpan("three four"),))]


def test_first_changed_line_is_told() -> None:
    told = LiveNarration("look")
    told.draft.add("one\n\ntwo")
    assert told.lay_out(40) == 2
    assert [line.text for line in told.lines] == ["", "› look", "", "one", "", "two"]
    told.draft.add(" more\n\nthree")
    assert told.lay_out(40) == 4
    assert [line.text for line in told.lines][4:] == ["", "two more", "", "three"]
    assert told.lay_out(40) == 6


def test_another_width_lays_out_all() -> None:
    told = LiveNarration("look")
    told.draft.add("one two three four five\n\nsix")
    told.lay_out(40)
    assert told.lay_out(12) == 2
    assert told.lines == lay_out([SaidEntry("look"), NarrationEntry("one two three four five\n\nsix")], 12)


def test_restart_begins_the_narration_again() -> None:
    told = LiveNarration("look")
    told.draft.add("one\n\ntwo")
    told.lay_out(40)
    told.restart("three")
    assert told.lay_out(40) == 2
    assert [line.text for line in told.lines] == ["", "› look", "", "three"]


def test_nothing_said_has_no_line() -> None:
    told = LiveNarration(" ")
    told.draft.add("one")
    told.lay_out(40)
    assert told.lines[0] == BLANK
    assert [line.text for line in told.lines] == ["", "one"]


def test_text_without_end_is_cut() -> None:
    draft = NarrationDraft()
    draft.add("")
    assert not draft.waiting
    for _ in range(3):
        draft.add("word " * (TEXT_LENGTH_MAX // 10) + "\n\n")
    draft.add("more")
    draft.read()
    assert len(draft.settled) == 2
    assert str(draft.open).count(ELLIPSIS) == 1
    draft.add("more")
    assert not draft.waiting


def test_lines_without_end_are_cut() -> None:
    draft = NarrationDraft()
    for _ in range(3):
        draft.add("a\n\n" * (LINES_MAX // 5))
        draft.read()
    assert len(draft.settled) + len(draft.open) == LINES_MAX // 5 * 3 + 1
    assert draft.open == [ParagraphBlock((TextSpan(ELLIPSIS),))]
