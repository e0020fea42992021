"""Markdown blocks: a narration's text read into paragraphs, headings, lists, tables, or one plain line.

Raw HTML and entities stay text, an image is its description, and a link is its words with the address behind
them: nothing read here can be clicked, fetched or obeyed.
"""

import re
from collections.abc import Iterator
from enum import IntFlag
from functools import cache
from itertools import groupby
from typing import Final, NamedTuple, TypeAlias, assert_never

from markdown_it import MarkdownIt
from markdown_it.token import Token

from talewright.faces.tui.safe_content import safe_line


class TextMark(IntFlag):
    """How a stretch of text is marked; marks add up."""

    NONE = 0
    EMPHASIS = 1
    STRONG = 2
    CODE = 4


class TextSpan(NamedTuple):
    """A stretch of text with its marks; a line end in it is meant."""

    text: str
    mark: TextMark = TextMark.NONE


Spans: TypeAlias = tuple[TextSpan, ...]


class ParagraphBlock(NamedTuple):
    """Text that flows."""

    spans: Spans


class HeadingBlock(NamedTuple):
    """A title within the narration."""

    level: int
    spans: Spans


class CodeBlock(NamedTuple):
    """Text whose line ends and spaces are meant."""

    text: str


class RuleBlock(NamedTuple):
    """A break between two parts."""


class QuoteBlock(NamedTuple):
    """Blocks that somebody else speaks or writes."""

    blocks: "MarkdownBlocks"


class ListBlock(NamedTuple):
    """Points, with numbers from `start` on or without any."""

    start: int | None
    items: tuple["MarkdownBlocks", ...]


class TableBlock(NamedTuple):
    """A table as plain text; the first row is its head."""

    rows: tuple[tuple[str, ...], ...]


MarkdownBlock: TypeAlias = (
    ParagraphBlock | HeadingBlock | CodeBlock | RuleBlock | QuoteBlock | ListBlock | TableBlock
)
MarkdownBlocks: TypeAlias = tuple[MarkdownBlock, ...]

NESTING_MAX: Final = 24
"""Levels of quotes and lists within one another (a point of a list counts as two) that are still read."""

MARKED_LENGTH_MAX: Final = 40_000
"""Characters of text up to which marks are read; a longer one is shown as paragraphs of plain text."""

_MARKED: Final = re.compile(r"[*_`<>\[\]#|\\]|^(?: {4}| {0,3}(?:[-+=]|\d{1,9}[.)]))", re.MULTILINE)
"""Anything that Markdown might read; most prose has none, and is then read without the reader."""

_GAP: Final = re.compile(r"\n(?: *\n)+")
_WEB: Final = ("http://", "https://")
_MARKS: Final = {"em": TextMark.EMPHASIS, "strong": TextMark.STRONG}


@cache
def make_reader() -> MarkdownIt:
    """The reader, made for the first marked text: it takes too long to be made while the program starts."""
    # Definitions of links are off because they act backwards: what has arrived already would change above.
    return (
        MarkdownIt("commonmark", {"html": False, "maxNesting": NESTING_MAX})
        .enable("table")
        .disable(["html_block", "html_inline", "entity", "reference"])
    )


class PlacedBlock(NamedTuple):
    """A block and the line of the text that it begins on."""

    line: int
    block: MarkdownBlock


def read_markdown(text: str) -> MarkdownBlocks:
    """The blocks of a safe text."""
    return tuple(block for _, block in place_blocks(text))


def place_blocks(text: str) -> list[PlacedBlock]:
    """The blocks of a safe text, each with the line it begins on."""
    if len(text) > MARKED_LENGTH_MAX or not _MARKED.search(text):
        return list(_place_plain(text))
    tokens = make_reader().parse(text)
    if any(token.level >= NESTING_MAX - 1 for token in tokens):
        # The reader leaves out what lies deeper; then it is better to show the text as it came.
        return list(_place_plain(text))
    return [PlacedBlock(line, block) for line, block in _read_blocks(_Tokens(tokens), "")]


