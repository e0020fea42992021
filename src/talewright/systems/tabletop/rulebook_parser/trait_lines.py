"""Trait lines: the names, abbreviations, ranges and meanings in lists of attributes or skills.

Bullets, bold words, tables, subheadings and plain enumerations are read alike. Anything that looks like a
sentence is left alone.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from talewright.common.frozen_values import frozen
from talewright.errors import SourcePlace
from talewright.systems.tabletop.rulebook_parser.rulebook_markdown import (
    LineKind,
    RulebookLine,
    RulebookSection,
    strip_marks,
)
from talewright.systems.tabletop.rulebook_parser.rulebook_types import NAME_LENGTH_MAX

WORDS_MAX = 4
"""Words of a name; more are a sentence."""

CHINESE_LENGTH_MAX = 10
"""Characters of a Chinese name."""

_SIGNED = r"[+-]?[0-9]{1,4}"
_RANGE = re.compile(
    rf"(?<![0-9dD.+-])({_SIGNED}) ?(?:-|~|\.\.+|to|through|至|到) ?({_SIGNED})(?![0-9dD%])|"
    rf"start(?:ing|s)? at ({_SIGNED})[^0-9+-]{{0,20}}up to ({_SIGNED})|"
    rf"between ({_SIGNED}) and ({_SIGNED})|最低 ?({_SIGNED})[^0-9]{{0,6}}最高 ?({_SIGNED})|"
    rf"min(?:imum)?:? ?({_SIGNED})[^0-9+-]{{0,12}}max(?:imum)?:? ?({_SIGNED})",
    re.IGNORECASE,
)
_ABOUT_RANGE = re.compile(
    r"range|from|between|rated|start|values?|scores?|each|minimum|"
    r"取值|范围|之间|初始|起始|每项|数值|等级|从",
    re.IGNORECASE,
)
_NOT_A_NAME = re.compile(
    r"^(?:the|you|your|how|when|if)(?![a-z])|"
    r"(?<![a-z])(?:values?|ranges?|starting|points?|modifiers?|roll|each|note|example|default|total|step|score|"
    r"creation|advancement)(?![a-z])|"
    r"取值|范围|初始|起始|点数|购点|说明|修正|注意|调整值|例如|示例|分配",
    re.IGNORECASE,
)
_BOLD_LEAD = re.compile(r"(?:\*{1,3}|__)([^*_]{1,80})(?:\*{1,3}|__)")
_END_OF_NAME = re.compile(r"[(\[{:=]| -+ |--|。|\. |, |,(?=[^\s0-9])")
_CLOSING = {"(": ")", "[": "]", "{": "}"}
_DASHES = re.compile(r"^(?:-+ +|--+)")
_TRAILING = re.compile(rf"(.*?\S) +({_SIGNED}(?: ?(?:-|~|to|\.\.) ?{_SIGNED})?)$")
_ENUMERATION = re.compile(r"[,、;]| and | or |和|以及")
_HEADERS = {
    "name": (
        "name|attribute|ability|stat|skill|move|characteristic|approach|属性|能力|技能|名称|名字|招式|动作"
    ),
    "short": "abbr|abbr.|abbreviation|short|code|缩写|简称|代号",
    "range": "range|value|values|min-max|limits|rating|范围|取值|数值范围",
    "minimum": "min|minimum|lowest|最小|最低|最小值|下限",
    "maximum": "max|maximum|highest|最大|最高|最大值|上限",
    "attribute": (
        "linked attribute|key attribute|attribute|ability|stat|key ability|关联属性|对应属性|属性|主属性"
    ),
    "meaning": (
        "description|meaning|what it does|use|uses|measures|note|notes|covers|说明|描述|含义|用途|备注|作用"
    ),
}
"""The headers of tables, by the role of their column."""


@frozen
class TraitLine:
    """One attribute or skill as written."""

    name: str
    place: SourcePlace
    bracket: str = ""
    """The text in brackets after the name."""

    limits: tuple[int, int] | None = None
    attribute: str = ""
    """The entry in the table's attribute column."""

    meaning: str = ""
    group: str = ""
    """The heading or the outer bullet that this one belongs to."""


