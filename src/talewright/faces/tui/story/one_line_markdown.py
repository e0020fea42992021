"""One-line Markdown: a text as words alone, for where there is only one row for it.

What it is made of may have been cut out of a longer text: a sign whose other half is missing goes too.
"""

import re
from collections.abc import Iterator
from typing import Final, assert_never

from talewright.faces.tui.story.markdown_blocks import (
    CodeBlock,
    HeadingBlock,
    ListBlock,
    MarkdownBlock,
    MarkdownBlocks,
    ParagraphBlock,
    QuoteBlock,
    RuleBlock,
    Spans,
    TableBlock,
    read_markdown,
)

_LEFT_OVER: Final = re.compile(r"(?<!\S)[*_`]+(?=\S)|(?<=\S)[*_`]+(?!\S)|\*{2,}")
"""Signs of emphasis or code that nothing answers to: at one end of a word, or too many to mean themselves."""

_SIGNS_ALONE: Final = re.compile(r"[-=*_`~|:#>+\s]*")
"""A rule, a fence, or the edge of a table."""


def read_one_line(text: str) -> str:
    """The words of a safe text on one line."""
    if _SIGNS_ALONE.fullmatch(text):
        return ""
    words = " ".join(" ".join(_read_words(read_markdown(text))).split())
    return _LEFT_OVER.sub("", words).strip("| ")


def _read_words(blocks: MarkdownBlocks) -> Iterator[str]:
    for block in blocks:
        yield from _read_block(block)


def _read_block(block: MarkdownBlock) -> Iterator[str]:
    match block:
        case ParagraphBlock(spans) | HeadingBlock(_, spans):
            yield _join(spans)
        case CodeBlock(text):
            yield text
        case RuleBlock():
            return
        case QuoteBlock(blocks):
            yield from _read_words(blocks)
        case ListBlock(start, items):
            for number, item in enumerate(items, start or 0):
                # A line of a story may well begin with a year; a number is never only a sign.
                yield from (() if start is None else (f"{number}.",))
                yield from _read_words(item)
        case TableBlock(rows):
            yield from (cell for row in rows for cell in row)
        case _:
            assert_never(block)


def _join(spans: Spans) -> str:
    return "".join(span.text for span in spans)
