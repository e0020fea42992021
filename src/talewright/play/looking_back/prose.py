"""Prose: a narration read as a small part of Markdown, so that every format can write it safely.

Paragraphs, line breaks, emphasis, headings, quotes, lists and breaks are read; everything else is words.
No link, picture or markup of a narration ever gets through as such.
"""

import re
from dataclasses import dataclass
from enum import StrEnum

from talewright.play.showing.wording import clean


class Weight(StrEnum):
    """How a run of words is told."""

    PLAIN = "plain"
    EMPHASIS = "emphasis"
    STRONG = "strong"


@dataclass(frozen=True, slots=True)
class Span:
    """Words told alike."""

    text: str
    weight: Weight = Weight.PLAIN


class BlockKind(StrEnum):
    """What a block is."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"
    QUOTE = "quote"
    ITEM = "item"
    BREAK = "break"


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a narration."""

    kind: BlockKind
    lines: tuple[tuple[Span, ...], ...] = ()


SPAN_LENGTH_MAX = 400
"""Characters between two signs of emphasis; signs further apart are only signs."""

_BREAK = re.compile(r"\s*([-*_])\s*(\1\s*){2,}")
_MARKED = (
    (BlockKind.HEADING, re.compile(r"\s{0,3}#{1,6}\s+(.*)")),
    (BlockKind.QUOTE, re.compile(r"\s{0,3}>\s?(.*)")),
    (BlockKind.ITEM, re.compile(r"\s*[-*+]\s+(.*)")),
)
_WEIGHED = re.compile(
    rf"(\*\*|__)(?=\S)(.{{1,{SPAN_LENGTH_MAX}}}?)(?<=\S)\1"
    rf"|(?<!\w)([*_])(?=\S)([^*_]{{1,{SPAN_LENGTH_MAX}}}?)(?<=\S)\3(?!\w)"
)
"""Strong between two stars or underscores, emphasis between one; within a word they are only signs."""


def read_prose(text: str) -> tuple[Block, ...]:
    """The blocks of a narration, in order."""
    blocks: list[Block] = []
    open_lines: list[tuple[Span, ...]] = []
    open_kind = BlockKind.PARAGRAPH

    def close() -> None:
        if open_lines:
            blocks.append(Block(open_kind, tuple(open_lines)))
            open_lines.clear()

    for line in clean(text).replace("\t", " ").split("\n"):
        kind, words = _read_line(line)
        if kind is BlockKind.BREAK or not words:
            close()
            if kind is BlockKind.BREAK:
                blocks.append(Block(kind))
            continue
        # Lines of a paragraph or of a quote belong together; every heading and item stands by itself.
        if kind is not open_kind or kind in (BlockKind.HEADING, BlockKind.ITEM):
            close()
            open_kind = kind
        open_lines.append(read_spans(words))
    close()
    return tuple(blocks)


def read_spans(text: str) -> tuple[Span, ...]:
    """The runs of one line."""
    spans: list[Span] = []
    at = 0
    for found in _WEIGHED.finditer(text):
        if found.start() > at:
            spans.append(Span(text[at : found.start()]))
        strong = found[1] is not None
        spans.append(Span(found[2] if strong else found[4], Weight.STRONG if strong else Weight.EMPHASIS))
        at = found.end()
    if at < len(text):
        spans.append(Span(text[at:]))
    return tuple(spans)


def _read_line(line: str) -> tuple[BlockKind, str]:
    if _BREAK.fullmatch(line):
        return BlockKind.BREAK, ""
    for kind, pattern in _MARKED:
        found = pattern.fullmatch(line)
        if found:
            words = found[1].strip()
            return kind, words.rstrip("#").rstrip() if kind is BlockKind.HEADING else words
    return BlockKind.PARAGRAPH, line.strip()