def read_limits(text: str) -> tuple[int, int] | None:
    """The first range in a text, lower end first."""
    found = _RANGE.search(text)
    if found is None:
        return None
    low, high = (int(number) for number in found.groups() if number is not None)
    return min(low, high), max(low, high)


def read_common_limits(lines: Iterable[RulebookLine]) -> tuple[int, int] | None:
    """The range that a section states for all its traits."""
    for line in lines:
        text = line.text
        if line.kind is LineKind.TEXT or (line.kind is LineKind.BULLET and _NOT_A_NAME.search(text[:40])):
            if _ABOUT_RANGE.search(text) and (limits := read_limits(text)):
                return limits
    return None


def is_name(text: str) -> bool:
    """Whether a text may be the name of something rather than a sentence."""
    if not text or len(text) > NAME_LENGTH_MAX or not text[0].isalpha() or len(text.split()) > WORDS_MAX:
        return False
    if re.search(r"[.!?;:。！？；|<>\\]", text) or _NOT_A_NAME.search(text):
        return False
    return len(text) <= CHINESE_LENGTH_MAX or text.isascii() or " " in text


def read_traits(section: RulebookSection) -> Iterator[TraitLine]:
    """Every trait in a section and below it."""
    listed = list(_read_lists(section, ""))
    for child in section.children:
        below = list(_read_lists(child, child.heading))
        head = _read_item(child.heading, child.place, "")
        if below or head is None:
            listed += below
        else:
            prose = " ".join(line.text for line in child.all_lines() if line.raw)
            # A range counts only at the start of the text; elsewhere it may belong to anything.
            first = read_limits(prose[:40]) if head.limits is None else head.limits
            meaning = head.meaning or prose
            listed.append(TraitLine(head.name, head.place, head.bracket, first, "", meaning, section.heading))
        for inner in child.children:
            listed += _read_lists(inner, inner.heading)
    yield from listed or _read_plain(section)


def _read_lists(section: RulebookSection, group: str) -> Iterator[TraitLine]:
    outer: list[tuple[int, str]] = []
    rows: list[RulebookLine] = []
    for line in section.lines:
        if line.kind is LineKind.ROW:
            rows.append(line)
            continue
        yield from _read_table(rows, group)
        rows = []
        if line.kind is LineKind.BULLET:
            while outer and outer[-1][0] >= line.indent:
                outer.pop()
            item = _read_item(line.raw, line.place, outer[-1][1] if outer else group)
            outer.append((line.indent, item.name if item else line.text))
            if item:
                yield item
        elif line.kind is LineKind.TEXT and _BOLD_LEAD.match(line.raw):
            item = _read_item(line.raw, line.place, group)
            if item:
                yield item
    yield from _read_table(rows, group)


def _read_plain(section: RulebookSection) -> Iterator[TraitLine]:
    """Traits without any marks: a line for each, or an enumeration."""
    lines = [line for line in section.lines if line.kind in (LineKind.TEXT, LineKind.BULLET)]
    one_a_line = [
        item for line in lines if ":" in line.text and (item := _read_item(line.raw, line.place, ""))
    ]
    many = [list(_read_enumeration(line)) for line in lines]
    if len(one_a_line) >= max(2, *(len(items) for items in many), 0):
        yield from one_a_line
    else:
        for items in many:
            yield from items


def _read_enumeration(line: RulebookLine) -> Iterator[TraitLine]:
    """The traits that a sentence of a line lists."""
    for sentence in re.split(r"\. |。", line.text):
        text = re.split(r": ?| are | is one of |有|分为|包括", sentence)[-1].strip(" .。")
        parts = [part.strip() for part in split_outside_brackets(text, _ENUMERATION)]
        items = [_read_item(re.sub(r"^and ", "", part), line.place, "") for part in parts if part]
        if len(items) >= 3 and all(item is not None for item in items):
            yield from (item for item in items if item is not None)


