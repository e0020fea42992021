"""Markdown: the few forms that are read, and all that stays text."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from talewright.faces.tui.safety import safe
from talewright.faces.tui.story.blocks import (
    Block,
    Code,
    Grid,
    Heading,
    Listing,
    Mark,
    Paragraph,
    Quote,
    Rule,
    Span,
)
from talewright.faces.tui.story.markdown import (
    MARKED_LENGTH_MAX,
    NESTING_MAX,
    Placed,
    place_blocks,
    read_markdown,
)

WORDS = st.text("ab \n　，。.!—", max_size=60)


def words(text: str) -> Paragraph:
    """A paragraph without marks."""
    return Paragraph((Span(text),))


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("one\n\ntwo", (words("one"), words("two"))),
        ("one\ntwo", (words("one\ntwo"),)),
        ("one*\ntwo", (words("one*\ntwo"),)),
        ("", ()),
        (" \n \n", ()),
        (
            "a *b* **c** ***d*** `e`",
            (
                Paragraph(
                    (
                        Span("a "),
                        Span("b", Mark.EMPHASIS),
                        Span(" "),
                        Span("c", Mark.STRONG),
                        Span(" "),
                        Span("d", Mark.EMPHASIS | Mark.STRONG),
                        Span(" "),
                        Span("e", Mark.CODE),
                    )
                ),
            ),
        ),
        ("# A *b*", (Heading(1, (Span("A "), Span("b", Mark.EMPHASIS))),)),
        ("A\n---", (Heading(2, (Span("A"),)),)),
        ("---", (Rule(),)),
        ("    x  y\n    z", (Code("x  y\nz"),)),
        ("```py\nx = *1*\n```", (Code("x = *1*"),)),
        ("> a\n>\n> b", (Quote((words("a"), words("b"))),)),
        ("- a\n- b", (Listing(None, ((words("a"),), (words("b"),))),)),
        ("3. a\n4. b", (Listing(3, ((words("a"),), (words("b"),))),)),
        ("- a\n  - b", (Listing(None, ((words("a"), Listing(None, ((words("b"),),))),)),)),
        ("|a|b|\n|-|-|\n|1|*2*|", (Grid((("a", "b"), ("1", "2"))),)),
        ("[x](https://a.b/c)", (words("x (https://a.b/c)"),)),
        ("<https://a.b>", (words("https://a.b"),)),
        ("[x](mailto:a@b)", (words("x"),)),
        ("[x](javascript:alert)", (words("[x](javascript:alert)"),)),
        ("[x]: http://a\n\n[x]", (words("[x]: http://a"), words("[x]"))),
        ("![a cat](http://a/b.png)", (words("a cat"),)),
        ("<b>x</b> &amp; &#x202e; [bold]y[/]", (words("<b>x</b> &amp; &#x202e; [bold]y[/]"),)),
        ("<div>\nx\n</div>", (words("<div>\nx\n</div>"),)),
        (r"\*a\*", (words("*a*"),)),
    ],
)
def test_forms_that_are_read(text: str, wanted: tuple[Block, ...]) -> None:
    assert read_markdown(text) == wanted


def test_lines_of_blocks_are_known() -> None:
    assert place_blocks("\none\nmore\n\n\ntwo") == [Placed(1, words("one\nmore")), Placed(5, words("two"))]
    assert [line for line, _ in place_blocks("# a\n\nb\n\n- c\n")] == [0, 2, 4]


@given(WORDS)
@example("\n a\n \n  b \n")
def test_plain_prose_is_read_as_markdown_would(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(text)
    # Lines that are set in by four blanks are code, and a line of wide blanks alone is nothing to read.
    assume(all(token.type != "code_block" for token in tokens))
    inlines = [token for token in tokens if token.type == "inline" and token.content.strip()]
    expected = [
        Placed(
            token.map[0] if token.map else 0,
            words("\n".join(row.strip() for row in token.content.split("\n"))),
        )
        for token in inlines
    ]
    assert place_blocks(text) == expected


def test_deep_nesting_is_shown_as_it_came() -> None:
    deep = ">" * NESTING_MAX + " a *b*"
    assert read_markdown(deep) == (words(deep),)
    assert isinstance(read_markdown("> " * 5 + "a")[0], Quote)


def test_very_long_text_is_read_as_prose() -> None:
    text = "*a* " * (MARKED_LENGTH_MAX // 4)
    assert read_markdown(text + "b")[0] == words(text + "b")
    assert read_markdown(text.strip()) != (words(text.strip()),)


@given(st.text(st.sampled_from("ab*_`#>[]()<>&;!|-+1.\\ \n:/htp~="), max_size=120))
def test_any_text_is_read(text: str) -> None:
    read_markdown(safe(text))
