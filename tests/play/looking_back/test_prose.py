"""Prose: which part of Markdown is read, and that nothing else gets through as markup."""

import time

import pytest

from talewright.play.looking_back.prose import Block, BlockKind, Span, Weight, read_prose, read_spans


def plain(*lines: str, kind: BlockKind = BlockKind.PARAGRAPH) -> Block:
    return Block(kind, tuple((Span(line),) for line in lines))


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", ()),
        ("\n \n", ()),
        ("One.\nTwo.\n\nThree.", (plain("One.", "Two."), plain("Three."))),
        ("# Night #\nText", (plain("Night", kind=BlockKind.HEADING), plain("Text"))),
        ("> said\n> twice\nText", (plain("said", "twice", kind=BlockKind.QUOTE), plain("Text"))),
        (
            "- one\n* two\n+ three",
            tuple(plain(word, kind=BlockKind.ITEM) for word in ("one", "two", "three")),
        ),
        ("a\n---\nb", (plain("a"), Block(BlockKind.BREAK), plain("b"))),
        ("* * *", (Block(BlockKind.BREAK),)),
        ("-5 degrees", (plain("-5 degrees"),)),
        ("#5 is alive", (plain("#5 is alive"),)),
        ("\x1b[31mred\u202e\r\n\ttab", (plain("[31mred", "tab"),)),
        ("<script>alert(1)</script>", (plain("<script>alert(1)</script>"),)),
        ("![x](http://e.org/x.png)", (plain("![x](http://e.org/x.png)"),)),
    ],
)
def test_blocks(text: str, blocks: tuple[Block, ...]) -> None:
    assert read_prose(text) == blocks


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a *b* c", (Span("a "), Span("b", Weight.EMPHASIS), Span(" c"))),
        ("**b**", (Span("b", Weight.STRONG),)),
        ("__b__ _c_", (Span("b", Weight.STRONG), Span(" "), Span("c", Weight.EMPHASIS))),
        ("snake_case_name", (Span("snake_case_name"),)),
        ("2 * 3 * 4", (Span("2 * 3 * 4"),)),
        ("** not **", (Span("** not **"),)),
        ("*open", (Span("*open"),)),
        ("*" + "x" * 400 + "*", (Span("x" * 400, Weight.EMPHASIS),)),
        ("*" + "x" * 401 + "*", (Span("*" + "x" * 401 + "*"),)),
    ],
)
def test_spans(text: str, spans: tuple[Span, ...]) -> None:
    assert read_spans(text) == spans


@pytest.mark.parametrize("piece", ["**a ", "*a ", "__a", "# ", "> ", "- ", " #", "_*", "-  -"])
def test_hostile_text_is_read_in_bounded_time(piece: str) -> None:
    start = time.process_time()
    read_prose(piece * (100_000 // len(piece)))
    assert time.process_time() - start < 2
