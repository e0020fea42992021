"""Rulebook Markdown: lines, bullets, table rows and a tree of sections.

It never fails: anything other than a heading, bullet or row is a line of text.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from talewright.errors import SourcePlace

LINE_LENGTH_MAX = 2_000
"""Characters of a line that are searched for patterns; the rest of a longer one is prose."""

PSEUDO_LEVEL = 7
"""The level of a bold line that serves as a heading, below all real ones."""

_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
_PLAIN = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-"),
        **dict.fromkeys("\u3000\u00a0\u2009\u202f\t", " "),
        **dict.fromkeys("\u200b\u200d\ufeff\u00ad", None),
        **dict.fromkeys("\u301c\u223c", "~"),
    }
)
_MARKS = re.compile(r"\*+|_{2,}|`+|~~|</?[A-Za-z][A-Za-z0-9]{0,9} ?/?>")
_LINK = re.compile(r"!?\[([^\[\]]{0,200})\]\([^()]{0,300}\)")
_QUOTE = re.compile(r"(?: {0,3}> ?)+")
_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+|(?<=##)(?=[^#]))(.*?)[ \t]*#*[ \t]*$")
_SETEXT = re.compile(r" {0,3}(=+|-+)[ \t]*$")
_BULLET = re.compile(r"[ \t]*(?:[-*+\u2022\u25cf\u25aa\u00b7]|[0-9]{1,3}[.)\u3001])[ \t]+(?=\S)")
_TIGHT_BULLET = re.compile(r"[ \t]*(?:[\u2022\u25cf\u25aa\u00b7]|[0-9]{1,3}[\u3001])(?=\S)")
_BOLD_ALONE = re.compile(r"(?:\*{2,3}|__)([^*_:]{1,60}):?(?:\*{2,3}|__):?$")
_BRACKETS_ALONE = re.compile(r"[\u3010\u300a\[]([^\u3010\u3011\u300b\[\]]{1,30})[\u3011\u300b\]]$")
_CHINESE_NUMBER = re.compile(r"[一二三四五六七八九十]{1,3}、([^，。、：:]{1,12})$")
_FENCE = re.compile(r" {0,3}(```|~~~)")
_DELIMITER = re.compile(r":?-{1,}:?")


class LineKind(Enum):
    """The kind of a line."""

    TEXT = "text"
    BULLET = "bullet"
    ROW = "row"
    BLANK = "blank"


@dataclass(frozen=True, slots=True)
class RulebookLine:
    """One line of a section."""

    kind: LineKind
    place: SourcePlace
    raw: str
    """Without bullet and quotation marks, with plain punctuation, with its emphasis."""

    indent: int = 0
    cells: tuple[str, ...] = ()
    """The cells of a row."""

    is_header: bool = False
    """Whether a line of dashes follows this row."""

    written: str = ""
    """The line with its author's punctuation."""

    @property
    def text(self) -> str:
        """Without emphasis."""
        return strip_marks(self.raw)

    @property
    def prose(self) -> str:
        """Without emphasis, as its author wrote it."""
        return strip_marks(self.written) or self.text

    def restore(self, part: str) -> str:
        """A part of the text with its author's punctuation."""
        start = self.text.find(part)
        if start < 0 or len(self.prose) != len(self.text):
            return part
        return self.prose[start : start + len(part)]


@dataclass(slots=True, eq=False)
class RulebookSection:
    """A heading, the lines below it and its subsections."""

    heading: str
    level: int
    place: SourcePlace
    lines: list[RulebookLine] = field(default_factory=list)
    children: list["RulebookSection"] = field(default_factory=list)

    def walk(self) -> Iterator["RulebookSection"]:
        """This section and everything below it, in order."""
        stack = [self]
        while stack:
            section = stack.pop()
            yield section
            stack.extend(reversed(section.children))

    def all_lines(self) -> Iterator[RulebookLine]:
        """The lines of this section and of everything below it."""
        for section in self.walk():
            yield from section.lines


def simplify(text: str) -> str:
    """Punctuation, digits and dashes in their plain ASCII form; nothing else changes."""
    return text.translate(_FULL_WIDTH).translate(_PLAIN)


def strip_marks(text: str) -> str:
    """A text without emphasis, links and tags."""
    return _MARKS.sub("", _LINK.sub(r"\1", text)).strip()


def read_markdown(text: str, file: str) -> RulebookSection:
    """The sections of a file, below a root without a heading."""
    root = RulebookSection("", 0, SourcePlace(file))
    open_sections = [root]
    for found in _read_lines(text, file):
        if isinstance(found, RulebookSection):
            while open_sections[-1].level >= found.level:
                open_sections.pop()
            open_sections[-1].children.append(found)
            open_sections.append(found)
        else:
            open_sections[-1].lines.append(found)
    return root


