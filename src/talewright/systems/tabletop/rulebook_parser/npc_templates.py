"""NPC templates: where a rulebook describes NPCs, and the name of each.

A template is a section, a bullet, a bold line or a row of a table; `stat_block` reads its fields.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from talewright.errors import Fault
from talewright.systems.tabletop.rulebook_parser.rulebook_markdown import (
    LineKind,
    RulebookLine,
    RulebookSection,
    strip_marks,
)
from talewright.systems.tabletop.rulebook_parser.rulebook_types import (
    NAME_LENGTH_MAX,
    AttributeRule,
    NpcTemplate,
    ProseSection,
    warn,
)
from talewright.systems.tabletop.rulebook_parser.stat_block import StatBlockReader
from talewright.systems.tabletop.rulebook_parser.stat_block_labels import StatField

TEMPLATES_MAX = 500
"""Templates of one rulebook."""

_NAME_WORDS = frozenset(
    "name npc monster creature enemy foe adversary template threat 名称 名字 怪物 敌人 生物 模板".split()
)
_BOLD_NAME = re.compile(r"(?:\*{2,3}|__)([^*_]{1,60})(?:\*{2,3}|__)")
_PLAIN_NAME = re.compile(r"([^:,.;|()0-9]{1,40})(?::| ?\(| - |,|\. )")


class TemplateFinder:
    """Finds the templates of sections, each once."""

    def __init__(self, attributes: Sequence[AttributeRule], warnings: list[Fault]) -> None:
        self._reader = StatBlockReader(attributes, warnings)
        self._warnings = warnings
        self.templates: dict[str, NpcTemplate] = {}
        self.prose: list[ProseSection] = []

    def read(self, sections: Iterable[RulebookSection]) -> None:
        """Read sections about NPCs."""
        for section in sections:
            before = len(self.templates)
            self._read_section(section)
            if len(self.templates) == before and (section.lines or section.children):
                message = (
                    f"no template was found in the section `{section.heading}`; it is left to the narrator"
                )
                hint = "Give each NPC a heading, and below it lines like `- HP: 7`."
                self._warnings.append(warn("rules-empty", message, section.place, hint))

    def read_stray(self, section: RulebookSection) -> bool:
        """Read a section that has no kind; returns whether it is a template."""
        if self._reader.count_fields(section) < 2 or not self._reader.has_hp(section):
            return False
        self._add(section.heading, section)
        return True

    def _read_section(self, section: RulebookSection) -> None:
        own = RulebookSection(section.heading, section.level, section.place, section.lines)
        for name, block in self._split_lines(own):
            self._add(name, block)
        for child in _join_fields(section.children, self._reader):
            inner = [one for one in child.children if self._reader.has_hp(one)]
            own = RulebookSection(child.heading, child.level, child.place, child.lines)
            if inner and not self._reader.has_hp(own):
                self._read_section(child)
            elif self._reader.count_fields(child):
                blocks = list(self._split_lines(own)) if not self._reader.has_hp_line(own) else []
                for name, block in blocks:
                    self._add(name, block)
                if not blocks:
                    self._add(child.heading, child)
            elif child.children:
                self._read_section(child)
            else:
                self.prose.append(ProseSection(child.heading, child.place))

    def _add(self, name: str, section: RulebookSection) -> None:
        plain = _clean_name(name)
        if not plain:
            message = "these stats have no name"
            self._warnings.append(warn("rules-name", message, section.place, "Put a heading above them."))
            return
        known = self.templates.get(plain.casefold())
        if known is not None:
            message = (
                f"the template `{plain}` is already defined in line {known.place.line}; the first one counts"
            )
            self._warnings.append(warn("rules-twice", message, section.place, "Rename one of the two."))
        elif len(self.templates) == TEMPLATES_MAX:
            message = f"a rulebook has at most {TEMPLATES_MAX} templates"
            self._warnings.append(warn("rules-many", message, section.place))
        else:
            self.templates[plain.casefold()] = self._reader.read(plain, section)

    def _split_lines(self, section: RulebookSection) -> Iterator[tuple[str, RulebookSection]]:
        """The templates in the lines of a section: rows of a table, bullets, bold names."""
        header: tuple[str, ...] = ()
        current: tuple[str, RulebookSection] | None = None
        for line in section.lines:
            if line.kind is LineKind.ROW:
                if line.is_header or not header:
                    header = line.cells if self._is_header(line.cells) else ()
                elif header:
                    yield self._read_row(header, line)
                continue
            header = () if line.kind is not LineKind.BLANK else header
            name = self._name_of(line)
            if name:
                if current:
                    yield current
                rest = line.raw[name[1] :].lstrip(" :-(.,")
                block = RulebookSection(name[0], section.level + 1, line.place)
                block.lines.append(replace(line, kind=LineKind.TEXT, raw=_drop_last_bracket(rest)))
                current = name[0], block
            elif current:
                current[1].lines.append(line)
        if current:
            yield current

    def _is_header(self, cells: Sequence[str]) -> bool:
        fields = [self._reader.labels.field_of(cell) for cell in cells]
        named = cells[0].casefold().strip() in _NAME_WORDS or fields[0] is None
        return named and len([field for field in fields[1:] if field]) >= 1

    def _read_row(self, header: Sequence[str], row: RulebookLine) -> tuple[str, RulebookSection]:
        place = next((at for at, cell in enumerate(header) if cell.casefold().strip() in _NAME_WORDS), 0)
        block = RulebookSection(row.cells[place] if place < len(row.cells) else "", 9, row.place)
        for at, (label, value) in enumerate(zip(header, row.cells, strict=False)):
            if at != place and value and value != "-":
                block.lines.append(RulebookLine(LineKind.TEXT, row.place, f"{label}: {value}"))
        if len(row.cells) != len(header):
            message = f"this row has {len(row.cells)} cells and its table {len(header)} columns"
            self._warnings.append(warn("rules-row", message, row.place))
        return block.heading, block

    def _name_of(self, line: RulebookLine) -> tuple[str, int] | None:
        """The name at the start of a line that continues with stats, and where it ends."""
        if line.kind is LineKind.BLANK:
            return None
        bold = _BOLD_NAME.match(line.raw)
        found = bold or _PLAIN_NAME.match(line.raw)
        if found is None:
            return None
        name = strip_marks(found[1]).strip(" :.,-")
        rest = line.raw[found.end() :]
        fields = self._reader.labels.cut(_drop_last_bracket(rest.lstrip(" :-(.,")), line.place)[1]
        known = [one for one in fields if one.field not in (StatField.OTHER, StatField.STAT)]
        if not name or self._reader.labels.field_of(name) or not known:
            return None
        has_hp = any(one.field is StatField.HP for one in known)
        return (name, found.end()) if has_hp or len(known) >= 2 else None


def _drop_last_bracket(text: str) -> str:
    """A text without its closing bracket, if the opening one comes before the text."""
    plain = text.rstrip(" .。")
    return plain[:-1] if plain.endswith(")") and plain.count(")") > plain.count("(") else text


def _clean_name(name: str) -> str:
    plain = re.sub(r"^[0-9]{1,3}[.)、] *", "", strip_marks(name))
    plain = re.split(r" ?\((?:cr|level|lv|等级)[^)]*\)", plain, flags=re.IGNORECASE)[0]
    return plain.strip(" :.-,|")[:NAME_LENGTH_MAX]


def _join_fields(sections: Sequence[RulebookSection], reader: StatBlockReader) -> list[RulebookSection]:
    """Merges sections named after a field, such as `Actions`, into the one before."""
    joined: list[RulebookSection] = []
    for section in sections:
        if joined and reader.labels.field_of(section.heading):
            last = joined[-1]
            joined[-1] = replace(last, children=[*last.children, section])
        else:
            joined.append(section)
    return joined
