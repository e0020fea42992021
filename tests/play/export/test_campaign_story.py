"""Prose: which part of Markdown is read, and that nothing else gets through as markup."""

import time

import pytest

from talewright.play.export.campaign_story import (
    ProseBlock,
    ProseBlockKind,
    ProseSpan,
    ProseWeight,
    read_prose,
    read_spans,
)


def plain(*lines: str, kind: ProseBlockKind = ProseBlockKind.PARAGRAPH) -> ProseBlock:
    return ProseBlock(kind, tuple((ProseSpan(line),) for line in lines))


@pytest.mark.parametrize(
    ("text", "blocks"),
    [
        ("", ()),
        ("\n \n", ()),
        ("One.\nTwo.\n\nThree.", (plain("One.", "Two."), plain("Three."))),
        ("# Night #\nText", (plain("Night", kind=ProseBlockKind.HEADING), plain("Text"))),
        ("> said\n> twice\nText", (plain("said", "twice", kind=ProseBlockKind.QUOTE), plain("Text"))),
        (
            "- one\n* two\n+ three",
            tuple(plain(word, kind=ProseBlockKind.ITEM) for word in ("one", "two", "three")),
        ),
        ("a\n---\nb", (plain("a"), ProseBlock(ProseBlockKind.BREAK), plain("b"))),
        ("* * *", (ProseBlock(ProseBlockKind.BREAK),)),
        ("-5 degrees", (plain("-5 degrees"),)),
        ("#5 is alive", (plain("#5 is alive"),)),
        ("\x1b[31mred\u202e\r\n\ttab", (plain("[31mred", "tab"),)),
        ("<script>alert(1)</script>", (plain("<script>alert(1)</script>"),)),
        ("![x](http://e.org/x.png)", (plain("![x](http://e.org/x.png)"),)),
    ],
)
def test_blocks(text: str, blocks: tuple[ProseBlock, ...]) -> None:
    assert read_prose(text) == blocks


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("a *b* c", (ProseSpan("a "), ProseSpan("b", ProseWeight.EMPHASIS), ProseSpan(" c"))),
        ("**b**", (ProseSpan("b", ProseWeight.STRONG),)),
        (
            "__b__ _c_",
            (ProseSpan("b", ProseWeight.STRONG), ProseSpan(" "), ProseSpan("c", ProseWeight.EMPHASIS)),
        ),
        ("snake_case_name", (ProseSpan("snake_case_name"),)),
        ("2 * 3 * 4", (ProseSpan("2 * 3 * 4"),)),
        ("** not **", (ProseSpan("** not **"),)),
        ("*open", (ProseSpan("*open"),)),
        ("*" + "x" * 400 + "*", (ProseSpan("x" * 400, ProseWeight.EMPHASIS),)),
        ("*" + "x" * 401 + "*", (ProseSpan("*" + "x" * 401 + "*"),)),
    ],
)
def test_spans(text: str, spans: tuple[ProseSpan, ...]) -> None:
    assert read_spans(text) == spans


@pytest.mark.parametrize("piece", ["**a ", "*a ", "__a", "# ", "> ", "- ", " #", "_*", "-  -"])
def test_hostile_text_is_read_in_bounded_time(piece: str) -> None:
    start = time.process_time()
    read_prose(piece * (100_000 // len(piece)))
    assert time.process_time() - start < 2