def _read_item(raw: str, place: SourcePlace, group: str) -> TraitLine | None:
    """The trait at the start of a text, or None if it starts with something else."""
    lead = _BOLD_LEAD.match(raw)
    text = strip_marks(raw)
    if lead and not _END_OF_NAME.search(lead[1]):
        name, rest = lead[1].strip(" :.。,"), strip_marks(raw[lead.end() :])
    else:
        end = _END_OF_NAME.search(text)
        name, rest = (text[: end.start()], text[end.start() :]) if end else (text, "")
    bracket = ""
    rest = rest.lstrip()
    if rest[:1] in _CLOSING and rest:
        closing = rest.find(_CLOSING[rest[0]])
        bracket, rest = (rest[1:], "") if closing < 0 else (rest[1:closing], rest[closing + 1 :])
    trailing = _TRAILING.match(name.strip())
    limits = None
    if trailing:
        name, limits = trailing[1], read_limits(trailing[2])
    rest = _DASHES.sub("", rest.lstrip(" :.=,。"))
    name = name.strip(" .:-。")
    if not is_name(name):
        return None
    limits = limits or read_limits(bracket) or read_limits(rest[:60])
    return TraitLine(name, place, bracket.strip(), limits, "", rest.strip(), group)


def _read_table(rows: Sequence[RulebookLine], group: str) -> Iterator[TraitLine]:
    if not rows:
        return
    columns = _find_columns(rows[0].cells) if rows[0].is_header else {}
    data = rows[1:] if rows[0].is_header or "name" in columns else rows
    if data and rows[0].is_header and not is_name(_cell(data[0].cells, columns.get("name", 0))):
        # A table on its side: the names are above, the ranges below.
        for name, below in zip(rows[0].cells, data[0].cells, strict=False):
            if is_name(name) and (limits := read_limits(below)):
                yield TraitLine(name, rows[0].place, limits=limits, group=group)
        return
    for row in data:
        item = _read_item(_cell(row.cells, columns.get("name", 0)), row.place, group)
        if item is None:
            continue
        low, high = (_cell(row.cells, columns.get(end, -1)) for end in ("minimum", "maximum"))
        written = _cell(row.cells, columns.get("range", -1)) or (f"{low} to {high}" if low and high else "")
        short = _cell(row.cells, columns.get("short", -1))
        attribute = _cell(row.cells, columns.get("attribute", -1))
        last = len(row.cells) - 1 if not columns and len(row.cells) > 1 else -1
        meaning = _cell(row.cells, columns.get("meaning", last))
        limits = read_limits(written) or item.limits
        yield TraitLine(item.name, row.place, short or item.bracket, limits, attribute, meaning, group)


def _find_columns(header: Sequence[str]) -> dict[str, int]:
    columns: dict[str, int] = {}
    for place, cell in enumerate(header):
        plain = cell.casefold().strip()
        for role, words in _HEADERS.items():
            if role not in columns and plain in words.split("|"):
                columns[role] = place
                break
    return columns


def _cell(cells: Sequence[str], place: int) -> str:
    return cells[place] if 0 <= place < len(cells) else ""


def split_outside_brackets(text: str, separator: re.Pattern[str]) -> list[str]:
    """The parts of a text between separators outside brackets."""
    parts, start, depth = [], 0, 0
    ends = {match.start(): match.end() for match in separator.finditer(text)}
    for place, sign in enumerate(text):
        if sign in "([{":
            depth += 1
        elif sign in ")]}":
            depth = max(0, depth - 1)
        elif depth == 0 and place in ends and place >= start:
            parts.append(text[start:place])
            start = ends[place]
    return [*parts, text[start:]]
