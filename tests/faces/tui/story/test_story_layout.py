"""Layout: entries as rows of words, with signs that need no colour."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from talewright.faces.tui.safe_content import safe
from talewright.faces.tui.story.markdown_blocks import TextMark
from talewright.faces.tui.story.story_entries import NarrationEntry, NoticeEntry, read_turn
from talewright.faces.tui.story.story_layout import RULE_CELLS, lay_out
from talewright.faces.tui.story.styled_lines import BLANK, MEASURE_MAX, LinePiece, LineTone, StoryLine
from tests.faces.tui.story.making import make_full_turn


def rows(narration: str, width: int = 30) -> list[str]:
    """The rows of a narration, without the blank one before it."""
    return [line.text for line in lay_out([NarrationEntry(narration)], width)][1:]


def test_turn_is_laid_out_with_room_between_its_parts() -> None:
    text = [line.text.rstrip() for line in lay_out(read_turn(make_full_turn()), 40)]
    assert text == [
        "",
        "› I *look* around",
        "",
        "╭─ 2d6+1 ─────────╮",
        "│ ⚂ ⚄  =  9       │",
        "│ ✓ Stealth holds │",
        "╰─────────────────╯",
        "",
        "The fog comes in.",
        "",
        "· The lights go out.",
        "✗ You cannot carry that.",
        "± Suspicion 20 → 30 · Coins 12 → 7",
    ]


def test_trouble_has_a_sign_of_its_own() -> None:
    lines = lay_out([NoticeEntry("all is well"), NoticeEntry("no answer", trouble=True)], 30)
    assert [line.text for line in lines] == ["", "– all is well", "! no answer"]
    assert [line.pieces[-1].tone for line in lines[1:]] == [LineTone.NOTICE, LineTone.TROUBLE]


def test_marks_go_on_over_the_end_of_a_line() -> None:
    assert lay_out([NarrationEntry("a *bb cc* d")], 4) == [
        BLANK,
        StoryLine((LinePiece("a ", LineTone.TOLD), LinePiece("bb", LineTone.TOLD, TextMark.EMPHASIS))),
        StoryLine((LinePiece("cc", LineTone.TOLD, TextMark.EMPHASIS), LinePiece(" d", LineTone.TOLD)), " "),
    ]


def test_folded_lines_know_what_stood_between_them() -> None:
    lines = lay_out([NarrationEntry("雾港雾港 aa\nb")], 4)
    assert [(line.text, line.glue) for line in lines[1:]] == [
        ("雾港", None),
        ("雾港", ""),
        ("aa", " "),
        ("b", None),
    ]


def test_lists_quotes_code_and_rules() -> None:
    assert rows("- one two three four five six\n- b\n  - c\n\n9. i\n10. j") == [
        "• one two three four five six",
        "• b",
        "  • c",
        "",
        " 9. i",
        "10. j",
    ]
    assert rows("- one two three", 9) == ["• one two", "three"]
    assert rows("- one two three", 17) == ["• one two three"]
    assert rows("- a\n\n  b\n- c", 20) == ["• a", "  ", "  b", "• c"]
    assert rows("> to be or not\n>\n> to be", 16) == ["│ to be or not", "│ ", "│ to be"]
    assert rows("```\nx  = 1\n```") == ["  x  = 1"]
    assert rows("a\n\n***\n\nb") == ["a", "", "─" * RULE_CELLS, "", "b"]
    assert rows("# Title\n\nx") == ["Title", "", "x"]
    assert rows("-\n- b") == ["• ", "• b"]


def test_table_is_aligned_where_it_fits() -> None:
    table = "|name|雾|\n|-|-|\n|a|bb|\n"
    assert rows(table) == ["name │ 雾", "─────┼───", "a    │ bb"]
    assert rows(table, 8) == ["name │", "雾", "a │ bb"]


def test_hanging_indent_is_known_for_copying() -> None:
    lines = lay_out(read_turn(make_full_turn()), 16)
    said = [line for line in lines if line.pieces and line.pieces[0].tone is LineTone.SAID]
    assert [(line.text, line.indent) for line in said] == [("› I *look*", 2), ("  around", 2)]


def test_lines_are_not_longer_than_can_be_read() -> None:
    assert max(cell_len(row) for row in rows("word " * 100, 300)) <= MEASURE_MAX


@given(st.text(st.sampled_from("ab 雾。*_`>-1.|#\n[]()"), max_size=200), st.integers(20, 70))
def test_lines_fit_whatever_is_told(text: str, width: int) -> None:
    for line in lay_out([NarrationEntry(safe(text))], width):
        # Signs of lists and quotes that stand deep in one another may push a word out; it is cropped.
        assert cell_len(line.text) <= width + 2 * 24
        assert "\n" not in line.text
