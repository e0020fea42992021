"""Markdown blocks: a narration parsed into paragraphs, headings, lists and tables, or into one plain line.

Raw HTML and entities stay text, an image becomes its description, and a link becomes its text followed by the
address: nothing parsed here can be clicked, fetched or executed.
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
    """Emphasis of a stretch of text; flags combine."""

    NONE = 0
    EMPHASIS = 1
    STRONG = 2
    CODE = 4


class TextSpan(NamedTuple):
    """A stretch of text with its marks; line breaks in it are kept."""

    text: str
    mark: TextMark = TextMark.NONE


Spans: TypeAlias = tuple[TextSpan, ...]


class ParagraphBlock(NamedTuple):
    """Flowing text."""

    spans: Spans


class HeadingBlock(NamedTuple):
    """A heading within the narration."""

    level: int
    spans: Spans


class CodeBlock(NamedTuple):
    """Preformatted text: line breaks and spaces are kept."""

    text: str


class RuleBlock(NamedTuple):
    """A thematic break between two parts."""


class QuoteBlock(NamedTuple):
    """Quoted blocks."""

    blocks: "MarkdownBlocks"


class ListBlock(NamedTuple):
    """List items, numbered from `start` or bulleted."""

    start: int | None
    items: tuple["MarkdownBlocks", ...]


class TableBlock(NamedTuple):
    """A table of plain text; the first row is its header."""

    rows: tuple[tuple[str, ...], ...]


MarkdownBlock: TypeAlias = (
    ParagraphBlock | HeadingBlock | CodeBlock | RuleBlock | QuoteBlock | ListBlock | TableBlock
)
MarkdownBlocks: TypeAlias = tuple[MarkdownBlock, ...]

NESTING_MAX: Final = 24
"""Maximum nesting of quotes and lists that is parsed (a list item counts as two levels)."""

MARKED_LENGTH_MAX: Final = 40_000
"""Maximum length of a text whose Markdown is parsed; longer ones are shown as plain paragraphs."""

_MARKED: Final = re.compile(r"[*_`<>\[\]#|\\]|^(?: {4}| {0,3}(?:[-+=]|\d{1,9}[.)]))", re.MULTILINE)
"""Any character that Markdown might interpret; most prose has none and skips the parser."""

_GAP: Final = re.compile(r"\n(?: *\n)+")
_WEB: Final = ("http://", "https://")
_MARKS: Final = {"em": TextMark.EMPHASIS, "strong": TextMark.STRONG}


@cache
def make_reader() -> MarkdownIt:
    """Create the parser on first use: creating it would slow down startup."""
    # Link definitions are off because they act backwards: they would change text that is already shown.
    return (
        MarkdownIt("commonmark", {"html": False, "maxNesting": NESTING_MAX})
        .enable("table")
        .disable(["html_block", "html_inline", "entity", "reference"])
    )


class PlacedBlock(NamedTuple):
    """A block, and the line of the text on which it starts."""

    line: int
    block: MarkdownBlock


def read_markdown(text: str) -> MarkdownBlocks:
    """Parse a sanitized text into blocks."""
    return tuple(block for _, block in place_blocks(text))


def place_blocks(text: str) -> list[PlacedBlock]:
    """Parse a sanitized text into blocks, each with the line on which it starts."""
    if len(text) > MARKED_LENGTH_MAX or not _MARKED.search(text):
        return list(_place_plain(text))
    tokens = make_reader().parse(text)
    if any(token.level >= NESTING_MAX - 1 for token in tokens):
        # The parser drops deeper nesting; then it is better to show the text unparsed.
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
    """An iterator over the parser's tokens."""

    def __init__(self, tokens: list[Token]) -> None:
        self._tokens = tokens
        self._next = 0

    def take(self) -> Token | None:
        """Return the next token; None at the end."""
        if self._next >= len(self._tokens):
            return None
        self._next += 1
        return self._tokens[self._next - 1]


def _read_blocks(tokens: _Tokens, close: str) -> Iterator[tuple[int, MarkdownBlock]]:
    """Read blocks up to the token that closes their container."""
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
    """Read the text of a paragraph with its marks; adjacent spans with the same marks are merged."""
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
            case _:  # Text, and images by their description.
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
"""Unmatched emphasis or code markers: at one end of a word, or too many to be literal."""

_SIGNS_ALONE: Final = re.compile(r"[-=*_`~|:#>+\s]*")
"""A thematic break, a code fence, or a table border."""


def read_one_line(text: str) -> str:
    """Return the words of a sanitized text on one line."""
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
                # A line of a story may start with a year, so a number is never dropped as a list marker.
                yield from (() if start is None else (f"{number}.",))
                yield from _read_words(item)
        case TableBlock(rows):
            yield from (cell for row in rows for cell in row)
        case _:
            assert_never(block)


def _join(spans: Spans) -> str:
    return "".join(span.text for span in spans)