def _read_lines(text: str, file: str) -> Iterator[RulebookLine | RulebookSection]:
    lines = _blank_out_comments(text).replace("\r\n", "\n").replace("\r", "\n").split("\n")
    lines = [_QUOTE.sub("", line[:LINE_LENGTH_MAX], count=1) for line in lines]
    start = _skip_front_matter(lines)
    # Without headings of the second level, those in brackets or with Chinese numbers take their place.
    free_level = PSEUDO_LEVEL - 1 if any(re.match(r" {0,3}##[^#]", line) for line in lines) else 2
    fence = ""
    skipped = False
    for number, line in enumerate(lines[start:], start + 1):
        place = SourcePlace(file, number)
        opened = _FENCE.match(line)
        if opened and fence in ("", opened[1]):
            fence = "" if fence else opened[1]
        elif fence:
            yield _read_line(line, place, "")
        elif skipped:
            skipped = False
        elif not _is_delimiter(line):
            below = lines[number] if number < len(lines) else ""
            heading = _read_heading(line, below, place, free_level)
            if heading is None:
                yield _read_line(line, place, below)
            else:
                skipped = heading.level <= 2 and bool(_is_setext(line, below))
                yield heading


def _blank_out_comments(text: str) -> str:
    """Comments are removed; their line ends stay, so that lines keep their numbers."""
    parts, start = [], 0
    while (opened := text.find("<!--", start)) >= 0 and (closed := text.find("-->", opened)) >= 0:
        parts += [text[start:opened], "\n" * text.count("\n", opened, closed)]
        start = closed + 3
    return "".join([*parts, text[start:]])


def _skip_front_matter(lines: list[str]) -> int:
    if lines[0].strip() == "---":
        for number, line in enumerate(lines[1:50], 1):
            if line.strip() == "---":
                return number + 1
            if ":" not in line and not line.startswith((" ", "-", "#")) and line.strip():
                break
    return 0


def _read_heading(line: str, below: str, place: SourcePlace, free_level: int) -> RulebookSection | None:
    found = _HEADING.match(line)
    if found:
        return RulebookSection(strip_marks(simplify(found[2])), len(found[1]), place)
    plain = simplify(line).strip()
    if _is_setext(line, below):
        return RulebookSection(strip_marks(plain), 1 if below.strip()[0] == "=" else 2, place)
    bold = _BOLD_ALONE.match(plain)
    if bold:
        return RulebookSection(strip_marks(bold[1]), PSEUDO_LEVEL, place)
    free = _BRACKETS_ALONE.match(plain) or _CHINESE_NUMBER.match(plain)
    return None if free is None else RulebookSection(strip_marks(free[1]), free_level, place)


def _is_setext(line: str, below: str) -> bool:
    """Whether a line is underlined. Three dashes at least: a shorter row may be an empty bullet."""
    under = _SETEXT.match(below)
    if under is None or len(under[1]) < 3 or not line.strip() or "|" in line:
        return False
    return not (_BULLET.match(line) or _HEADING.match(line)) and len(line.strip()) <= 80


def _is_delimiter(line: str) -> bool:
    """Whether a line separates the header of a table from its rows."""
    cells = [cell.strip() for cell in simplify(line).strip().strip("|").split("|")]
    return "|" in line and "-" in line and all(_DELIMITER.fullmatch(cell) for cell in cells if cell)


def _read_line(line: str, place: SourcePlace, below: str) -> RulebookLine:
    plain = simplify(line)
    stripped = plain.strip()
    if not stripped:
        return RulebookLine(LineKind.BLANK, place, "")
    if stripped.startswith("|") or (stripped.count("|") >= 2 and not _BULLET.match(plain)):
        cells = tuple(strip_marks(cell) for cell in stripped.strip("|").split("|"))
        return RulebookLine(LineKind.ROW, place, stripped, cells=cells, is_header=_is_delimiter(below))
    bullet = _BULLET.match(plain) or _TIGHT_BULLET.match(plain)
    if bullet and not re.fullmatch(r"[-*_ ]+", stripped):
        indent = len(plain) - len(plain.lstrip())
        rest, written = plain[bullet.end() :].strip(), line[bullet.end() :].strip()
        return RulebookLine(LineKind.BULLET, place, rest, indent, written=written)
    return RulebookLine(LineKind.TEXT, place, stripped, written=line.strip())
