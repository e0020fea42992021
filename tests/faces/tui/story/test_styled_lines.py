"""The palette: words painted, dice painted, and a selection shown."""

from rich.style import Style
from textual.content import Content
from textual.strip import Strip
from textual.style import Style as VisualStyle

from talewright.faces.tui.story.markdown_blocks import TextMark
from talewright.faces.tui.story.styled_lines import (
    LinePiece,
    LineTone,
    StoryLine,
    StoryPalette,
    highlight,
    paint,
)

TOLD = Style(color="red")
PALETTE = StoryPalette(
    Style(),
    dict.fromkeys(LineTone, TOLD),
    {
        TextMark.EMPHASIS: Style(italic=True),
        TextMark.STRONG: Style(bold=True),
        TextMark.CODE: Style(dim=True),
    },
    VisualStyle(),
)


def test_marks_add_up() -> None:
    line = StoryLine(
        (
            LinePiece("a", LineTone.TOLD),
            LinePiece("", LineTone.TOLD),
            LinePiece("b", LineTone.TOLD, TextMark.EMPHASIS | TextMark.STRONG),
        )
    )
    strip = paint(line, PALETTE)
    assert [(segment.text, segment.style) for segment in strip] == [
        ("a", TOLD),
        ("b", TOLD + Style(italic=True, bold=True)),
    ]


def test_what_others_drew_is_painted_as_it_is() -> None:
    strip = paint(StoryLine(drawn=Content("[b]x[/b]")), PALETTE)
    assert strip.text == "[b]x[/b]"
    strip = paint(StoryLine(drawn=Content.assemble(("x", "bold"), ("y", VisualStyle(italic=True)))), PALETTE)
    assert [(segment.text, bool(segment.style and segment.style.bold)) for segment in strip] == [
        ("x", True),
        ("y", False),
    ]


def test_selection_is_by_characters_not_cells() -> None:
    chosen = Style(reverse=True)

    def show(start: int, end: int) -> list[tuple[str, bool]]:
        strip = highlight(
            paint(StoryLine((LinePiece("雾港ab", LineTone.TOLD),)), PALETTE), start, end, chosen
        )
        return [(segment.text, bool(segment.style and segment.style.reverse)) for segment in strip]

    assert show(0, -1) == [("雾港ab", True)]
    assert show(1, 3) == [("雾", False), ("港a", True), ("b", False)]
    assert show(2, 99) == [("雾港", False), ("ab", True)]
    assert show(2, 2) == [("雾港", False), ("ab", False)]
    assert highlight(Strip([], 0), 0, -1, chosen).text == ""