def _place_plain(text: str) -> Iterator[PlacedBlock]:
    line, start = 0, 0
    for gap in [*_GAP.finditer(text), None]:
        end = gap.start() if gap else len(text)
        part = text[start:end]
        lead = len(part) - len(part.lstrip("\n "))
        first = line + part.count("\n", 0, lead)
        words = "\n".join(row.strip() for row in part.strip().split("\n"))
        if words:
            yield PlacedBlock(first, ParagraphBlock((TextSpan(words),)))
        line += part.count("\n")
        if gap:
            line += gap.group().count("\n")
            start = gap.end()


class _Tokens:
    """The reader's tokens, taken one by one."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._next = 0

    def take(self) -> Token | None:
        """The next token; None at the end."""
        if self._next >= len(self._tokens):
            return None
        self._next += 1
        return self._tokens[self._next - 1]


def _read_blocks(tokens: _Tokens, close: str) -> Iterator[tuple[int, MarkdownBlock]]:
    """Blocks up to the token that closes what they stand in."""
    while (token := tokens.take()) is not None and token.type != close:
        line = token.map[0] if token.map else 0
        match token.type:
            case "paragraph_open":
                yield line, ParagraphBlock(_take_spans(tokens))
            case "heading_open":
                yield line, HeadingBlock(int(token.tag[1:]), _take_spans(tokens))
            case "fence" | "code_block":
                yield line, CodeBlock(token.content.rstrip("\n"))
            case "hr":
                yield line, RuleBlock()
            case "blockquote_open":
                yield line, QuoteBlock(_gather(tokens, "blockquote_close"))
            case "bullet_list_open":
                yield line, _read_list(tokens, None, "bullet_list_close")
            case "ordered_list_open":
                start = token.attrs.get("start", 1)
                yield line, _read_list(tokens, int(start), "ordered_list_close")
            case "table_open":
                yield line, _read_table(tokens)
            case _:  # The ends of paragraphs and headings.
                pass


def _gather(tokens: _Tokens, close: str) -> MarkdownBlocks:
    return tuple(block for _, block in _read_blocks(tokens, close))


def _read_list(tokens: _Tokens, start: int | None, close: str) -> ListBlock:
    items: list[MarkdownBlocks] = []
    while (token := tokens.take()) is not None and token.type != close:
        if token.type == "list_item_open":
            items.append(_gather(tokens, "list_item_close"))
    return ListBlock(start, tuple(items))


def _read_table(tokens: _Tokens) -> TableBlock:
    rows: list[list[str]] = []
    while (token := tokens.take()) is not None and token.type != "table_close":
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append("".join(span.text for span in _read_spans(token)).replace("\n", " "))
    return TableBlock(tuple(map(tuple, rows)))


def _take_spans(tokens: _Tokens) -> Spans:
    inline = tokens.take()
    return _read_spans(inline) if inline is not None else ()


def _read_spans(inline: Token) -> Spans:
    """The text of a paragraph with its marks; neighbours with the same marks are one."""
    parts: list[TextSpan] = []
    mark = TextMark.NONE
    address, link_start = "", 0
    for token in inline.children or ():
        match token.type:
            case "em_open" | "strong_open":
                mark |= _MARKS[token.tag]
            case "em_close" | "strong_close":
                mark &= ~_MARKS[token.tag]
            case "softbreak" | "hardbreak":
                parts.append(TextSpan("\n", mark))
            case "code_inline":
                parts.append(TextSpan(token.content, mark | TextMark.CODE))
            case "link_open":
                address, link_start = str(token.attrs.get("href", "")), len(parts)
            case "link_close":
                words = "".join(part.text for part in parts[link_start:])
                if address.startswith(_WEB) and words != address:
                    parts.append(TextSpan(f" ({safe_line(address)})", mark))
            case _:  # Text, and images by what they show.
                parts.append(TextSpan(token.content, mark))
    return tuple(
        TextSpan("".join(part.text for part in group), marks)
        for marks, group in groupby(filter(_has_text, parts), key=_mark_of)
    )


def _has_text(span: TextSpan) -> bool:
    return bool(span.text)


def _mark_of(span: TextSpan) -> TextMark:
    return span.mark


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
