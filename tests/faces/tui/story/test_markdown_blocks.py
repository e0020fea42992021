"""Markdown: the few forms that are read, and all that stays text."""

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from talewright.faces.tui.safe_content import safe
from talewright.faces.tui.story.markdown_blocks import (
    MARKED_LENGTH_MAX,
    NESTING_MAX,
    CodeBlock,
    HeadingBlock,
    ListBlock,
    MarkdownBlock,
    ParagraphBlock,
    PlacedBlock,
    QuoteBlock,
    RuleBlock,
    TableBlock,
    TextMark,
    TextSpan,
    place_blocks,
    read_markdown,
)

WORDS = st.text("ab \n　，。.!—", max_size=60)


def words(text: str) -> ParagraphBlock:
    """A paragraph without marks."""
    return ParagraphBlock((TextSpan(text),))


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
                ParagraphBlock(
                    (
                        TextSpan("a "),
                        TextSpan("b", TextMark.EMPHASIS),
                        TextSpan(" "),
                        TextSpan("c", TextMark.STRONG),
                        TextSpan(" "),
                        TextSpan("d", TextMark.EMPHASIS | TextMark.STRONG),
                        TextSpan(" "),
                        TextSpan("e", TextMark.CODE),
                    )
                ),
            ),
        ),
        ("# A *b*", (HeadingBlock(1, (TextSpan("A "), TextSpan("b", TextMark.EMPHASIS))),)),
        ("A\n---", (HeadingBlock(2, (TextSpan("A"),)),)),
        ("---", (RuleBlock(),)),
        ("    x  y\n    z", (CodeBlock("x  y\nz"),)),
        ("```py\nx = *1*\n```", (CodeBlock("x = *1*"),)),
        ("> a\n>\n> b", (QuoteBlock((words("a"), words("b"))),)),
        ("- a\n- b", (ListBlock(None, ((words("a"),), (words("b"),))),)),
        ("3. a\n4. b", (ListBlock(3, ((words("a"),), (words("b"),))),)),
        ("- a\n  - b", (ListBlock(None, ((words("a"), ListBlock(None, ((words("b"),),))),)),)),
        ("|a|b|\n|-|-|\n|1|*2*|", (TableBlock((("a", "b"), ("1", "2"))),)),
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
def test_forms_that_are_read(text: str, wanted: tuple[MarkdownBlock, ...]) -> None:
    assert read_markdown(text) == wanted


def test_lines_of_blocks_are_known() -> None:
    assert place_blocks("\none\nmore\n\n\ntwo") == [
        PlacedBlock(1, words("one\nmore")),
        PlacedBlock(5, words("two")),
    ]
    assert [line for line, _ in place_blocks("# a\n\nb\n\n- c\n")] == [0, 2, 4]


@given(WORDS)
@example("\n a\n \n  b \n")
def test_plain_prose_is_read_as_markdown_would(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(text)
    # Lines that are set in by four blanks are code, and a line of wide blanks alone is nothing to read.
    assume(all(token.type != "code_block" for token in tokens))
    inlines = [token for token in tokens if token.type == "inline" and token.content.strip()]
    expected = [
        PlacedBlock(
            token.map[0] if token.map else 0,
            words("\n".join(row.strip() for row in token.content.split("\n"))),
        )
        for token in inlines
    ]
    assert place_blocks(text) == expected


def test_deep_nesting_is_shown_as_it_came() -> None:
    deep = ">" * NESTING_MAX + " a *b*"
    assert read_markdown(deep) == (words(deep),)
    assert isinstance(read_markdown("> " * 5 + "a")[0], QuoteBlock)


def test_very_long_text_is_read_as_prose() -> None:
    text = "*a* " * (MARKED_LENGTH_MAX // 4)
    assert read_markdown(text + "b")[0] == words(text + "b")
    assert read_markdown(text.strip()) != (words(text.strip()),)


@given(st.text(st.sampled_from("ab*_`#>[]()<>&;!|-+1.\\ \n:/htp~="), max_size=120))
def test_any_text_is_read(text: str) -> None:
    read_markdown(safe(text))
